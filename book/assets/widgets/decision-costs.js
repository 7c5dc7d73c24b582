// Costs and a prior give a threshold; what it costs to apply it to each of several scores.

class DecisionCosts extends Widget {
  start() {
    const { event, scores } = this.data;
    this.frequency = mean(event);
    this.miss = this.slider("miss", "A miss costs, in false alarms", { min: 0, max: 2, step: 0.05, value: 1 }, (v) => (10 ** v).toFixed(1));
    const percentages = { min: 1, max: 90, step: 1, value: Math.round(100 * this.frequency) };
    this.prior = this.slider("prior", "How frequent the event is", percentages, (v) => `${v} %`);
    this.plot = new Plot([0, 2], [0, 1], "cost of a miss (powers of ten)", "cost beyond the best threshold, %");
    this.figures(this.plot);
    this.fill = this.asTable(["Scores", "Flagged", "Cost per 1000", "Best cost per 1000"]);
    this.names = Object.keys(scores);
    this.update();
  }
  // The cost of the threshold that costs prescribe, and that of the best threshold in hindsight.
  costs(p, prior, miss) {
    const t = threshold(1, miss);
    const moved = p.map((v) => shifted(v, this.frequency, prior));
    const cost = (at) => expectedCost(moved, this.data.event, prior, { falseAlarm: 1, miss, t: at });
    return { t, flagged: mean(moved.map((v) => Number(v >= t))), cost: cost(t), moved };
  }
  // The least cost over all thresholds, in one pass down the sorted scores.
  best(p, prior, miss) {
    const { event } = this.data;
    const events = sum(event);
    const gain = [-(1 - prior) / (event.length - events), (prior * miss) / events]; // of flagging one more
    const order = Array.from(p.keys()).sort((a, b) => p[b] - p[a]);
    let [cost, least] = [prior * miss, prior * miss];
    order.forEach((i, rank) => {
      cost -= gain[event[i]];
      if (rank === order.length - 1 || p[order[rank + 1]] !== p[i]) least = Math.min(least, cost);
    });
    return least;
  }
  update() {
    const prior = this.prior.value / 100;
    const miss = 10 ** this.miss.value;
    this.miss.say();
    this.prior.say();
    const rows = this.names.map((name) => {
      const p = this.data.scores[name];
      return { name, ...this.costs(p, prior, miss), least: this.best(p, prior, miss) };
    });
    const curves = this.names.map((name) =>
      Array.from({ length: 21 }, (_, i) => {
        const { cost } = this.costs(this.data.scores[name], prior, 10 ** (i / 10));
        const least = this.best(this.data.scores[name], prior, 10 ** (i / 10));
        return [i / 10, 100 * (cost / least - 1)];
      }),
    );
    const top = Math.max(10, ...curves.flat().map((point) => point[1]));
    const plot = new Plot([0, 2], [0, Math.ceil(top / 20) * 20], "cost of a miss: 1, 10, 100 false alarms", "paid too much, %");
    plot.axes.querySelectorAll("text").forEach((text, i) => i < 10 && i % 2 === 0 && (text.textContent = tick(Number((10 ** (i / 4)).toPrecision(2)))));
    this.plot.svg.replaceWith(plot.svg);
    this.plot = plot;
    const [t] = rows.map((row) => row.t);
    const said = `Flag from ${percent(t, 1)} on. ${rows.map((r) => `${r.name}: ${(1000 * r.cost).toFixed(0)} per 1000, ${(100 * (r.cost / r.least - 1)).toFixed(0)} % more than the best threshold on it`).join("; ")}.`;
    plot.clear(`What the prescribed threshold costs too much. ${said}`);
    curves.forEach((curve, i) => plot.line(curve, ["w-curve", "w-second"][i]));
    rows.forEach((r, i) => plot.dot([this.miss.value, 100 * (r.cost / r.least - 1)], ["w-dot", "w-second-dot"][i]));
    curves.forEach((curve, i) => plot.say(1.95, curve.at(-3)[1] + (plot.y1 * (i ? 4 : 6)) / 100, this.names[i], "end"));
    this.status.textContent = said;
    this.fill(rows.map((r) => [r.name, percent(r.flagged, 1), (1000 * r.cost).toFixed(1), (1000 * r.least).toFixed(1)]));
    this.values({ threshold: t, cost0: rows[0].cost, cost1: rows[1].cost, least0: rows[0].least, least1: rows[1].least });
  }
}

customElements.define("decision-costs", DecisionCosts);
