// Costs and a prior give a threshold; what it costs to apply it to each of several scores.
(() => {
  const { legend, percent, Plot, Widget } = book.base;
  const { generator, mean, shifted, spreadInterval, sum, threshold } = book.definitions;

  const COST_DRAWS = 100;
  const ALIKE = 5; // points within which two costs are called alike

  class DecisionCosts extends Widget {
    start() {
      const { event, scores } = this.data;
      this.frequency = mean(event);
      this.names = Object.keys(scores);
      this.ranked = this.names.map((name) => this.rank(scores[name]));
      this.ordered = this.names.map((name) => this.order(scores[name]));
      this.weights = this.resamples();
      this.miss = this.slider(
        "miss", "A miss costs, in false alarms", { min: 0, max: 2, step: 0.05, value: 1 }, (v) => (10 ** v).toFixed(1)
      );
      const percentages = { min: 1, max: 90, step: 1, value: Math.round(100 * this.frequency) };
      this.prior = this.slider("prior", "How frequent the event is", percentages, (v) => `${v} %`);
      const powers = [0, 1, 2].map((power) => [power, String(10 ** power)]);
      this.plot = new Plot([0, 2], [0, 1], "cost of a miss, in false alarms", "paid too much, %", { xTicks: powers });
      const [first, second] = this.names;
      const told = () => (10 ** this.miss.value).toFixed(1).replace(".0", "");
      const paid = () =>
        this.ranked.map((ranked) => 100 * this.measure(ranked, this.prior.value / 100, 10 ** this.miss.value).excess);
      const much = (i) => `${paid()[i].toFixed(1)} %`;
      this.ask({
        question: () =>
          `A miss costs as much as ${told()} false alarms. ${first[0].toUpperCase() + first.slice(1)}, the ` +
          `threshold that these costs give costs ${much(0)} more than the best one. And ${second}?`,
        answers: ["by more", "by as much, within 5 points", "by less"],
        right: () => this.possible(paid()),
        covers: [],
        seen: () =>
          `At ${told()} false alarms a miss one pays too much: ${first}, ${much(0)}; ${second}, ${much(1)}; the ` +
          `difference is ${this.lead(paid()).map((end) => end.toFixed(1).replace("-", "−")).join(" to ")} points ` +
          "in 95 % of resamples. Scores that mean what they say turn costs into a threshold without a search.",
      });
      this.figures(this.plot);
      this.append(legend(
        this.names.map((name, i) => [["w-second", "w-curve"][i], `${name}, and the range of 95 % of resamples`])
      ));
      this.fill = this.asTable(["Scores", "Flagged", "Cost per 1000", "Best cost per 1000"]);
      this.update();
    }
    // Scores from the largest, with the shares of all events and of all others that are flagged down to each.
    rank(p) {
      const { event } = this.data;
      const order = Array.from(p.keys()).sort((a, b) => p[b] - p[a]);
      const all = [event.length - sum(event), sum(event)];
      const flagged = [0, 0];
      const steps = [{ n: 0, score: Infinity, alarms: 0, found: 0 }];
      order.forEach((i, rank) => {
        flagged[event[i]] += 1;
        const last = rank === order.length - 1 || p[order[rank + 1]] !== p[i]; // of equal scores
        if (last) steps.push({ n: rank + 1, score: p[i], alarms: flagged[0] / all[0], found: flagged[1] / all[1] });
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
    order(p) {
      const cases = Int32Array.from(p.keys()).sort((a, b) => p[b] - p[a]);
      return { cases, last: Uint8Array.from(cases, (i, rank) => Number(p[i] !== p[cases[rank + 1]])) };
    }
    // How much more the first `n` cases cost than the best number of them, in one resample.
    excess({ cases, last }, n, counts, prior, miss) {
      const { event } = this.data;
      const all = [0, 0];
      counts.forEach((count, i) => (all[event[i]] += count));
      const flagged = [0, 0];
      const cost = () => ((1 - prior) * flagged[0]) / all[0] + prior * miss * (1 - flagged[1] / all[1]);
      let [least, paid] = [cost(), cost()];
      cases.forEach((i, rank) => {
        flagged[event[i]] += counts[i];
        if (!last[rank]) return;
        least = Math.min(least, cost());
        if (rank + 1 === n) paid = cost();
      });
      return paid / least - 1;
    }
    // What is paid too much in each resample, in per cent, for each of the scores.
    drawn() {
      const [prior, miss] = [this.prior.value / 100, 10 ** this.miss.value];
      const asked = `${prior} ${miss}`;
      if (asked !== this.drawnFor) {
        const price = (i) => {
          const { n } = this.measure(this.ranked[i], prior, miss);
          return this.weights.map((counts) => 100 * this.excess(this.ordered[i], n, counts, prior, miss));
        };
        [this.drawnFor, this.prices] = [asked, this.names.map((_, i) => price(i))];
      }
      return this.prices;
    }
    // The interval of what the first scores cost more than the second, in points.
    lead(paid) {
      const [first, second] = this.drawn();
      return spreadInterval(paid[0] - paid[1], first.map((price, draw) => price - second[draw]));
    }
    // The answers that the resamples allow: by more, as much, by less.
    possible(paid) {
      const [low, high] = this.lead(paid);
      return [low < -ALIKE, low <= ALIKE && high >= -ALIKE, high > ALIKE].flatMap((may, i) => (may ? [i] : []));
    }
    // What the threshold costs that costs prescribe, and the best threshold in hindsight.
    measure(steps, prior, miss) {
      const t = threshold(1, miss);
      const cost = (step) => (1 - prior) * step.alarms + prior * miss * (1 - step.found);
      const least = steps.reduce((all, step) => Math.min(all, cost(step)), Infinity);
      let [low, high] = [0, steps.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (shifted(steps[middle].score, this.frequency, prior) >= t) low = middle;
        else high = middle - 1;
      }
      const found = cost(steps[low]);
      return {
        t,
        n: steps[low].n,
        least,
        cost: found,
        excess: found / least - 1,
        flagged: (1 - prior) * steps[low].alarms + prior * steps[low].found,
      };
    }
    update() {
      const prior = this.prior.value / 100;
      this.miss.say();
      this.prior.say();
      const all =
        this.ranked.map(
          (ranked, i) => ({ name: this.names[i], ...this.measure(ranked, prior, 10 ** this.miss.value) })
        );
      const rows = this.asks ? all.slice(0, 1) : all; // the second is asked about
      const curves =
        this.ranked.slice(0, rows.length)
          .map(
            (ranked) =>
              Array.from({ length: 41 }, (_, i) => [i / 20, 100 * this.measure(ranked, prior, 10 ** (i / 20)).excess])
          );
      const ranges = rows.map(
        (r, i) => spreadInterval(100 * r.excess, this.drawn()[i]).map((end) => Math.max(end, 0))
      ); // nothing is cheaper than the best
      const top = Math.max(10, ...curves.flat().map((point) => point[1]), ...ranges.flat());
      const costOf = ({ name, cost, excess }, i) => {
        const range = ranges[i].map((end) => end.toFixed(0)).join(" to ");
        const more = `${(100 * excess).toFixed(0)} %, ${range}, more than the best threshold on it`;
        return `${name}, ${(1000 * cost).toFixed(0)} (${more})`;
      };
      const said = `Flag from ${percent(rows[0].t, 1)} on. Cost per 1000: ${rows.map(costOf).join("; ")}.`;
      this.plot.scale([0, 2], [0, Math.ceil(top / 20) * 20]);
      this.plot.clear(`What the prescribed threshold costs too much. ${said}`);
      curves.forEach((curve, i) => this.plot.line(curve, ["w-second", "w-curve"][i]));
      const beside = (i) => this.miss.value + (i - 0.5) / 40;
      ranges.forEach((ends, i) => this.plot.line(ends.map((end) => [beside(i), end]), "w-range"));
      rows.forEach((r, i) => this.plot.dot([this.miss.value, 100 * r.excess], ["w-second-dot", "w-curve-dot"][i]));
      this.status.textContent = said;
      this.fill(
        rows.map((r) => [r.name, percent(r.flagged, 1), (1000 * r.cost).toFixed(1), (1000 * r.least).toFixed(1)])
      );
      this.record(
        { threshold: rows[0].t, cost0: all[0].cost, cost1: all[1].cost, least0: all[0].least, least1: all[1].least }
      );
    }
  }

  customElements.define("decision-costs", DecisionCosts);
})();
