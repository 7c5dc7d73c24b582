// A model's stated confidence, a map of it, and always saying the accuracy: which is nearest to what happens?
(() => {
  const { indicesOfTrue, legend, percent, Widget } = book.base;
  const { sideOf } = book.definitions;
  const { Differences } = book.diagram;

  class ModelOrConstant extends Widget {
    start() {
      const { models } = this.data;
      this.model = this.choice("model", "Model", models.map(({ name }) => [name, name]));
      this.model.value = this.data.first;
      this.words = ["the number as it comes", "the number after a map", "the accuracy, always"];
      this.plot = new Differences("skill, %");
      this.ask({
        question: () =>
          `Of the answers of ${this.chosen.name} ${percent(this.chosen.accuracy, 0)} are right; it says ` +
          `${percent(this.chosen.confidence, 0)} on average. Which forecast has the lowest squared error on new ` +
          "answers?",
        answers: this.words,
        right: () => this.possible(),
        covers: [this.plot],
        seen: () =>
          "The map and the constant are both calibrated: what sets them apart is what the number knows. Try other " +
          "models.",
      });
      this.figures(this.plot);
      this.append(
        legend([["w-curve", "95 % interval, bounded from above"], ["w-diagonal", "always saying the accuracy"]])
      );
      this.fill = this.asTable(["Forecast", "Skill", "95 % interval", "ECE"]);
      this.update();
    }
    get chosen() {
      return this.data.models.find(({ name }) => name === this.model.value);
    }
    // Skill of the number, of its map and of the constant, with half an interval; in per cent.
    rows() {
      const { skill, half } = this.chosen;
      return [
        ...skill.map((value, i) => ({ name: this.words[i], value, low: value - half[i], high: value + half[i] })),
        { name: this.words[2], value: 0, low: 0, high: 0 },
      ];
    }
    // The forecasts that may be the best.
    possible() {
      const least = Math.max(...this.rows().map(({ low }) => low));
      return indicesOfTrue(this.rows().map(({ high }) => high >= least));
    }
    comparison() {
      const [number, map] = this.rows();
      const words = ["better than", "not to be told from", "worse than"]; // where zero is below, within, above
      const against = ({ low, high }) => words[1 + sideOf(0, [low, high])];
      return `The number as it comes is ${against(number)} the constant; after a map it is ${against(map)} it.`;
    }
    update() {
      const { ece } = this.chosen;
      const rows = this.rows();
      this.plot.draw(this.asks ? [] : rows.slice(0, 2));
      this.status.textContent = this.asks ? "" : this.comparison();
      this.fill((this.asks ? [] : rows).map(({ name, value, low, high }, i) => {
        const interval = `${low.toFixed(1)} to ${high.toFixed(1)}`;
        return [name, `${value.toFixed(1)} %`, interval, i < 2 ? `${ece[i].toFixed(1)} %` : "0 %"];
      }));
      this.record({ number: rows[0].value, map: rows[1].value });
    }
  }

  customElements.define("model-or-constant", ModelOrConstant);
})();
