// Draw a calibration curve, and see what a sample of any size makes of its error.
(() => {
  const { clamp, legend, percent, Plot, set, Widget } = book.base;
  const {
    curveAt, drawHits, drawScores, ece, equalMass, equalWidth, generator, mean, quantile, trueError,
  } = book.definitions;

  const SAMPLES = 400;
  const POINTS = 11;
  const SHAPES = {
    calibrated: (s) => s,
    overconfident: (s) => 0.15 + 0.7 * s,
    underconfident: (s) => Math.min(Math.max(1.3 * s - 0.1, 0), 1),
    "wrong both ways": (s) => s + 0.12 * Math.sin(2 * Math.PI * s),
  };

  // The end of an axis from zero that holds a share: 0.4 or more, so that it seldom changes.
  function roomFor(share) {
    return [0.4, 0.6, 0.8].find((end) => share <= end) ?? 1;
  }

  class DrawCurve extends Widget {
    start() {
      this.curve = new Array(POINTS).fill(0);
      this.setting("curve", () => this.curve.map((c) => Math.round(100 * c)).join("-"), (text) => {
        const parts = text.split("-").map(Number);
        if (parts.length === POINTS && parts.every((v) => v >= 0 && v <= 100)) this.curve = parts.map((v) => v / 100);
      });
      this.bend(SHAPES.overconfident);
      this.plot = new Plot([0, 1], [0, 1], "score", "how often it is right", { role: "group" });
      this.plots =
        ["equal width", "equal mass"].map((name) => new Plot([0, 0.4], [0, 0.4], `ECE, ${name}`, "share of draws"));
      this.handles = this.curve.map((_, i) => this.point(i));
      this.plot.svg.addEventListener("pointerdown", (event) => {
        // A finger may also scroll.
        this.isDragging = event.pointerType !== "touch" || this.handles.includes(event.target);
        if (this.isDragging) this.drag(event);
      });
      this.plot.svg.addEventListener("pointermove", (event) => event.buttons && this.isDragging && this.drag(event));
      this.plot.svg.addEventListener("pointerup", () => this.remember());
      for (const [name, shape] of Object.entries(SHAPES)) this.button(name, () => this.bend(shape));
      const sure = { min: 0.5, max: 0.95, step: 0.05, value: 0.75 };
      this.shape = this.slider("sure", "Scores above one half", sure, (v) => percent(v, 0));
      this.size =
        this.slider("n", "Samples n", { min: 1.5, max: 3.5, step: 0.05, value: 2.3 }, (v) => Math.round(10 ** v));
      this.bins = this.slider("M", "Bins M", { min: 1, max: 50, step: 1, value: 15 });
      const answers = ["below the true error", "about the same", "above it"];
      const bias = () => 100 * (mean(this.estimates[0]) - this.truth);
      this.ask({
        question: () =>
          `The ECE is measured ${SAMPLES} times, with n = ${Math.round(10 ** this.size.value)} and M = ` +
          `${this.bins.value}. Where is the mean?`,
        answers,
        right: () => [-Infinity, -0.5, 0.5].findLastIndex((points) => bias() > points),
        covers: [...this.plots, this.status],
        seen: () =>
          `It is ${Math.abs(bias()).toFixed(1)} points ${bias() < 0 ? "below" : "above"} the truth. Chance makes ` +
          "gaps where there are none.",
      });
      this.figures(this.plot, ...this.plots);
      this.append(legend(
        [
          ["w-curve", "the curve you draw"],
          ["w-curve-dot", "bins of equal width"],
          ["w-third-dot", "of equal mass"],
          ["w-accuracy", "estimates"],
          ["w-chance", "chance, 5 % to 95 %"],
          ["w-second", "true error"],
        ],
        ["ECE"]
      ));
      this.fill = this.asTable(["Bins", "True error", "Mean estimate", "Bias", "Chance, 5 % to 95 %"]);
      this.update();
    }
    bend(shape) {
      this.curve = this.curve.map((_, i) => Math.round(100 * shape(i / (POINTS - 1))) / 100);
    }
    point(i) {
      const name = `How often it is right at score ${(i / (POINTS - 1)).toFixed(1)}`;
      return this.handle(this.plot, name, (right, up) => this.set(i, this.curve[i] + 0.02 * (right + up)));
    }
    set(i, value) {
      this.curve[i] = Math.round(100 * clamp(value, 0, 1)) / 100;
      this.update();
    }
    drag(event) {
      const [x, y] = this.plot.at(event);
      const i = Math.round(x * (POINTS - 1));
      if (i >= 0 && i < POINTS) this.set(i, y);
    }
    update() {
      this.handles.forEach((node, i) => {
        const value = this.curve[i];
        const place = { cx: this.plot.x(i / (POINTS - 1)), cy: this.plot.y(value) };
        set(node, { ...place, "aria-valuenow": Math.round(100 * value), "aria-valuetext": percent(value, 0) });
      });
      [this.size, this.bins, this.shape].forEach((slider) => slider.say());
      this.n = Math.round(10 ** this.size.value);
      this.a = Math.log(1 - this.shape.value) / Math.log(0.5);
      this.truth = trueError(this.curve, this.a);
      this.random = generator(7);
      this.estimates = [[], []];
      this.chance = [[], []];
      this.work(() => this.estimates[0].length >= SAMPLES);
    }
    sample() {
      const scores = drawScores(this.n, this.a, this.random);
      const hits = drawHits(scores, (s) => curveAt(this.curve, s), this.random);
      const lucky = drawHits(scores, (s) => s, this.random);
      this.last = [equalWidth, equalMass].map((binned, kind) => {
        const groups = binned(scores, hits, this.bins.value);
        this.estimates[kind].push(ece(groups, this.n));
        this.chance[kind].push(ece(binned(scores, lucky, this.bins.value), this.n));
        return groups;
      });
    }
    show() {
      const done = this.estimates[0].length;
      this.plot.clear("The curve that you draw, and the bins of the last sample");
      this.plot.line([[0, 0], [1, 1]], "w-diagonal");
      this.plot.line(this.curve.map((c, i) => [i / (POINTS - 1), c]), "w-curve");
      this.last.forEach((groups, kind) => {
        const means = groups.filter(({ n }) => n).map(({ score, hit, n }) => [score / n, hit / n]);
        this.plot.dots(means, ["w-curve-dot", "w-third-dot"][kind], 2.5);
      });
      const rows = ["equal width", "equal mass"].map((name, kind) => {
        const estimate = mean(this.estimates[kind]);
        const [low, high] = [0.05, 0.95].map((q) => quantile(this.chance[kind], q));
        this.histogram(this.plots[kind], name, this.estimates[kind], estimate, [low, high]);
        return { name, estimate, low, high };
      });
      const texts = rows.map(
        ({ name, estimate, low, high }) =>
          `${name} ${percent(estimate, 1)} (chance alone ${percent(low, 1)} to ${percent(high, 1)})`
      );
      this.status.textContent =
        `True error ${percent(this.truth, 1)}. Mean of ${done} estimates, n = ${this.n}, M = ${this.bins.value}: ` +
        `${texts.join("; ")}.`;
      this.fill(rows.map(({ name, estimate, low, high }) => {
        const bias = `${(100 * (estimate - this.truth)).toFixed(2)} points`;
        return [name, percent(this.truth), percent(estimate), bias, `${percent(low)} to ${percent(high)}`];
      }));
      this.record({ truth: this.truth, samples: done, width: rows[0].estimate, mass: rows[1].estimate });
    }
    histogram(plot, name, values, estimate, [low, high]) {
      const far = roomFor(Math.max(this.truth, high, ...values));
      const step = far / 40;
      const counts = new Array(40).fill(0);
      values.forEach((v) => (counts[Math.min(Math.floor(v / step), 39)] += 1 / values.length));
      plot.scale([0, far], [0, roomFor(Math.max(...counts))]);
      plot.clear(
        `Estimates with bins of ${name}: true error ${percent(this.truth, 1)}, mean estimate ${percent(estimate, 1)}`
      );
      plot.bar(low, high, 0, plot.y1, "w-chance");
      plot.bars(counts.flatMap((c, i) => (c ? [[i * step, (i + 1) * step, 0, c]] : [])), "w-accuracy");
      plot.line([[this.truth, 0], [this.truth, plot.y1]], "w-second");
    }
  }

  customElements.define("draw-curve", DrawCurve);
})();
