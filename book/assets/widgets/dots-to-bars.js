// Predictions as dots: they fall onto the axis of confidence, turn out right or wrong, gather into groups.

const STAGES = ["Predictions", "Right or wrong?", "Gather into groups"];
const NEAREST = 0.04; // between two edges

class DotsToBars extends Widget {
  start() {
    const { scores } = this.data;
    this.edges = [0.2, 0.4, 0.6, 0.8];
    this.stage = 0;
    this.setting("edges", () => this.edges.map((e) => Math.round(100 * e)).join("-"), (text) => {
      const edges = text.split("-").map((v) => Number(v) / 100);
      const rising = [0, ...edges, 1].every((e, i, all) => i === 0 || e - all[i - 1] >= NEAREST - 1e-9);
      if (edges.length === this.edges.length && rising) this.edges = edges;
    });
    this.setting("stage", () => this.stage, (text) => (this.stage = clamp(Math.trunc(Number(text)) || 0, 0, STAGES.length - 1)));
    this.steps = STAGES.map((text, i) => this.button(`${i + 1}. ${text}`, () => (this.stage = i)));
    const last = () => this.groups().at(-1);
    this.ask(
      () => `Are the surest predictions, those above ${last().low.toFixed(2)}, right as often as they say?`,
      ["more often", "as often, within 2 %", "less often"],
      () => [-Infinity, -0.02, 0.02].findLastIndex((gap) => (last().score - last().hit) / last().n > gap),
      [],
      () => `The group from ${last().low.toFixed(2)} up says ${percent(last().score / last().n, 0)} on average and is right in ${last().hit} of ${last().n} cases. Each group is one bar: its height is the share that is right.`,
      () => (this.stage = 2),
    );
    this.plot = new Plot([0, 1], [0, 1], "confidence", "share that is right", { role: "group", left: 44 });
    this.figures(this.plot);
    this.dots = ["w-muted-dot", "w-second-dot", "w-curve-dot"].map((look) => [look, make("path")]); // not told, wrong, right
    this.plot.svg.append(...this.dots.map(([, path]) => path));
    this.handles = this.edges.map((_, i) => this.handle(this.plot, `Edge ${i + 1}`, (right, up) => this.move(i, this.edges[i] + 0.02 * (right + up)), (x) => this.move(i, x)));
    this.append((this.key = legend([["w-curve-dot", "right"], ["w-second-dot", "wrong"], ...GRAMMAR.slice(0, 4), GRAMMAR.at(-1)])));
    this.fill = this.asTable(["Confidence", "Samples", "Mean confidence", "Accuracy"]);
    this.update();
  }
  onPaper() {
    this.stage = STAGES.length - 1;
  }
  get panel() {
    return { narrowest: 210, widest: 720, height: () => 300 };
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
    const kinds = scores.map((s, i) => `${Math.floor(49.99 * s)} ${from(i)}`);
    const count = {};
    kinds.forEach((kind) => (count[kind] = (count[kind] || 0) + 1));
    const step = Math.min(7, room / Math.max(...Object.values(count)));
    const height = {};
    return scores.map((s, i) => {
      const kind = kinds[i];
      height[kind] = (height[kind] ?? -1) + 1;
      return [this.plot.x((Math.floor(49.99 * s) + 0.5) / 50), this.plot.y(from(i)) - 4 - step * height[kind]];
    });
  }
  // The dots of each group fill its column from below, the right ones first.
  columns(groups) {
    const places = [];
    groups.forEach((g) => {
      const inside = Array.from(this.data.scores.keys()).filter((i) => groups.find((h) => this.data.scores[i] <= h.high) === g);
      inside.sort((a, b) => this.data.hits[b] - this.data.hits[a]);
      const [left, width] = [this.plot.x(g.low), this.plot.x(g.high) - this.plot.x(g.low)];
      const across = clamp(Math.round(Math.sqrt((inside.length * width) / (this.plot.bottom - this.plot.top))), 1, Math.max(1, inside.length));
      inside.forEach((i, rank) => {
        const share = (rank + 0.5) / inside.length;
        places[i] = [left + (width * ((rank % across) + 0.5)) / across, this.plot.y(share)];
      });
    });
    return places;
  }
  update() {
    const { scores, hits } = this.data;
    const groups = this.groups();
    const value = ece(groups, scores.length);
    const gathered = this.stage === 2;
    this.plot.labels[1] = gathered ? "share that is right" : "predictions";
    this.plot.options.yTicks = gathered ? undefined : [];
    this.plot.scale([0, 1], [0, 1]);
    const half = (this.plot.bottom - this.plot.top) / 2 - 8;
    const places = [() => this.piles(() => 0, 2 * half), () => this.piles((i) => (hits[i] ? 0.5 : 0), half), () => this.columns(groups)][this.stage]();
    const tell = [
      `${scores.length} predictions, each where its confidence is. Mean confidence ${percent(mean(scores), 1)}.`,
      `Above: the ${sum(hits)} that turned out right. Below: the ${scores.length - sum(hits)} wrong ones. Accuracy ${percent(mean(hits), 1)}.`,
      `Each group is a bar: ECE ${percent(value)}, the mean distance of the bars from the short marks, each bar counted by its dots. Drag the edges: the dots stay, the ECE moves.`,
    ][this.stage];
    this.plot.clear(tell);
    if (gathered) drawBars(this.plot, groups.filter((g) => g.n));
    this.glide(places, (now) => {
      this.dots.forEach(([look, path], kind) => {
        const there = now.filter((_, i) => (this.stage ? 1 + hits[i] : 0) === kind);
        set(path, { d: discs(there, 3), class: gathered ? `${look} w-faint` : look });
      });
    });
    this.steps.forEach((button, i) => button.setAttribute("aria-pressed", i === this.stage));
    this.handles.forEach((node, i) => {
      const [x, percents] = [this.plot.x(this.edges[i]), Math.round(100 * this.edges[i])];
      set(node, { cx: x, cy: this.plot.top, "aria-valuenow": percents, "aria-valuetext": `${percents} %` });
      node.toggleAttribute("hidden", !gathered);
      if (gathered) this.plot.marks.append(make("line", { x1: x, x2: x, y1: this.plot.top, y2: this.plot.bottom, class: "w-grid" }));
    });
    this.status.textContent = tell;
    this.fill(binRows(groups));
    this.values({ ece: value, stage: this.stage });
  }
}

customElements.define("dots-to-bars", DotsToBars);
