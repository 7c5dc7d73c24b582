// The book's definitions once more, for the browser; tests compare them with calib on a grid of settings.
(() => {
  // Numbers in [0, 1) that depend on the seed alone.
  function generator(seed) {
    let state = seed >>> 0;
    // The next numbers, as many as `numbers` holds: thousands at once are far cheaper than one by one.
    const fill = (numbers) => {
      let now = state;
      for (let i = 0; i < numbers.length; i++) {
        now = (now + 0x6d2b79f5) | 0;
        let t = Math.imul(now ^ (now >>> 15), now | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        numbers[i] = ((t ^ (t >>> 14)) >>> 0) / 4294967296;
      }
      state = now;
      return numbers;
    };
    const one = new Float64Array(1);
    return Object.assign(() => fill(one)[0], { fill });
  }

  const sum = (values) => values.reduce((total, v) => total + v, 0);
  const mean = (values) => sum(values) / values.length;

  function softmax(logits, temperature = 1) {
    const top = Math.max(...logits);
    const weights = logits.map((z) => Math.exp((z - top) / temperature));
    const total = sum(weights);
    return weights.map((w) => w / total);
  }

  const entropy = (p) => -sum(p.map((v) => (v > 0 ? v * Math.log(v) : 0)));

  // The largest probability of logits, of which the largest is zero, at temperature T, whether it is the
  // label's, and -log p of the label.
  function tempered(logits, label, temperature) {
    let total = 0;
    for (let k = 0; k < logits.length; k++) total += Math.exp(logits[k] / temperature);
    const nll = Math.log(total) - logits[label] / temperature;
    return { score: 1 / total, hit: Number(logits.indexOf(0) === label), nll };
  }

  // Standard errors to both sides of a mean in 95 %: as `NORMAL_95` of calib, and as `ROUNDED_95` of evidence.
  const NORMAL = { exact: 1.959963984540054, rounded: 1.96 };

  // The mean of values, and its interval of as many standard errors to both sides.
  function meanInterval(values, errors = NORMAL.rounded) {
    const [n, value] = [values.length, mean(values)];
    const half = errors * Math.sqrt(sum(values.map((v) => (v - value) ** 2)) / (n - 1) / n);
    return { value, low: value - half, high: value + half };
  }

  // ---------------------------------------------------------------- bins

  const emptyBins = (edges) => edges.slice(1).map((high, m) => ({ low: edges[m], high, n: 0, score: 0, hit: 0 }));

  function put(bin, score, hit) {
    bin.n += 1;
    bin.score += score;
    bin.hit += hit;
  }

  // The place of a score in bins ((m-1)/M, m/M], the first closed at 0.
  function equalWidthBin(score, bins) {
    let m = Math.min(Math.max(Math.ceil(score * bins) - 1, 0), bins - 1);
    if (m > 0 && score <= m / bins) m -= 1;
    if (m < bins - 1 && score > (m + 1) / bins) m += 1;
    return m;
  }

  function equalWidth(scores, hits, bins) {
    const groups = emptyBins(Array.from({ length: bins + 1 }, (_, m) => m / bins));
    scores.forEach((score, i) => put(groups[equalWidthBin(score, bins)], score, hits[i]));
    return groups;
  }

  // Bins of nearly equal numbers of samples; tied scores stay together.
  function equalMass(scores, hits, bins) {
    const n = scores.length;
    const order = Array.from(scores.keys()).sort((a, b) => scores[a] - scores[b]);
    const groups = Array.from({ length: bins }, () => ({ low: 1, high: 0, n: 0, score: 0, hit: 0 }));
    let first = 0;
    order.forEach((i, rank) => {
      if (scores[i] !== scores[order[first]]) first = rank;
      const group = groups[Math.min(Math.floor((bins * first) / n), bins - 1)];
      group.low = Math.min(group.low, scores[i]);
      group.high = Math.max(group.high, scores[i]);
      put(group, scores[i], hits[i]);
    });
    return groups;
  }

  // The scores of each bin of equal width.
  function splitScores(scores, groups) {
    const sorted = Float64Array.from(scores).sort();
    let end = 0;
    return groups.map(({ high }) => {
      const first = end;
      while (end < sorted.length && sorted[end] <= high) end++;
      return sorted.subarray(first, end);
    });
  }

  const ece = (groups, n) => groups.reduce((all, g) => all + Math.abs(g.hit - g.score), 0) / n;

  // Cumulative hits minus cumulative scores, divided by n, against the fractile; tied scores move together.
  function cumulativeGap(scores, hits) {
    const n = scores.length;
    const order = Array.from(scores.keys()).sort((a, b) => scores[a] - scores[b]);
    const curve = [[0, 0]];
    let gap = 0;
    order.forEach((i, rank) => {
      gap += (hits[i] - scores[i]) / n;
      if (rank === n - 1 || scores[order[rank + 1]] !== scores[i]) curve.push([(rank + 1) / n, gap]);
    });
    return curve;
  }

  const ksError = (curve) => Math.max(...curve.map((point) => Math.abs(point[1])));

  // ---------------------------------------------------------------- chance

  // Probabilities of the numbers of hits among independent events: of `first`, first + 1, ... hits. What is
  // less probable than 1e-15 is left out at both ends, so that thousands of events take milliseconds.
  function poissonBinomial(probabilities) {
    const half = Math.floor(probabilities.length / 2);
    if (half > 32)
      return sumOfTwo(poissonBinomial(probabilities.slice(0, half)), poissonBinomial(probabilities.slice(half)));
    const mass = new Float64Array(probabilities.length + 2);
    mass[0] = 1;
    let [first, last] = [0, 0];
    for (const p of probabilities) {
      last += 1;
      for (let k = last; k > first; k--) mass[k] = mass[k] * (1 - p) + mass[k - 1] * p;
      mass[first] *= 1 - p;
      while (first < last && mass[first] < 1e-15) mass[first++] = 0;
      while (last > first && mass[last] < 1e-15) mass[last--] = 0;
    }
    return { first, mass: mass.subarray(first, last + 1) };
  }

  // The probabilities of the sum of two independent numbers.
  function sumOfTwo(a, b) {
    const mass = new Float64Array(a.mass.length + b.mass.length - 1);
    for (let i = 0; i < a.mass.length; i++) {
      for (let j = 0; j < b.mass.length; j++) mass[i + j] += a.mass[i] * b.mass[j];
    }
    let [first, last] = [0, mass.length - 1];
    while (first < last && mass[first] < 1e-15) first++;
    while (last > first && mass[last] < 1e-15) last--;
    return { first: a.first + b.first + first, mass: mass.subarray(first, last + 1) };
  }

  // The range of the number of hits among calibrated scores: exact quantiles, as `calib.consistency_band`.
  function rangeOf({ first, mass }, level = 0.95) {
    const tail = (1 - level) / 2;
    let [below, low] = [0, undefined];
    for (let k = 0; k < mass.length; k++) {
      below += mass[k];
      if (low === undefined && below >= tail) low = first + k;
      if (below >= 1 - tail) return [low, first + k];
    }
    return [low, first + mass.length - 1];
  }

  const hitRange = (scores, level) => rangeOf(poissonBinomial(scores), level).map((hits) => hits / scores.length);

  // The mean ECE of a calibrated forecaster with these scores; binsOf says to which bin a score goes.
  function errorIfCalibrated(scores, binOf) {
    const bins = new Map();
    scores.forEach((s) => bins.set(binOf(s), [...(bins.get(binOf(s)) || []), s]));
    const deviation = (p) => {
      const [{ first, mass }, expected] = [poissonBinomial(p), sum(p)];
      return mass.reduce((all, m, k) => all + m * Math.abs(first + k - expected), 0);
    };
    return sum([...bins.values()].map(deviation)) / scores.length;
  }

  // As numpy.quantile: linear between the order statistics.
  function quantile(values, q) {
    const sorted = [...values].sort((a, b) => a - b);
    const place = q * (sorted.length - 1);
    const low = Math.floor(place);
    const high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
  }

  // The basic bootstrap interval of a value, from the values of resamples.
  function basicInterval(value, resampled, level = 0.95) {
    const tail = (1 - level) / 2;
    return [2 * value - quantile(resampled, 1 - tail), 2 * value - quantile(resampled, tail)];
  }

  // Wilson's 95 % interval of a share, as `calib.wilson_interval`.
  function wilson(hits, n) {
    const [share, square] = [hits / n, NORMAL.exact ** 2 / n];
    const centre = (share + square / 2) / (1 + square);
    const half = Math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square);
    return [hits > 0 ? Math.max(0, centre - half) : 0, hits < n ? Math.min(1, centre + half) : 1];
  }

  // On which side of an interval a value lies: below it -1, within 0, above 1.
  const sideOf = (value, [low, high]) => Number(value > high) - Number(value < low);

  // Where resamples lie about their mean, around a value: errors, and costs above the best, are larger in resamples.
  function spreadInterval(value, resampled, level = 0.95) {
    const moved = value - mean(resampled);
    return [(1 - level) / 2, (1 + level) / 2].map((q) => moved + quantile(resampled, q));
  }

  // ---------------------------------------------------------------- a world with a known error

  // Scores have density a s^(a-1) on [0, 1]; hits occur with a probability that is linear between equally spaced
  // points.
  function curveAt(curve, score) {
    const place = score * (curve.length - 1);
    const i = Math.min(Math.floor(place), curve.length - 2);
    return curve[i] + (place - i) * (curve[i + 1] - curve[i]);
  }

  function trueError(curve, a) {
    const pieces = curve.length - 1;
    let total = 0;
    for (let i = 0; i < pieces; i++) {
      const [left, right] = [i / pieces, (i + 1) / pieces];
      const slope = (curve[i + 1] - curve[i]) * pieces - 1; // of the gap, hits minus score
      const start = curve[i] - left - slope * left;
      const integral = (s) => start * s ** a + (slope * a * s ** (a + 1)) / (a + 1);
      const root = slope ? -start / slope : left;
      const cut = Math.min(Math.max(root, left), right);
      total += Math.abs(integral(cut) - integral(left)) + Math.abs(integral(right) - integral(cut));
    }
    return total;
  }

  function drawScores(n, a, random) {
    return Float64Array.from({ length: n }, () => random() ** (1 / a)).sort();
  }

  const drawHits = (scores, chance, random) => Array.from(scores, (s) => Number(random() < chance(s)));

  // ---------------------------------------------------------------- decisions

  // Flag where the chance p of the event makes a miss dearer than a false alarm.
  const threshold = (falseAlarm, miss) => falseAlarm / (falseAlarm + miss);

  // What a probability becomes where the event is more or less frequent than before.
  function shifted(p, before, after) {
    const up = (p * after) / before;
    return up / (up + ((1 - p) * (1 - after)) / (1 - before));
  }

  // ---------------------------------------------------------------- splines

  // Solve a x = b by elimination with pivots; a and b are overwritten.
  function solve(a, b) {
    const n = b.length;
    for (let k = 0; k < n; k++) {
      let pivot = k;
      for (let i = k + 1; i < n; i++) if (Math.abs(a[i][k]) > Math.abs(a[pivot][k])) pivot = i;
      [a[k], a[pivot], b[k], b[pivot]] = [a[pivot], a[k], b[pivot], b[k]];
      for (let i = k + 1; i < n; i++) {
        const factor = a[i][k] / a[k][k];
        for (let j = k; j < n; j++) a[i][j] -= factor * a[k][j];
        b[i] -= factor * b[k];
      }
    }
    for (let k = n - 1; k >= 0; k--) {
      for (let j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
      b[k] /= a[k][k];
    }
    return b;
  }

  const zeros = (rows, columns) => Array.from({ length: rows }, () => new Array(columns).fill(0));

  // The matrix that turns values at equally spaced knots into second derivatives there; none at the ends.
  function secondDerivatives(knots) {
    const h = 1 / (knots - 1);
    const columns = zeros(knots, knots).map((_, k) => {
      const left = zeros(knots, knots);
      const right = new Array(knots).fill(0);
      left[0][0] = left[knots - 1][knots - 1] = 1;
      for (let j = 1; j < knots - 1; j++) {
        [left[j][j - 1], left[j][j], left[j][j + 1]] = [1, 4, 1];
        right[j] = (6 * ((j - 1 === k) - 2 * (j === k) + (j + 1 === k))) / h ** 2;
      }
      return solve(left, right);
    });
    return zeros(knots, knots).map((row, j) => row.map((_, k) => columns[k][j]));
  }

  // One row: values at the knots into the spline at t.
  function splineRow(t, knots, curvature) {
    const h = 1 / (knots - 1);
    const j = Math.min(Math.floor(t / h), knots - 2);
    const u = t - j * h;
    const [a, b] = [-(u ** 3) / (6 * h) + u ** 2 / 2 - (h * u) / 3, u ** 3 / (6 * h) - (h * u) / 6];
    const row = curvature[j].map((c, k) => a * c + b * curvature[j + 1][k]);
    row[j] += 1 - u / h;
    row[j + 1] += u / h;
    return row;
  }

  // The least-squares natural spline through points (t, value) with weights; returns the values at its knots.
  function fitSpline(t, value, weight, knots, curvature) {
    const normal = zeros(knots, knots);
    const right = new Array(knots).fill(0);
    t.forEach((at, i) => {
      const row = splineRow(at, knots, curvature);
      for (let j = 0; j < knots; j++) {
        right[j] += weight[i] * row[j] * value[i];
        for (let k = 0; k <= j; k++) normal[j][k] += weight[i] * row[j] * row[k];
      }
    });
    for (let j = 0; j < knots; j++) normal[j][j] += 1e-13; // where ties leave a knot free: the smallest values
    for (let j = 0; j < knots; j++) for (let k = j + 1; k < knots; k++) normal[j][k] = normal[k][j];
    return solve(normal, right);
  }

  // ---------------------------------------------------------------- maps of all logits

  const linearMap = ({ W, b, T }, x) =>
    softmax(T ? x.map((v) => v / T) : W.map((row, k) => b[k] + sum(row.map((w, j) => w * x[j]))));

  // What other scripts use of this one: names of a script stay in its block.
  (globalThis.book ??= {}).definitions = {
    basicInterval, cumulativeGap, curveAt, drawHits, drawScores, ece, emptyBins, entropy, equalMass, equalWidth,
    equalWidthBin, errorIfCalibrated, fitSpline, generator, hitRange, ksError, linearMap, mean, meanInterval,
    poissonBinomial, put, quantile, rangeOf, secondDerivatives, shifted, sideOf, softmax, splineRow, splitScores,
    spreadInterval, sum, tempered, threshold, trueError, wilson, zeros,
  };
})();
