// A spline through the cumulative curve, and its slope: the calibration map.
(() => {
  const { clamp, legend, percent, Plot, Widget } = book.base;
  const {
    cumulativeGap, fitSpline, generator, ksError, quantile, secondDerivatives, splineRow, sum,
  } = book.definitions;
  const { Differences } = book.diagram;

  const DRAWS = 60; // of the bootstrap

  class SplineKnots extends Widget {
    start() {
      const { score, total, hits } = this.data;
      const n = sum(total);
      this.curvatures = {}; // by number of knots
      this.t = [0];
      total.forEach((w) => this.t.push(this.t.at(-1) + w / n));
      this.weight = this.t.map((_, i) => ((this.t[i + 1] ?? 1) - (this.t[i - 1] ?? 0)) / 2);
      this.curves = { hits: [0], gap: [0] };
      hits.forEach((h, i) => {
        this.curves.hits.push(this.curves.hits.at(-1) + h / n);
        this.curves.gap.push(this.curves.gap.at(-1) + (h - total[i] * score[i]) / n);
      });
      const ends =
        [Math.floor, Math.ceil].map((round, i) => round(100 * Math[["min", "max"][i]](...this.curves.gap)) / 100);
      this.ranges = { hits: [0, 1], gap: ends };
      this.knots = this.slider("knots", "Knots", { min: 3, max: 20, step: 1, value: 6 });
      this.target =
        this.choice("target", "Fitted to", [["gap", "cumulative hits minus scores"], ["hits", "cumulative hits"]]);
      this.sum = new Plot([0, 1], ends, "share of samples, by score", "cumulated");
      this.map = new Plot([0, 1], [0, 1], "score", "calibrated score");
      this.differences = new Differences("KS error, hits less minus scores");
      const errors = () => ["hits", "gap"].map((target) => this.fit(this.knots.value, target).ks);
      this.errorBefore = ksError(cumulativeGap(this.data.test.scores, this.data.test.hits));
      this.ask({
        question: () =>
          `A spline of ${this.knots.value} knots is fitted to the cumulative hits, or to hits minus scores. Which ` +
          "map leaves the smaller KS error on test images?",
        answers: ["the one of hits", "the one of hits minus scores"],
        right: () => {
          const { value, low, high } = this.difference();
          return low <= 0 && high >= 0 ? [0, 1] : Number(value > 0);
        },
        covers: [this.map, this.differences, this.status],
        seen: () =>
          `With ${this.knots.value} knots, fitted to hits ${percent(errors()[0])}, to hits minus scores ` +
          `${percent(errors()[1])}; ${percent(this.errorBefore)} before. ${this.differenceText()} The map is the ` +
          "slope of the spline: there a small wave is a large one.",
        settle: () => (this.target.value = "hits"),
      });
      this.figures(this.sum, this.map, this.differences);
      this.append(legend(
        [["w-curve w-pale", "the data"], ["w-second", "the spline, and its slope"], ["w-second-dot", "knots"]], ["KS"]
      ));
      this.fill = this.asTable(["Score", "Calibrated"]);
      this.update();
    }
    // A fit that was computed before is not computed again.
    fit(knots, target) {
      this.fits ??= {};
      return (this.fits[[knots, target]] ??= this.computeFit(knots, target));
    }
    computeFit(knots, target) {
      const { score } = this.data;
      const curvature = (this.curvatures[knots] ??= secondDerivatives(knots));
      const values = fitSpline(this.t, this.curves[target], this.weight, knots, curvature);
      const at = (t) => sum(splineRow(t, knots, curvature).map((v, k) => v * values[k]));
      const smooth = this.t.map(at);
      const steepness = (i) => (smooth[i + 1] - smooth[i]) / (this.t[i + 1] - this.t[i]);
      const slope = score.map((s, i) => steepness(i) + (target === "gap" ? s : 0)); // of hits: the scores come back
      return { smooth, slope, at, ks: this.error(slope) };
    }
    // As numpy.interp, kept in [0, 1].
    predict(score, slope) {
      const known = this.data.score;
      let [after, last] = [0, known.length];
      while (after < last) {
        const middle = (after + last) >> 1;
        if (known[middle] >= score) last = middle;
        else after = middle + 1;
      }
      if (after === 0 || after === known.length) return clamp(slope.at(after ? -1 : 0), 0, 1);
      const share = (score - known[after - 1]) / (known[after] - known[after - 1]);
      return clamp(slope[after - 1] + share * (slope[after] - slope[after - 1]), 0, 1);
    }
    // Whether a point is in the picture on the left, or nearly.
    isWithin([, y]) {
      const { y0, y1 } = this.sum;
      return Math.abs(y - (y0 + y1) / 2) < 0.6 * (y1 - y0);
    }
    // The most samples that share one score.
    tiedText() {
      const { score, total } = this.data;
      const i = total.indexOf(Math.max(...total));
      return `${percent(total[i] / sum(total), 0)} of the samples have one score, ${score[i].toFixed(4)}.`;
    }
    error(slope, rows = this.data.test.scores.keys()) {
      const { scores, hits } = this.data.test;
      const chosen = Array.from(rows);
      const predicted = chosen.map((i) => this.predict(scores[i], slope));
      return ksError(cumulativeGap(predicted, chosen.map((i) => hits[i])));
    }
    // The KS error of the map of hits less that of the other, with a paired bootstrap interval.
    difference() {
      this.knownDifferences ??= {};
      return (this.knownDifferences[this.knots.value] ??= this.computeDifference(this.knots.value));
    }
    computeDifference(knots) {
      const slopes = ["hits", "gap"].map((target) => this.fit(knots, target).slope);
      const n = this.data.test.scores.length;
      const minus = (rows) => this.error(slopes[0], rows) - this.error(slopes[1], rows);
      const [value, random] = [minus(), generator(knots)];
      const resample = () => Array.from({ length: n }, () => Math.floor(random() * n));
      const resampled = Array.from({ length: DRAWS }, () => minus(resample()));
      const [low, high] = [0.025, 0.975].map((q) => quantile(resampled, q));
      return { value, low, high };
    }
    differenceText() {
      const { low, high } = this.difference();
      const ends = [low, high].map((v) => (100 * v).toFixed(2).replace("-", "−")).join(" to ");
      const tie = low <= 0 && high >= 0 ? ": these test images do not tell the two apart" : "";
      return `The difference has the 95 % interval ${ends} points${tie}.`;
    }
    update() {
      const knots = this.knots.value;
      const target = this.target.value;
      this.knots.say();
      const { smooth, slope, at, ks } = this.fit(knots, target);
      const places = Array.from({ length: knots }, (_, k) => [k / (knots - 1), at(k / (knots - 1))]);
      this.sum.scale([0, 1], this.ranges[target]);
      const swing = places.every((place) => this.isWithin(place))
        ? ""
        : ` The spline swings out of the picture where no data hold its knots: ${this.tiedText()} The map takes its ` +
          "slope at data only.";
      const summary =
        `${knots} knots, fitted to ${this.target.selectedOptions[0].textContent}: KS error on test images ` +
        `${percent(ks)} (before: ${percent(this.errorBefore)}).${swing}`;
      this.sum.clear("Cumulative curve and spline, of the chosen number of knots.");
      this.sum.line(this.t.map((t, i) => [t, this.curves[target][i]]), "w-curve w-pale");
      this.sum.line(Array.from({ length: 101 }, (_, i) => [i / 100, at(i / 100)]), "w-second");
      this.sum.dots(places.filter((place) => this.isWithin(place)), "w-second-dot", 3.5);
      this.map.clear("The slope of the spline: calibrated score against score.");
      this.map.line([[0, 0], [1, 1]], "w-diagonal");
      this.map.line(this.data.score.map((s, i) => [s, clamp(slope[i], 0, 1)]), "w-second");
      this.differences.draw(this.asks ? [] : [{ name: `${knots} knots`, ...this.difference() }]);
      this.status.textContent = summary;
      const scores = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99];
      this.fill(scores.map((s) => [s.toFixed(2), this.predict(s, slope).toFixed(3)]));
      this.record({ ks, residual: Math.max(...smooth.map((v, i) => Math.abs(v - this.curves[target][i]))) });
    }
  }

  customElements.define("spline-knots", SplineKnots);
})();
