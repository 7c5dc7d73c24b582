// Cases as dots in the order of their scores, one threshold for two scores, and what its mistakes cost.

class PeopleThreshold extends Widget {
  start() {
    const { scores, miss, alarm } = this.data;
    this.names = Object.keys(scores);
    this.at = 0.5;
    this.setting("t", () => Math.round(100 * this.at), (text) => (this.at = clamp(Number(text) / 100 || 0, 0, 1)));
    this.miss = this.slider("miss", "A miss costs", { min: alarm, max: 10 * miss, step: alarm, value: miss }, (v) => `€${v}`);
    this.alarm = alarm;
    const prescribed = () => (this.at = threshold(alarm, this.miss.value));
    this.button("Set the threshold that the costs give", prescribed);
    const given = () => this.names.map((name) => this.costs(name, threshold(alarm, this.miss.value)).cost);
    this.ask(
      () => `A miss costs €${this.miss.value}, a false alarm €${alarm}: so flag every case whose chance is above ${percent(threshold(alarm, this.miss.value), 0)}. With which scores does this rule cost more?`,
      [...this.names, "the same with both"],
      () => (given()[0] === given()[1] ? 2 : Number(given()[1] > given()[0])),
      [],
      () => `At €${this.miss.value} and €${alarm}, with the threshold that they give: ${this.names.map((name, i) => `${name}, €${given()[i]}`).join("; ")}. A threshold can be computed from costs only if the scores mean what they say.`,
      prescribed,
    );
    this.plots = this.names.map((name) => new Plot([0, 1], [0, 1], `score, ${name}`, "", { role: "group", yTicks: [], left: 16 }));
    this.figures(...this.plots);
    const move = (to) => {
      this.at = Math.round(100 * clamp(to, 0, 1)) / 100;
      this.update();
    };
    this.handles = this.plots.map((plot, i) => this.handle(plot, `Threshold, ${this.names[i]}`, (right, up) => move(this.at + 0.01 * (right + up)), move));
    this.append(legend([["w-curve-dot", "flagged rightly"], ["w-second-dot", "a mistake: missed, or a false alarm"], ["w-muted-dot", "left alone rightly"]]));
    this.fill = this.asTable(["Scores", "Misses", "False alarms", "Cost", "Cheapest threshold", "Its cost"]);
    this.update();
  }
  costs(name, at) {
    const [p, { event }] = [this.data.scores[name], this.data];
    const missed = p.filter((v, i) => event[i] && v < at).length;
    const alarms = p.filter((v, i) => !event[i] && v >= at).length;
    return { missed, alarms, cost: missed * this.miss.value + alarms * this.alarm };
  }
  cheapest(name) {
    this.tried ??= {};
    return (this.tried[[name, this.miss.value]] ??= [...new Set(this.data.scores[name]), 1.01]
      .map((at) => ({ at, ...this.costs(name, at) }))
      .reduce((best, one) => (one.cost < best.cost ? one : best)));
  }
  update() {
    this.miss.say();
    const rows = this.names.map((name) => ({ name, best: this.cheapest(name), ...this.costs(name, this.at) }));
    this.plots.forEach((plot, i) => this.draw(plot, rows[i]));
    this.handles.forEach((node, i) => {
      const place = { cx: this.plots[i].x(this.at), cy: this.plots[i].top + 4 };
      set(node, { ...place, "aria-valuenow": Math.round(100 * this.at), "aria-valuetext": percent(this.at, 0) });
    });
    this.status.textContent = `Flag from ${percent(this.at, 0)} on: ${rows.map((r) => `${r.name}, ${r.missed} missed, ${r.alarms} false alarms, €${r.cost} (at best €${r.best.cost}, from ${percent(Math.min(r.best.at, 1), 0)} on)`).join("; ")}.`;
    this.fill(rows.map((r) => [r.name, r.missed, r.alarms, `€${r.cost}`, percent(Math.min(r.best.at, 1), 0), `€${r.best.cost}`]));
    this.values({ threshold: this.at, cost0: rows[0].cost, cost1: rows[1].cost, best0: rows[0].best.cost, best1: rows[1].best.cost });
  }
  // Above the middle the cases with the event, below those without, in piles a twentieth of the axis wide.
  draw(plot, { name, missed, alarms, cost }) {
    const { event, scores } = this.data;
    plot.clear(`${name}: ${missed} missed, ${alarms} false alarms, €${cost}`);
    const [middle, height] = [(plot.top + plot.bottom) / 2, {}];
    const cell = (v) => Math.floor(19.99 * v);
    const wide = (plot.right - plot.left) / 20;
    const counts = {};
    scores[name].forEach((v, i) => (counts[`${event[i]} ${cell(v)}`] = (counts[`${event[i]} ${cell(v)}`] || 0) + 1));
    const [most, room] = [Math.max(...Object.values(counts)), middle - plot.top - 24];
    const across = clamp(Math.round(Math.sqrt((most * wide) / room)), 1, Math.floor(wide / 3)); // as far apart as they are high
    const step = Math.min(7, room / Math.ceil(most / across));
    const places = { "w-curve-dot": [], "w-muted-dot": [], "w-second-dot": [] };
    scores[name].forEach((v, i) => {
      const key = `${event[i]} ${cell(v)}`;
      const place = (height[key] = (height[key] ?? -1) + 1);
      const up = 4 + step * (Math.floor(place / across) + 0.5);
      const x = cell(v) / 20 + ((place % across) + 0.5) / across / 20;
      const y = 0.5 + ((event[i] ? up : -up) / (plot.bottom - plot.top));
      const flagged = v >= this.at;
      const look = flagged === Boolean(event[i]) ? (flagged ? "w-curve-dot" : "w-muted-dot") : "w-second-dot";
      places[look].push([x, y]);
    });
    Object.entries(places).forEach(([look, points]) => plot.dots(points, look, clamp(step / 2, 1.5, 2.8)));
    const given = threshold(this.alarm, this.miss.value);
    plot.line([[given, 0], [given, 1]], "w-diagonal");
    plot.say(given - 0.02, 0.97, percent(given, 0), "end");
    plot.line([[this.at, 0], [this.at, 1]], "w-mark");
    [1, 0].forEach((kind) => plot.say(0.99, kind ? 0.88 : 0.02, this.data.names[kind], "end"));
  }
}

customElements.define("people-threshold", PeopleThreshold);
