// One language model, one confidence, one subject: diagram, risk against coverage, and the numbers.

const FINE = 40; // bins that the data hold; the diagram joins two at a time

// Bins of each model, kind and subject in turn: five bytes tell which bins are occupied, then each of
// these has its count and its hits, two bytes each, and a byte for where in the bin its mean score is.
function unpack(text, sizes) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  let at = 0;
  const next = () => bytes[at++];
  const word = () => next() + 256 * next();
  const block = () => {
    const held = Array.from({ length: FINE / 8 }, next);
    return Array.from({ length: FINE }, (_, b) => {
      const [low, high] = [b / FINE, (b + 1) / FINE];
      if (!((held[b >> 3] >> (b & 7)) & 1)) return { low, high, n: 0, score: 0, hit: 0 };
      const [n, hit, place] = [word(), word(), next()];
      return { low, high, n, hit, score: n * (low + place / 255 / FINE) };
    });
  };
  const nested = ([size, ...rest]) => Array.from({ length: size }, () => (rest.length ? nested(rest) : block()));
  return nested(sizes);
}

const joined = (a, b) => ({ low: a.low, high: b.high, n: a.n + b.n, score: a.score + b.score, hit: a.hit + b.hit });

// AUROC and the risk at ten coverages, from all answers: bins forget the order within. Of each
// model and kind those of the subjects, then of all; two bytes each, in 65534ths, 65535 unknown.
const RISKS = 10;

function unpackRanks(text, sizes) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  let at = 0;
  const next = () => {
    const value = bytes[at++] + 256 * bytes[at++];
    return value === 65535 ? NaN : value / 65534;
  };
  const block = () => ({ auroc: next(), risks: Array.from({ length: RISKS }, next) });
  const nested = ([size, ...rest]) => Array.from({ length: size }, () => (rest.length ? nested(rest) : block()));
  return nested(sizes);
}

// Errors of resamples: the sum of each bin's gaps is nearly normal.
function drawnErrors(groups, n, random, draws = 400) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const held = groups.filter((g) => g.n);
  const error = () => sum(held.map((g) => Math.abs(g.hit - g.score + normal() * Math.sqrt((g.hit * (g.n - g.hit)) / g.n)))) / n;
  return Array.from({ length: draws }, error);
}

// The mean error of a calibrated model with these scores, each bin nearly normal.
const errorByChance = (groups, n) => sum(groups.filter((g) => g.n).map((g) => Math.sqrt((2 / Math.PI) * g.score * (1 - g.score / g.n)))) / n;

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
    const first = this.totals(this.blocksOf(this.model.value, this.kind.value, "all"));
    const right = percent(first.accuracy, 0);
    const answers = [first.accuracy - 0.2, first.accuracy, first.confidence].map((share) => percent(share, 0));
    this.ask(
      `${this.data.first} states ${percent(first.confidence, 0)} on average. How many of its answers are right?`,
      answers,
      () => answers.indexOf(right),
      [this.diagram, this.curve, this.status],
      () => `${right} of its answers are right where it says ${percent(first.confidence, 0)}. Models differ in accuracy far more than in what they say.`,
    );
    this.figures(this.diagram, this.curve);
    this.append(legend([...GRAMMAR, ["w-curve", "risk"], ["w-diagonal", "risk without an order"]]));
    this.fill = this.asTable(["Confidence", "Answers", "Mean confidence", "Accuracy"]);
    this.update();
  }
  blocksOf(model, kind, subject) {
    const blocks = this.bins[model][kind];
    if (subject !== "all") return blocks[subject];
    return blocks[0].map((first, b) => blocks.slice(1).reduce((all, block) => ({ ...joined(all, block[b]), high: first.high }), first));
  }
  totals(groups) {
    const n = sum(groups.map((g) => g.n));
    const [accuracy, confidence] = ["hit", "score"].map((key) => sum(groups.map((g) => g[key])) / n);
    return { n, accuracy, confidence };
  }
  update() {
    const { models, kinds, asked } = this.data;
    const fine = this.blocksOf(this.model.value, this.kind.value, this.subject.value);
    const { n, accuracy, confidence } = this.totals(fine);
    const name = `${models[this.model.value]}, ${kinds[this.kind.value]} confidence`;
    if (n < 10) {
      [this.diagram, this.curve].forEach((plot) => plot.clear(`${name}: none`));
      this.status.textContent = `${name}: not given for these questions.`;
      this.fill([]);
      return this.values({ n });
    }
    const groups = Array.from({ length: FINE / 2 }, (_, i) => joined(fine[2 * i], fine[2 * i + 1]));
    const error = ece(groups, n);
    const [low, high] = basicInterval(error, drawnErrors(groups, n, generator(17)));
    const chance = errorByChance(groups, n);
    const ranks = this.ranks[this.model.value][this.kind.value];
    const all = this.subject.value === "all";
    const { auroc: area, risks } = ranks[all ? asked.length : this.subject.value];
    const questions = all ? sum(asked) : asked[this.subject.value];
    const half = risks[RISKS / 2 - 1];
    const said =
      `${name}: ${n} answers with a confidence; ${percent(1 - n / questions, 1)} of ${questions} questions are without one. ` +
      `Accuracy ${percent(accuracy, 1)}, mean confidence ${percent(confidence, 1)}. ` +
      `ECE (20 bins) ${percent(error, 1)}, 95 % interval ${percent(low, 1)} to ${percent(high, 1)}; ${percent(chance, 1)} by chance. ` +
      `AUROC ${Number.isNaN(area) ? "unknown" : area.toFixed(2)}. Errors among the surest half ${percent(half, 1)}.`;
    this.diagram.draw(groups, `Reliability diagram. ${said}`);
    this.curve.clear(`Risk against coverage. ${said}`);
    this.curve.line([[0, 1 - accuracy], [1, 1 - accuracy]], "w-diagonal");
    this.curve.line(risks.map((risk, i) => [(i + 1) / RISKS, risk]), "w-curve");
    this.status.textContent = said;
    this.fill(binRows(groups));
    this.values({ n, accuracy, confidence, ece: error, low, high, chance, auroc: area, half });
  }
}

customElements.define("language-explorer", LanguageExplorer);
