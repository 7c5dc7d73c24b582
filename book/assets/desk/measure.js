// The numbers of a reading, as `calib_report.measuring.measure` has them; what is drawn is drawn from a seed. A
// function has the name of the one in Python that it mirrors, doubtRepeatedIds that of doubt_repeated_ids, or names
// it.

const {
  NORMAL_95,
  SIGNIFICANCE_LEVEL,
  FEWEST_SAMPLES,
  SMALL_SAMPLE,
  FLOOR,
  LARGEST_FLOOR,
  N_BINS,
  N_RESAMPLES,
  ROUNDING_OF_SUMS,
  SAME,
} = TEXTS.limits;
const [N_FOLDS, LEAST_SPREAD] = [5, 1e-12];
const MOST_ONE_BY_ONE = 2000; // samples up to which resamples draw each of them
const MANY_ROWS = 20_000; // from which a fit begins at that of a part
const MANY_IN_BIN = 200; // samples of a bin from which its sums are drawn as normal

function measure(outputs) {
  const { score, hit, n, task, names } = outputs;
  const excess = score.map((s, i) => s - hit[i]);
  const groups = equalWidth(score, hit, N_BINS);
  const scores = splitScores(score, groups);
  const distributions = scores.map((own) => poissonBinomial(own));
  groups.forEach((g, m) => g.n && (g.range = rangeOf(distributions[m]).map((hits) => hits / g.n)));
  const suspicion = suspicionOf(outputs);
  const report = {
    n, task, kind: outputs.kind, n_classes: names.length, clusters: null, bins: groups,
    mean_confidence: meanOf(score), hit_rate: meanOf(hit), excess: meanWithInterval(excess),
    floor: outputs.kind === "logits" ? null : floorOf(outputs),
    looks_wrong: suspicion?.sentence ?? null, entry: suspicion?.entry ?? null,
    lack_of_samples: lackOfSamples(outputs),
    before: { accuracy: shareWithInterval(hit), ECE: eceWithInterval(groups, scores, distributions, score, hit) },
  };
  if (task === "classes" && names.length === 2) report.event = eventOf(outputs);
  else if (task === "classes") report.classes = classTable(outputs);
  const z = logitsOf(outputs, report.floor);
  report.before.NLL = meanWithInterval(lossesAsTheyAre(outputs, report.floor ?? FLOOR));
  report.best = bestTemperature(z, outputs.y);
  const trial = report.lack_of_samples || suspicion ? null : heldOut(z, outputs, report.best, report.floor ?? FLOOR);
  report.recommended = recommend(report, trial);
  if (report.recommended.name !== "none") {
    report.temperature = report.best.temperature;
    report.after = { ECE: trial.ece };
    if (report.event) report.platt = plattBeside(trial, z, outputs);
  }
  return report;
}

// Why no map can be fitted: samples are few, or all of one class; null where it can.
function lackOfSamples({ n, y }) {
  if (n < FEWEST_SAMPLES) return "few";
  return y.every((label) => label === y[0]) ? "one_class" : null;
}

// ---------------------------------------------------------------- means and shares

const meanOf = (values) => values.reduce((total, v) => total + v, 0) / values.length;

function meanWithInterval(values) {
  const value = meanOf(values);
  return Number.isFinite(value) && values.length > 1 ? meanInterval(values, NORMAL_95) : { value };
}

const isOfEqualValues = (number) => number.low === undefined || number.high - number.low <= SAME;

function shareWithInterval(hits) {
  const value = meanOf(hits);
  const [low, high] = wilson(value * hits.length, hits.length);
  return { value, low, high };
}

// How probable the second of two classes is said to be, and how frequent it is.
function eventOf({ prob: [, p], y, names }) {
  const happened = y.map((label) => Number(label === 1));
  const steady = (values) => {
    const number = meanWithInterval(values);
    return isOfEqualValues(number) ? { value: number.value } : number;
  };
  const mean = steady(p);
  const ends =
    mean.low === undefined ? {} : { low: Math.max(mean.low, 0), high: Math.min(mean.high, 1) }; // probabilities too
  return {
    name: names[1],
    before: {
      "mean probability": { ...mean, ...ends },
      frequency: shareWithInterval(happened),
      "mean probability less frequency": steady(p.map((v, i) => v - happened[i])),
      AUROC: { value: aurocOf(p, happened) },
    },
  };
}

// Of two samples, one with the event: how often it has the higher score; ties count half.
// As `estimates.auroc_with_interval`.
function aurocOf(score, hit) {
  const order = Array.from(score.keys()).sort((a, b) => score[a] - score[b]);
  const hits = hit.reduce((all, v) => all + v, 0);
  let ranks = 0;
  for (let first = 0; first < order.length; ) {
    let end = first;
    while (end < order.length && score[order[end]] === score[order[first]]) end += 1;
    for (let at = first; at < end; at++) ranks += hit[order[at]] * ((first + end + 1) / 2);
    first = end;
  }
  return (ranks - (hits * (hits + 1)) / 2) / (hits * (score.length - hits));
}

// Each class's frequency beside its mean probability, the largest gap first.
function classTable({ prob, y, names, n }) {
  const count = countsOf({ y, names });
  const rows = names.map((name, k) => ({ name, probability: meanOf(prob[k]), frequency: count[k] / n }));
  const gap = ({ probability, frequency }) => Math.abs(probability - frequency);
  return rows.sort((a, b) => gap(b) - gap(a)).slice(0, 10);
}

// ---------------------------------------------------------------- the calibration error and chance

// The mean error of a calibrated model with these scores.
const chanceOf = (groups, distributions, n) =>
  sum(distributions.map(
    ({ first, mass }, m) => mass.reduce((all, p, k) => all + p * Math.abs(first + k - groups[m].score), 0)
  )) /
  n;

// What an error of a calibrated model exceeds in one of twenty cases at most.
function levelOfChance(nulls) {
  const rank = Math.floor(SIGNIFICANCE_LEVEL * (nulls.length + 1));
  return Float64Array.from(nulls).sort().at(-rank);
}

function eceWithInterval(groups, scores, distributions, score, hit, draws = N_RESAMPLES) {
  const n = score.length;
  const value = ece(groups, n);
  const chance = chanceOf(groups, distributions, n);
  const random = generator(n);
  const [nulls, resampled] = n <= MOST_ONE_BY_ONE
    ? drawnOneByOne(score, hit, draws, random)
    : drawnBySums(groups, scores, score, hit, draws, random);
  const above = levelOfChance(nulls);
  const [basicLow] = basicInterval(value, resampled);
  const centre = meanOf(resampled);
  const deviation = Math.sqrt(resampled.reduce((all, v) => all + (v - centre) ** 2, 0) / (draws - 1));
  // a value that ties with chance, but for the order of its sum, is no more than it
  const beyondChance = value - above > ROUNDING_OF_SUMS ? value - above : 0;
  const low = basicLow <= above ? beyondChance : basicLow;
  const half = Math.max(NORMAL_95 * deviation, wilson(0, n)[1]);
  const beyond = nulls.filter((v) => v >= value - ROUNDING_OF_SUMS).length;
  return {
    value,
    low: Math.min(low, value),
    high: Math.min(value + half, 1),
    chance,
    chance_high: above,
    p_value: (1 + beyond) / (1 + draws),
  };
}

const binOf = (score) => equalWidthBin(score, N_BINS);

// The error of calibrated draws, and of samples drawn again, each of them by itself.
// As `measure.ece_with_interval`.
function drawnOneByOne(score, hit, draws, random) {
  const n = score.length;
  const bins = Int32Array.from(score, binOf);
  const gap = score.map((s, i) => hit[i] - s);
  const chance = new Float64Array(n);
  const totals = new Float64Array(N_BINS);
  const errorOf = (add) => {
    totals.fill(0);
    random.fill(chance);
    for (let i = 0; i < n; i++) add(i);
    return totals.reduce((all, v) => all + Math.abs(v), 0) / n;
  };
  const nulls = Float64Array.from(
    { length: draws }, () => errorOf((i) => (totals[bins[i]] += Number(chance[i] < score[i]) - score[i]))
  );
  const resampled = Float64Array.from({ length: draws }, () => errorOf((i) => {
    const row = Math.floor(chance[i] * n);
    totals[bins[row]] += gap[row];
  }));
  return [nulls, resampled];
}

// The same of many samples by the sums of their bins: hits of few samples one by one, of many as normal; how often
// each sample is drawn again as independent numbers of mean 1, given that they sum to n.
// As `measure.ece_with_interval`.
function drawnBySums(groups, scores, score, hit, draws, random) {
  const n = score.length;
  const held =
    groups.flatMap((g, m) => (g.n ? [{ ...g, scores: scores[m], D: g.hit - g.score, squares: 0, spread: 0 }] : []));
  const at = new Map(held.map((bin) => [bin.low, bin]));
  for (let i = 0; i < n; i++) {
    const bin = at.get(groups[binOf(score[i])].low);
    bin.squares += (hit[i] - score[i]) ** 2;
    bin.spread += score[i] * (1 - score[i]);
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const drawn = (bin) => {
    if (bin.n > MANY_IN_BIN) return normal() * Math.sqrt(bin.spread);
    let total = 0;
    for (const s of bin.scores) total += Number(random() < s) - s;
    return total;
  };
  const nulls = Float64Array.from({ length: draws }, () => sum(held.map((bin) => Math.abs(drawn(bin)))) / n);
  const resampled = Float64Array.from({ length: draws }, () => {
    const counts = held.map((bin) => normal() * Math.sqrt(bin.n));
    const excess = sum(counts) / n;
    return sum(held.map((bin, b) => {
      const rest = Math.sqrt(Math.max(bin.squares - bin.D ** 2 / bin.n, 0)) * normal();
      return Math.abs(bin.D + (bin.D * counts[b]) / bin.n + rest - bin.D * excess);
    })) / n;
  });
  return [nulls, resampled];
}

// ---------------------------------------------------------------- one temperature

// What a probability of zero counts as in a logarithm: half of the smallest that is none.
function floorOf({ scores }) {
  let [least, hasZero] = [1, false];
  for (const column of scores) {
    for (const p of column) {
      if (p === 0) hasZero = true;
      else if (p < least) least = p;
    }
  }
  return hasZero ? Math.min(Math.max(least / 2, FLOOR), LARGEST_FLOOR) : FLOOR;
}

// Logits row by row, each less the largest of its row: one block of memory, which a pass reads in order.
// As `logits.as_logits`.
function logitsOf({ scores, kind, n }, floor) {
  const k = scores.length;
  const below = new Float64Array(n * k);
  scores.forEach((column, c) => {
    const logOf = (v) => (kind === "logits" ? Math.max(v, -1e30) : Math.log(Math.max(v, floor)));
    for (let i = 0, at = c; i < n; i++, at += k) below[at] = logOf(column[i]);
  });
  for (let at = 0; at < below.length; at += k) {
    let top = below[at];
    for (let c = 1; c < k; c++) if (below[at + c] > top) top = below[at + c];
    for (let c = 0; c < k; c++) below[at + c] -= top;
  }
  return { below, k, n };
}

const everyRow = (n) => new Int32Array(n).map((_, i) => i);

// Sums of E_p[z] - z_y and of Var_p[z], with p = softmax(z / T), over the rows of each part: the derivatives of the
// NLL by 1/T.
// As `of_logits.nll_derivatives`.
function sumsAt({ below, k }, y, inverse, rows, part = null, parts = 1) {
  const sums = Array.from({ length: parts }, () => new Float64Array(2));
  for (let r = 0; r < rows.length; r++) {
    const at = rows[r] * k;
    let norm = 0;
    let first = 0;
    let second = 0;
    for (let c = at; c < at + k; c++) {
      const z = below[c];
      const p = z ? Math.exp(inverse * z) : 1;
      norm += p;
      first += p * z;
      second += p * z * z;
    }
    const own = sums[part ? part[rows[r]] : 0];
    own[0] += first / norm - below[at + y[rows[r]]];
    own[1] += second / norm - (first / norm) ** 2;
  }
  return sums;
}

const derivativesAt = (z, y, inverse, rows) => sumsAt(z, y, inverse, rows)[0].map((v) => v / rows.length);

// The temperature of the least NLL by Newton's method inside what holds it; `reason` where none is best.
// `derivatives` are those at the start, where they are known.
// As `of_logits.inverse_temperature`.
function bestTemperature(z, y, rows = everyRow(z.n), start = startFor(z, y, rows), derivatives = null) {
  let [inverse, low, high] = [1 / start, 0, Infinity];
  for (let step = 0; step < 100; step++) {
    const [gradient, curvature] = step === 0 && derivatives ? derivatives : derivativesAt(z, y, inverse, rows);
    const slope = Math.abs(inverse * gradient);
    if (Math.max(inverse * Math.sqrt(Math.max(curvature, 0)), slope) < LEAST_SPREAD) break;
    [low, high] = gradient < 0 ? [inverse, high] : [low, inverse];
    let next = curvature > 0 ? inverse - gradient / curvature : Infinity;
    if (Math.abs(next - inverse) <= 1e-6 * inverse) return { temperature: 1 / next };
    if (!(low < next && next < Math.min(high, 10 * inverse)))
      next = high === Infinity ? 10 * inverse : (low + high) / 2;
    inverse = next;
  }
  return { reason: noOptimum(z, y, rows) };
}

// Where to begin: of many rows at the best temperature of a few, which spares passes over all of them.
// As `of_logits.rough_estimate`.
function startFor(z, y, rows) {
  if (rows.length < MANY_ROWS) return 1;
  return bestTemperature(z, y, rows.filter((_, at) => at % 16 === 0), 1).temperature ?? 1;
}

// As `of_logits.take_a_bound`.
function noOptimum({ below, k }, y, rows) {
  let [isFlat, isRight, lead] = [true, true, 0];
  for (const i of rows) {
    const own = below.subarray(i * k, (i + 1) * k);
    isFlat &&= own.every((z) => z === 0);
    isRight &&= own[y[i]] === 0;
    lead += own[y[i]] - meanOf(own);
  }
  if (isFlat) return "flat";
  if (isRight) return "all_right";
  return lead <= 0 ? "order" : "none";
}

// The surprise at each true class, of which zero counts as the floor.
// As `outcome.outcome_as_is`.
function lossesAsTheyAre({ prob, y, n }, floor) {
  const losses = new Float64Array(n);
  for (let i = 0; i < n; i++) losses[i] = -Math.log(Math.max(prob[y[i]][i], floor));
  return losses;
}

// Write the NLL, confidence and hit of each sample at a temperature.
// As `comparison_of_maps.outcome_held_out`.
function putLosses({ losses, score, hit }, { below, k }, { y, task }, temperature, rows) {
  for (const i of rows) {
    const at = i * k;
    let best = 0;
    let total = 0;
    for (let c = k - 1; c >= 0; c--) if (below[at + c] === 0) best = c;
    for (let c = 0; c < k; c++) total += Math.exp(below[at + c] / temperature);
    if (task !== "classes") best = 1;
    losses[i] = Math.log(total) - below[at + y[i]] / temperature;
    score[i] = Math.min(Math.exp(below[at + best] / temperature) / total, 1);
    hit[i] = Number(y[i] === best);
  }
}

// The order of numpy's `default_rng(0).permutation(n)`, by which the command parts samples into folds: PCG64, and
// numbers by their last bits.
// Here alone: numpy has it.
function permutation(n) {
  const [mask, half] = [(1n << 128n) - 1n, (1n << 64n) - 1n];
  let state = BigInt(TEXTS.generator.state);
  const step = BigInt(TEXTS.generator.inc);
  let kept; // the upper half of the last number
  const next = () => {
    if (kept !== undefined) {
      const number = kept;
      kept = undefined;
      return number;
    }
    state = (state * 0x2360ed051fc65da44385df649fccf645n + step) & mask;
    const turn = state >> 122n;
    const mixed = (state >> 64n) ^ (state & half);
    const number = turn ? ((mixed >> turn) | (mixed << (64n - turn))) & half : mixed;
    kept = Number(number >> 32n);
    return Number(number & 0xffffffffn);
  };
  // A number from 0 to `most`, each as likely: those beyond are drawn again.
  const below = (most) => {
    const bits = 2 ** Math.ceil(Math.log2(most + 1)) - 1;
    for (;;) {
      const number = (next() & bits) >>> 0;
      if (number <= most) return number;
    }
  };
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = below(i);
    const other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
  return order;
}

// The fold of each sample.
function folds(n) {
  const order = permutation(n);
  const fold = new Int32Array(n);
  const longer = n % N_FOLDS; // folds with one sample more, as numpy.array_split has them
  const size = Math.floor(n / N_FOLDS);
  const start = (f) => f * size + Math.min(f, longer);
  for (let f = 0; f < N_FOLDS; f++) for (let place = start(f); place < start(f + 1); place++) fold[order[place]] = f;
  return fold;
}

// What a temperature does to samples that it was not fitted on, in five folds; nothing where a fold has none.
function heldOut(z, outputs, best, floor) {
  if (!best.temperature) return null;
  const { n } = outputs;
  const fold = folds(n);
  const after = { losses: new Float64Array(n), score: new Float64Array(n), hit: new Int32Array(n) };
  const rows = everyRow(n);
  // one pass gives each fold its first step: what all rows sum to, less its own
  const sums = sumsAt(z, outputs.y, 1 / best.temperature, rows, fold, N_FOLDS);
  const whole = [0, 1].map((d) => sum(sums.map((own) => own[d])));
  for (let f = 0; f < N_FOLDS; f++) {
    const [others, own] = [rows.filter((row) => fold[row] !== f), rows.filter((row) => fold[row] === f)];
    const derivatives = whole.map((all, d) => (all - sums[f][d]) / others.length);
    const { temperature } = bestTemperature(z, outputs.y, others, best.temperature, derivatives);
    if (!temperature) return null;
    putLosses(after, z, outputs, temperature, own);
  }
  const before = lossesAsTheyAre(outputs, floor);
  const groups = equalWidth(after.score, after.hit, N_BINS);
  const chance = chanceOf(groups, splitScores(after.score, groups).map(poissonBinomial), n);
  const doubt = (score) => Math.max(1 - score, floor);
  const ratio = range(after.score.map((s, i) => Math.log(doubt(outputs.score[i]) / doubt(s)))).most;
  const change = meanWithInterval(after.losses.map((loss, i) => loss - before[i]));
  return {
    change,
    fold,
    losses: after.losses,
    ece: { value: ece(groups, n), chance },
    oneMistake: Math.max(ratio / n, 0),
  };
}

// ---------------------------------------------------------------- two numbers, of two classes

// Slope and intercept of Platt's sigmoid of the log odds, with his targets, as `calib.PlattScaling` has them:
// Newton's method on log odds less their mean over their standard deviation. Nothing where it does not end.
// As `of_scores.logistic`.
function plattOf(odds, y, rows) {
  const n = rows.length;
  const hits = rows.reduce((all, i) => all + y[i], 0);
  const target = [1 / (n - hits + 2), (hits + 1) / (hits + 2)];
  const centre = rows.reduce((all, i) => all + odds[i], 0) / n;
  const scale = Math.sqrt(rows.reduce((all, i) => all + (odds[i] - centre) ** 2, 0) / n);
  if (!(scale > LEAST_SPREAD)) return null;
  let [slope, offset] = [0, 0];
  for (let step = 0; step < 100; step++) {
    const [gradient, hessian] = [[0, 0], [0, 0, 0]];
    for (const i of rows) {
      const x = (odds[i] - centre) / scale;
      const p = 1 / (1 + Math.exp(-slope * x - offset));
      const [off, weight] = [p - target[y[i]], p * (1 - p)];
      gradient[0] += off * x;
      gradient[1] += off;
      hessian[0] += weight * x * x;
      hessian[1] += weight * x;
      hessian[2] += weight;
    }
    const determinant = hessian[0] * hessian[2] - hessian[1] ** 2;
    if (Math.hypot(...gradient) <= 1e-11 * n)
      return { slope: slope / scale, intercept: offset - (slope * centre) / scale };
    if (!(determinant > 0)) return null;
    const steps =
      [hessian[2] * gradient[0] - hessian[1] * gradient[1], hessian[0] * gradient[1] - hessian[1] * gradient[0]].map(
        (v) => v / determinant
      );
    const most = Math.max(1, Math.hypot(...steps) / 4); // a step from afar is cut, so that it cannot run away
    slope -= steps[0] / most;
    offset -= steps[1] / most;
  }
  return null;
}

// Platt scaling of two classes beside the temperature, in the same folds: its two numbers, and by how much its loss
// is higher.
// As `comparison_of_maps.compare_maps`.
function plattBeside({ fold, losses }, { below, n }, { y }) {
  const odds = Float64Array.from({ length: n }, (_, i) => below[2 * i + 1] - below[2 * i]);
  const rows = everyRow(n);
  const fitted = plattOf(odds, y, rows);
  const change = new Float64Array(n);
  for (let f = 0; f < N_FOLDS && fitted; f++) {
    const line = plattOf(odds, y, rows.filter((row) => fold[row] !== f));
    if (!line) return null;
    for (const i of rows) {
      if (fold[i] !== f) continue;
      const margin = line.slope * odds[i] + line.intercept;
      change[i] = Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(margin, 0) - y[i] * margin - losses[i];
    }
  }
  const beside = meanWithInterval(change);
  return fitted && beside.low !== undefined ? { ...fitted, change: beside } : null;
}

// One temperature or none, and why.
// As `recommendation.recommend`.
function recommend(report, trial) {
  const { n, task } = report;
  const name = task === "classes" ? "temperature scaling" : "one factor on the log odds";
  const none = (reason, words = {}) => ({ name: "none", confirmed: true, reason: filled(TEXTS.reason[reason], words) });
  if (report.lack_of_samples) return none(report.lack_of_samples, { n, what: "samples", least: FEWEST_SAMPLES });
  if (report.looks_wrong) return none("suspect");
  if (!trial) return none("chance");
  const gain = { gain: -trial.change.value, low: -trial.change.high, high: -trial.change.low, change: trial.change };
  const isClear = !isOfEqualValues(trial.change) && trial.change.high < 0;
  if (isClear && (n >= SMALL_SAMPLE || trial.change.high + trial.oneMistake < 0))
    return { name, confirmed: true, ...gain };
  if (n >= SMALL_SAMPLE || report.before.ECE.p_value > SIGNIFICANCE_LEVEL || gain.gain <= 0)
    return { ...none(isClear ? "undone" : "chance"), ...gain };
  return { name, confirmed: false, ...gain };
}
