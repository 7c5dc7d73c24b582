// Which map loses least, against the number of samples and of classes: networks near yours, and how far each map
// stays behind the best.
(() => {
  const { indicesOfTrue, legend, Plot, Widget } = book.base;
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
        right: () => indicesOfTrue(this.losses().map(({ isPossible }) => isPossible)),
        covers: [this.behind, this.status],
        seen: () => {
          const possible = this.losses().filter(({ isPossible }) => isPossible).map(({ name }) => name);
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
        const like = same.filter(({ classes }) => Math.max(classes / this.mine, this.mine / classes) <= factor);
        if (like.length >= Math.min(FEWEST, same.length)) return like;
      }
    }
    // Mean and Student's interval of numbers, one of each network.
    interval(values) {
      return meanInterval(values, this.data.quantiles[values.length - 2]);
    }
    // What each map loses on the networks near yours, and whether it may be the best of them.
    losses() {
      const near = this.near();
      const rows = this.data.maps.map((name, i) => ({ name, ...this.interval(near.map(({ loss }) => loss[i])) }));
      const best = rows.reduce((least, row, i) => (row.value < rows[least].value ? i : least), 0);
      const behindBest = (i) => this.interval(near.map(({ loss }) => loss[i] - loss[best]));
      return rows.map((row, i) => ({ ...row, isPossible: i === best || behindBest(i).low <= 0 }));
    }
    update() {
      this.classes.say();
      const { sizes, cases } = this.data;
      const near = new Set(this.near());
      const rows = this.losses();
      const numbers = [...near].map(({ classes }) => classes);
      const summary =
        `${near.size} networks with ${this.size.value} samples and ${Math.min(...numbers)} to ` +
        `${Math.max(...numbers)} classes. ` +
        `${rows.map((r) => `${r.name} ${r.value.toFixed(3)}`).join("; ")} nats behind the best of each.`;
      this.plot.clear("Networks by number of samples and of classes");
      // Networks of one size stand apart by multiples of the golden ratio, which fall together nowhere.
      const place = ({ n, classes }, i) => [sizes.indexOf(n) + 0.5 * (((i * 0.618) % 1) - 0.5), Math.log10(classes)];
      const placed = cases.map((network, i) => ({ isNear: near.has(network), at: place(network, i) }));
      this.plot.dots(placed.filter(({ isNear }) => !isNear).map(({ at }) => at), "w-muted-dot", 2.5);
      this.plot.dots(placed.filter(({ isNear }) => isNear).map(({ at }) => at), "w-curve-dot", 2.5);
      this.plot.dot([sizes.indexOf(Number(this.size.value)), Math.log10(this.mine)], "w-second-dot", 6);
      this.behind.draw(this.asks ? [] : rows);
      this.status.textContent = summary;
      this.fill(rows.map(({ name, value, low, high, isPossible }) => {
        const interval = `${low.toFixed(4)} to ${high.toFixed(4)}`;
        return [name, value.toFixed(4), interval, isPossible ? "yes" : "no"];
      }));
      this.record({ near: near.size, least: Math.min(...rows.map((r) => r.value)) });
    }
  }

  customElements.define("map-regret", MapRegret);
})();
