// A new data set at every click: how often does the interval hold the true error?
(() => {
  const { clamp, legend, percent, Plot, soon, Widget } = book.base;
  const {
    basicInterval, curveAt, drawHits, drawScores, ece, equalWidth, generator, mean, trueError,
  } = book.definitions;

  const RESAMPLES = 200;
  const KEPT = 40;
  const MOST = 1000;

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
      const drawn = (i, name) => this.known(i, name, this.size.value, this.bins.value);
      const holding = (name) => mean(Array.from({ length: 20 }, (_, i) => Number(this.holds(drawn(i, name), name))));
      const prepare = (i, job) => {
        if (i === 40 || !this.asks || job !== this.job) return;
        drawn(i % 20, i < 20 ? near : large);
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
      this.plot = new Plot([0, 0.2], [0, KEPT], "ECE, 95 % bootstrap interval", "data set");
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
    known(...setting) {
      this.drawings ??= {};
      return (this.drawings[setting] ??= this.draw(...setting));
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
        return gaps.reduce((all, g) => all + Math.abs(g), 0) / n;
      });
      return { value, interval: basicInterval(value, resampled) };
    }
    update() {
      const name = this.world.value;
      this.size.say();
      this.bins.say();
      const setting = [name, this.size.value, this.bins.value].join();
      if (setting !== this.drawn || this.wanted < this.intervals.length) this.intervals = [];
      this.drawn = setting;
      this.work(() => this.intervals.length >= this.wanted);
      this.prepare();
    }
    sample() {
      this.intervals.push(this.known(this.intervals.length, this.world.value, this.size.value, this.bins.value));
    }
    show() {
      const name = this.world.value;
      const truth = this.truth(name);
      const holds = this.intervals.map((drawn) => this.holds(drawn, name));
      const coverage = mean(holds.map(Number));
      const first = Math.max(this.intervals.length - KEPT, 0);
      const said =
        `True error ${percent(truth, 1)}. ${holds.filter(Boolean).length} of ${holds.length} intervals hold it ` +
        `(${percent(coverage, 0)}); they promise 95 %. Mean estimate ` +
        `${percent(mean(this.intervals.map((d) => d.value)), 1)}.${first ? ` Shown: the last ${KEPT}.` : ""}`;
      const shown = this.intervals.slice(first);
      const ends = shown.flatMap(({ value, interval }) => [value, ...interval]).concat(truth);
      this.plot.scale(
        [Math.floor(20 * Math.min(0, ...ends)) / 20, Math.ceil(20 * Math.max(0.1, ...ends)) / 20],
        [first, first + Math.max(20, shown.length)]
      );
      this.plot.clear(`Intervals of the last data sets. ${said}`);
      ["second", "curve"].forEach((style, held) => {
        const kept = shown.flatMap((one, i) => (Number(holds[first + i]) === held ? [[one, first + i + 0.5]] : []));
        this.plot.lines(kept.map(([{ interval }, y]) => interval.map((x) => [x, y])), `w-${style}`);
        this.plot.dots(kept.map(([{ value }, y]) => [value, y]), `w-${style}-dot`, 2.5);
      });
      this.plot.line([[truth, first], [truth, this.plot.y1]], "w-diagonal");
      this.status.textContent = said;
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
