// Tickets at the price that a network says, a group of prices at a time: buy or sell, and see what you win.

const TRADES = ["", "sell", "buy"];

class TicketTrader extends Widget {
  start() {
    const { groups } = this.data;
    this.trades = groups.map(() => 0);
    this.setting("trades", () => this.trades.join(""), (text) => {
      if (/^[012]*$/.test(text) && text.length === groups.length) this.trades = Array.from(text, Number);
    });
    this.buttons = groups.map((_, i) => this.button("", () => (this.trades[i] = (this.trades[i] % 2) + 1)));
    const places = groups.map(({ low, high }, i) => [i + 0.5, `${Math.round(100 * low)}–${Math.round(100 * high)}`]);
    this.plot = new Plot([0, groups.length], [-5, 5], "price, cents", "cents a ticket of all", { xTicks: places });
    this.figures(this.plot);
    this.append(legend([["w-accuracy", "won"], ["w-over", "lost"]]));
    this.fill = this.asTable(["Price, cents", "Tickets", "You", "Won, cents a ticket of the group"]);
    this.update();
  }
  onPaper() {
    this.trades = this.trades.map(() => 1);
  }
  // What one wins in each group, in cents for each ticket of all groups: a seller takes the price and pays for hits.
  won() {
    const { groups } = this.data;
    const all = sum(groups.map(({ n }) => n));
    return groups.map(({ n, score, hit }, i) => (100 * [0, 1, -1][this.trades[i]] * n * (score - hit)) / all);
  }
  update() {
    const { groups } = this.data;
    const won = this.won();
    const traded = this.trades.filter(Boolean).length;
    const top = Math.max(1, ...groups.map(({ n, score, hit }) => (110 * n * Math.abs(score - hit)) / sum(groups.map((g) => g.n))));
    const said = traded ? `You win ${sum(won).toFixed(2).replace("-", "−")} cents a ticket, over all tickets${traded < groups.length ? `; ${groups.length - traded} groups are still to choose` : ""}.` : "Choose for each group of prices: the first touch sells, the next buys.";
    this.buttons.forEach((button, i) => {
      const { low, high } = groups[i];
      button.textContent = `${Math.round(100 * low)} to ${Math.round(100 * high)}: ${TRADES[this.trades[i]] || "?"}`;
    });
    this.plot.scale([0, groups.length], [-top, top]);
    this.plot.clear(said);
    this.plot.line([[0, 0], [groups.length, 0]], "w-diagonal");
    [1, -1].forEach((sign) => this.plot.bars(won.flatMap((w, i) => (w * sign > 0 ? [[i + 0.1, i + 0.9, 0, w]] : [])), sign > 0 ? "w-accuracy" : "w-over"));
    this.status.textContent = said;
    this.fill(groups.map(({ low, high, n }, i) => [`${Math.round(100 * low)} to ${Math.round(100 * high)}`, n, TRADES[this.trades[i]] || "–", this.trades[i] ? ((won[i] * sum(groups.map((g) => g.n))) / n).toFixed(2) : "–"]));
    this.values({ won: sum(won) });
  }
}

customElements.define("ticket-trader", TicketTrader);
