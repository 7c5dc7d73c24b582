// Cases as dots in the order of their scores, one threshold for two scores, and what its mistakes cost. It asks where
// the threshold belongs, or with which scores it costs more; how much more, an interval over all cases says.
(() => {
  const { clamp, legend, percent, Plot, set, unpacked, Widget } = book.base;
  const { mean, meanInterval, threshold } = book.definitions;
  const { Differences } = book.diagram;

  const PILES = 20; // over the axis

  class PeopleThreshold extends Widget {
    start() {
      const { scores, miss, alarm } = this.data;
      this.names = Object.keys(scores);
      this.all = this.unpack(this.data.all);
      this.at = 0.5;
      this.setting("t", () => Math.round(100 * this.at), (text) => (this.at = clamp(Number(text) / 100 || 0, 0, 1)));
      this.miss =
        this.slider("miss", "A miss costs", { min: alarm, max: 10 * miss, step: 5, value: miss }, (v) => `€${v}`);
      this.alarm = alarm;
      this.prescribe = this.button("Set the threshold that the costs give", () => (this.at = this.rule));
      this.plots = this.names.map(
        (name) => new Plot([0, 1], [0, 1], `${this.data.axis}, ${name}`, "", { role: "group", yTicks: [], left: 16 })
      );
      this.saving = new Differences(`€ more ${this.names[0]}, per ${this.nShown}`);
      this[this.data.task]();
      this.figures(...this.plots, this.saving);
      const move = (to) => {
        this.at = Math.round(100 * clamp(to, 0, 1)) / 100;
        this.update();
      };
      this.handles = this.plots.map(
        (plot, i) =>
          this.handle(plot, `Threshold, ${this.names[i]}`, (right, up) => move(this.at + 0.01 * (right + up)), move)
      );
      this.append(legend([
        ["w-curve-dot", "flagged rightly"],
        ["w-second-dot", "a mistake: missed, or a false alarm"],
        ["w-muted-dot", "left alone rightly"],
        ["w-curve", "95 % interval, all cases"],
      ]));
      this.fill = this.asTable(["Scores", "Misses", "False alarms", "Cost", "Cheapest in hindsight", "Its cost"]);
      this.update();
    }
    get panel() {
      return { narrowest: 210, widest: 380, height: (width) => (this.beside ? clamp(width, 230, 260) : 200) };
    }
    get rule() {
      return threshold(this.alarm, this.miss.value);
    }
    get nShown() {
      return this.data.event.length;
    }
    // Of every case the event, and of each score the chance in 65535ths.
    unpack({ event, scores }) {
      const chances = (text) => Array.from(new Uint16Array(unpacked(text).buffer), (v) => v / 65535);
      return {
        event: Array.from(unpacked(event)),
        scores: Object.fromEntries(Object.entries(scores).map(([name, text]) => [name, chances(text)])),
      };
    }
    // Asks from which chance on an answer is to be looked at; the line is drawn with the answer.
    where() {
      const guesses = () => [0.5, this.alarm / this.miss.value, this.rule];
      this.ask({
        question: () =>
          `A miss costs €${this.miss.value}, a false alarm €${this.alarm}. From which ${this.data.axis} on does a ` +
          "look pay?",
        answers: () => guesses().map((chance) => `from ${percent(chance, 0)} on`),
        right: () => guesses().indexOf(this.rule),
        covers: [this.prescribe, this.saving],
        seen: () =>
          `From ${percent(this.rule, 0)}: there the chance of a mistake times €${this.miss.value} is the chance of ` +
          `none times €${this.alarm}. ${this.comparison()}`,
        settle: () => (this.at = this.rule),
      });
    }
    // Asks with which scores the rule costs more.
    dearer() {
      this.ask({
        question: () =>
          `A miss costs €${this.miss.value}, a false alarm €${this.alarm}: so flag every case whose chance is ` +
          `above ${percent(this.rule, 0)}. With which scores does this rule cost more?`,
        answers: [...this.names, "nearly the same with both"],
        right: () => {
          const { low, high } = this.difference(this.rule);
          if (low > 0) return 0;
          return high < 0 ? 1 : [0, 1, 2];
        },
        covers: [this.saving, this.status],
        seen: () =>
          `${this.comparison()} A threshold can be computed from costs only if the scores mean what they say.`,
        settle: () => (this.at = this.rule),
      });
    }
    comparison() {
      const { means, value, low, high } = this.difference(this.rule);
      const cost = this.names.map((name, i) => `${name}, €${means[i].toFixed(0)}`).join("; ");
      const euro = (v) => v.toFixed(0).replace("-", "−");
      return `Over all ${this.all.event.length} such cases, as many as are shown cost on average, with this ` +
        `threshold: ${cost}. The difference is €${euro(value)}, 95 % interval ${euro(low)} to ${euro(high)}.`;
    }
    // What each case costs with this threshold.
    costOfEach(scores, event, at) {
      return scores.map((score, i) => {
        if (event[i]) return score < at ? this.miss.value : 0;
        return score >= at ? this.alarm : 0;
      });
    }
    // What as many cases as are shown cost more with the first scores than with the second, over all cases.
    difference(at) {
      const key = [at, this.miss.value].join();
      if (this.lastDifference?.key === key) return this.lastDifference;
      const costs = this.names.map((name) => this.costOfEach(this.all.scores[name], this.all.event, at));
      const each = costs[0].map((cost, i) => cost - costs[1][i]);
      const means = costs.map((cost) => this.nShown * mean(cost));
      return (this.lastDifference = { key, means, ...meanInterval(each.map((cost) => this.nShown * cost)) });
    }
    costs(name, at) {
      const { event, scores } = this.data;
      const missed = scores[name].filter((score, i) => event[i] && score < at).length;
      const alarms = scores[name].filter((score, i) => !event[i] && score >= at).length;
      return { missed, alarms, cost: missed * this.miss.value + alarms * this.alarm };
    }
    cheapest(name) {
      this.tried ??= {};
      return (this.tried[[name, this.miss.value]] ??= [...new Set(this.data.scores[name]), 1.01] // the last flags none
        .map((at) => ({ at, ...this.costs(name, at) }))
        .reduce((best, other) => (other.cost < best.cost ? other : best)));
    }
    update() {
      this.miss.say();
      const rows = this.names.map((name) => ({ name, best: this.cheapest(name), ...this.costs(name, this.at) }));
      this.plots.forEach((plot, i) => this.draw(plot, rows[i]));
      const apart = this.difference(this.at);
      this.saving.draw(this.asks ? [] : [{ name: `threshold ${percent(this.at, 0)}`, ...apart }]);
      this.handles.forEach((node, i) => {
        const place = { cx: this.plots[i].x(this.at), cy: this.plots[i].top + 4 };
        set(node, { ...place, "aria-valuenow": Math.round(100 * this.at), "aria-valuetext": percent(this.at, 0) });
      });
      this.status.textContent =
        `Flag from ${percent(this.at, 0)} on: ${rows.map((r) => `${r.name}, ${this.mistakes(r)}`).join("; ")}.`;
      this.fill(rows.map(({ name, missed, alarms, cost, best }) => {
        const from = `from ${percent(Math.min(best.at, 1), 0)} on`;
        return [name, missed, alarms, `€${cost}`, from, `€${best.cost}`];
      }));
      this.record({
        threshold: this.at,
        cost0: rows[0].cost,
        cost1: rows[1].cost,
        best0: rows[0].best.cost,
        best1: rows[1].best.cost,
        low: apart.low,
        high: apart.high,
      });
    }
    mistakes({ missed, alarms, cost }) {
      return `${missed} missed, ${alarms} false alarm${alarms === 1 ? "" : "s"}, €${cost}`;
    }
    // Whether the threshold of the rule is drawn: not while it is asked for.
    get tellsRule() {
      return !this.asks || this.data.task === "dearer";
    }
    // Above the middle the cases with the event, below those without, in piles a twentieth of the axis wide.
    draw(plot, row) {
      const { name } = row;
      plot.clear(this.asks && this.data.task === "dearer" ? name : `${name}: ${this.mistakes(row)}`);
      this.drawPiles(plot, this.data.scores[name]);
      // not through the names of the halves
      const upright = (x, look) => plot.line([[x, 0.11], [x, 0.86]], look);
      if (this.tellsRule) {
        upright(this.rule, "w-diagonal");
        plot.say(this.rule - 0.02, 0.76, percent(this.rule, 0), "end"); // below the name of the upper half
      }
      upright(this.at, "w-mark");
      [1, 0].forEach((kind) => plot.say(0.99, kind ? 0.88 : 0.02, this.data.names[kind], "end"));
    }
    drawPiles(plot, scores) {
      const { event } = this.data;
      const cell = (score) => Math.floor((PILES - 0.01) * score);
      const piles = scores.map((score, i) => `${event[i]} ${cell(score)}`);
      const sizes = {};
      piles.forEach((pile) => (sizes[pile] = (sizes[pile] || 0) + 1));
      const { across, step } = this.spacing(plot, Math.max(...Object.values(sizes)));
      const heights = {}; // of the piles so far
      const places = { "w-curve-dot": [], "w-muted-dot": [], "w-second-dot": [] };
      scores.forEach((score, i) => {
        const rank = heights[piles[i]] ?? 0;
        heights[piles[i]] = rank + 1;
        const up = (4 + step * (Math.floor(rank / across) + 0.5)) / (plot.bottom - plot.top);
        const x = cell(score) / PILES + ((rank % across) + 0.5) / across / PILES;
        places[this.lookOf(score, event[i])].push([x, 0.5 + (event[i] ? up : -up)]);
      });
      Object.entries(places).forEach(([look, points]) => plot.dots(points, look, clamp(step / 2, 1.5, 2.8)));
    }
    // How many dots stand beside each other in a pile, and how far apart: about as far as they are high.
    spacing(plot, most) {
      const wide = (plot.right - plot.left) / PILES;
      const room = (plot.bottom - plot.top) / 2 - 24;
      const across = clamp(Math.round(Math.sqrt((most * wide) / room)), 1, Math.floor(wide / 3));
      return { across, step: Math.min(7, room / Math.ceil(most / across)) };
    }
    lookOf(score, event) {
      const isFlagged = score >= this.at;
      if (isFlagged !== Boolean(event)) return "w-second-dot"; // a mistake
      return isFlagged ? "w-curve-dot" : "w-muted-dot";
    }
  }

  customElements.define("people-threshold", PeopleThreshold);
})();
