// The reliability diagram of all interactive figures, as `calib.plots.reliability_diagram` draws it.
(() => {
  const { clamp, LETTER, make, percent, Plot } = book.base;
  const { hitRange, splitScores, sum } = book.definitions;

  const STRIP = 34; // height of the strip of shares above the axes
  const GRAMMAR = [
    ["w-accuracy", "accuracy"],
    ["w-mark", "mean confidence"],
    ["w-over", "gap: overconfident"],
    ["w-under", "gap: underconfident"],
    ["w-range", "95 % range if calibrated"],
    ["w-share", "share of the samples"],
    ["w-accuracy w-few", "fewer than 10 samples"],
  ];
  const FEW = 10; // bars of fewer samples are pale

  // The two hatches.
  {
    const pattern = (id) => make(
      "pattern",
      { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
      make("rect", { width: 6, height: 6, class: "w-hatch-ground" }),
      make("path", { d: "M-1 1L1 -1M0 6L6 0M5 7L7 5", class: "w-hatch-line" })
    );
    document.body.append(make(
      "svg",
      { class: "w-hatches", "aria-hidden": "true" },
      make("defs", {}, pattern("w-hatch-over"), pattern("w-hatch-under"))
    ));
  }

  // Bars up to the smaller of accuracy and confidence, the gap above them in one of two hatches, and a mark of
  // the mean confidence.
  function drawBars(plot, groups) {
    plot.line([[plot.x0, plot.x0], [1, 1]], "w-diagonal");
    const bars = {};
    const marks = groups.map((g) => {
      const [low, confidence, accuracy] = [Math.max(g.low, plot.x0), g.score / g.n, g.hit / g.n];
      const add = (look, ...ends) => (bars[look + (g.n < FEW ? " w-few" : "")] ??= []).push([low, g.high, ...ends]);
      add("w-accuracy", 0, Math.min(confidence, accuracy));
      add(confidence > accuracy ? "w-over" : "w-under", confidence, accuracy);
      return [[low, confidence], [g.high, confidence]];
    });
    Object.entries(bars).forEach(([look, boxes]) => plot.bars(boxes, look));
    plot.lines(marks, "w-mark");
  }

  // The scores of a bin of which the mean alone is known: all are that; none are needed where its range is known.
  const sameScores = ({ n, score, range }) => (range ? [] : new Array(n).fill(score / n));

  // The bars, the range of each that a calibrated model would show, and on top the strip of shares.
  class Diagram extends Plot {
    constructor(xLabel = "confidence", yLabel = "accuracy", xRange = [0, 1]) {
      super(xRange, [0, 1], xLabel, yLabel, { head: STRIP + 6 });
    }
    // Groups of a binning; `scores` of all samples, or none where only the mean score of a bin is known.
    draw(groups, title, scores) {
      this.clear(title);
      const split = scores ? splitScores(scores, groups) : groups.map(sameScores);
      const withRange = groups.map((group, i) => ({ ...group, scores: split[i] })).filter(({ n, high }) => {
        return n > 0 && high > this.x0;
      }).map((group) => ({ ...group, range: group.range ?? hitRange(group.scores) }));
      const most = Math.max(...withRange.map(({ n }) => n));
      drawBars(this, withRange);
      const places = withRange.map((group) => {
        return { ...group, left: this.x(Math.max(group.low, this.x0)), right: this.x(group.high) };
      });
      const addPath = (paths, look) => this.marks.append(make("path", { d: paths.join(""), class: look }));
      addPath(places.map((place) => this.whisker(place)), "w-line w-range");
      addPath(places.map((place) => this.share(place, place.n / most)), "w-share");
    }
    // Narrow ones have no bars at their ends.
    whisker({ left, right, range }) {
      const [at, bottom, top] = [(left + right) / 2, ...range.map((share) => this.y(share))];
      return `M${at} ${top}V${bottom}` + (right - left < 8 ? "" : `M${at - 3} ${top}h6M${at - 3} ${bottom}h6`);
    }
    share({ left, right }, part) {
      return `M${left + 0.5} ${this.top - 6}v${-part * STRIP}h${Math.max(right - left - 1, 0.5)}v${part * STRIP}z`;
    }
  }

  // Differences with their 95 % intervals, a row each, against a line at zero: what crosses it is not decided.
  class Differences extends Plot {
    constructor(xLabel) {
      super([-1, 1], [0, 1], xLabel, "", { yTicks: [], left: 16 });
    }
    draw(rows, look = () => "w-curve") {
      const ends = rows.flatMap(({ low, high }) => [low, high]);
      const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
      const room = 0.06 * (high - low || 1);
      this.scale([low - room, high + room], [0, Math.max(rows.length, 1)]);
      this.clear(
        rows
          .map((r) => `${r.name}: ${r.value.toPrecision(3)}, from ${r.low.toPrecision(3)} to ${r.high.toPrecision(3)}`)
          .join("; ")
      );
      this.line([[0, 0], [0, rows.length]], "w-diagonal");
      rows.forEach((row, i) => {
        const y = rows.length - i - 0.62;
        this.line([[row.low, y], [row.high, y]], `${look(row)} w-wide`);
        this.dot([row.value, y], `${look(row)}-dot`, 4);
        this.say((low + high) / 2, y + 0.3, row.name, "middle");
      });
    }
  }

  function binRows(groups) {
    return groups.filter((g) => g.n)
      .map(
        (g) => [`${g.low.toFixed(2)} to ${g.high.toFixed(2)}`, g.n, percent(g.score / g.n, 1), percent(g.hit / g.n, 1)]
      );
  }

  // ---------------------------------------------------------------- three classes

  const CORNERS = [[0, 0], [1, 0], [0.5, Math.sqrt(3) / 2]];
  const onPaper = (p) => [0, 1].map((axis) => sum(p.map((v, k) => v * CORNERS[k][axis])));

  // The probabilities at a place of the triangle; outside of it, those of a place on its edge.
  function offPaper([x, y]) {
    const third = y / CORNERS[2][1];
    const kept = [1 - x - third / 2, x - third / 2, third].map((v) => Math.max(v, 0));
    return kept.map((v) => v / sum(kept));
  }

  // The triangle of all probabilities of three classes, as large as the panel allows.
  class Triangle extends Plot {
    constructor(classes) {
      super([0, 1], [0, CORNERS[2][1]], "", "", { classes });
    }
    scale() {
      const side = Math.min(this.width - 16, (this.height - 2 * (LETTER + 10)) / CORNERS[2][1]);
      Object.assign(this, {
        left: (this.width - side) / 2,
        right: (this.width + side) / 2,
        top: LETTER + 10,
        bottom: LETTER + 10 + side * CORNERS[2][1],
      });
      this.inside = "none";
      this.axes.replaceChildren();
      this.options.classes.forEach((name, k) => {
        const [x, y] = CORNERS[k];
        this.axes.append(this.letters(
          clamp(this.x(x), 8, this.width - 8), this.y(y) + (k === 2 ? -7 : 18), name, ["start", "end", "middle"][k]
        ));
      });
    }
    clear(title) {
      super.clear(title);
      this.line([...CORNERS, CORNERS[0]], "w-diagonal");
    }
  }

  // What other scripts use of this one: names of a script stay in its block.
  (globalThis.book ??= {}).diagram = { binRows, Diagram, Differences, drawBars, GRAMMAR, offPaper, onPaper, Triangle };
})();
