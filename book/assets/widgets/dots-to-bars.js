// Predictions as dots: they fall onto the axis of the score, turn out as hits or not, gather into groups.
// It asks either of the surest predictions, or what the edges alone can do to the error.
(() => {
  const { clamp, discs, legend, make, percent, Plot, set, Widget } = book.base;
  const { ece, emptyBins, hitRange, mean, put, sideOf, sum } = book.definitions;
  const { binRows, drawBars, GRAMMAR } = book.diagram;

  const STAGES = ["Predictions", "Right or wrong?", "Gather into groups"];
  const NEAREST = 0.04; // between two edges

  class DotsToBars extends Widget {
    start() {
      this.edges = [0.2, 0.4, 0.6, 0.8];
      this.stage = 0;
      this.setting("edges", () => this.edges.map((e) => Math.round(100 * e)).join("-"), (text) => {
        const edges = text.split("-").map((v) => Number(v) / 100);
        const rising = [0, ...edges, 1].every((edge, i, ends) => i === 0 || edge - ends[i - 1] >= NEAREST - 1e-9);
        if (edges.length === this.edges.length && rising) this.edges = edges;
      });
      this.setting(
        "stage", () => this.stage, (text) => (this.stage = clamp(Math.trunc(Number(text)) || 0, 0, STAGES.length - 1))
      );
      this.steps = STAGES.map((text, i) => this.button(`${i + 1}. ${text}`, () => (this.stage = i)));
      this[this.data.task]();
      this.plot = new Plot([0, 1], [0, 1], this.data.axis, this.share, { role: "group", left: 44 });
      this.figures(this.plot);
      this.dots =
        ["w-muted-dot", "w-second-dot", "w-curve-dot"].map((look) => [look, make("path")]); // not told, wrong, right
      this.plot.svg.append(...this.dots.map(([, path]) => path));
      this.handles = this.edges.map(
        (_, i) => this.handle(
          this.plot,
          `Edge ${i + 1}`,
          (right, up) => this.move(i, this.edges[i] + 0.02 * (right + up)),
          (x) => this.move(i, x)
        )
      );
      const marks = [
        ["w-curve-dot", this.data.hit],
        ["w-second-dot", this.data.miss],
        ["w-accuracy", this.share],
        ["w-mark", "mean of what it says"],
        ["w-over", "gap: says too much"],
        ["w-under", "gap: says too little"],
        GRAMMAR.at(-1),
      ];
      this.key = legend(marks, ["ECE"]);
      this.append(this.key);
      this.fill = this.asTable(["It says", "Samples", "Mean of what it says", "Share"]);
      this.update();
    }
    get share() {
      return `share: ${this.data.hit}`;
    }
    // Asks of the group with the largest scores; its bar comes with the answer.
    surest() {
      const last = () => this.groups().at(-1);
      const range = (g) => hitRange(this.data.scores.filter((s) => s > g.low));
      this.ask({
        question: () =>
          `Of those about which it says more than ${last().low.toFixed(2)}, is as large a share “${this.data.hit}” ` +
          "as it says?",
        answers: ["a larger share", "as large, within chance", "a smaller share"],
        right: () => 1 - sideOf(last().hit / last().n, range(last())),
        covers: this.steps.slice(1),
        seen: () =>
          `From ${last().low.toFixed(2)} up it says ${percent(last().score / last().n, 0)} on average; ` +
          `${last().hit} of ${last().n} are “${this.data.hit}”. Were it right about itself, chance would leave ` +
          `${range(last()).map((share) => (share * last().n).toFixed(0)).join(" to ")}. Each group is one bar: its ` +
          "height is the share.",
        settle: () => (this.stage = 2),
      });
    }
    // Asks what the edges can do to the error, and shows the placement with the least.
    edgesAlone() {
      this.stage = 2;
      const now = () => ece(this.groups(), this.data.scores.length);
      const first = now();
      const ends = () => (this.ends ??= [this.extreme(1), this.extreme(-1)]);
      this.ask({
        question: () =>
          `The data stay as they are. Drag the edges: can they alone halve the error, ${percent(first, 1)} at first?`,
        answers: ["yes", "no"],
        right: () => Number(ends()[0].error > first / 2),
        covers: [],
        seen: () => `By its edges alone the ECE of these data goes from ${percent(ends()[0].error, 1)} to ` +
          `${percent(ends()[1].error, 1)}. Gaps of opposite sign in one group cancel. Shown is the placement with ` +
          `the least; a calibrated network would have ${percent(this.data.chance, 1)} with the first edges.`,
        settle: () => (this.edges = ends()[0].edges),
      });
    }
    // Of all placements on hundredths the one with the least ECE, or the largest where the sign is -1: group by group.
    extreme(sign) {
      const { scores, hits } = this.data;
      const gapUpTo = (edge) => sum(scores.map((score, i) => (score <= edge ? hits[i] - score : 0)));
      const gaps = Array.from({ length: 101 }, (_, k) => gapUpTo(k / 100));
      const apart = Math.round(100 * NEAREST);
      // The best way to end a group at each hundredth; first with one group, then with a group more for each edge: it
      // begins where the best way with a group less ends.
      let best = gaps.map((gap, k) => ({ error: k < apart ? Infinity : sign * Math.abs(gap), edges: [] }));
      this.edges.forEach(() => {
        best = gaps.map((gap, k) => {
          const ways = best.slice(0, Math.max(k - apart + 1, 0)).map(({ error, edges }, i) => ({
            error: error + sign * Math.abs(gap - gaps[i]),
            edges: [...edges, i / 100],
          }));
          return ways.reduce((a, b) => (b.error < a.error ? b : a), { error: Infinity, edges: [] });
        });
      });
      return { error: (sign * best[100].error) / scores.length, edges: best[100].edges };
    }
    onPaper() {
      this.stage = STAGES.length - 1;
    }
    get panel() {
      return { narrowest: 210, widest: 720, height: () => 284 };
    }
    move(i, to) {
      const [before, after] = [this.edges[i - 1] ?? 0, this.edges[i + 1] ?? 1];
      this.edges[i] = Math.round(100 * clamp(to, before + NEAREST, after - NEAREST)) / 100;
      this.stage = 2;
      this.refresh();
    }
    groups() {
      const groups = emptyBins([0, ...this.edges, 1]);
      this.data.scores.forEach((s, i) => put(groups.find((g) => s <= g.high), s, this.data.hits[i]));
      return groups;
    }
    // A pile of dots for each fiftieth of the axis; `from` gives the height where it begins.
    piles(from, room) {
      const { scores } = this.data;
      const fiftieth = (score) => Math.floor(49.99 * score);
      const piles = scores.map((score, i) => `${fiftieth(score)} ${from(i)}`);
      const sizes = {};
      piles.forEach((pile) => (sizes[pile] = (sizes[pile] || 0) + 1));
      const step = Math.min(7, room / Math.max(...Object.values(sizes)));
      const heights = {}; // of the piles so far
      return scores.map((score, i) => {
        const height = heights[piles[i]] ?? 0;
        heights[piles[i]] = height + 1;
        return [this.plot.x((fiftieth(score) + 0.5) / 50), this.plot.y(from(i)) - 4 - step * height];
      });
    }
    // The dots of each group fill its column from below, the right ones first.
    columns(groups) {
      const places = [];
      const { scores, hits } = this.data;
      const groupOf = (score) => groups.find(({ high }) => score <= high);
      groups.forEach((group) => {
        const inside = Array.from(scores.keys()).filter((i) => groupOf(scores[i]) === group);
        inside.sort((a, b) => hits[b] - hits[a]);
        const left = this.plot.x(group.low);
        const width = this.plot.x(group.high) - left;
        const height = this.plot.bottom - this.plot.top;
        const across = clamp(Math.round(Math.sqrt((inside.length * width) / height)), 1, Math.max(1, inside.length));
        inside.forEach((i, rank) => {
          const share = (rank + 0.5) / inside.length;
          places[i] = [left + (width * ((rank % across) + 0.5)) / across, this.plot.y(share)];
        });
      });
      return places;
    }
    // The handles of the edges, with a line down from each; only where the dots are gathered.
    placeHandles(isGathered) {
      const { top, bottom } = this.plot;
      this.handles.forEach((node, i) => {
        const x = this.plot.x(this.edges[i]);
        const percents = Math.round(100 * this.edges[i]);
        set(node, { cx: x, cy: top, "aria-valuenow": percents, "aria-valuetext": `${percents} %` });
        node.toggleAttribute("hidden", !isGathered);
        if (isGathered) this.plot.marks.append(make("line", { x1: x, x2: x, y1: top, y2: bottom, class: "w-grid" }));
      });
    }
    update() {
      const { scores, hits } = this.data;
      const groups = this.groups();
      const value = ece(groups, scores.length);
      const isGathered = this.stage === 2;
      this.plot.labels[1] = isGathered ? this.share : "predictions";
      this.plot.options.yTicks = isGathered ? undefined : [];
      this.plot.scale([0, 1], [0, 1]);
      const half = (this.plot.bottom - this.plot.top) / 2 - 8;
      const places = [
        () => this.piles(() => 0, 2 * half),
        () => this.piles((i) => (hits[i] ? 0.5 : 0), half),
        () => this.columns(groups),
      ][this.stage]();
      const summary = [
        `${scores.length} predictions, each at what the network says. Mean ${percent(mean(scores), 1)}.`,
        `Above: ${sum(hits)} “${this.data.hit}”. Below: ${scores.length - sum(hits)} “${this.data.miss}”. That ` +
          `is ${percent(mean(hits), 1)}.`,
        `Each group is a bar: ECE ${percent(value)}, the mean distance of the bars from the short marks, each ` +
          "bar counted by its dots. Drag the edges: the dots stay, the ECE moves.",
      ][this.stage];
      this.plot.clear(summary);
      if (isGathered) drawBars(this.plot, groups.filter((g) => g.n));
      this.glide(places, (now) => {
        this.dots.forEach(([look, path], kind) => {
          const there = now.filter((_, i) => (this.stage ? 1 + hits[i] : 0) === kind);
          set(path, { d: discs(there, 3), class: isGathered ? `${look} w-faint` : look });
        });
      });
      this.steps.forEach((button, i) => button.setAttribute("aria-pressed", i === this.stage));
      this.placeHandles(isGathered);
      this.status.textContent = summary;
      this.fill(binRows(groups));
      this.record({ ece: value, stage: this.stage });
    }
  }

  customElements.define("dots-to-bars", DotsToBars);
})();
