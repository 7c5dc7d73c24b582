// Tickets at the price that a network says, a group of prices at a time: buy or sell, and see what you win.
(() => {
  const { legend, Plot, Widget } = book.base;
  const { sum } = book.definitions;

  const TRADES = ["", "sell", "buy"];

  class TicketTrader extends Widget {
    start() {
      const { groups } = this.data;
      this.trades = groups.map(() => 0);
      this.setting("trades", () => this.trades.join(""), (text) => {
        if (/^[012]*$/.test(text) && text.length === groups.length) this.trades = Array.from(text, Number);
      });
      this.buttons = groups.map((_, i) => this.button("", () => (this.trades[i] = (this.trades[i] % 2) + 1)));
      const places = groups.map(({ low }, i) => [i + 0.5, String(Math.round(100 * low))]);
      this.plot = new Plot([0, groups.length], [-5, 5], "price, from so many cents on", "won, cents a ticket", {
        xTicks: places,
        yTicks: [[-10, "−10"], [0, "0"], [10, "10"]],
        left: 50,
      });
      this.figures(this.plot);
      this.append(legend([["w-accuracy", "won"], ["w-over", "lost"]]));
      this.fill = this.asTable(["Price, cents", "Tickets", "You", "Won, cents a ticket of the group"]);
      this.update();
    }
    onPaper() {
      this.trades = this.trades.map(() => 1);
    }
    // What one wins in each group, in cents a ticket: a seller takes the price and pays for hits.
    wins() {
      const signs = [0, 1, -1]; // of no trade, of a seller, of a buyer
      return this.data.groups.map(({ score, hit }, i) => 100 * signs[this.trades[i]] * (score - hit));
    }
    update() {
      const { groups } = this.data;
      const wins = this.wins();
      const traded = this.trades.filter(Boolean).length;
      const top = Math.max(1, ...groups.map(({ score, hit }) => 110 * Math.abs(score - hit)));
      const mean = sum(groups.map(({ n }, i) => n * wins[i])) / sum(groups.map(({ n }) => n));
      const open = groups.length - traded;
      const rest = open ? `; groups still to choose: ${open}` : "";
      const summary = traded
        ? `Over all tickets you win ${mean.toFixed(1).replace("-", "−")} cents each${rest}.`
        : "Choose for each group of prices: the first touch sells, the next buys.";
      this.buttons.forEach((button, i) => {
        const { low, high } = groups[i];
        button.textContent = `${Math.round(100 * low)} to ${Math.round(100 * high)}: ${TRADES[this.trades[i]] || "?"}`;
      });
      this.plot.scale([0, groups.length], [-top, top]);
      this.plot.clear(summary);
      this.plot.line([[0, 0], [groups.length, 0]], "w-diagonal");
      const bars = wins.map((win, i) => [i + 0.1, i + 0.9, 0, win]);
      this.plot.bars(bars.filter((_, i) => wins[i] > 0), "w-accuracy");
      this.plot.bars(bars.filter((_, i) => wins[i] < 0), "w-over");
      this.status.textContent = summary;
      this.fill(groups.map(({ low, high, n }, i) => {
        const [prices, trade] = [`${Math.round(100 * low)} to ${Math.round(100 * high)}`, this.trades[i]];
        return [prices, n, TRADES[trade] || "–", trade ? wins[i].toFixed(1) : "–"];
      }));
      this.record({ won: mean });
    }
  }

  customElements.define("ticket-trader", TicketTrader);
})();
