// Gaps of groups, and the names of the groups shuffled over the samples: how wide is the widest gap where no group is
// special?
(() => {
  const { clamp, indicesOfTrue, legend, Plot, unpacked, Widget } = book.base;
  const { generator, mean, wilson } = book.definitions;

  const SHUFFLES = 400;
  const BINS = 20; // of the histogram
  const HALF = 0.5;
  const RARE = 0.05;

  class ShuffledGroups extends Widget {
    start() {
      const { names } = this.data;
      this.samples = Array.from(new Uint16Array(unpacked(this.data.pairs).buffer), (v) => (v >> 1) / 32767 - (v & 1));
      this.members = Array.from(unpacked(this.data.groups));
      const sizes = { min: 100, max: this.samples.length, step: 100, value: this.data.n };
      this.size = this.slider("n", "Photographs", sizes);
      this.shuffle = 0; // the true names
      this.setting(
        "shuffle", () => this.shuffle, (text) => (this.shuffle = clamp(Math.trunc(Number(text)) || 0, 0, 1e6))
      );
      this.button("Shuffle the names", () => (this.shuffle += 1));
      this.back = this.button("The true names", () => (this.shuffle = 0));
      const rows = names.map((name, k) => [names.length - k - 0.5, name]);
      this.plot = new Plot([-20, 20], [0, names.length], "too sure, points", "", { yTicks: rows });
      this.widest = new Plot([0, 20], [0, 1], "widest gap, points", "shuffles", { yTicks: [] });
      this.ask({
        question: () =>
          `${this.size.value} photographs; the widest gap is that of ${this.widestGaps().name}. Shuffle the names of ` +
          "the groups over the photographs: how often is the widest gap at least as wide?",
        answers: ["more than half of the time", "less, but more than one time in twenty", "more rarely"],
        right: () => this.possible(),
        covers: [this.widest],
        seen: () =>
          "The widest of many gaps is wide by chance alone: compare it with shuffled names, not with zero. Try " +
          "other numbers of photographs.",
      });
      this.figures(this.plot, this.widest);
      this.append(legend([
        ["w-curve-dot", "gap of a group, by true names"],
        ["w-second-dot", "by shuffled names"],
        ["w-chance", `widest gap in each of ${SHUFFLES} shuffles`],
        ["w-curve", "widest gap by true names"],
      ]));
      this.fill = this.asTable(["Group", "Photographs", "Gap, points"]);
      this.update();
    }
    // The gap of each group, and how many photographs it has.
    gaps(members) {
      const count = this.data.names.map(() => 0);
      const total = this.data.names.map(() => 0);
      members.forEach((k, i) => {
        count[k] += 1;
        total[k] += this.samples[i];
      });
      return total.map((gap, k) => ({ n: count[k], gap: count[k] ? (100 * gap) / count[k] : 0 }));
    }
    shuffled(random) {
      const members = this.members.slice(0, this.size.value);
      for (let i = members.length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [members[i], members[j]] = [members[j], members[i]];
      }
      return members;
    }
    // The widest gap by the true names, whose it is, and by chance: in many shuffles.
    widestGaps() {
      const n = this.size.value;
      if (this.lastGaps?.n === n) return this.lastGaps;
      const widest = (groups) => Math.max(...groups.map(({ gap }) => Math.abs(gap)));
      const groups = this.gaps(this.members.slice(0, n));
      const value = widest(groups);
      const random = generator(57);
      const byChance = Array.from({ length: SHUFFLES }, () => widest(this.gaps(this.shuffled(random))));
      const asWide = byChance.filter((gap) => gap >= value - 1e-9).length;
      const name = this.data.names[groups.findIndex(({ gap }) => Math.abs(gap) === value)];
      return (this.lastGaps = { n, value, byChance, asWide, name });
    }
    // The answers that the shuffles allow: their share has an interval.
    possible() {
      const [low, high] = wilson(this.widestGaps().asWide, SHUFFLES);
      return indicesOfTrue([high > HALF, high > RARE && low <= HALF, low <= RARE]);
    }
    comparison() {
      const { value, byChance, asWide, name } = this.widestGaps();
      return `In ${asWide} of ${SHUFFLES} shuffles. By chance the widest of ${this.data.names.length} gaps is ` +
        `${mean(byChance).toFixed(1)} points on average; that of ${name} is ${value.toFixed(1)}.`;
    }
    // A histogram of the widest gaps by chance, with that of the true names and of this shuffle.
    drawWidest(widest, top, summary) {
      const { value, byChance } = this.widestGaps();
      const counts = new Array(BINS).fill(0);
      byChance.forEach((gap) => (counts[Math.min(BINS - 1, Math.floor((BINS * gap) / top))] += 1));
      const most = 1.1 * Math.max(...counts);
      this.widest.scale([0, top], [0, most]);
      this.widest.clear(summary);
      const bars = counts.map((count, m) => [(m * top) / BINS, ((m + 1) * top) / BINS, 0, count]);
      this.widest.bars(bars.filter((_, m) => counts[m]), "w-chance");
      this.widest.line([[value, 0], [value, most]], "w-curve");
      if (this.shuffle) this.widest.dot([widest, most / 2], "w-second-dot", 5);
    }
    update() {
      const { names } = this.data;
      const { value, byChance } = this.widestGaps();
      this.size.say();
      this.back.hidden = !this.shuffle;
      const members = this.shuffle ? this.shuffled(generator(this.shuffle)) : this.members.slice(0, this.size.value);
      const groups = this.gaps(members);
      const widest = Math.max(...groups.map(({ gap }) => Math.abs(gap)));
      const top = 5 * Math.ceil(Math.max(value, widest, ...byChance) / 5);
      const summary =
        `${this.shuffle ? `Names shuffled, ${this.shuffle}: the` : "The true names: the"} widest gap is ` +
        `${widest.toFixed(1)} points.${this.asks ? "" : ` ${this.comparison()}`}`;
      this.plot.scale([-top, top], [0, names.length]);
      this.plot.clear(summary);
      this.plot.line([[0, 0], [0, names.length]], "w-diagonal");
      const look = this.shuffle ? "w-second-dot" : "w-curve-dot";
      this.plot.dots(groups.flatMap(({ n, gap }, k) => (n ? [[gap, names.length - k - 0.5]] : [])), look, 5);
      this.drawWidest(widest, top, summary);
      this.status.textContent = summary;
      this.fill(names.map((name, k) => [name, groups[k].n, groups[k].gap.toFixed(1)]));
      this.record({ value, chance: mean(byChance), share: this.widestGaps().asWide / SHUFFLES, widest });
    }
  }

  customElements.define("shuffled-groups", ShuffledGroups);
})();
