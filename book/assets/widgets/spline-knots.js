// A spline through the cumulative curve, and its slope: the calibration map.

class SplineKnots extends Widget {
  start() {
    const { score, total, hits } = this.data;
    const n = sum(total);
    this.t = [0];
    total.forEach((w) => this.t.push(this.t.at(-1) + w / n));
    this.weight = this.t.map((t, i) => ((i ? t - this.t[i - 1] : t) + ((this.t[i + 1] ?? 1) - t)) / 2);
    this.curves = { hits: [0], gap: [0] };
    hits.forEach((h, i) => {
      this.curves.hits.push(this.curves.hits.at(-1) + h / n);
      this.curves.gap.push(this.curves.gap.at(-1) + (h - total[i] * score[i]) / n);
    });
    this.knots = this.slider("knots", "Knots", { min: 3, max: 20, step: 1, value: 6 });
    this.target = this.choice("target", "Fitted to", [["gap", "cumulative hits minus scores"], ["hits", "cumulative hits"]]);
    this.plots = {
      hits: new Plot([0, 1], [0, 1], "share of samples, by score", "cumulative hits"),
      gap: new Plot([0, 1], [this.low(), this.high()], "share of samples, by score", "hits − scores, cumulated"),
    };
    this.map = new Plot([0, 1], [0, 1], "score", "slope: calibrated score");
    this.figures(this.plots.gap, this.map);
    this.fill = this.asTable(["Score", "Calibrated"]);
    this.update();
  }
  low() {
    return Math.floor(100 * Math.min(...this.curves.gap)) / 100;
  }
  high() {
    return Math.ceil(100 * Math.max(...this.curves.gap)) / 100;
  }
  fit(knots, target) {
    const { score } = this.data;
    const curvature = secondDerivatives(knots);
    const values = fitSpline(this.t, this.curves[target], this.weight, knots, curvature);
    const at = (t) => sum(splineRow(t, knots, curvature).map((v, k) => v * values[k]));
    const smooth = this.t.map(at);
    const slope = score.map((s, i) => (smooth[i + 1] - smooth[i]) / (this.t[i + 1] - this.t[i]) + (target === "gap" ? s : 0));
    return { values, smooth, slope, at };
  }
  // As numpy.interp, kept in [0, 1].
  predict(score, slope) {
    const known = this.data.score;
    const after = known.findIndex((s) => s >= score);
    if (after <= 0) return Math.min(Math.max(slope.at(after), 0), 1);
    const share = (score - known[after - 1]) / (known[after] - known[after - 1]);
    return Math.min(Math.max(slope[after - 1] + share * (slope[after] - slope[after - 1]), 0), 1);
  }
  update() {
    const knots = this.knots.value;
    const target = this.target.value;
    this.knots.say();
    const { smooth, slope, at } = this.fit(knots, target);
    const { scores, hits } = this.data.test;
    const calibrated = scores.map((s) => this.predict(s, slope));
    const ks = ksError(cumulativeGap(calibrated, hits));
    const plot = this.plots[target];
    this.querySelector(".w-figures").replaceChildren(plot.svg, this.map.svg);
    const said = `${knots} knots, fitted to ${this.target.selectedOptions[0].textContent}: KS error on test images ${percent(ks)} (before: ${percent(ksError(cumulativeGap(scores, hits)))}).`;
    plot.clear(`Cumulative curve and spline. ${said}`);
    plot.line(this.t.map((t, i) => [t, this.curves[target][i]]), "w-curve w-pale");
    plot.line(Array.from({ length: 101 }, (_, i) => [i / 100, at(i / 100)]), "w-second");
    Array.from({ length: knots }, (_, k) => plot.dot([k / (knots - 1), at(k / (knots - 1))], "w-second-dot", 3.5));
    this.map.clear(`The slope of the spline: calibrated score against score. ${said}`);
    this.map.line([[0, 0], [1, 1]], "w-diagonal");
    this.map.line(this.data.score.map((s, i) => [s, Math.min(Math.max(slope[i], 0), 1)]), "w-second");
    this.status.textContent = said;
    this.fill([0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99].map((s) => [s.toFixed(2), this.predict(s, slope).toFixed(3)]));
    this.values({ ks, residual: Math.max(...smooth.map((v, i) => Math.abs(v - this.curves[target][i]))) });
  }
}

customElements.define("spline-knots", SplineKnots);
