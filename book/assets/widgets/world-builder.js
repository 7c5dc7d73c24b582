// A world of three classes: forecasts that a network prints equally often, and how often each class is true then.
// Both are dragged on the triangle; four checks say which views of calibration notice.
(() => {
  const { clamp, legend, make, set, Widget } = book.base;
  const { mean, sum } = book.definitions;
  const { offPaper, onPaper, Triangle } = book.diagram;

  const PARTS = 20; // places of the triangle are in twentieths, so that scores can be equal

  class WorldBuilder extends Widget {
    start() {
      const { classes, worlds } = this.data;
      this.setting("world", () => this.world.flat(2).join("-"), (text) => this.read(text.split("-").map(Number)));
      this.load(Object.keys(worlds)[0]);
      Object.keys(worlds).forEach((name) => this.button(name, () => this.load(name)));
      this.button("All truths on their forecasts", () => this.world.forEach((pair) => (pair[1] = [...pair[0]])));
      this.triangle = new Triangle(classes);
      this.triangle.svg.setAttribute("role", "group");
      this.figures(this.triangle);
      this.checks = make("ul", { class: "w-checks" });
      this.frame.append(this.checks);
      this.append(legend([["w-curve-dot", "forecast"], ["w-second-dot", "truth: how often each class occurs then"]]));
      this.fill = this.asTable(["Forecast", "Truth"]);
      this.update();
    }
    get panel() {
      return { narrowest: 210, widest: 400, height: (width) => clamp(0.85 * width, 250, 340) };
    }
    load(name) {
      const [forecasts, truths] =
        this.data.worlds[name].map((rows) => rows.map((row) => row.map((v) => Math.round(PARTS * v))));
      this.world = forecasts.map((p, i) => [p, truths[i]]);
    }
    read(numbers) {
      const rows = Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3));
      const fit = numbers.length % 6 === 0 && rows.length && rows.length <= 12 &&
        rows.every((row) => row.every((v) => Number.isInteger(v) && v >= 0) && sum(row) === PARTS);
      if (fit) this.world = Array.from({ length: rows.length / 2 }, (_, i) => [rows[2 * i], rows[2 * i + 1]]);
    }
    // The vector of twentieths that is nearest.
    snap(p) {
      const parts = p.map((v) => Math.floor(PARTS * v + 1e-9));
      const rest = p.map((v, k) => [PARTS * v - parts[k], k]).sort((a, b) => b[0] - a[0]);
      for (let i = 0; sum(parts) < PARTS; i++) parts[rest[i][1]] += 1;
      return parts;
    }
    // A key moves a twentieth: to the right from the first class to the second, up from one of them to the third.
    step(parts, right, up) {
      if (!Number.isFinite(right + up)) return parts;
      const next = up ? this.stepUp(parts, up) : this.stepAcross(parts, Math.sign(right));
      return next.every((part) => part >= 0) ? next : parts;
    }
    stepUp([first, second, third], up) {
      if (up < 0) return [first + 1, second, third - 1];
      return first > 0 ? [first - 1, second, third + 1] : [first, second - 1, third + 1];
    }
    stepAcross([first, second, third], step) {
      return [first - step, second + step, third];
    }
    point(i, kind) {
      const name = `${kind ? "Truth" : "Forecast"} ${i + 1}`;
      const set = (parts) => {
        this.world[i][kind] = parts;
        this.update();
      };
      const look = kind ? { r: 7, class: "w-handle w-truth" } : { r: 11 };
      return this.handle(
        this.triangle,
        name,
        (right, up) => set(this.step(this.world[i][kind], right, up)),
        (x, y) => set(this.snap(offPaper([x, y]))),
        look
      );
    }
    // Mean absolute gap over the scores of a view: pairs of score and how often its event occurs.
    error(pairs) {
      const gaps = new Map();
      pairs.forEach(([score, hit]) => gaps.set(score, (gaps.get(score) || 0) + hit - score));
      return sum([...gaps.values()].map(Math.abs)) / pairs.length / PARTS;
    }
    // The error of each view: of the top label, of one class after the other, of the top two, of whole vectors.
    errors() {
      const likeliest = (forecast) => [0, 1, 2].sort((a, b) => forecast[b] - forecast[a]);
      const topOf = ([forecast, truth], r) => {
        const classes = likeliest(forecast).slice(0, r);
        return [forecast, truth].map((parts) => sum(classes.map((k) => parts[k])));
      };
      const top = (r) => this.world.map((pair) => topOf(pair, r));
      const ofClass = (k) => this.world.map(([forecast, truth]) => [forecast[k], truth[k]]);
      return {
        "top label": this.error(top(1)),
        "each class": mean([0, 1, 2].map((k) => this.error(ofClass(k)))),
        "within the top two": this.error(top(2)),
        "whole vector": this.vectorError(),
      };
    }
    // Mean absolute gap over the forecasts that differ, of all three classes.
    vectorError() {
      const gaps = new Map();
      this.world.forEach(([forecast, truth]) => {
        const before = gaps.get(forecast.join()) || [0, 0, 0];
        gaps.set(forecast.join(), before.map((gap, k) => gap + truth[k] - forecast[k]));
      });
      return sum([...gaps.values()].flat().map(Math.abs)) / this.world.length / PARTS;
    }
    // Forecasts and truths with a line from one to the other.
    drawPairs() {
      this.triangle.clear(`${this.world.length} forecasts and their truths on the triangle of three classes`);
      this.world.forEach((pair, i) => {
        const shares = pair.map((parts) => parts.map((part) => part / PARTS));
        const places = shares.map(onPaper);
        this.triangle.line(places, "w-second w-thin");
        [0, 1].forEach((kind) => {
          const [x, y] = places[kind];
          const place = { cx: this.triangle.x(x), cy: this.triangle.y(y) };
          const value = { "aria-valuenow": 100 * Math.max(...shares[kind]), "aria-valuetext": shares[kind].join(", ") };
          set(this.handles[2 * i + kind], { ...place, ...value });
        });
      });
    }
    // What the checks say of this world: the last sees all that is wrong.
    summary(objects) {
      const task = "Drag the points: find a world that fools the first three.";
      if (!objects[3]) return `Every forecast is true: no check can object. ${task}`;
      const fooled = objects.slice(0, 3).filter((isObjecting) => !isObjecting).length;
      if (fooled < 3)
        return `${fooled} of the first three checks notice nothing; the last says that the vectors are wrong. ${task}`;
      return "This world fools the first three checks: only the last one, for the whole vector, says that forecasts " +
        "are wrong.";
    }
    update() {
      if (this.handles?.length !== 2 * this.world.length) {
        this.handles?.forEach((node) => node.remove());
        this.handles = this.world.flatMap((_, i) => [this.point(i, 0), this.point(i, 1)]);
      }
      const errors = Object.entries(this.errors());
      const objects = errors.map(([, error]) => error > 1e-9); // whether a check notices something
      this.drawPairs();
      this.checks.replaceChildren(...errors.map(([name, error], i) => {
        const verdict = objects[i] ? `error ${error.toFixed(3)}` : "calibrated";
        const sign = make("strong", {}, objects[i] ? "✗ " : "✓ ");
        return make("li", { class: objects[i] ? "w-bad" : "w-good" }, sign, `${name}: ${verdict}`);
      }));
      this.status.textContent = this.summary(objects);
      this.fill(this.world.map((pair) => pair.map((v) => v.map((part) => (part / PARTS).toFixed(2)).join(", "))));
      this.record({ top: errors[0][1], classes: errors[1][1], within: errors[2][1], vector: errors[3][1] });
    }
  }

  customElements.define("world-builder", WorldBuilder);
})();
