// Week by week a calm network, then a drift if one is asked for, and a gate that looks at each week: what it says too
// early, and what too late.
(() => {
  const { clamp, legend, percent, Plot, Widget } = book.base;
  const { generator, mean } = book.definitions;

  const CALM = 10; // weeks before the drift
  const WEEKS = 30;
  const WORLDS_DRAWN = 200;
  // One week in so many, though nothing moved: normal quantiles.
  const LEVELS = [[20, 1.96], [100, 2.576], [1000, 3.291]];

  class DriftGate extends Widget {
    start() {
      this.level = this.choice(
        "level", "False alarm in one calm week of", LEVELS.map(([weeks], i) => [String(i), String(weeks)])
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
      const late = () => this.known().delay;
      const ever = () => this.known().curve[WEEKS - 1];
      const tooLow = () => Number((late() * this.drift.value).toFixed(1));
      const alarmed = () =>
        Number.isFinite(late())
          ? `In week ${late()} of the drift, when the accuracy is ${tooLow()} points too low`
          : "Not within these weeks";
      this.ask({
        question: () => (
          this.calm
            ? `Draw runs of ${WEEKS} weeks in which nothing changes. In how many does a test that is wrong in one ` +
              `calm week of ${LEVELS[this.level.value][0]} alarm at least once?`
            : `From week ${CALM + 1} on the accuracy falls by ${this.points(this.drift.value)} a week, and ` +
              `${this.size.value} answers are looked at. By when has it raised an alarm in half of all runs?`
        ),
        answers: () =>
          this.calm
            ? ["in one of ten, or fewer", "in more, but not in half", "in most"]
            : ["within 3 weeks of drift", "in week 4 to 8 of it", "later, or not at all"],
        right: () => (this.calm ? this.share(ever()) : late() <= 3 ? 0 : late() <= 8 ? 1 : 2),
        covers: [this.first],
        seen: () => this.calm
          ? `In ${percent(ever(), 0)} of them, though nothing moved: each look has its own chance of a false alarm.`
          : `${alarmed()}. And before anything moved, ${percent(this.known().early, 0)} of the runs had an alarm.`,
      });
      this.figures(this.plot, this.first);
      this.append(legend([
        ["w-curve-dot", "a week"],
        ["w-second-dot", "a week with an alarm"],
        ["w-range", "range of chance"],
        ["w-curve", `of ${WORLDS_DRAWN} runs`],
        ["w-diagonal", "start of the drift"],
      ]));
      this.fill = this.asTable(["Week", "Gap", "Quiet range", "Alarm"]);
      this.update();
    }
    get calm() {
      return Number(this.drift.value) === 0;
    }
    // Which of the three answers a share of the runs is.
    share(part) {
      return part <= 0.1 ? 0 : part < 0.5 ? 1 : 2;
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
        return { gap: gap / n, quiet: (LEVELS[this.level.value][1] * Math.sqrt(variance)) / n };
      });
    }
    // In many runs: when each has its first alarm, before and after the drift began.
    known() {
      const key = [this.level.value, this.size.value, this.drift.value].join();
      if (this.last?.key === key) return this.last;
      const random = generator(11);
      const alarms = Array.from(
        { length: WORLDS_DRAWN },
        () => this.weeks(random, this.size.value, this.drift.value).map(({ gap, quiet }) => Math.abs(gap) > quiet)
      );
      const early = mean(alarms.map((weeks) => Number(weeks.slice(0, CALM).includes(true))));
      const delays = alarms.map((weeks) => weeks.slice(CALM).indexOf(true) + 1 || Infinity).sort((a, b) => a - b);
      const curve = Array.from(
        { length: WEEKS }, (_, week) => mean(alarms.map((weeks) => Number(weeks.slice(0, week + 1).includes(true))))
      );
      return (this.last = { key, early, curve, delay: delays[WORLDS_DRAWN / 2] });
    }
    update() {
      [this.size, this.drift].forEach((slider) => slider.say());
      const weeks = this.weeks(generator(1000 + this.year), this.size.value, this.drift.value);
      const loud = weeks.map(({ gap, quiet }) => Math.abs(gap) > quiet);
      const top = Math.ceil(10 * Math.max(0.1, ...weeks.map(({ gap, quiet }) => Math.max(Math.abs(gap), quiet)))) / 10;
      const alarms = loud.flatMap((alarm, i) => (alarm ? [i + 1] : []));
      const times = alarms.length === 1 ? "1 alarm" : `${alarms.length} alarms`;
      const found = alarms.length ? `${times}, the first in week ${alarms[0]}` : "no alarm";
      const drift = this.calm ? "" : ` The drift begins in week ${CALM + 1}.`;
      const said = `Run ${this.year}: ${found}.${drift}`;
      this.plot.scale([0, WEEKS + 1], [-top, top]);
      this.plot.clear(said);
      if (!this.calm) this.plot.line([[CALM + 0.5, -top], [CALM + 0.5, top]], "w-diagonal");
      this.plot.lines(weeks.map(({ quiet }, i) => [[i + 1, -quiet], [i + 1, quiet]]), "w-range");
      [false, true].forEach(
        (alarm) => this.plot.dots(
          weeks.flatMap(({ gap }, i) => (loud[i] === alarm ? [[i + 1, gap]] : [])),
          alarm ? "w-second-dot" : "w-curve-dot",
          3.5
        )
      );
      this.first.clear("Share of runs with an alarm by each week");
      if (!this.calm) this.first.line([[CALM + 0.5, 0], [CALM + 0.5, 1]], "w-diagonal");
      if (!this.asks) this.first.line(this.known().curve.map((share, i) => [i + 1, share]), "w-curve");
      this.status.textContent = said;
      this.fill(
        weeks.map(({ gap, quiet }, i) => [i + 1, percent(gap, 1), `±${percent(quiet, 1)}`, loud[i] ? "yes" : "no"])
      );
      this.record({ alarms: alarms.length });
    }
  }

  customElements.define("drift-gate", DriftGate);
})();
