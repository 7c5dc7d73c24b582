// Stakes that one draws against the score: what they win on the images that they were drawn for, and on all others.
(() => {
  const { clamp, indicesOfTrue, legend, Plot, set, unpacked, Widget } = book.base;
  const { curveAt, meanInterval } = book.definitions;
  const { Differences } = book.diagram;

  const STAKES = 11;
  const LEAST = 0.05; // between two settings of a stake

  class StakeCurve extends Widget {
    start() {
      const numbers = new Uint16Array(unpacked(this.data.pairs).buffer); // scores in fifteen bits, hits in the last
      this.pairs = Array.from(numbers, (v) => [(v >> 1) / 32767, v & 1]);
      this.stakes = new Array(STAKES).fill(0);
      this.setting("stakes", () => this.stakes.map((w) => Math.round(100 * w)).join("_"), (text) => {
        const parts = text.split("_").map(Number);
        if (parts.length === STAKES && parts.every((v) => Math.abs(v) <= 100)) this.stakes = parts.map((v) => v / 100);
      });
      const most = Math.min(2000, 100 * Math.floor(this.pairs.length / 200)); // as many others are left
      this.size =
        this.slider("n", "Answers that you see, n", { min: 100, max: most, step: 100, value: Math.min(300, most) });
      const best = this.button("Stakes that win most on these", () => (this.stakes = this.bestStakes()));
      this.button("No stakes", () => (this.stakes = new Array(STAKES).fill(0)));
      this.plot = new Plot([0, 1], [-1, 1], "score", "stake: sell or buy", { role: "group" });
      this.wins = new Differences("won, cents a ticket");
      const here = () => this.winOf(this.bestStakes(), this.seen);
      const there = () => this.winOf(this.bestStakes(), this.others);
      this.ask({
        question: () =>
          `The best stakes, chosen on these ${this.size.value} answers, win ${cents(here().value)} cents a ticket ` +
          "on them. What do they win on all other answers?",
        answers: ["as much", "less, but something", "nothing"],
        right: () => {
          const { low, high } = there();
          return indicesOfTrue([high >= here().value, low < here().value && high > 0, low <= 0]);
        },
        covers: [best],
        seen: () =>
          `${cents(there().value)} cents, 95 % interval ${cents(there().low)} to ${cents(there().high)}. What ` +
          "stakes win on the answers that chose them is partly chance; what they win elsewhere is the fault of the " +
          "network.",
        settle: () => (this.stakes = this.bestStakes()),
      });
      this.figures(this.plot, this.wins);
      this.handles = this.stakes.map(
        (_, i) => this.handle(
          this.plot,
          `Stake at score ${i / (STAKES - 1)}`,
          (_, up) => this.set(i, this.stakes[i] + LEAST * up),
          (x, y) => this.set(i, y),
          { "aria-valuemin": -100 }
        )
      );
      this.append(legend([
        ["w-curve", "your stakes; what they win, with its 95 % interval"],
        ["w-curve-dot", "right answers"],
        ["w-second-dot", "wrong answers"],
      ]));
      this.fill = this.asTable(["Score", "Stake"]);
      this.update();
    }
    get seen() {
      return this.pairs.slice(0, this.size.value);
    }
    get others() {
      return this.pairs.slice(this.size.value);
    }
    set(i, value) {
      this.stakes[i] = Math.round(clamp(value, -1, 1) / LEAST) * LEAST;
      this.refresh();
    }
    // The stake at a score: linear between the points that one draws.
    stake(stakes, score) {
      return curveAt(stakes, score);
    }
    // The mean win of stakes per ticket, with its interval: a ticket costs the score and pays one if the answer is
    // right.
    winOf(stakes, pairs) {
      return meanInterval(pairs.map(([s, h]) => this.stake(stakes, s) * (h - s)));
    }
    // The win is a sum over the points, each stake times what its neighbourhood gains: so each goes to an end.
    bestStakes() {
      const gain = new Array(STAKES).fill(0);
      for (const [s, h] of this.seen) {
        const i = Math.min(Math.floor(s * (STAKES - 1)), STAKES - 2);
        const share = s * (STAKES - 1) - i;
        gain[i] += (1 - share) * (h - s);
        gain[i + 1] += share * (h - s);
      }
      return gain.map(Math.sign);
    }
    // Right answers at the top, wrong ones at the bottom; how high each stands has no meaning but keeps them apart.
    drawAnswers() {
      const heights = { 1: 0.85, 0: -0.95 };
      const answers = this.seen.slice(0, 300).map(([score, hit], i) => {
        return { hit, at: [score, heights[hit] + 0.1 * ((i * 0.618) % 1)] };
      });
      ["w-second-dot", "w-curve-dot"].forEach((look, kind) => {
        const places = answers.filter(({ hit }) => hit === kind).map(({ at }) => at);
        this.plot.dots(places, `${look} w-faint`, 1.8);
      });
    }
    update() {
      this.size.say();
      const [here, there] = [this.seen, this.others].map((pairs) => this.winOf(this.stakes, pairs));
      const winText = ({ value, low, high }) =>
        `${cents(value)} cents a ticket (95 %: ${cents(low)} to ${cents(high)})`;
      const summary =
        `On these ${this.size.value} answers your stakes win ${winText(here)}, on the ${this.others.length} ` +
        `others ${winText(there)}.`;
      this.plot.clear(summary);
      this.plot.line([[0, 0], [1, 0]], "w-diagonal");
      this.drawAnswers();
      this.plot.line(this.stakes.map((w, i) => [i / (STAKES - 1), w]), "w-curve");
      const rows = [{ name: `on these ${this.size.value}`, ...here }, { name: "on all others", ...there }];
      this.wins.draw(rows.map(inCents));
      this.handles.forEach((node, i) => {
        const place = { cx: this.plot.x(i / (STAKES - 1)), cy: this.plot.y(this.stakes[i]) };
        set(
          node,
          { ...place, "aria-valuenow": Math.round(100 * this.stakes[i]), "aria-valuetext": this.stakes[i].toFixed(2) }
        );
      });
      this.status.textContent = summary;
      this.fill(this.stakes.map((w, i) => [(i / (STAKES - 1)).toFixed(1), w.toFixed(2)]));
      this.record({ here: here.value, there: there.value, low: there.low, high: there.high });
    }
  }

  const cents = (v) => (100 * v).toFixed(2).replace("-", "−");
  const inCents = ({ name, value, low, high }) => ({ name, value: 100 * value, low: 100 * low, high: 100 * high });

  customElements.define("stake-curve", StakeCurve);
})();
