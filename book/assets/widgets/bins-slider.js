// The number of bins: the diagram and the ECE depend on it, the KS error has none.
(() => {
  const { indicesOfTrue, legend, percent, Plot, Widget } = book.base;
  const { cumulativeGap, ece, equalWidth, equalWidthBin, generator, ksError, spreadInterval } = book.definitions;
  const { binRows, Diagram, GRAMMAR } = book.diagram;

  const TRIED = [1, 2, 15, 100];
  const BINS_DRAWS = 200;

  class BinsSlider extends Widget {
    start() {
      const { scores, hits, chance } = this.data;
      this.chance = chance.map((value, i) => [i + 1, value]);
      this.curve = Array.from({ length: 100 }, (_, i) => [i + 1, ece(equalWidth(scores, hits, i + 1), scores.length)]);
      this.ks = ksError(cumulativeGap(scores, hits));
      const top = Math.ceil(100 * Math.max(...chance, ...this.curve.map((p) => p[1]))) / 100;
      this.diagram = new Diagram(this.data.axis, "share of hits");
      this.errors = new Plot([0, 100], [0, top], "number of bins M", "ECE");
      const times = (m) => this.curve[m - 1][1] / chance[m - 1];
      const clearest = () => TRIED.reduce((best, m) => (times(m) > times(best) ? m : best));
      const ends = (m) => this.interval(m).map((end) => (end / chance[m - 1]).toFixed(2));
      const ofBins = (m) => `M = ${m}, ${times(m).toFixed(2)} (${ends(m).join(" to ")})`;
      this.bins = this.slider("M", "Number of bins M", { min: 1, max: 100, step: 1, value: 15 });
      this.ask({
        question:
          "The error of these predictions is real. With which number of bins does it stand out most from chance?",
        answers: TRIED.map(String),
        right: () => this.possible(clearest()),
        covers: [this.errors],
        seen: () =>
          `Of what chance shows, the ECE is this multiple: ${TRIED.map(ofBins).join("; ")}; in brackets, 95 % of ` +
          "resamples. In too few bins gaps of two signs cancel; more bins than part them add noise.",
        settle: () => (this.bins.value = clearest()),
      });
      this.figures(this.diagram, this.errors);
      this.append(legend(
        [
          ...GRAMMAR,
          ["w-curve", "ECE, and the range of 95 % of resamples"],
          ["w-diagonal", "ECE of a calibrated network"],
        ],
        ["ECE", "KS"]
      ));
      this.fill = this.asTable(["Score", "Samples", "Mean score", "Share of hits"]);
      this.update();
    }
    // The ECE at M bins of resamples, the same for every M.
    resampled(m) {
      this.errorsOfResamples ??= new Map();
      if (!this.errorsOfResamples.has(m)) this.errorsOfResamples.set(m, this.resample(m));
      return this.errorsOfResamples.get(m);
    }
    resample(m) {
      const { scores, hits } = this.data;
      const n = scores.length;
      const random = generator(17);
      const places = scores.map((score) => equalWidthBin(score, m));
      return Array.from({ length: BINS_DRAWS }, () => {
        const gaps = new Float64Array(m);
        for (let i = 0; i < n; i++) {
          const drawn = Math.floor(n * random());
          gaps[places[drawn]] += hits[drawn] - scores[drawn];
        }
        return gaps.reduce((total, gap) => total + Math.abs(gap), 0) / n;
      });
    }
    interval(m) {
      return spreadInterval(this.curve[m - 1][1], this.resampled(m));
    }
    // The numbers of bins tried that may stand out most: resamples do not tell them from the best.
    possible(best) {
      const { chance } = this.data;
      const times = (m) => this.curve[m - 1][1] / chance[m - 1];
      const lead = (m) =>
        this.resampled(best).map((value, draw) => value / chance[best - 1] - this.resampled(m)[draw] / chance[m - 1]);
      const mayBeBest = (m) => m === best || spreadInterval(times(best) - times(m), lead(m))[0] <= 0;
      return indicesOfTrue(TRIED.map(mayBeBest));
    }
    update() {
      const { scores, hits, chance } = this.data;
      const m = this.bins.value;
      const groups = equalWidth(scores, hits, m);
      const value = ece(groups, scores.length);
      const occupied = groups.filter((g) => g.n).length;
      const [low, high] = this.interval(m);
      const summary =
        `M = ${m}: ECE ${percent(value)} (${percent(low, 1)} to ${percent(high, 1)}), a calibrated network's ` +
        `${percent(chance[m - 1])}; ${occupied} ${occupied === 1 ? "bin holds" : "bins hold"} data. KS error ` +
        `${percent(this.ks)}, with any M.`;
      this.bins.say();
      this.diagram.draw(groups, `Reliability diagram with ${summary}`, scores);
      this.errors.clear(
        `ECE against the number of bins, marked at ${m}; dashed, what a calibrated network shows by chance`
      );
      this.errors.line(this.chance, "w-diagonal");
      this.errors.line(this.curve, "w-curve");
      this.errors.line([[m, low], [m, high]], "w-range");
      this.errors.dot([m, value], "w-dot");
      this.status.textContent = summary;
      this.fill(binRows(groups));
      this.record({ ece: value, low, high, ks: this.ks, chance: chance[m - 1] });
    }
  }

  customElements.define("bins-slider", BinsSlider);
})();
