// Week by week a calm network, then a drift if one is asked for, and a gate that looks at each week: what it says too
// early, and what too late.
(() => {
  const { clamp, legend, percent, Plot, Widget } = book.base;
  const { generator, mean } = book.definitions;

  const CALM = 10; // weeks before the drift
  const WEEKS = 30;
  const RUNS = 200;
  // One week in so many, though nothing moved: normal quantiles.
  const LEVELS = [
    { weeks: 20, quantile: 1.96 },
    { weeks: 100, quantile: 2.576 },
    { weeks: 1000, quantile: 3.291 },
  ];

  // Which of the three answers is right: of how many calm runs have an alarm, of after how many weeks of drift half of
  // all runs have one.
  function answerOfShare(share) {
    if (share <= 0.1) return 0;
    return share < 0.5 ? 1 : 2;
  }
  function answerOfDelay(weeks) {
    if (weeks <= 3) return 0;
    return weeks <= 8 ? 1 : 2;
  }

  const isLoud = ({ gap, quiet }) => Math.abs(gap) > quiet;

  class DriftGate extends Widget {
    start() {
      this.level = this.choice(
        "level", "False alarm in one calm week of", LEVELS.map(({ weeks }, i) => [String(i), String(weeks)])
      );
      this.size = this.slider("n", "Labelled answers a week", { min: 50, max: 1000, step: 50, value: 200 });
      this.drift = this.slider(
        "drift", `Accuracy lost a week, from week ${CALM + 1} on`, { min: 0, max: 3, step: 0.25, value: 0 }, this.points
      );
      this.year = 1;
      this.setting("year", () => this.year, (text) => (this.year = clamp(Math.trunc(Number(text)) || 1, 1, 1e6)));
      this.button("Another thirty weeks", () => (this.year += 1));
      this.plot = new Plot([0, WEEKS + 1], [-0.2, 0.2], "week", "accuracy − confidence");
      this.first = new Plot([0, WEEKS + 1], [0, 1], "week", "runs with an alarm");
      this.askByDrift();
      this.figures(this.plot, this.first);
      this.append(legend([
        ["w-curve-dot", "a week"],
        ["w-second-dot", "a week with an alarm"],
        ["w-range", "range of chance"],
        ["w-curve", `of ${RUNS} runs`],
        ["w-diagonal", "start of the drift"],
      ]));
      this.fill = this.asTable(["Week", "Gap", "Quiet range", "Alarm"]);
      this.update();
    }
    // Two questions: of runs in which nothing changes, and of a drift.
    askByDrift() {
      const ever = () => this.alarmTimes().curve[WEEKS - 1];
      const delay = () => this.alarmTimes().delay;
      const ofCalm = {
        question: () =>
          `Draw runs of ${WEEKS} weeks in which nothing changes. In how many does a test that is wrong in one calm ` +
          `week of ${this.chosenLevel.weeks} alarm at least once?`,
        answers: ["in one of ten, or fewer", "in more, but not in half", "in most"],
        right: () => answerOfShare(ever()),
        seen: () =>
          `In ${percent(ever(), 0)} of them, though nothing moved: each look has its own chance of a false alarm.`,
      };
      const ofDrift = {
        question: () =>
          `From week ${CALM + 1} on the accuracy falls by ${this.points(this.drift.value)} a week, and ` +
          `${this.size.value} answers are looked at. By when has it raised an alarm in half of all runs?`,
        answers: ["within 3 weeks of drift", "in week 4 to 8 of it", "later, or not at all"],
        right: () => answerOfDelay(delay()),
        seen: () =>
          `${this.delayText(delay())}. And before anything moved, ${percent(this.alarmTimes().early, 0)} of the runs ` +
          "had an alarm.",
      };
      const chosen = () => (this.isCalm ? ofCalm : ofDrift);
      this.ask({
        question: () => chosen().question(),
        answers: () => chosen().answers,
        right: () => chosen().right(),
        covers: [this.first],
        seen: () => chosen().seen(),
      });
    }
    delayText(delay) {
      if (!Number.isFinite(delay)) return "Not within these weeks";
      const lost = Number((delay * this.drift.value).toFixed(1));
      return `In week ${delay} of the drift, when the accuracy is ${lost} points too low`;
    }
    get isCalm() {
      return Number(this.drift.value) === 0;
    }
    get chosenLevel() {
      return LEVELS[this.level.value];
    }
    points(number) {
      return Number(number) === 1 ? "1 point" : `${number} points`;
    }
    // A run: in each week answers with confidences of the network, right as often as these say less the drift.
    weeks(random, n, drift) {
      const { scores } = this.data;
      return Array.from({ length: WEEKS }, (_, week) => {
        const lost = (Math.max(0, week + 1 - CALM) * drift) / 100;
        let [gap, variance] = [0, 0];
        for (let i = 0; i < n; i++) {
          const s = scores[Math.floor(random() * scores.length)];
          gap += Number(random() < s - lost) - s;
          variance += s * (1 - s);
        }
        return { gap: gap / n, quiet: (this.chosenLevel.quantile * Math.sqrt(variance)) / n };
      });
    }
    // In many runs: when each has its first alarm, before and after the drift began.
    alarmTimes() {
      const key = [this.level.value, this.size.value, this.drift.value].join();
      if (this.lastTimes?.key === key) return this.lastTimes;
      const random = generator(11);
      const alarms = Array.from(
        { length: RUNS },
        () => this.weeks(random, this.size.value, this.drift.value).map(isLoud)
      );
      const early = mean(alarms.map((weeks) => Number(weeks.slice(0, CALM).includes(true))));
      const delays = alarms.map((weeks) => weeks.slice(CALM).indexOf(true) + 1 || Infinity).sort((a, b) => a - b);
      const curve = Array.from(
        { length: WEEKS }, (_, week) => mean(alarms.map((weeks) => Number(weeks.slice(0, week + 1).includes(true))))
      );
      return (this.lastTimes = { key, early, curve, delay: delays[RUNS / 2] });
    }
    update() {
      [this.size, this.drift].forEach((slider) => slider.say());
      const weeks = this.weeks(generator(1000 + this.year), this.size.value, this.drift.value);
      const loud = weeks.map(isLoud);
      const top = Math.ceil(10 * Math.max(0.1, ...weeks.map(({ gap, quiet }) => Math.max(Math.abs(gap), quiet)))) / 10;
      const alarms = loud.flatMap((alarm, i) => (alarm ? [i + 1] : []));
      const times = alarms.length === 1 ? "1 alarm" : `${alarms.length} alarms`;
      const count = alarms.length ? `${times}, the first in week ${alarms[0]}` : "no alarm";
      const drift = this.isCalm ? "" : ` The drift begins in week ${CALM + 1}.`;
      const summary = `Run ${this.year}: ${count}.${drift}`;
      this.plot.scale([0, WEEKS + 1], [-top, top]);
      this.plot.clear(summary);
      if (!this.isCalm) this.plot.line([[CALM + 0.5, -top], [CALM + 0.5, top]], "w-diagonal");
      this.plot.lines(weeks.map(({ quiet }, i) => [[i + 1, -quiet], [i + 1, quiet]]), "w-range");
      [false, true].forEach(
        (alarm) => this.plot.dots(
          weeks.flatMap(({ gap }, i) => (loud[i] === alarm ? [[i + 1, gap]] : [])),
          alarm ? "w-second-dot" : "w-curve-dot",
          3.5
        )
      );
      this.first.clear("Share of runs with an alarm by each week");
      if (!this.isCalm) this.first.line([[CALM + 0.5, 0], [CALM + 0.5, 1]], "w-diagonal");
      if (!this.asks) this.first.line(this.alarmTimes().curve.map((share, i) => [i + 1, share]), "w-curve");
      this.status.textContent = summary;
      this.fill(
        weeks.map(({ gap, quiet }, i) => [i + 1, percent(gap, 1), `±${percent(quiet, 1)}`, loud[i] ? "yes" : "no"])
      );
      this.record({ alarms: alarms.length });
    }
  }

  customElements.define("drift-gate", DriftGate);
})();
