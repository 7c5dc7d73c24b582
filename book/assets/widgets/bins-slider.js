// The number of bins: the diagram and the ECE depend on it, the KS error has none.

class BinsSlider extends Widget {
  start() {
    const { scores, hits, chance } = this.data;
    this.chance = chance.map((value, i) => [i + 1, value]);
    this.curve = Array.from({ length: 100 }, (_, i) => [i + 1, ece(equalWidth(scores, hits, i + 1), scores.length)]);
    this.gap = cumulativeGap(scores, hits);
    this.worst = this.gap.reduce((a, b) => (Math.abs(b[1]) > Math.abs(a[1]) ? b : a));
    const top = Math.ceil(100 * Math.max(...chance, ...this.curve.map((p) => p[1]))) / 100;
    const far = Math.ceil(100 * ksError(this.gap)) / 100;
    this.diagram = new Plot([0, 1], [0, 1], "confidence", "accuracy");
    this.errors = new Plot([0, 100], [0, top], "number of bins M", "ECE");
    this.cumulative = new Plot([0, 1], [-far, far], "share of samples, by confidence", "hits − scores, cumulated");
    this.bins = this.slider("M", "Number of bins M", { min: 1, max: 100, step: 1, value: 15 });
    this.figures(this.diagram, this.errors, this.cumulative);
    this.fill = this.asTable(["Confidence", "Samples", "Mean confidence", "Accuracy"]);
    this.update();
  }
  update() {
    const { scores, hits, chance } = this.data;
    const m = this.bins.value;
    const groups = equalWidth(scores, hits, m);
    const value = ece(groups, scores.length);
    const ks = ksError(this.gap);
    const said = `M = ${m}: ECE ${percent(value)}, a calibrated model's by chance ${percent(chance[m - 1])}; ${groups.filter((g) => g.n).length} bins hold data. KS error ${percent(ks)}, with any M.`;
    this.bins.say();
    drawBins(this.diagram, groups, `Reliability diagram with ${said}`);
    this.errors.clear(`ECE against the number of bins, marked at ${m}; dashed, what a calibrated model shows by chance`);
    this.errors.line(this.chance, "w-diagonal");
    this.errors.line(this.curve, "w-curve");
    this.errors.dot([m, value], "w-dot");
    this.cumulative.clear(`Cumulative hits minus cumulative scores; the KS error is its largest distance from zero, ${percent(ks)}`);
    this.cumulative.line([[0, 0], [1, 0]], "w-diagonal");
    this.cumulative.line(this.gap, "w-curve");
    this.cumulative.dot(this.worst, "w-dot");
    this.status.textContent = said;
    this.fill(binRows(groups));
    this.values({ ece: value, ks });
  }
}

customElements.define("bins-slider", BinsSlider);
