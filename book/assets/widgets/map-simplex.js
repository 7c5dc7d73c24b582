// Three classes: where two maps of all logits send the points of the triangle.

const CORNERS = [[0, 0], [1, 0], [0.5, Math.sqrt(3) / 2]];
const onPaper = (p) => [0, 1].map((axis) => sum(p.map((v, k) => v * CORNERS[k][axis])));

class MapSimplex extends Widget {
  start() {
    const names = Object.keys(this.data.maps).map((name) => [name, name]);
    this.maps = ["left", "right"].map((side, i) => this.choice(side, `Map on the ${side}`, names));
    this.maps[1].value = names.at(-1)[0];
    this.shown = this.choice("show", "Show", [["grid", "arrows on a grid"], ["points", "arrows of test images"]]);
    this.plots = this.maps.map(() => this.triangle());
    this.figures(...this.plots);
    this.fill = this.asTable(["Before", "Left", "Right"]);
    this.update();
  }
  triangle() {
    const plot = new Plot([0, 1], [0, 1], "", "");
    plot.axes.replaceChildren();
    this.data.classes.forEach((name, k) => {
      const [x, y] = CORNERS[k];
      const place = { x: plot.x(x), y: plot.y(y) + (k === 2 ? -4 : 16), "text-anchor": ["start", "end", "middle"][k] };
      plot.axes.append(make("text", place, name));
    });
    return plot;
  }
  grid() {
    const points = [];
    for (let i = 1; i < 10; i++) for (let j = 1; i + j < 10; j++) points.push([i / 10, j / 10, (10 - i - j) / 10]);
    return points;
  }
  apply(name, p) {
    return linearMap(this.data.maps[name], p.map((v) => Math.log(v)));
  }
  update() {
    const points = this.shown.value === "grid" ? this.grid() : this.data.points.map((row) => row.p);
    const labels = this.shown.value === "grid" ? points.map(() => 0) : this.data.points.map((row) => row.y);
    const moved = this.maps.map((map, i) => this.draw(this.plots[i], map.value, points, labels));
    const far = moved.map((to) => mean(to.map((q, i) => sum(q.map((v, k) => Math.abs(v - points[i][k]))) / 2)));
    const said = this.maps.map((map, i) => `${map.value} moves ${percent(far[i], 1)} of the probability`).join("; ");
    this.status.textContent = `On average over the arrows, ${said}. On other test images the NLL is ${this.maps.map((map) => `${this.data.nll[map.value].toFixed(4)} (${map.value})`).join(" and ")}.`;
    const text = (p) => p.map((v) => v.toFixed(3)).join(", ");
    this.fill(points.slice(0, 12).map((p, i) => [text(p), text(moved[0][i]), text(moved[1][i])]));
    this.values({ left: far[0], right: far[1] });
  }
  draw(plot, name, points, labels) {
    plot.clear(`${name}: arrows from each vector of probabilities to where the map sends it`);
    plot.line([...CORNERS, CORNERS[0]], "w-diagonal");
    return points.map((p, i) => {
      const q = this.apply(name, p);
      const [from, to] = [onPaper(p), onPaper(q)];
      const style = ["w-curve", "w-second", "w-third"][labels[i]];
      plot.line([from, to], `${style} w-thin`);
      plot.dot(to, `${style}-dot`, 2.2);
      return q;
    });
  }
}

customElements.define("map-simplex", MapSimplex);
