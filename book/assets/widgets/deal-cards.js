// Models as cards: accuracy against mean confidence, and against ECE. Shuffle the confidences, and look again.
(() => {
  const { clamp, legend, make, percent, Plot, Widget } = book.base;
  const { generator, mean, quantile, sum } = book.definitions;
  const { Differences } = book.diagram;

  const SHUFFLES = 200;

  function correlation(x, y) {
    const [mx, my] = [mean(x), mean(y)];
    const product = (a, ma, b, mb) => sum(a.map((v, i) => (v - ma) * (b[i] - mb)));
    return product(x, mx, y, my) / Math.sqrt(product(x, mx, x, mx) * product(y, my, y, my));
  }

  class DealCards extends Widget {
    start() {
      const kinds = Object.keys(this.data.kinds);
      this.kind = this.choice("confidence", "Confidence", kinds.map((name) => [name, name]));
      this.deal = 0; // 0: each model has its own
      this.setting("deal", () => this.deal, (text) => (this.deal = clamp(Math.trunc(Number(text)) || 0, 0, 1e6)));
      this.button("Shuffle the confidences", () => (this.deal += 1));
      this.button("Give them back", () => (this.deal = 0));
      this.range = new Differences("correlation of accuracy and ECE");
      this.ask({
        question: () =>
          `Accuracy and ECE of these models have the correlation ${this.told(this.own())}. Shuffle the ` +
          "confidences, so that none fits its model: what becomes of it?",
        answers: ["it comes nearer to zero", "it stays about as strong", "it becomes much stronger"],
        right: () => (this.asShuffled() ? 1 : Math.abs(this.middle()) < Math.abs(this.own()) ? 0 : 2),
        covers: [this.range],
        seen: () =>
          `Of many shuffles 95 % have a correlation of ${this.ends().map(this.told).join(" to ")}; with the ` +
          `models' own confidences it is ${this.told(this.own())}. ` +
          (this.asShuffled()
            ? "What is left when none fits its model, accuracy alone makes: no sign that better models know better " +
              "what they know."
            : "Their own confidences do not only follow what accuracy alone makes; but the models are few."),
        settle: () => (this.deal ||= 1),
      });
      this.plots = [
        new Plot([0, 1], [0, 1], "accuracy", "mean confidence"),
        new Plot([0, 1], [0, 1], "accuracy", "ECE"),
      ];
      this.figures(...this.plots, this.range);
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
    own() {
      return correlation(this.models.accuracy, this.models.ece);
    }
    // A correlation in two digits.
    told(r) {
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
    many() {
      this.drawn ??= {};
      return (
        this.drawn[this.kind.value] ??=
          Array.from({ length: SHUFFLES }, (_, k) => correlation(this.models.accuracy, this.gaps(this.shuffled(k + 1))))
      );
    }
    middle() {
      return quantile(this.many(), 0.5);
    }
    ends() {
      return [0.025, 0.975].map((q) => quantile(this.many(), q));
    }
    // Whether the models' own correlation is one that shuffles have, or nearly.
    asShuffled() {
      const [low, high] = this.ends();
      return (low <= this.own() && this.own() <= high) || Math.abs(this.middle() - this.own()) < 0.2;
    }
    update() {
      const { names, accuracy } = this.models;
      const confidence = this.shuffled(this.deal);
      const errors = this.deal ? this.gaps(confidence) : this.models.ece;
      const r = correlation(accuracy, errors);
      const said = this.deal
        ? `Shuffle ${this.deal}: the ECE that each model has at least. Correlation of accuracy and ECE ` +
          `${this.told(r)}; with their own confidences ${this.told(this.own())}.`
        : `${names.length} models, each with its own confidence. Correlation of accuracy and ECE ${this.told(r)}.`;
      this.plots.forEach((plot, panel) => {
        plot.clear(said);
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
      const ranges = () => [
        { name: "shuffled", value: this.middle(), low: this.ends()[0], high: this.ends()[1] },
        { name: "as shown", value: r, low: r, high: r },
      ];
      this.range.draw(this.asks ? [] : ranges());
      this.status.textContent = said;
      this.fill(
        names.map((name, i) => [name, percent(accuracy[i], 1), percent(confidence[i], 1), percent(errors[i], 1)])
      );
      this.record({ r, middle: this.middle(), models: names.length });
    }
  }

  customElements.define("deal-cards", DealCards);
})();
