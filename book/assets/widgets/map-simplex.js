// Three classes: where two maps of all logits send the points of the triangle.
(() => {
  const { indicesOfTrue, legend, percent, Widget } = book.base;
  const { linearMap, mean, sum } = book.definitions;
  const { Differences, onPaper, Triangle } = book.diagram;

  class MapSimplex extends Widget {
    start() {
      const { maps, nll } = this.data;
      const names = Object.keys(maps).map((name) => [name, name]);
      this.maps = ["left", "right"].map((side) => this.choice(side, `Map on the ${side}`, names));
      this.maps[1].value = names.at(-1)[0];
      this.arrows = this.choice("show", "Show", [["grid", "arrows on a grid"], ["points", "arrows of test images"]]);
      this.plots = this.maps.map(() => new Triangle(this.data.classes));
      this.losses = new Differences("NLL above the best (nats)");
      const order = Object.keys(maps).sort((a, b) => nll[a] - nll[b]);
      this.ask({
        question: "Which map predicts best on other images?",
        answers: Object.keys(maps),
        right: () => indicesOfTrue(Object.keys(maps).map((name) => !this.areApart(name, order[0]))),
        covers: [this.losses],
        seen: () =>
          `NLL on other test images: ${order.map((name) => `${name}: ${nll[name].toFixed(4)}`).join("; ")}. ` +
          `${this.tieText(order)}What bends most need not help most.`,
        settle: () => ([this.maps[0].value, this.maps[1].value] = [order[0], order.at(-1)]),
      });
      this.figures(...this.plots, this.losses);
      this.append(
        legend(
          [
            ["w-arrow", "from a vector to where the map sends it"],
            ["w-curve", "95 % interval of the paired difference"],
          ],
          ["NLL"]
        ),
        this.classes()
      );
      this.fill = this.asTable(["Before", "Left", "Right"]);
      this.update();
    }
    // Whether the difference of the NLL of two maps is beyond chance.
    areApart(one, best) {
      const [, low, high] = this.data.differences[one][best];
      return low > 0 || high < 0;
    }
    tieText(order) {
      const near = order.slice(1).filter((name) => !this.areApart(name, order[0]));
      return near.length ? `These images do not tell ${[order[0], ...near].join(" and ")} apart. ` : "";
    }
    // Colours of the labels, for the arrows of images.
    classes() {
      const styles = ["w-curve-dot", "w-second-dot", "w-third-dot"];
      return (this.key = legend(this.data.classes.map((name, k) => [styles[k], `it is: ${name}`])));
    }
    grid() {
      const points = [];
      for (let i = 1; i < 10; i++) for (let j = 1; i + j < 10; j++) points.push([i / 10, j / 10, (10 - i - j) / 10]);
      return points;
    }
    apply(name, p) {
      return linearMap(this.data.maps[name], p.map((v) => Math.log(v)));
    }
    // What each other map loses to the best, with its interval.
    differences() {
      const { nll, differences } = this.data;
      const best = Object.keys(nll).reduce((one, other) => (nll[other] < nll[one] ? other : one));
      const others = Object.keys(nll).filter((name) => name !== best);
      return others.map((name) => {
        const [value, low, high] = differences[name][best];
        return { name, value, low, high };
      });
    }
    update() {
      const isGrid = this.arrows.value === "grid";
      const points = isGrid ? this.grid() : this.data.points.map((row) => row.p);
      const labels = isGrid ? points.map(() => 0) : this.data.points.map((row) => row.y);
      const moved = this.maps.map((map, i) => this.draw(this.plots[i], map.value, points, labels));
      const distance = (p, q) => sum(p.map((v, k) => Math.abs(v - q[k]))) / 2; // how much probability is moved
      const far = moved.map((ends) => mean(ends.map((end, i) => distance(end, points[i]))));
      const texts = this.maps.map((map, i) => `${map.value} moves ${percent(far[i], 1)} of the probability`);
      this.losses.draw(this.asks ? [] : this.differences());
      this.key.classList.toggle("w-absent", isGrid); // its place stays, or the page moves
      this.status.textContent = `On average over the arrows, ${texts.join("; ")}.`;
      const text = (p) => p.map((v) => v.toFixed(3)).join(", ");
      this.fill(points.slice(0, 12).map((p, i) => [text(p), text(moved[0][i]), text(moved[1][i])]));
      this.record({ left: far[0], right: far[1] });
    }
    draw(plot, name, points, labels) {
      plot.clear(`${name}: arrows from each vector of probabilities to where the map sends it`);
      const moved = points.map((p) => this.apply(name, p));
      ["w-curve", "w-second", "w-third"].forEach((style, label) => {
        const arrows = points.flatMap((p, i) => (labels[i] === label ? [[onPaper(p), onPaper(moved[i])]] : []));
        plot.lines(arrows, `${style} w-thin`);
        plot.heads(arrows, `${style}-dot`);
      });
      return moved;
    }
  }

  customElements.define("map-simplex", MapSimplex);
})();
