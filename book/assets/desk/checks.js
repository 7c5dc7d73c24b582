// What in a table speaks against a reading, as `calib_report.doubting.doubts` and `calib_report.doubting.suspicion`
// have it. A function has the name of the one in Python that it mirrors, doubtRepeatedIds that of doubt_repeated_ids,
// or names it.

const { MOST_OFF, TIED, CLEARLY_TURNED, ABSENT_BY_CHANCE, FEWEST_TO_TELL } = TEXTS.limits;
const { UNRELATED, HONEST_SHARE, HONEST_TEMPERATURE, MARGIN, HUGE_TEMPERATURE, SMALL_TEMPERATURE } = TEXTS.suspicion;
const { CLEARLY_MOVED_CLASSES, CLEARLY_MOVED_ROWS, WELL_IN_PLACE } = TEXTS.suspicion;
const { ROUNDED, NEARLY_LARGEST, AT_THE_END } = TEXTS.suspicion;
const MOST_CLASSES_IN_ORDER = 200; // beyond, the order of the classes is left to the command

function checkAll(samples, outputs, options, doubter) {
  const unused = new Map(samples.unused.map((name) => [name, samples.named.get(name)]));
  const checks = [
    doubtSeveralSets,
    doubtRepeatedIds,
    doubtSecondLabels,
    doubtContradictedScores,
    doubtHits,
    doubtClassesThatNeverOccur,
    doubtAnotherOrder,
  ];
  checks.forEach((check) => check(samples, outputs, unused, options, doubter));
}

function doubtSeveralSets(samples, outputs, unused, options, doubter) {
  const isNoTest = (value) =>
    (NAMES.test.includes(value.toLowerCase()) ? NAMES.test.indexOf(value.toLowerCase()) : NAMES.test.length);
  for (const [name, column] of unused) {
    if (!NAMES.parting.includes(name.trim().toLowerCase())) continue;
    const values = [...new Set(column.texts)];
    if (values.length < 2 || values.length > column.length / 2) continue;
    const likely = [...values].sort((a, b) => isNoTest(a) - isNoTest(b)).slice(0, 3);
    const suggestions = likely.map((value) => ({ where: [`${name}=${value}`] }));
    const ignore = { ignore: [name] };
    raiseOrNote(
      doubter,
      `${quoted(name)} parts the rows into ${fewOf(values, 5)}; which are read`,
      ...(name.toLowerCase().includes("fold") ? [ignore, ...suggestions] : [...suggestions, ignore])
    );
  }
}

function doubtRepeatedIds(samples, outputs, unused, options, doubter) {
  if (options.clusters.length || options.ids.length) return;
  for (const [name, column] of unused) {
    if (!PATTERNS.named_id.whole(name.trim()) || column.kind === "b") continue;
    const empty = emptyRows(column);
    const count = new Set(column.texts.filter((_, row) => !empty[row])).size;
    if (count > 1 && count < column.length)
      raiseOrNote(
        doubter,
        `${quoted(name)} names ${count} of ${column.length} rows: rows of one id belong together`,
        { clusters: [name] },
        { ignore: [name] }
      );
  }
}

function doubtSecondLabels(samples, outputs, unused, options, doubter) {
  if (options.y !== null || samples.task !== "classes") return;
  const known = new Set([...outputs.names, ...outputs.names.map((_, k) => String(k))]);
  for (const [name, column] of unused) {
    if (!isCalled(name, "labels") || isCalled(name, "predicted")) continue;
    const differ = column.texts.filter((text, row) => text !== outputs.names[outputs.y[row]]).length;
    if (differ && column.texts.every((text) => known.has(text))) {
      raiseOrNote(
        doubter,
        `${quoted(samples.yName)} and ${quoted(name)} both hold labels, which differ in ${differ} of ` +
          `${column.length} rows`,
        { y: samples.yName },
        { y: name }
      );
    }
  }
}

function doubtContradictedScores(samples, outputs, unused, options, doubter) {
  if (samples.task !== "classes") return;
  for (const [name, column] of unused) {
    if (!isCalled(name, "predicted") || options.predicted) continue;
    const codes = codesOf(column, outputs);
    if (!codes) continue;
    const rows = contradicts(codes, outputs);
    if (rows.length / outputs.n <= MOST_OFF) continue;
    const asPrediction = { predicted: name, positive: null, pairs: null };
    const suggestion = samples.scores.length === 1 ? asPrediction : { scores: "NAMES" };
    raiseOrNote(
      doubter,
      `${quoted(name)} contradicts the scores in ${rows.length} of ${outputs.n} rows, such as ` +
        `${rows.slice(0, 3).join(", ")}: if they are those of the prediction, the first option; if it was made ` +
        "otherwise, the second",
      suggestion,
      { ignore: [name] },
    );
  }
}

// Predictions as numbers of classes, nothing where they are something else.
function codesOf(column, { names }) {
  const low = new Map(names.map((name, k) => [name.toLowerCase(), k]));
  const values = [...column.different.keys()];
  let codes = new Map(values.map((value) => [value, low.get(value.toLowerCase())]));
  const lacks = [...codes.values()].includes(undefined);
  if (lacks && areWhole(values) && !areWhole(names)) codes = new Map(values.map((value) => [value, Number(value)]));
  if (![...codes.values()].every((code) => code >= 0 && code < names.length)) return null;
  return column.texts.map((text) => codes.get(text));
}

// Rows in which a prediction is not the surest class; of two, by any threshold.
function contradicts(codes, { prob, n }) {
  const rows = [];
  if (prob.length > 2) {
    for (let i = 0; i < n; i++) {
      const most = Math.max(...prob.map((column) => column[i]));
      if (prob[codes[i]][i] < most * (1 - TIED)) rows.push(i);
    }
    return rows;
  }
  const score = prob[1];
  const yes = codes.filter((code) => code === 1).length;
  if (yes === 0 || yes === n) {
    const high = score.some((p) => p >= 0.5);
    if (high === yes > 0) return rows;
    for (let i = 0; i < n; i++) if ((yes > 0) !== score[i] >= 0.5) rows.push(i);
    return rows;
  }
  const order = Array.from(score.keys()).sort((a, b) => score[a] - score[b]);
  let [below, above, least, threshold] = [0, n - yes, Infinity, 0];
  for (const i of order) {
    below += codes[i] === 1;
    above -= codes[i] !== 1;
    if (below + above < least) [least, threshold] = [below + above, score[i]];
  }
  for (let i = 0; i < n; i++) if (codes[i] === 1 ? score[i] <= threshold : score[i] > threshold) rows.push(i);
  return rows;
}

function doubtHits(samples, outputs, unused, options, doubter) {
  if (samples.task !== "pairs" || options.predicted) return;
  const called = (what) => [...unused].filter(([name]) => isCalled(name, what));
  const [labels, predictions] = [called("labels"), called("predicted")];
  if (labels.length !== 1 || predictions.length !== 1) return;
  const [truth, said] = [labels[0][1].texts, predictions[0][1].texts];
  const known = new Set(truth);
  const rows = truth.flatMap((text, row) => ((text === said[row]) !== (outputs.y[row] === 1) ? [row] : []));
  if (said.every((text) => known.has(text)) && rows.length / outputs.n > MOST_OFF) {
    raiseOrNote(
      doubter,
      `${quoted(samples.yName)} is not whether answer and label are equal in ${rows.length} of ${outputs.n} ` +
        `rows, such as ${rows[0]}`,
      { y: samples.yName, pairs: true, ignore: labels.map(([name]) => name) }
    );
  }
}

function doubtClassesThatNeverOccur(samples, outputs, unused, options, doubter) {
  const { columns } = samples;
  if (
    samples.task !== "classes" || columns.length !== outputs.names.length || outputs.kind !== "logits" ||
    options.classes !== null || columns.length === 1
  )
    return;
  const counts = countsOf(outputs);
  const chance = (1 - 1 / columns.length) ** outputs.n;
  outputs.names.forEach((name, k) => {
    if (counts[k] || isWholeText(name)) return;
    const suggestions = [{ ignore: [columns[k]] }, { classes: [...outputs.names] }];
    raiseOrNote(
      doubter,
      `no label is ${quoted(name)}; say that it is a class, or that ${quoted(columns[k])} is none`,
      ...(chance > ABSENT_BY_CHANCE ? suggestions.reverse() : suggestions)
    );
  });
}

const countsOf = ({ y, names }) => {
  const counts = new Array(names.length).fill(0);
  y.forEach((label) => (counts[label] += 1));
  return counts;
};

function doubtAnotherOrder(samples, outputs, unused, options, doubter) {
  const finding = suspicionOf(outputs);
  if (!finding || !finding.isOrder) return;
  if (samples.task === "pairs" && !isClearlyTurned(outputs)) return;
  const inOne = samples.scores.length === 1;
  if (options.scores === null && samples.task === "classes" && !inOne) return;
  const problem = (finding.sentence[0].toLowerCase() + finding.sentence.slice(1)).replace(/[.?]+$/, "");
  if (samples.task === "pairs")
    raiseOrNote(doubter, problem, { positive: isCalled(samples.yName, "incorrect") ? "1" : "0" });
  else if (inOne) raiseOrNote(doubter, problem, { positive: outputs.names[0] });
  else raiseOrNote(doubter, `${problem}; if they are in one order, --yes beside --y and --scores`);
}

const isClearlyTurned = (outputs) => (associationOf(outputs)?.seen ?? 0) < -CLEARLY_TURNED;

// ---------------------------------------------------------------- labels that speak against the scores

// How far labels go with probabilities, in standard deviations over all orders of labels.
// As `suspicion.association`.
function associationOf({ y, prob, n, names }) {
  const k = names.length;
  const count = new Array(k).fill(0);
  y.forEach((label) => (count[label] += 1));
  const means = prob.map((column) => column.reduce((all, v) => all + v, 0) / n);
  const [bySample, claims] = [new Float64Array(n), new Float64Array(n)];
  const claimSums = new Array(k).fill(0);
  let [squares, seen, claimed] = [0, 0, 0];
  const weights = means.map((m, c) => count[c] / n / Math.max(m, 1e-300));
  for (let c = 0; c < k; c++) {
    for (let i = 0; i < n; i++) {
      const p = prob[c][i];
      bySample[i] += (p * count[c]) / n;
      squares += p * p * count[c];
      claims[i] += p * weights[c];
    }
  }
  for (let c = 0; c < k; c++) {
    for (let i = 0; i < n; i++) {
      const claim = (prob[c][i] * weights[c]) / Math.max(claims[i], 1e-300);
      claimSums[c] += claim;
      claimed += claim * prob[c][i];
    }
  }
  const expected = means.reduce((all, m, c) => all + m * count[c], 0);
  for (let i = 0; i < n; i++) seen += prob[y[i]][i];
  const bySquares = bySample.reduce((all, v) => all + v * v, 0);
  const spread = squares - n * bySquares - n * means.reduce((all, m, c) => all + count[c] * m * m, 0) + expected ** 2;
  if (spread <= 1e-9 * squares) return null;
  const deviation = Math.sqrt(spread / (n - 1));
  claimed -= means.reduce((all, m, c) => all + m * claimSums[c], 0);
  return { seen: (seen - expected) / deviation, claimed: claimed / deviation };
}

// Why outputs are suspect, or nothing; `isOrder` where the likely cause is the order of scores or columns.
// As `suspicion.suspicion`.
function suspicionOf(outputs) {
  if (outputs.suspicion === undefined) outputs.suspicion = findingOf(outputs); // a reading is asked twice
  return outputs.suspicion;
}

// As `suspicion.suspicion`.
function findingOf(outputs) {
  const { y, n, task, names } = outputs;
  if (task === "classes" && y.every((label) => label === y[0]))
    return { sentence: filled(TEXTS.suspect.one_class, { name: names[y[0]] }) };
  if (n < FEWEST_TO_TELL) return null;
  const relation = associationOf(outputs);
  if (!relation) return null;
  if (task === "pairs")
    return relation.seen < -Math.max(MARGIN, HONEST_SHARE * relation.claimed)
      ? { isOrder: true, sentence: TEXTS.suspect.turned_confidence }
      : null;
  const order = otherOrder(outputs);
  if (order) return { isOrder: true, sentence: classesMoved(order, outputs) };
  if (relation.seen < Math.min(UNRELATED, HONEST_SHARE * relation.claimed - MARGIN))
    return { entry: "wrong-shifted", sentence: rowsMoved(outputs) };
  if (relation.seen < HONEST_SHARE * relation.claimed && hardlyTells(outputs))
    return { entry: "wrong-huge", sentence: hardlyRelated(outputs) };
  if (isAtTheEnd(outputs) && asksForMore(outputs)) return { entry: "wrong-twice", sentence: softmaxTwice(outputs) };
  return null;
}

// The slope of the NLL by 1/T, and its standard deviation if this T is right; where it is positive the best one is
// higher.
// As `suspicion.slope_of_nll`.
function pullOf({ y, n, z }, temperature) {
  const [slope, variance] = derivativesAt(z, y, 1 / temperature, everyRow(n));
  return [slope * n, Math.sqrt(Math.max(variance * n, 0))];
}

const withLogits = (outputs) => ({ y: outputs.y, n: outputs.n, z: logitsOf(outputs, floorOf(outputs)) });

// Whether the best temperature is huge, and surely no honest source's.
function hardlyTells(outputs) {
  const logits = withLogits(outputs);
  const [slope, deviation] = pullOf(logits, HONEST_TEMPERATURE);
  return slope > MARGIN * deviation && pullOf(logits, HUGE_TEMPERATURE)[0] > 0;
}

// Whether rows end, in numbers, where a second softmax can give no more.
function isAtTheEnd({ prob, score, n }) {
  const most = Math.E / (Math.E + prob.length - 1);
  let near = 0;
  for (const s of score) {
    if (s > ROUNDED * most) return false;
    near += Number(s >= NEARLY_LARGEST * most);
  }
  return near >= AT_THE_END * n;
}

// Whether the best temperature is below SMALL_TEMPERATURE, and 1 is rejected.
function asksForMore(outputs) {
  const logits = withLogits(outputs);
  const [slope, deviation] = pullOf(logits, 1);
  return slope < -MARGIN * deviation && pullOf(logits, SMALL_TEMPERATURE)[0] < 0;
}

// The column that fits each class, where that is clearly another one: found on every other row, tried on the rest.
function otherOrder({ y, prob, n, names }) {
  const k = names.length;
  if (k > MOST_CLASSES_IN_ORDER) return null;
  const means = prob.map((column) => column.reduce((all, v) => all + v, 0) / n);
  const gain = Array.from({ length: k }, () => new Float64Array(k));
  for (let i = 0; i < n; i += 2) for (let c = 0; c < k; c++) gain[y[i]][c] += prob[c][i] - means[c];
  const occurs = countsOf({ y, names });
  const order = assignment(gain).map((column, c) => (occurs[c] ? column : c));
  const rows = [];
  for (let i = 1; i < n; i += 2) if (order[y[i]] !== y[i]) rows.push(i);
  if (rows.length < FEWEST_TO_TELL / 2) return null;
  const asRead = rows.map((i) => prob[y[i]][i] - means[y[i]]);
  const otherwise = rows.map((i) => prob[order[y[i]]][i] - means[order[y[i]]]);
  const gains = otherwise.map((v, j) => v - asRead[j]);
  const gained = mean(gains);
  const deviation = Math.sqrt(mean(gains.map((v) => (v - gained) ** 2)));
  const isClear = gained > (CLEARLY_MOVED_CLASSES * deviation) / Math.sqrt(rows.length);
  return isClear && mean(asRead) < WELL_IN_PLACE * mean(otherwise) ? order : null;
}

// The column for each row of the largest sum: Jonker and Volgenant's shortest augmenting paths.
// As `suspicion.fitting_columns`.
function assignment(gain) {
  const k = gain.length;
  const [u, v] = [new Float64Array(k + 1), new Float64Array(k + 1)];
  const match = new Int32Array(k + 1);
  for (let row = 1; row <= k; row++) {
    const [least, way, done] = [new Float64Array(k + 1).fill(Infinity), new Int32Array(k + 1), new Uint8Array(k + 1)];
    let column = 0;
    match[0] = row;
    do {
      done[column] = 1;
      const at = match[column];
      let [delta, next] = [Infinity, 0];
      for (let j = 1; j <= k; j++) {
        if (done[j]) continue;
        const reduced = -gain[at - 1][j - 1] - u[at] - v[j];
        if (reduced < least[j]) [least[j], way[j]] = [reduced, column];
        if (least[j] < delta) [delta, next] = [least[j], j];
      }
      for (let j = 0; j <= k; j++) {
        if (done[j]) [u[match[j]], v[j]] = [u[match[j]] + delta, v[j] - delta];
        else least[j] -= delta;
      }
      column = next;
    } while (match[column] !== 0);
    while (column) [match[column], column] = [match[way[column]], way[column]];
  }
  const order = new Array(k);
  for (let j = 1; j <= k; j++) order[match[j] - 1] = j - 1;
  return order;
}

const accuracyOf = ({ prob, y, n }) => {
  let right = 0;
  const of = { prob, task: "classes" };
  for (let i = 0; i < n; i++) right += Number(Outputs.prototype.top.call(of, i) === y[i]);
  return `${((100 * right) / n).toFixed(2)}%`;
};

function classesMoved(order, outputs) {
  const { names } = outputs;
  const right = accuracyOf(outputs);
  if (names.length === 2)
    return filled(TEXTS.suspect.turned_round, { second: quoted(names[1]), first: quoted(names[0]), right });
  const moved = order.flatMap((column, c) => (column === c ? [] : [c]));
  const pairs = moved.slice(0, 3)
                  .map((c) => filled(TEXTS.suspect.fits, { name: quoted(names[c]), column: quoted(names[order[c]]) }))
                  .join("; ");
  const more = moved.length > 3 ? filled(TEXTS.suspect.and_so_on, { count: moved.length }) : "";
  const steps = new Set(moved.map((c) => order[c] - c));
  const isShift = steps.size === 1 && moved.length > names.length / 2;
  return filled(
    TEXTS.suspect.moved,
    { pairs, more, right, likely: isShift ? TEXTS.suspect.likely_shift : TEXTS.suspect.likely_order }
  );
}

function rowsMoved(outputs) {
  const side = sideOfRows(outputs);
  const likely = side ? filled(TEXTS.suspect.likely_row, { side }) : TEXTS.suspect.likely_rows;
  return filled(TEXTS.suspect.rows, { right: accuracyOf(outputs), chance: accuracyByChance(outputs), likely });
}

function hardlyRelated(outputs) {
  const side = sideOfRows(outputs);
  const likely = side ? `Likely ${filled(TEXTS.suspect.likely_row, { side })}` : TEXTS.suspect.likely_shifted;
  return filled(
    TEXTS.suspect.hardly,
    { huge: String(HUGE_TEMPERATURE), right: accuracyOf(outputs), chance: accuracyByChance(outputs), likely }
  );
}

function softmaxTwice(outputs) {
  const k = outputs.names.length;
  return filled(TEXTS.suspect.twice, { k, most: general(Math.E / (Math.E + k - 1), 3), right: accuracyOf(outputs) });
}

// The accuracy with labels in random order.
function accuracyByChance(outputs) {
  const { n, names } = outputs;
  const count = countsOf(outputs);
  const tops = new Array(names.length).fill(0);
  for (let i = 0; i < n; i++) tops[outputs.top(i)] += 1;
  return `${((100 * count.reduce((all, c, k) => all + c * tops[k], 0)) / n ** 2).toFixed(2)}%`;
}

// Whether labels would fit one row lower or higher; nothing where they do not.
function sideOfRows(outputs) {
  const { y, n, names } = outputs;
  let found = null;
  for (const step of [-1, 1]) {
    const rolled = y.map((_, i) => y[(i - step + n) % n]);
    const elsewhere = associationOf({ ...outputs, y: rolled, n, prob: outputs.prob, names });
    const least = elsewhere && Math.max(CLEARLY_MOVED_ROWS, HONEST_SHARE * elsewhere.claimed);
    if (elsewhere && elsewhere.seen > least) found = step === 1 ? "high" : "low";
  }
  return found;
}
