// Models as cards: accuracy against mean confidence, and against ECE. Shuffle the confidences, and look again.
(() => {
  const { clamp, legend, make, percent, Plot, Widget } = book.base;
  const { generator, mean, quantile, sideOf, sum } = book.definitions;
  const { Differences } = book.diagram;

  const SHUFFLES = 200;

  function correlation(x, y) {
    const [fromMeanX, fromMeanY] = [x, y].map((values) => values.map((value) => value - mean(values)));
    const product = (a, b) => sum(a.map((value, i) => value * b[i]));
    return product(fromMeanX, fromMeanY) /
      Math.sqrt(product(fromMeanX, fromMeanX) * product(fromMeanY, fromMeanY));
  }

  class DealCards extends Widget {
    start() {
      const kinds = Object.keys(this.data.kinds);
      this.kind = this.choice("confidence", "Confidence", kinds.map((name) => [name, name]));
      this.deal = 0; // 0: each model has its own
      this.setting("deal", () => this.deal, (text) => (this.deal = clamp(Math.trunc(Number(text)) || 0, 0, 1e6)));
      this.button("Shuffle the confidences", () => (this.deal += 1));
      this.button("Give them back", () => (this.deal = 0));
      this.ranges = new Differences("correlation of accuracy and ECE");
      this.ask({
        question: () =>
          `Accuracy and ECE of these models have the correlation ${this.textOf(this.ownCorrelation())}. Shuffle the ` +
          "confidences, so that none fits its model: what becomes of it?",
        answers: ["it comes nearer to zero", "it stays about as strong", "it becomes much stronger"],
        right: () => {
          if (this.isAsShuffled()) return 1;
          return Math.abs(this.median()) < Math.abs(this.ownCorrelation()) ? 0 : 2;
        },
        covers: [this.ranges],
        seen: () => {
          const conclusion = this.isAsShuffled()
            ? "What is left when none fits its model, accuracy alone makes: no sign that better models know better " +
              "what they know."
            : "Their own confidences do not only follow what accuracy alone makes; but the models are few.";
          return `Of many shuffles 95 % have a correlation of ${this.range95().map(this.textOf).join(" to ")}; with ` +
            `the models' own confidences it is ${this.textOf(this.ownCorrelation())}. ${conclusion}`;
        },
        settle: () => (this.deal ||= 1),
      });
      this.plots = [
        new Plot([0, 1], [0, 1], "accuracy", "mean confidence"),
        new Plot([0, 1], [0, 1], "accuracy", "ECE"),
      ];
      this.figures(...this.plots, this.ranges);
      this.cards = this.plots.map((plot) => {
        const layer = make("path", { class: "w-card" });
        plot.svg.append(layer);
        return layer;
      });
      this.append(legend(
        [["w-card", "a model"], ["w-diagonal", "confidence as high as accuracy"], ["w-curve", "95 % of the shuffles"]],
        ["ECE"]
      ));
      this.fill = this.asTable(["Model", "Accuracy", "Mean confidence", "ECE"]);
      this.update();
    }
    get models() {
      return this.data.kinds[this.kind.value];
    }
    ownCorrelation() {
      return correlation(this.models.accuracy, this.models.ece);
    }
    // A correlation in two digits.
    textOf(r) {
      return r.toFixed(2).replace("-", "−");
    }
    // Confidences in the order of a shuffle; without one, their own.
    shuffled(deal) {
      const dealt = [...this.models.mean_confidence];
      const random = generator(deal);
      for (let i = dealt.length - 1; deal && i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [dealt[i], dealt[j]] = [dealt[j], dealt[i]];
      }
      return dealt;
    }
    // The least ECE that a model of this accuracy can have with the mean confidence it was dealt.
    gaps(dealt) {
      return this.models.accuracy.map((a, i) => Math.abs(dealt[i] - a));
    }
    // The correlations of many shuffles.
    shuffledCorrelations() {
      this.correlations ??= {};
      const correlationOf = (deal) => correlation(this.models.accuracy, this.gaps(this.shuffled(deal)));
      return (
        this.correlations[this.kind.value] ??= Array.from({ length: SHUFFLES }, (_, k) => correlationOf(k + 1))
      );
    }
    median() {
      return quantile(this.shuffledCorrelations(), 0.5);
    }
    range95() {
      return [0.025, 0.975].map((q) => quantile(this.shuffledCorrelations(), q));
    }
    // Whether the models' own correlation is one that shuffles have, or nearly.
    isAsShuffled() {
      const own = this.ownCorrelation();
      return sideOf(own, this.range95()) === 0 || Math.abs(this.median() - own) < 0.2;
    }
    drawRanges(r) {
      if (this.asks) return this.ranges.draw([]);
      const [low, high] = this.range95();
      this.ranges.draw([
        { name: "shuffled", value: this.median(), low, high },
        { name: "as shown", value: r, low: r, high: r },
      ]);
    }
    update() {
      const { names, accuracy } = this.models;
      const confidence = this.shuffled(this.deal);
      const errors = this.deal ? this.gaps(confidence) : this.models.ece;
      const r = correlation(accuracy, errors);
      const summary = this.deal
        ? `Shuffle ${this.deal}: the ECE that each model has at least. Correlation of accuracy and ECE ` +
          `${this.textOf(r)}; with their own confidences ${this.textOf(this.ownCorrelation())}.`
        : `${names.length} models, each with its own confidence. Correlation of accuracy and ECE ${this.textOf(r)}.`;
      this.plots.forEach((plot, panel) => {
        plot.clear(summary);
        if (panel === 0) plot.line([[0, 0], [1, 1]], "w-diagonal");
      });
      const places = this.plots.flatMap(
        (plot, panel) => accuracy.map((a, i) => [plot.x(a), plot.y([confidence, errors][panel][i])])
      );
      this.glide(places, (now) => {
        this.cards.forEach((layer, panel) => {
          const there = now.slice(panel * names.length, (panel + 1) * names.length);
          layer.setAttribute(
            "d", there.map(([x, y]) => `M${(x - 4).toFixed(1)} ${(y - 5).toFixed(1)}h8v10h-8z`).join("")
          );
        });
      });
      this.drawRanges(r);
      this.status.textContent = summary;
      this.fill(
        names.map((name, i) => [name, percent(accuracy[i], 1), percent(confidence[i], 1), percent(errors[i], 1)])
      );
      this.record({ r, middle: this.median(), models: names.length });
    }
  }

  customElements.define("deal-cards", DealCards);
})();
