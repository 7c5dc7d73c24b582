// A new data set at every click: how often does the interval hold the true error?

const RESAMPLES = 200;
const KEPT = 40;
const MOST = 1000;

class IntervalCoverage extends Widget {
  start() {
    this.world = this.choice("world", "The network is", Object.keys(this.data.worlds).map((name) => [name, name]));
    this.size = this.slider("n", "Samples n", { min: 100, max: 2000, step: 100, value: 500 });
    this.bins = this.slider("M", "Bins M", { min: 1, max: 30, step: 1, value: 15 });
    const self = this;
    this.settings.draws = {
      get value() {
        return String(self.intervals.length);
      },
      set value(text) {
        self.wanted = Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), MOST);
      },
    };
    this.intervals = [];
    this.button("Draw a new data set", () => (this.wanted = Math.min(this.intervals.length + 1, MOST)));
    this.button("Draw 20", () => (this.wanted = Math.min(this.intervals.length + 20, MOST)));
    this.wanted = 20;
    this.plot = new Plot([-0.05, 0.15], [0, KEPT], "ECE, with 95 % basic bootstrap interval", "data set");
    this.figures(this.plot);
    this.fill = this.asTable(["Data set", "ECE", "Interval", "Holds the true error"]);
    this.update();
  }
  // The number of the data set seeds it, so that a link shows what its sender saw.
  draw(number) {
    const random = generator(1000 + number);
    const { curve, a } = this.data.worlds[this.world.value];
    const scores = drawScores(this.size.value, a, random);
    const hits = drawHits(scores, (s) => curveAt(curve, s), random);
    const bins = this.bins.value;
    const value = ece(equalWidth(scores, hits, bins), scores.length);
    const place = Array.from(scores, (s) => Math.max(Math.ceil(s * bins) - 1, 0));
    const gap = Array.from(scores, (s, i) => hits[i] - s);
    const resampled = Array.from({ length: RESAMPLES }, () => {
      const gaps = new Float64Array(bins);
      for (let k = 0; k < scores.length; k++) {
        const i = Math.floor(random() * scores.length);
        gaps[place[i]] += gap[i];
      }
      return gaps.reduce((all, g) => all + Math.abs(g), 0) / scores.length;
    });
    return { value, interval: basicInterval(value, resampled) };
  }
  update() {
    this.size.say();
    this.bins.say();
    const setting = [this.world.value, this.size.value, this.bins.value].join();
    if (setting !== this.setting || this.wanted < this.intervals.length) this.intervals = [];
    this.setting = setting;
    while (this.intervals.length < this.wanted) this.intervals.push(this.draw(this.intervals.length));
    const { curve, a } = this.data.worlds[this.world.value];
    const truth = trueError(curve, a);
    const holds = this.intervals.map(({ interval: [low, high] }) => low <= truth && truth <= high);
    const coverage = mean(holds.map(Number));
    const said = `True error ${percent(truth, 1)}. ${holds.filter(Boolean).length} of ${holds.length} intervals hold it (${percent(coverage, 0)}); they promise 95 %. Mean estimate ${percent(mean(this.intervals.map((d) => d.value)), 1)}.`;
    this.plot.clear(`Intervals of the last data sets. ${said}`);
    const first = Math.max(this.intervals.length - KEPT, 0);
    const inside = (v) => Math.min(Math.max(v, this.plot.x0), this.plot.x1);
    this.intervals.slice(first).forEach(({ value, interval: [low, high] }, i) => {
      const name = holds[first + i] ? "curve" : "second";
      this.plot.line([[inside(low), i + 0.5], [inside(high), i + 0.5]], `w-${name}`);
      this.plot.dot([inside(value), i + 0.5], name === "curve" ? "w-curve-dot" : "w-second-dot", 2.5);
    });
    this.plot.line([[truth, 0], [truth, KEPT]], "w-diagonal");
    this.status.textContent = said;
    this.fill(this.intervals.slice(-12).map(({ value, interval }, i, shown) => [this.intervals.length - shown.length + i + 1, percent(value), interval.map((v) => percent(v)).join(" to "), holds.at(i - shown.length) ? "yes" : "no"]));
    this.values({ truth, coverage, draws: holds.length });
  }
}

customElements.define("interval-coverage", IntervalCoverage);
