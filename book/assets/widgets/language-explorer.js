// One language model, one confidence, one subject: diagram, risk against coverage, and the numbers.
(() => {
  const { clamp, indicesOfTrue, legend, percent, Plot, unpacked, Widget } = book.base;
  const { basicInterval, ece, generator, sum, wilson } = book.definitions;
  const { binRows, Diagram, GRAMMAR } = book.diagram;

  const BINS = 20;

  // What `block` reads, nested as these sizes say.
  const nested = ([size, ...rest], block) =>
    Array.from({ length: size }, () => (rest.length ? nested(rest, block) : block()));

  // Bins of each model, kind and subject in turn: three bytes tell which bins are occupied, then each of
  // these has its count and its hits, two bytes each, and a byte for where in the bin its mean score is.
  function unpack(text, sizes) {
    const bytes = unpacked(text);
    let at = 0;
    const next = () => bytes[at++];
    const word = () => next() + 256 * next();
    return nested(sizes, () => {
      const occupied = Array.from({ length: Math.ceil(BINS / 8) }, next); // a bit each
      return Array.from({ length: BINS }, (_, b) => {
        const [low, high] = [b / BINS, (b + 1) / BINS];
        const isOccupied = (occupied[b >> 3] >> (b & 7)) & 1;
        if (!isOccupied) return { low, high, n: 0, score: 0, hit: 0 };
        const [n, hit, place] = [word(), word(), next()];
        return { low, high, n, hit, score: n * (low + place / 255 / BINS) };
      });
    });
  }

  // AUROC and the risk at coverages of .1, .3, ... .9, from all answers: bins forget the order within. Of each
  // model and kind those of the subjects, then of all; two bytes each, in 65534ths, 65535 unknown.
  const RISKS = 5;

  function unpackRanks(text, sizes) {
    const shares = Array.from(new Uint16Array(unpacked(text).buffer), (v) => (v === 65535 ? NaN : v / 65534));
    let at = 0;
    return nested(sizes, () => ({ auroc: shares[at++], risks: shares.slice(at, (at += RISKS)) }));
  }

  const joined = (a, b) => ({ ...a, n: a.n + b.n, score: a.score + b.score, hit: a.hit + b.hit });

  // Errors of resamples: the sum of each bin's gaps is nearly normal.
  function drawnErrors(groups, n, random, draws = 400) {
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const occupied = groups.filter((group) => group.n);
    const gap = ({ hit, score, n: size }) => hit - score + normal() * Math.sqrt((hit * (size - hit)) / size);
    const error = () => sum(occupied.map((group) => Math.abs(gap(group)))) / n;
    return Array.from({ length: draws }, error);
  }

  // The mean error of a calibrated model with these scores, each bin nearly normal.
  function errorByChance(groups, n) {
    const meanGap = ({ score, n: size }) => Math.sqrt((2 / Math.PI) * score * (1 - score / size));
    return sum(groups.filter((group) => group.n).map(meanGap)) / n;
  }

  class LanguageExplorer extends Widget {
    start() {
      const { models, kinds, subjects, bins } = this.data;
      this.bins = unpack(bins, [models.length, kinds.length, subjects.length]);
      this.ranks = unpackRanks(this.data.ranks, [models.length, kinds.length, subjects.length + 1]);
      const numbered = (names) => names.map((name, i) => [String(i), name]);
      this.model = this.choice("model", "Model", numbered(models));
      this.kind = this.choice("confidence", "Confidence", numbered(kinds));
      this.subject = this.choice("subject", "Subject", [["all", "all subjects"], ...numbered(subjects)]);
      this.model.value = String(models.indexOf(this.data.first));
      this.kind.value = String(kinds.indexOf("verbal"));
      this.diagram = new Diagram();
      this.curve = new Plot([0, 1], [0, 1], "coverage: share kept", "risk: errors among them");
      const now = () => this.totals(this.blocksOf(this.model.value, this.kind.value, this.subject.value));
      const shareText = (share) => percent(clamp(share, 0, 1), 0);
      const far = ({ accuracy, confidence }) => (Math.abs(confidence - accuracy) < 0.1 ? accuracy + 0.1 : confidence);
      const offered = () => [now().accuracy - 0.2, now().accuracy, far(now())];
      const allowed = () => {
        const [low, high] = wilson(now().accuracy * now().n, now().n);
        return indicesOfTrue(offered().map((share) => share >= low && share <= high));
      };
      this.ask({
        question: () => (
          now().n < 10
            ? ""
            : `${models[this.model.value]} says ${shareText(now().confidence)} on average. How many of its answers ` +
              "are right?"
        ),
        answers: () => (now().n < 10 ? ["", "", ""] : offered().map(shareText)),
        right: allowed,
        covers: [this.diagram, this.curve, this.status],
        seen: () =>
          `${shareText(now().accuracy)} are right where it says ${shareText(now().confidence)}. Other models differ ` +
          "more in how often they are right.",
      });
      this.figures(this.diagram, this.curve);
      this.append(
        legend([...GRAMMAR, ["w-curve", "risk"], ["w-diagonal", "risk of all, 95 % interval"]], ["ECE", "AUROC"])
      );
      this.fill = this.asTable(["Confidence", "Answers", "Mean confidence", "Accuracy"]);
      this.update();
    }
    blocksOf(model, kind, subject) {
      const blocks = this.bins[model][kind];
      if (subject !== "all") return blocks[subject];
      return blocks[0].map((first, b) => blocks.slice(1).reduce((total, block) => joined(total, block[b]), first));
    }
    totals(groups) {
      const n = sum(groups.map((g) => g.n));
      const [accuracy, confidence] = ["hit", "score"].map((key) => sum(groups.map((g) => g[key])) / n);
      return { n, accuracy, confidence };
    }
    update() {
      const { models, kinds, asked } = this.data;
      const groups = this.blocksOf(this.model.value, this.kind.value, this.subject.value);
      const { n, accuracy, confidence } = this.totals(groups);
      const name = `${models[this.model.value]}, ${kinds[this.kind.value]} confidence`;
      if (n < 10) {
        [this.diagram, this.curve].forEach((plot) => plot.clear(`${name}: none`));
        this.status.textContent = `${name}: not given for these questions.`;
        this.fill([]);
        return this.record({ n });
      }
      const error = ece(groups, n);
      const [low, high] = basicInterval(error, drawnErrors(groups, n, generator(17)));
      const chance = errorByChance(groups, n);
      const [least, most] = wilson(accuracy * n, n);
      const ranks = this.ranks[this.model.value][this.kind.value];
      const isAll = this.subject.value === "all";
      const { auroc: area, risks } = ranks[isAll ? asked.length : this.subject.value];
      const questions = isAll ? sum(asked) : asked[this.subject.value];
      const half = risks[2];
      const summary =
        `${name}: ${n} answers; ${percent(1 - n / questions, 1)} of ${questions} questions are without. ` +
        `Accuracy ${percent(accuracy, 1)} (${percent(least, 1)} to ${percent(most, 1)}), mean confidence ` +
          `${percent(confidence, 1)}. ` +
        `ECE (20 bins) ${percent(error, 1)} (${percent(low, 1)} to ${percent(high, 1)}), by chance ` +
          `${percent(chance, 1)}. ` +
        `AUROC ${Number.isNaN(area) ? "unknown" : area.toFixed(2)}. Errors among the surest half ${percent(half, 1)}.`;
      this.diagram.draw(groups, `Reliability diagram. ${summary}`);
      this.curve.clear(`Risk against coverage. ${summary}`);
      this.curve.line([[0, 1 - accuracy], [1, 1 - accuracy]], "w-diagonal");
      this.curve.line([...risks, 1 - accuracy].map((risk, i) => [Math.min(0.1 + i / RISKS, 1), risk]), "w-curve");
      this.curve.line([[0.99, 1 - most], [0.99, 1 - least]], "w-range");
      this.status.textContent = summary;
      this.fill(binRows(groups));
      this.record({ n, accuracy, least, most, confidence, ece: error, low, high, chance, auroc: area, half });
    }
  }

  customElements.define("language-explorer", LanguageExplorer);
})();
