// A new data set at every click: how often does the interval hold the true error?
(() => {
  const { clamp, legend, percent, Plot, soon, Widget } = book.base;
  const {
    basicInterval, curveAt, drawHits, drawScores, ece, equalWidth, generator, mean, trueError,
  } = book.definitions;

  const RESAMPLES = 200;
  const SHOWN = 40; // the last intervals
  const MOST = 1000; // data sets

  class IntervalCoverage extends Widget {
    start() {
      const { worlds } = this.data;
      this.world = this.choice("world", "The network is", Object.keys(worlds).map((name) => [name, name]));
      this.size = this.slider("n", "Samples n", { min: 100, max: 2000, step: 100, value: 500 });
      this.bins = this.slider("M", "Bins M", { min: 1, max: 30, step: 1, value: 15 });
      this.intervals = [];
      this.setting(
        "draws", () => String(this.wanted), (text) => (this.wanted = clamp(Math.trunc(Number(text)) || 1, 1, MOST))
      );
      this.button("Draw a new data set", () => (this.wanted = Math.min(this.wanted + 1, MOST)));
      this.button("Draw 20", () => (this.wanted = Math.min(this.wanted + 20, MOST)));
      this.wanted = 20;
      const near = Object.keys(worlds).find((name) => name.startsWith("nearly")) ?? Object.keys(worlds).at(-1);
      const large = "overconfident" in worlds ? "overconfident" : near;
      const setOf = (i, name) => this.dataSet(i, name, this.size.value, this.bins.value);
      const isHeld = (i, name) => this.holds(setOf(i, name), name);
      const holding = (name) => mean(Array.from({ length: 20 }, (_, i) => Number(isHeld(i, name))));
      const prepare = (i, job) => {
        if (i === 40 || !this.asks || job !== this.job) return;
        setOf(i % 20, i < 20 ? near : large);
        soon(() => prepare(i + 1, job));
      };
      this.prepare = () => soon(() => prepare(0, this.job)); // so that the answer is there at once
      this.ask({
        question: () =>
          `Intervals promise the truth 19 times in 20. Of 20, with n = ${this.size.value} and M = ` +
          `${this.bins.value}, how many hold it where the network is ${near}?`,
        answers: ["18 to 20", "10 to 17", "fewer than 10"],
        right: () => [0.9, 0.5, 0].findIndex((share) => holding(near) >= share),
        covers: [],
        seen: () =>
          `Where it is ${large}, ${(20 * holding(large)).toFixed(0)} of 20; where ${near}, ` +
          `${(20 * holding(near)).toFixed(0)}. Where the bias is larger than the error, the interval breaks its ` +
          "promise.",
        settle: () => (this.world.value = near),
      });
      this.plot = new Plot([0, 0.2], [0, SHOWN], "ECE, 95 % bootstrap interval", "data set");
      this.figures(this.plot);
      this.append(legend(
        [
          ["w-curve", "holds the true error"],
          ["w-second", "misses it"],
          ["w-curve-dot", "the estimate"],
          ["w-diagonal", "the true error"],
        ],
        ["ECE"]
      ));
      this.fill = this.asTable(["Data set", "ECE", "Interval", "Holds the true error"]);
      this.update();
    }
    truth(name) {
      const { curve, a } = this.data.worlds[name];
      return trueError(curve, a);
    }
    holds({ interval: [low, high] }, name) {
      return low <= this.truth(name) && this.truth(name) <= high;
    }
    // A data set that was drawn before is not drawn again.
    dataSet(...setting) {
      this.dataSets ??= {};
      return (this.dataSets[setting] ??= this.draw(...setting));
    }
    // The number of the data set seeds it, so that a link shows what its sender saw.
    draw(number, name, n, bins) {
      const random = generator(1000 + number);
      const { curve, a } = this.data.worlds[name];
      const scores = drawScores(n, a, random);
      const hits = drawHits(scores, (s) => curveAt(curve, s), random);
      const value = ece(equalWidth(scores, hits, bins), n);
      const place = Uint8Array.from(scores, (s) => Math.max(Math.ceil(s * bins) - 1, 0));
      const gap = Float64Array.from(scores, (s, i) => hits[i] - s);
      const gaps = new Float64Array(bins);
      const pairs = new Float64Array(n / 2); // one number for two draws: n is even and its square far below 2^32
      const resampled = Array.from({ length: RESAMPLES }, () => {
        gaps.fill(0);
        random.fill(pairs);
        for (let k = 0; k < pairs.length; k++) {
          const first = Math.trunc(pairs[k] * n);
          const second = Math.trunc((pairs[k] * n - first) * n);
          gaps[place[first]] += gap[first];
          gaps[place[second]] += gap[second];
        }
        return gaps.reduce((total, gapOfBin) => total + Math.abs(gapOfBin), 0) / n;
      });
      return { value, interval: basicInterval(value, resampled) };
    }
    update() {
      const name = this.world.value;
      this.size.say();
      this.bins.say();
      const setting = [name, this.size.value, this.bins.value].join();
      if (setting !== this.drawnSetting || this.wanted < this.intervals.length) this.intervals = [];
      this.drawnSetting = setting;
      this.work(() => this.intervals.length >= this.wanted);
      this.prepare();
    }
    sample() {
      this.intervals.push(this.dataSet(this.intervals.length, this.world.value, this.size.value, this.bins.value));
    }
    drawIntervals(rows, look) {
      this.plot.lines(rows.map(({ interval, y }) => interval.map((x) => [x, y])), look);
      this.plot.dots(rows.map(({ value, y }) => [value, y]), `${look}-dot`, 2.5);
    }
    show() {
      const name = this.world.value;
      const truth = this.truth(name);
      const holds = this.intervals.map((dataSet) => this.holds(dataSet, name));
      const coverage = mean(holds.map(Number));
      const first = Math.max(this.intervals.length - SHOWN, 0);
      const summary =
        `True error ${percent(truth, 1)}. ${holds.filter(Boolean).length} of ${holds.length} intervals hold it ` +
        `(${percent(coverage, 0)}); they promise 95 %. Mean estimate ` +
        `${percent(mean(this.intervals.map(({ value }) => value)), 1)}.${first ? ` Shown: the last ${SHOWN}.` : ""}`;
      const recent = this.intervals.slice(first);
      const ends = recent.flatMap(({ value, interval }) => [value, ...interval]).concat(truth);
      this.plot.scale(
        [Math.floor(20 * Math.min(0, ...ends)) / 20, Math.ceil(20 * Math.max(0.1, ...ends)) / 20],
        [first, first + Math.max(20, recent.length)]
      );
      this.plot.clear(`Intervals of the last data sets. ${summary}`);
      const rows = recent.map((dataSet, i) => ({ ...dataSet, y: first + i + 0.5, isHolding: holds[first + i] }));
      this.drawIntervals(rows.filter(({ isHolding }) => !isHolding), "w-second");
      this.drawIntervals(rows.filter(({ isHolding }) => isHolding), "w-curve");
      this.plot.line([[truth, first], [truth, this.plot.y1]], "w-diagonal");
      this.status.textContent = summary;
      this.fill(this.intervals.slice(-12).map(({ value, interval }, i, last) => {
        const draw = this.intervals.length - last.length + i + 1;
        const ends = interval.map((v) => percent(v)).join(" to ");
        return [draw, percent(value), ends, holds.at(i - last.length) ? "yes" : "no"];
      }));
      this.record({ truth, coverage, draws: holds.length });
    }
  }

  customElements.define("interval-coverage", IntervalCoverage);
})();
