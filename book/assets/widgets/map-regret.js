// Which map loses least, against the number of samples and of classes: networks near yours, and how far each map
// stays behind the best.
(() => {
  const { legend, Plot, Widget } = book.base;
  const { meanInterval } = book.definitions;
  const { Differences } = book.diagram;

  const NEAR = 3; // classes up to so many times as many, or as few, are near yours
  const FEWEST = 4; // networks from which an interval is made

  class MapRegret extends Widget {
    start() {
      const { sizes, maps, cases } = this.data;
      const ends = [0, 1].map((i) => Math.log10(Math[["min", "max"][i]](...cases.map((c) => c.classes))));
      this.size = this.choice("n", "Your labelled samples", sizes.map((n) => [String(n), String(n)]));
      this.size.value = String(sizes[Math.floor(sizes.length / 2)]);
      this.classes = this.slider(
        "K",
        "Your classes",
        { min: ends[0].toFixed(2), max: ends[1].toFixed(2), step: 0.01, value: Math.min(1, ends[1]).toFixed(2) },
        () => String(this.mine)
      );
      const placed = sizes.map((n, i) => [i, String(n)]);
      this.plot =
        new Plot([-0.5, sizes.length - 0.5], [ends[0] - 0.15, ends[1] + 0.15], "labelled samples n", "classes K", {
          xTicks: placed,
          yTicks: [2, 10, 100, 1000].filter((k) => k <= 1.4 * 10 ** ends[1]).map((k) => [Math.log10(k), String(k)]),
        });
      this.behind = new Differences("NLL above the best of these maps (nats)");
      this.ask({
        question: () =>
          `You have ${this.size.value} samples of ${this.mine} classes. Which of these maps loses least on ` +
          "networks like yours?",
        answers: maps,
        right: () => this.summary().flatMap(({ possible }, i) => (possible ? [i] : [])),
        covers: [this.behind, this.status],
        seen: () => {
          const possible = this.summary().filter((row) => row.possible).map((row) => row.name);
          return possible.length > 1
            ? `These networks do not tell ${possible.join(" and ")} apart.`
            : `It is ${possible[0]}, beyond chance.`;
        },
      });
      this.figures(this.plot, this.behind);
      this.append(legend(
        [
          ["w-second-dot", "you"],
          ["w-curve-dot", "networks like yours"],
          ["w-muted-dot", "other networks"],
          ["w-curve", "mean, and its 95 % interval over networks"],
        ],
        ["NLL"]
      ));
      this.fill = this.asTable(["Map", "Mean loss", "95 % interval", "Can be the best"]);
      this.update();
    }
    get panel() {
      return { narrowest: 210, widest: 380, height: () => 280 };
    }
    get mine() {
      return Math.round(10 ** this.classes.value);
    }
    // The networks of as many samples whose classes are about as many: the range widens until they are enough.
    near() {
      const same = this.data.cases.filter((c) => c.n === Number(this.size.value));
      for (let factor = NEAR; ; factor *= 1.5) {
        const found = same.filter((c) => Math.max(c.classes / this.mine, this.mine / c.classes) <= factor);
        if (found.length >= Math.min(FEWEST, same.length)) return found;
      }
    }
    // Mean and Student's interval of numbers, one of each network.
    interval(values) {
      return meanInterval(values, this.data.quantiles[values.length - 2]);
    }
    summary() {
      const near = this.near();
      const rows = this.data.maps.map((name, i) => ({ name, ...this.interval(near.map((c) => c.loss[i])) }));
      const best = rows.reduce((least, row, i) => (row.value < rows[least].value ? i : least), 0);
      return rows.map(
        (row, i) =>
          ({ ...row, possible: i === best || this.interval(near.map((c) => c.loss[i] - c.loss[best])).low <= 0 })
      );
    }
    update() {
      this.classes.say();
      const { sizes, cases } = this.data;
      const near = new Set(this.near());
      const rows = this.summary();
      const summary =
        `${near.size} networks with ${this.size.value} samples and ${Math.min(...[...near].map((c) => c.classes))} ` +
        `to ${Math.max(...[...near].map((c) => c.classes))} classes. ` +
        `${rows.map((r) => `${r.name} ${r.value.toFixed(3)}`).join("; ")} nats behind the best of each.`;
      this.plot.clear("Networks by number of samples and of classes");
      const place = (c, i) => [sizes.indexOf(c.n) + 0.5 * (((i * 0.618) % 1) - 0.5), Math.log10(c.classes)];
      const all = cases.map((c, i) => [near.has(c), place(c, i)]);
      [false, true].forEach(
        (like) => this.plot.dots(
          all.flatMap(([is, at]) => (is === like ? [at] : [])), like ? "w-curve-dot" : "w-muted-dot", 2.5
        )
      );
      this.plot.dot([sizes.indexOf(Number(this.size.value)), Math.log10(this.mine)], "w-second-dot", 6);
      this.behind.draw(this.asks ? [] : rows);
      this.status.textContent = summary;
      this.fill(rows.map(
        (r) => [r.name, r.value.toFixed(4), `${r.low.toFixed(4)} to ${r.high.toFixed(4)}`, r.possible ? "yes" : "no"]
      ));
      this.record({ near: near.size, least: Math.min(...rows.map((r) => r.value)) });
    }
  }

  customElements.define("map-regret", MapRegret);
})();
