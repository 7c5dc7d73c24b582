// Costs and a prior give a threshold; what it costs to apply it to each of two scores.
(() => {
  const { indicesOfTrue, legend, percent, Plot, Widget } = book.base;
  const { generator, mean, shifted, spreadInterval, sum, threshold } = book.definitions;

  const COST_DRAWS = 100;
  const ALIKE = 5; // points within which two costs are called alike
  const MOST_POWER = 2; // a miss costs up to a hundred false alarms
  const CURVE_STEPS = 40;
  const LOOKS = ["w-second", "w-curve"]; // of the two scores

  // The cost of a case, where events are as frequent as `prior` says, from the shares that are flagged of all events
  // and of all others.
  const costOf = ({ alarms, caught }, prior, miss) => (1 - prior) * alarms + prior * miss * (1 - caught);

  class DecisionCosts extends Widget {
    start() {
      const { event, scores } = this.data;
      this.frequency = mean(event);
      this.names = Object.keys(scores);
      this.steps = this.names.map((name) => this.stepsOf(scores[name]));
      this.orders = this.names.map((name) => this.orderOf(scores[name]));
      this.weights = this.resamples();
      const powers = { min: 0, max: MOST_POWER, step: 0.05, value: 1 };
      this.power = this.slider("miss", "A miss costs, in false alarms", powers, (power) => (10 ** power).toFixed(1));
      const percentages = { min: 1, max: 90, step: 1, value: Math.round(100 * this.frequency) };
      this.percentage = this.slider("prior", "How frequent the event is", percentages, (value) => `${value} %`);
      this.plot = new Plot([0, MOST_POWER], [0, 1], "cost of a miss, in false alarms", "paid too much, %", {
        xTicks: [0, 1, 2].map((power) => [power, String(10 ** power)]),
      });
      this.askOfSecond();
      this.figures(this.plot);
      this.append(legend(this.names.map((name, i) => [LOOKS[i], `${name}, and the range of 95 % of resamples`])));
      this.fill = this.asTable(["Scores", "Flagged", "Cost per 1000", "Best cost per 1000"]);
      this.update();
    }
    // Tells what the first scores cost, and asks of the second.
    askOfSecond() {
      const [first, second] = this.names;
      const missText = () => this.miss.toFixed(1).replace(".0", "");
      const excessText = (i) => `${this.excesses()[i].toFixed(1)} %`;
      const leadText = () =>
        this.lead(this.excesses()).map((end) => end.toFixed(1).replace("-", "−")).join(" to ");
      this.ask({
        question: () =>
          `A miss costs as much as ${missText()} false alarms. ${first[0].toUpperCase() + first.slice(1)}, the ` +
          `threshold that these costs give costs ${excessText(0)} more than the best one. And ${second}?`,
        answers: ["by more", "by as much, within 5 points", "by less"],
        right: () => this.possible(this.excesses()),
        covers: [],
        seen: () =>
          `At ${missText()} false alarms a miss one pays too much: ${first}, ${excessText(0)}; ${second}, ` +
          `${excessText(1)}; the difference is ${leadText()} points in 95 % of resamples. Scores that mean what they ` +
          "say turn costs into a threshold without a search.",
      });
    }
    get miss() {
      return 10 ** this.power.value;
    }
    get prior() {
      return this.percentage.value / 100;
    }
    // Scores from the largest, with the shares of all events and of all others that are flagged down to each.
    stepsOf(scores) {
      const { event } = this.data;
      const order = Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a]);
      const totals = [event.length - sum(event), sum(event)];
      const flagged = [0, 0];
      const steps = [{ n: 0, score: Infinity, alarms: 0, caught: 0 }];
      order.forEach((i, rank) => {
        flagged[event[i]] += 1;
        const isLast = rank === order.length - 1 || scores[order[rank + 1]] !== scores[i]; // of equal scores
        const [alarms, caught] = flagged.map((count, kind) => count / totals[kind]);
        if (isLast) steps.push({ n: rank + 1, score: scores[i], alarms, caught });
      });
      return steps;
    }
    // How often each case is in each of the resamples.
    resamples() {
      const random = generator(17);
      const { length } = this.data.event;
      return Array.from({ length: COST_DRAWS }, () => {
        const counts = new Uint8Array(length);
        for (let i = 0; i < length; i++) counts[Math.floor(length * random())] += 1;
        return counts;
      });
    }
    // Cases from the largest score, and whether a case is the last of equal scores.
    orderOf(scores) {
      const cases = Int32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a]);
      return { cases, last: Uint8Array.from(cases, (i, rank) => Number(scores[i] !== scores[cases[rank + 1]])) };
    }
    // How much more the first `n` cases cost than the best number of them, in one resample.
    excessIn(counts, { cases, last }, n) {
      const { event } = this.data;
      const { prior, miss } = this;
      const totals = [0, 0];
      counts.forEach((count, i) => (totals[event[i]] += count));
      const flagged = [0, 0];
      const cost = () => costOf({ alarms: flagged[0] / totals[0], caught: flagged[1] / totals[1] }, prior, miss);
      let [least, prescribed] = [cost(), cost()];
      cases.forEach((i, rank) => {
        flagged[event[i]] += counts[i];
        if (!last[rank]) return;
        const now = cost();
        least = Math.min(least, now);
        if (rank + 1 === n) prescribed = now;
      });
      return prescribed / least - 1;
    }
    // What is paid too much with each of the scores, in per cent.
    excesses() {
      return this.steps.map((steps) => 100 * this.measure(steps).excess);
    }
    // The same in each resample.
    resampledExcesses() {
      const setting = `${this.prior} ${this.miss}`;
      if (setting === this.resampled?.setting) return this.resampled.excesses;
      const excesses = this.orders.map((order, i) => {
        const { n } = this.measure(this.steps[i]);
        return this.weights.map((counts) => 100 * this.excessIn(counts, order, n));
      });
      this.resampled = { setting, excesses };
      return excesses;
    }
    // The interval of what the first scores cost more than the second, in points.
    lead(excesses) {
      const [first, second] = this.resampledExcesses();
      return spreadInterval(excesses[0] - excesses[1], first.map((excess, draw) => excess - second[draw]));
    }
    // The answers that the resamples allow: by more, as much, by less.
    possible(excesses) {
      const [low, high] = this.lead(excesses);
      const isPossible = [low < -ALIKE, low <= ALIKE && high >= -ALIKE, high > ALIKE];
      return indicesOfTrue(isPossible);
    }
    // The last step whose score, moved to the prior, reaches the threshold.
    stepAt(steps, limit) {
      let [low, high] = [0, steps.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (shifted(steps[middle].score, this.frequency, this.prior) >= limit) low = middle;
        else high = middle - 1;
      }
      return steps[low];
    }
    // What the threshold costs that costs prescribe, and the best threshold in hindsight.
    measure(steps, miss = this.miss) {
      const { prior } = this;
      const limit = threshold(1, miss);
      const least = steps.reduce((cost, step) => Math.min(cost, costOf(step, prior, miss)), Infinity);
      const step = this.stepAt(steps, limit);
      const prescribed = costOf(step, prior, miss);
      return {
        threshold: limit,
        n: step.n,
        least,
        cost: prescribed,
        excess: prescribed / least - 1,
        flagged: (1 - prior) * step.alarms + prior * step.caught,
      };
    }
    // What is paid too much against the cost of a miss, from 1 to 100 false alarms.
    curveOf(steps) {
      return Array.from({ length: CURVE_STEPS + 1 }, (_, i) => {
        const power = (MOST_POWER * i) / CURVE_STEPS;
        return [power, 100 * this.measure(steps, 10 ** power).excess];
      });
    }
    // The range of resamples around what one pays too much: nothing is cheaper than the best.
    rangeOf(i, excess) {
      return spreadInterval(100 * excess, this.resampledExcesses()[i]).map((end) => Math.max(end, 0));
    }
    update() {
      this.power.say();
      this.percentage.say();
      const both = this.steps.map((steps, i) => ({ name: this.names[i], ...this.measure(steps) }));
      const rows = this.asks ? both.slice(0, 1) : both; // the second is asked about
      const curves = rows.map((_, i) => this.curveOf(this.steps[i]));
      const ranges = rows.map(({ excess }, i) => this.rangeOf(i, excess));
      const textOf = ({ name, cost, excess }, i) => {
        const range = ranges[i].map((end) => end.toFixed(0)).join(" to ");
        const more = `${(100 * excess).toFixed(0)} %, ${range}, more than the best threshold on it`;
        return `${name}, ${(1000 * cost).toFixed(0)} (${more})`;
      };
      const summary =
        `Flag from ${percent(rows[0].threshold, 1)} on. Cost per 1000: ${rows.map(textOf).join("; ")}.`;
      this.draw(rows, curves, ranges, summary);
      this.status.textContent = summary;
      this.fill(rows.map(({ name, flagged, cost, least }) => {
        const per1000 = [cost, least].map((value) => (1000 * value).toFixed(1));
        return [name, percent(flagged, 1), ...per1000];
      }));
      const [first, second] = both;
      this.record({
        threshold: first.threshold,
        cost0: first.cost,
        cost1: second.cost,
        least0: first.least,
        least1: second.least,
      });
    }
    draw(rows, curves, ranges, summary) {
      const top = Math.max(10, ...curves.flat().map(([, excess]) => excess), ...ranges.flat());
      const power = this.power.value;
      const beside = (i) => power + (i - 0.5) / 40; // or the two ranges would lie on each other
      this.plot.scale([0, MOST_POWER], [0, Math.ceil(top / 20) * 20]);
      this.plot.clear(`What the prescribed threshold costs too much. ${summary}`);
      curves.forEach((curve, i) => this.plot.line(curve, LOOKS[i]));
      ranges.forEach((ends, i) => this.plot.line(ends.map((end) => [beside(i), end]), "w-range"));
      rows.forEach(({ excess }, i) => this.plot.dot([power, 100 * excess], `${LOOKS[i]}-dot`));
    }
  }

  customElements.define("decision-costs", DecisionCosts);
})();
