// A photograph and the set of labels that holds the true one as often as is promised.
(() => {
  const { indicesOfTrue, legend, make, percent, photograph, Plot, set, Widget } = book.base;
  const { softmax, sum } = book.definitions;

  const SCORE_NAMES = { lac: "one minus the probability", aps: "adaptive: sum of the likelier" };

  const SMALL = 0.1; // of a class: so far sets stay as they are

  class LabelSets extends Widget {
    start() {
      const { images, classes, temperatures, coverages } = this.data;
      this.image =
        this.choice("image", "Image", images.map(({ label }, i) => [String(i), `${i + 1}: ${classes[label]}`]));
      this.photograph = make("div");
      this.image.parentElement.append(this.photograph);
      this.score = this.choice("score", "Oddness", Object.entries(SCORE_NAMES));
      const place = (values, value) => ({ min: 0, max: values.length - 1, step: 1, value: values.indexOf(value) });
      this.coverage =
        this.slider("coverage", "Promised coverage", place(coverages, 0.95), (i) => percent(coverages[i], 0));
      this.temperature = this.slider("T", "Temperature T", place(temperatures, 1), (i) => temperatures[i].toFixed(2));
      const size = (i) => this.data.grid[this.score.value][i][this.coverage.value][1];
      const [sharp, flat] = [temperatures.indexOf(1), temperatures.indexOf(2)];
      const change = () => this.data.change[this.score.value][this.coverage.value];
      const points = (v) => v.toFixed(2).replace("-", "−");
      const promised = () => percent(coverages[this.coverage.value], 0);
      this.sizes = new Plot([0, temperatures.at(-1)], [0, 4], "temperature T", "mean size of the sets");
      this.ask({
        question: () =>
          `At T = 1 these sets hold ${size(sharp).toFixed(2)} classes on average, at ${promised()} promised. What ` +
          "do they do at T = 2?",
        answers: ["they grow", "they stay, within a tenth of a class", "they shrink"],
        right: () => {
          const [, low, high] = change();
          return indicesOfTrue([high > SMALL, high > -SMALL && low < SMALL, low < -SMALL]);
        },
        covers: [this.sizes],
        seen: () =>
          `They hold ${size(flat).toFixed(2)} classes, at ${promised()}; the change has the 95 % interval ` +
          `${change().slice(1).map(points).join(" to ")}. The promise is kept at any T, but for chance.`,
        settle: () => (this.temperature.value = flat),
      });
      this.bars = new Plot([0, 1], [0, classes.length], "probability", "", { yTicks: [], left: 84 });
      this.figures(this.bars, this.sizes);
      this.append(legend([
        ["w-accuracy", "in the set"],
        ["w-chance", "not in the set"],
        ["w-curve", "mean size on the test set"],
        ["w-second", "95 % interval, T = 2 against T = 1"],
      ]));
      this.fill = this.asTable(["Class", "Probability", "In the set"]);
      this.update();
    }
    // How odd each label would be; of the adaptive oddness a share u of the label's own probability is left out.
    oddness(p, u) {
      if (this.score.value === "lac") return p.map((v) => 1 - v);
      const order = Array.from(p.keys()).sort((a, b) => p[b] - p[a]);
      const sumDownTo = (k) => sum(order.slice(0, order.indexOf(k) + 1).map((j) => p[j]));
      return p.map((v, k) => sumDownTo(k) - u * v);
    }
    setText(names) {
      const { length } = this.data.classes;
      if (names.length === 0) return "The set is empty";
      return `The set: ${names.length === length ? `all ${length} classes` : names.join(", ")}`;
    }
    update() {
      const { images, classes, temperatures, coverages, grid, sprite } = this.data;
      const number = Number(this.image.value);
      const { logits, label, u } = images[number];
      [this.coverage, this.temperature].forEach((slider) => slider.say());
      const promised = coverages[this.coverage.value];
      const sizes = grid[this.score.value].map((row) => row[this.coverage.value]);
      const [limit, size, coverage] = sizes[this.temperature.value];
      const p = softmax(logits, temperatures[this.temperature.value]);
      const inside = this.oddness(p, u).map((v) => v <= limit);
      const names = classes.filter((_, k) => inside[k]);
      const summary =
        `${this.setText(names)}. It ${inside[label] ? "holds" : "does not hold"} the true label, ${classes[label]}. ` +
        `On the test set ${percent(coverage, 1)} of the sets hold it, ${percent(promised, 0)} were promised; mean ` +
        `size ${size.toFixed(2)}.`;
      set(this.photograph, photograph(number, images.length, sprite, `Photograph ${number + 1}: ${classes[label]}`));
      this.bars.clear(summary);
      const look = (k) => (inside[k] ? "w-accuracy" : "w-chance");
      const check = (k) => (k === label ? "✓ " : "");
      this.bars.classes(classes, p, look, check);
      this.sizes.scale([0, temperatures.at(-1)], [0, Math.ceil(Math.max(2, ...sizes.map((row) => row[1])))]);
      this.sizes.clear(`Mean size of the sets against temperature at ${percent(promised, 0)} promised`);
      this.sizes.line(sizes.map((row, i) => [temperatures[i], row[1]]), "w-curve");
      const sharp = sizes[temperatures.indexOf(1)][1];
      const ends = this.data.change[this.score.value][this.coverage.value].slice(1);
      if (!this.asks) this.sizes.line(ends.map((change) => [2, sharp + change]), "w-second w-wide");
      this.sizes.dot([temperatures[this.temperature.value], size], "w-dot");
      this.status.textContent = summary;
      this.fill(classes.map((name, k) => [name, percent(p[k], 1), inside[k] ? "yes" : "no"]));
      this.record({ size, held: coverage, threshold: limit, labels: names.length });
    }
  }

  customElements.define("label-sets", LabelSets);
})();
