// One reading of a table, by the contract or as options say: the rules of `calib_report.reading.interpretation`, for
// columns. What is refused there is refused here; what this page does not read is left to the command. A function has
// the name of the one in Python that it mirrors, doubtRepeatedIds that of doubt_repeated_ids, or names it.

const { SEVERAL, ROUNDING, MOST_ATOL, UNITS, NO_NEED, OFF_WITH_IT, NEAR_WITHOUT_IT } = TEXTS.limits;
const NOTHING_SAID = TEXTS.nothing_said; // the options of reading, as they are by default

// Other options; what may be named several times is added to.
function withMore(options, changes) {
  const changed = { ...options, ...changes };
  for (const name of SEVERAL) {
    if (name in changes)
      changed[name] = [...options[name], ...changes[name].filter((entry) => !options[name].includes(entry))];
  }
  return changed;
}

const isNothing = (value) => value === null || (Array.isArray(value) && !value.length);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const changedOptions = (options) =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => !same(value, NOTHING_SAID[name])));

// Options as a command line has them.
function asTyped(changes) {
  return Object.entries(changes).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll("_", "-")}`;
    if (isNothing(value)) return [];
    if (typeof value === "boolean") return [value ? flag : `--no-${flag.slice(2)}`];
    if (name === "percent" && value === 100) return [flag];
    const values = name === "classes" ? [value.join(",")] : [value].flat();
    return values.flatMap((entry) => (String(entry).startsWith("-") ? [`${flag}=${entry}`] : [flag, String(entry)]));
  });
}
// ---------------------------------------------------------------- rows

const isWholeColumn = (column) =>
  column.kind === "i" || column.kind === "U" || (column.kind === "f" && column.values.every(Number.isInteger));
const isUnique = (column) => column.different.size === column.length;
const countsUp = (column) => ["i", "f"].includes(column.kind) && [0, 1].includes(column.values[0]) &&
  column.values.every((v, row) => v === column.values[0] + row);
const isIndex = (name, column) => NAMES.index.includes(name) && countsUp(column);

function idNames(named) {
  const names = [...named].filter(([, column]) => isWholeColumn(column));
  return names
    .filter(([name, column]) => (NAMES.index.includes(name) ? !countsUp(column) : PATTERNS.id.whole(name.trim())))
    .map(([name]) => name);
}

function chosenRows(named, options) {
  for (const text of options.where) {
    const [name, value] = [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
    const texts = columnCalled(named, name, "where").texts;
    named = rowsOf(named, texts.flatMap((entry, row) => (entry === value.trim() ? [row] : [])));
  }
  for (const name of options.leave_out_empty) {
    const empty = emptyRows(columnCalled(named, name, "leave-out-empty"));
    named = rowsOf(named, empty.flatMap((is, row) => (is ? [] : [row])));
  }
  return named;
}

const rowsOf = (named, rows) => new Map([...named].map(([name, column]) => [name, column.rows(rows)]));

// What stands beside the samples: [what it is for, name].
function sideColumnsOf(named, options) {
  const sideColumns = [];
  for (const what of ["groups", "clusters", "ids", "ignore"]) {
    for (const name of options[what]) {
      const column = columnCalled(named, name, what);
      const row = what === "ignore" ? -1 : emptyRows(column).indexOf(true);
      if (row >= 0)
        throw new ReadingError(
          `${quoted(name)} (${what}) is empty, the first row is ${row}; such rows are left out by`,
          [{ leave_out_empty: [name] }]
        );
      sideColumns.push([what, name]);
    }
  }
  if (!options.ids.length) {
    const taken = sideColumns.map(([, name]) => name);
    const unique = idNames(named).filter((name) => isUnique(named.get(name)) && !taken.includes(name));
    if (unique.length) sideColumns.push(["ids", unique[0]]);
  }
  return sideColumns;
}

// ---------------------------------------------------------------- samples

// The reading that names and options give; a ReadingError says what is not clear.
function interpret(table, options, way = "") {
  const named = chosenRows(table, options);
  if (options.long !== null || options.multilabel) throw new BeyondError("layout");
  for (const name of named.keys()) {
    const inner = name.match(/^calibration[_.](.*)$/)?.[1] ?? name.match(/^(.*)[_.]calibration$/)?.[1];
    if (inner !== undefined && (kindOf(inner) || isCalled(inner, "scores"))) throw new BeyondError("calibration");
  }
  const samples = coded(withTask(samplesOf(named, options), named, options), options);
  let kind = samples.kind;
  if (kind === null && samples.task !== "classes" && saysConfidence(samples.columns[0])) kind = "probabilities";
  const doubter = { overruled: options.yes };
  let scores = scoresOf(samples, kind, options, doubter);
  if (samples.task === "pairs" && isOfWrong(samples.yName, options))
    scores = { ...scores, columns: [...scores.columns].reverse() };
  const k = scores.columns.length;
  let names = samples.classes;
  if (names !== null && !(new Set(names).size === names.length && names.length === k))
    throw new ReadingError(`classes: ${new Set(names).size} different names for ${k} classes`);
  const first = options.labels_from ?? 0;
  names ??= Array.from({ length: k }, (_, c) => String(first + c));
  const outputs = new Outputs(samples.y, scores, names, samples.task);
  if (samples.classes === null && options.labels_from === null && k > 2 && samples.y.every((y) => y > 0))
    refuseShifted(outputs);
  checkAll(samples, outputs, options, doubter);
  const used = [
    ...samples.columns,
    ...samples.yName.split(","),
    samples.yName,
    options.predicted,
    ...samples.sideColumns.flatMap(([what, name]) => (what === "ignore" ? [] : [name])),
  ];
  const leftOut = [...named.keys()].filter((name) => !used.includes(name) && !isCalled(name, "classes"));
  return new Reading(options, samples, leftOut, outputs, way);
}

function samplesOf(named, options) {
  const sideColumns = sideColumnsOf(named, options);
  const isTyped = (name) => name === options.y || name === options.scores;
  const aside = new Set(sideColumns.map(([, name]) => name).filter((name) => !isTyped(name)));
  const rest = new Map([...named].filter(([name, column]) => !aside.has(name) && !isIndex(name, column)));
  if (rest.has("") && rest.size > 2)
    throw new ReadingError("a column has no name, and does not count the rows: --ignore '' leaves it out");
  let classes = options.classes;
  for (const name of [...rest.keys()].filter((name) => isCalled(name, "classes"))) {
    if (rest.size < 2) continue;
    classes ??= rest.get(name).texts;
    rest.delete(name);
  }
  if (keepsPairs(rest, options)) {
    const called = (word) => [...rest.keys()].find((name) => name.trim().toLowerCase() === word);
    options = { ...options, y: called("correct"), scores: called("confidence"), pairs: true };
  }
  const yName = findLabels(rest, options);
  const label = rest.get(yName);
  if (!options.pairs) refuseRegression(yName, label);
  const masked = options.ignore_index.map(String);
  const labels = labelsOccurringIn(rest, yName).filter((text) => !masked.includes(text));
  const others = new Map([...rest].filter(([name]) => name !== yName));
  let scores = findScores(others, classes ?? labels, options);
  if (options.scores === null) scores = withoutExtras(rest, scores, labels, options);
  const unused = [...others.keys()].filter((name) => !scores.columns.includes(name));
  const columns = scores.columns.map((name) => numbersOf(name, rest.get(name)));
  const samples = {
    label,
    scores: columns,
    yName,
    columns: scores.columns,
    classes: scores.classes ?? classes,
    kind: scores.kind,
    task: "classes",
    sideColumns,
    unused,
    named,
    pairs: options.pairs,
  };
  return withoutIgnored(samples, options);
}

function refuseRegression(name, column) {
  if (column.kind !== "f") return;
  const row = column.values.findIndex((v) => Number.isFinite(v) && v !== Math.floor(v));
  if (row >= 0)
    throw new ReadingError(
      TEXTS.desk.regression.replace("{name}", name)
        .replace("{row}", row)
        .replace("{value}", quoted(String(column.values[row]))),
      [],
      "not judged"
    );
}

// Leave out what bears the name of probabilities, no label, and takes no part in their sum.
function withoutExtras(named, scores, labels, options) {
  if (scores.classes === null || scores.columns.length < 3 || scores.kind === "logits") return scores;
  const known = new Set(labels.map(normalised));
  const own = scores.classes.flatMap((c, k) => (known.has(normalised(c)) ? [k] : []));
  if (own.length < 2 || own.length === scores.columns.length) return scores;
  const all = scores.columns.map((name) => numbersOf(name, named.get(name)));
  const unit = options.percent || 1;
  const off = (some) =>
    Math.max(...Array.from(all[0], (_, row) => Math.abs(some.reduce((total, k) => total + all[k][row] / unit, -1))));
  if (off(all.map((_, k) => k)) <= OFF_WITH_IT || off(own) > NEAR_WITHOUT_IT) return scores;
  return scoreColumns(own.map((k) => scores.columns[k]), own.map((k) => scores.classes[k]), scores.kind);
}

function withoutIgnored(samples, options) {
  if (!options.ignore_index.length) return samples;
  const masked = new Set(options.ignore_index.map(String));
  const rows = samples.label.texts.flatMap((text, row) => (masked.has(text) ? [] : [row]));
  if (rows.length === samples.label.length) return samples;
  return {
    ...samples,
    label: samples.label.rows(rows),
    scores: samples.scores.map((column) => Float64Array.from(rows, (row) => column[row])),
    named: rowsOf(samples.named, rows),
  };
}

// Samples of the question that is asked: which class, or whether an answer is right.
function withTask(samples, named, options) {
  const { pairs } = samples;
  if (options.predicted !== null) {
    const unused = samples.unused.filter((name) => name !== options.predicted);
    return pairsByPrediction(
      { ...samples, unused }, columnCalled(samples.named, options.predicted, "predicted"), options.predicted
    );
  }
  if (pairs) {
    if (samples.scores.length > 1)
      throw new ReadingError(`${fewOf(samples.columns, 4)} is not one column of numbers, such as 0.95`);
    return { ...samples, task: "pairs" };
  }
  if (pairs === null && samples.scores.length === 1) refuseTwoQuestions(samples, options);
  return samples;
}

function refuseTwoQuestions({ columns: [name], yName }, options) {
  const isOfHits = isCalled(yName, "correct") || isCalled(yName, "incorrect");
  if (options.positive !== null || !(isOfHits || saysConfidence(name))) return;
  throw new ReadingError(
    `${quoted(name)} may be the confidence in an answer, and ${quoted(yName)} say whether it was right, or the ` +
      "probability of the second of two classes",
    [{ y: yName, scores: name, pairs: true }, { y: yName, scores: name, pairs: false }],
  );
}

// Pairs: the score is the confidence in a prediction, right where it is the label.
function pairsByPrediction(samples, predicted, name) {
  if (samples.scores.length > 1)
    throw new ReadingError(`--predicted: ${fewOf(samples.columns, 4)} is not one column of scores`);
  const [predictions, labels] = [predicted.texts, samples.label.texts];
  const known = new Set(labels);
  if (!predictions.some((entry) => known.has(entry)))
    throw new ReadingError(
      `--predicted: no entry of ${quoted(name)} is one of the labels, ${fewOf([...known].sort(), 4)}`
    );
  refuseThreshold(samples, predictions, name);
  const y = Int32Array.from(predictions, (entry, row) => Number(entry === labels[row]));
  return { ...samples, y, task: "pairs", classes: ["wrong", "right"] };
}

// Refuse a score that says one of two predictions where it is high, and the other where low.
function refuseThreshold(samples, predictions, name) {
  const values = [...new Set(predictions)].sort();
  const [score] = samples.scores;
  if (values.length !== 2 || labelsOccurring(samples.label).length > 2 || score.length < FEWEST_TO_TELL) return;
  const ends = values.map((value) => range(Array.from(score).filter((_, row) => predictions[row] === value)));
  for (const [low, high, positive] of [[ends[0], ends[1], values[1]], [ends[1], ends[0], values[0]]]) {
    if (low.most <= high.least && low.most < high.most && low.least < 0.5) {
      throw new ReadingError(
        `${quoted(samples.columns[0])} is high where ${quoted(name)} is ${quoted(positive)} and low where it is ` +
          "not: it is the probability of that label, not of the prediction",
        [{ predicted: null, positive, pairs: false }]
      );
    }
  }
}

const range = (values) => {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
};

// ---------------------------------------------------------------- labels as numbers from 0

// As `coded_labels.with_coded_labels`.
function coded(samples, options) {
  if (samples.y) return samples;
  if (samples.task === "pairs")
    return { ...samples, y: hitsOf(samples.yName, samples.label, options), classes: ["wrong", "right"] };
  if (samples.scores.length === 1) return withEventFound(samples, options);
  if (options.positive !== null)
    throw new ReadingError(
      `--positive: ${quoted(options.positive)} is for one column of scores, the probability of this label; ` +
      `${fewOf(samples.columns, 4)} are of all classes`
    );
  return { ...samples, y: numbered(samples, options) };
}

function hitsOf(name, column, options) {
  const [yes, no] = [new Set(NAMES.true), new Set(NAMES.false)];
  const words = column.texts.map((text) => text.toLowerCase());
  const row = words.findIndex((word) => !yes.has(word) && !no.has(word));
  if (row >= 0)
    throw new ReadingError(
      `row ${row} of ${quoted(name)}: ${quoted(column.texts[row])} says neither right nor wrong, expected one of ` +
      `${[...yes, ...no].join(", ")}`
    );
  const turned = isCalled(name, "incorrect");
  if (turned && options.positive === null) {
    throw new ReadingError(
      `by its name, ${quoted(name)} is 1 where an answer is wrong: if the scores say how sure it is, the first ` +
        "option; if they say how likely an error is, the second",
      [{ positive: "0" }, { positive: "1" }]
    );
  }
  return Int32Array.from(words, (word) => Number(yes.has(word) !== turned));
}

const isOfWrong = (name, options) =>
  options.positive !== null && NAMES.true.includes(options.positive.toLowerCase()) === isCalled(name, "incorrect");

function withEventFound(samples, options) {
  const labels = labelsOccurring(samples.label, samples.classes ?? []);
  const texts = samples.label.texts;
  let positive = options.positive;
  if (positive === null && samples.classes?.length === 2)
    positive = labels.find((label) => label.toLowerCase() === samples.classes[1].toLowerCase()) ?? null;
  if (positive === null && labels.every((label) => label === "0" || label === "1"))
    return { ...samples, y: Int32Array.from(texts, (text) => Number(text === "1")), classes: ["0", "1"] };
  positive ??= usualPositive(labels);
  if (positive === null) refuseLabels(samples, labels);
  if (!labels.includes(positive))
    throw new ReadingError(
      `--positive: ${quoted(positive)}, expected the label that the scores are of: ${fewOf(labels)}`
    );
  const others = labels.filter((label) => label !== positive);
  const name = others.length === 1 ? others[0] : `not ${positive}`;
  return { ...samples, y: Int32Array.from(texts, (text) => Number(text === positive)), classes: [name, positive] };
}

function usualPositive(labels) {
  const low = new Map(labels.map((label) => [label.toLowerCase(), label]));
  const are = (one, other) => low.size === 2 && low.has(one) && low.has(other);
  if (are("-1", "1")) return "1";
  return are("true", "false") ? low.get("true") : null;
}

// As `coded_labels.unknown_event`.
function refuseLabels({ columns }, labels) {
  const shown = fewOf(columns, 4);
  if (labels.length === 2)
    throw new ReadingError(
      `${shown} is one column of scores, and the labels are ${fewOf(labels)}: of which is it the probability`,
      labels.map((positive) => ({ positive }))
    );
  throw new ReadingError(
    `${shown} is one column of scores, and the labels are ${fewOf(labels)}: name a column a class; or of one ` +
    "label, --positive LABEL; or of answers with --predicted NAME"
  );
}

// A label is the name of a class, or its number.
// As `labels.codes`.
function numbered({ label, classes, scores, yName }, options) {
  refuseEmpty(yName, label, classes ?? []);
  const [from, k] = [options.labels_from, scores.length];
  const labels = [...label.different.keys()];
  const coded = (code) => {
    const codes = new Map(labels.map((text) => [text, code(text)]));
    return Int32Array.from(label.texts, (text) => codes.get(text));
  };
  if (classes && from === null) {
    const alike = namesOfLabels(labels, classes);
    if (alike.size) return coded((text) => classes.indexOf(alike.get(text)));
  }
  if (label.kind === "b" && k === 2) return Int32Array.from(label.values);
  if (!areWhole(labels)) refuseWords(labels, label, classes, k, yName);
  if (classes && from === null && areWhole(classes)) {
    throw new ReadingError(
      `${yName}: labels ${fewOf(labels, 4)}, and classes that are named ${fewOf(classes, 4)}; if labels count ` +
        "the columns from 0, whatever their names",
      [{ labels_from: 0 }]
    );
  }
  const codeOf = (text) => Number(text) - (from ?? 0);
  const row = label.texts.findIndex((text) => codeOf(text) < 0 || codeOf(text) >= k);
  if (row >= 0) refuseCodes(labels.map(codeOf), Number(label.texts[row]), row, k, from, yName);
  return coded(codeOf);
}

function refuseWords(labels, label, classes, k, name) {
  let strange = labels.filter((text) => !isWholeText(text));
  const unnamed = classes ? strange.filter((text) => !namesOfLabels([text], classes).size) : strange;
  strange = unnamed.length ? unnamed : strange;
  const problem = `${name}: row ${label.different.get(strange[0])} is ${quoted(strange[0])}`;
  if (classes) throw new ReadingError(`${problem}, expected the name of a class, ${fewOf(classes)}`);
  throw new ReadingError(
    `${problem}, a name; what names the ${k} classes in the order of the scores, is`,
    [{ classes: labels.length === k ? labels : "FILE" }]
  );
}

// As `labels.refuse_outside`.
function refuseCodes(codes, value, row, k, from, name) {
  const [least, most] = [Math.min(...codes), Math.max(...codes)];
  if (k === 2 && codes.length === 2 && least === -1 && most === 1)
    throw new ReadingError(`${name}: labels -1 and 1; if these are the two classes`, [{ classes: ["-1", "1"] }]);
  const isFromOne = from === null && least >= 1 && most === k;
  const remedy = isFromOne ? "if labels count from 1" : "samples with this label are left out by";
  throw new ReadingError(
    `${name}: row ${row} is ${value}, expected ${from ?? 0} to ${k - 1 + (from ?? 0)}; ${remedy}`,
    [isFromOne ? { labels_from: 1 } : { ignore_index: [value] }]
  );
}

// Refuse labels without a 0 that may count from 1, unless they clearly fit as they are.
function refuseShifted({ y, prob, n }) {
  let [total, square] = [0, 0];
  for (let i = 0; i < n; i++) {
    const gain = prob[y[i]][i] - prob[y[i] - 1][i];
    [total, square] = [total + gain, square + gain * gain];
  }
  const deviation = Math.sqrt(Math.max(square / n - (total / n) ** 2, 0));
  if (n > 5 && total / n <= (n >= FEWEST_TO_TELL ? (2 * deviation) / Math.sqrt(n) : 0)) {
    throw new ReadingError(
      "y: no label is 0; if labels count from 1, the first option; if the first class does not occur, the second",
      [{ labels_from: 1 }, { labels_from: 0 }]
    );
  }
}

// ---------------------------------------------------------------- scores as probabilities or logits

function scoresOf(samples, namedKind, options, doubter) {
  const { columns: names } = samples;
  let { scores } = samples;
  let kind = options.kind ?? namedKind;
  if (options.percent) {
    const most = Math.max(...scores.map((column) => range(column).most));
    const whole = scores.every((column) => column.every((v) => Math.round(v) === v));
    if (options.percent <= 10 && most <= 10 && whole)
      raiseOrNote(doubter, `${quoted(names[0])} holds whole numbers up to ${general(most, 6)}, as grades are`);
    if (most <= 1 && !PATTERNS.percent.search(names[0]))
      throw new ReadingError(
        `percent: no number of ${quoted(names[0])} is more than 1, so these are fractions already`
      );
    scores = scores.map((column) => column.map((v) => v / options.percent));
    kind = "probabilities";
  }
  for (const column of scores) {
    const row = column.findIndex(Number.isNaN);
    if (row >= 0) throw new ReadingError(`${kind ?? "scores"}: row ${row} holds nan: it is empty, or no number`);
  }
  if (options.kind !== "logits") refuseDecisions(scores, kind);
  return scores.length === 1
    ? scoresOfOneColumn(scores[0], kind, options, doubter, names[0])
    : scoresOfClassColumns(scores, kind, options);
}

function refuseDecisions(scores, kind) {
  if (
    kind === "logits" || !scores.every((column) => column.every((v) => v === 0 || v === 1)) ||
    !scores.some((column) => column.includes(1))
  )
    return;
  if (scores.length === 1 && range(scores[0]).least === 1) return; // a confidence of 1 throughout, which is a claim
  throw new ReadingError(
    "scores hold only 0 and 1: these are decisions, not probabilities; if others are in the file, --scores NAME"
  );
}

function raiseOrNote(doubter, problem, ...suggestions) {
  if (!doubter.overruled) throw new ReadingError(problem, suggestions, "doubt");
}

// One column: the probability or log odds of the second of two classes.
function scoresOfOneColumn(column, kind, options, doubter, name) {
  if (kind === null || (kind === "probabilities" && options.kind === null))
    refuseOtherKinds(column, kind, name, options);
  const { least, most } = range(column);
  if (kind === "logits") {
    const oneSign = column.length >= FEWEST_TO_TELL && (least >= 0 || most <= 0);
    if (oneSign && least >= 0 && most <= 1)
      raiseOrNote(
        doubter,
        `${quoted(name)} is called log odds, and lies in [0, 1] throughout: if these are probabilities`,
        { kind: "probabilities" }
      );
    else if (oneSign)
      raiseOrNote(
        doubter,
        `all numbers of ${quoted(name)} have one sign, as odds and log p have and log odds do not`,
        { kind: least >= 0 ? "odds" : "log-probabilities" }
      );
    return { columns: [column.map((v) => -v / 2), column.map((v) => v / 2)], kind: "logits" };
  }
  let p;
  if (kind === "odds") {
    refuseRows(column, (v) => v < 0, name, "odds, which are never negative");
    p = column.map((v) => 1 - 1 / (1 + v));
  } else if (kind === "log-probabilities") {
    refuseRows(column, (v) => v > ROUNDING, name, "logarithms of probabilities, at most 0");
    p = column.map((v) => Math.exp(Math.min(v, 0)));
  } else {
    const allowed = Math.max(ROUNDING, options.atol ?? 0);
    refuseRows(column, (v) => v < -allowed || v > 1 + allowed, name, "a probability");
    p = column.map((v) => Math.min(Math.max(v, 0), 1));
  }
  return { columns: [p.map((v) => 1 - v), p], kind: "probabilities" };
}

// Raise where a column that nobody called a probability may be something else.
function refuseOtherKinds(column, kind, name, options) {
  const { least: low, most: high } = range(column);
  if (-ROUNDING <= low && high <= 1 + (options.atol ?? ROUNDING)) {
    if (PATTERNS.percent.search(name) && !options.percent)
      throw new ReadingError(
        `${quoted(name)} says per cent, and no number is more than 1: if it is right`,
        [{ percent: 100 }, { kind: "probabilities" }]
      );
    return;
  }
  const isSpoilt = (v) => v < -ROUNDING || v > 1 + ROUNDING;
  if (column.filter(isSpoilt).length / column.length < 0.05) refuseRows(column, isSpoilt, name, "a probability");
  if (low >= 0 && high <= 10 && column.every((v) => Math.round(v) === v))
    throw new ReadingError(
      `${quoted(name)} holds the whole numbers ${general(low, 6)} to ${general(high, 6)}: grades, not probabilities`
    );
  const ends = `${quoted(name)} goes from ${general(low, 4)} to ${general(high, 4)}`;
  if (low >= 0 && high > 1 && high <= 100) throw new ReadingError(`${ends}: if it is per cent`, [{ percent: 100 }]);
  if (kind === "probabilities") refuseRows(column, isSpoilt, name, "a probability");
  throw new ReadingError(`${ends}, and nothing says what it is: if it is so`, [{ kind: likelyKind(low, high) }],
    "not said");
}

// What numbers may be that go from `low` to `high` and are no probabilities.
function likelyKind(low, high) {
  if (low >= 0) return "odds";
  return high > 0 ? "logits" : "log-probabilities";
}

function refuseRows(column, isWrong, name, expected) {
  const rows = [];
  column.forEach((v, row) => isWrong(v) && rows.push(row));
  if (!rows.length) return;
  const firstRows = rows.slice(0, 3).map((row) => `row ${row} holds ${shownOutside(column[row])}`).join(", ");
  const ends = rows.length > 3 ? `, and ${rows.length - 3} more` : "";
  throw new ReadingError(
    `${quoted(name)}: ${firstRows}${ends}, expected ${expected} (if a number stands for one that is missing, save it ` +
    `as empty: --leave-out-empty ${name} then leaves such rows out)`
  );
}

// A number with six digits, or as many as tell it from 0 and 1.
function shownOutside(number) {
  for (let digits = 6; digits < 18; digits++) {
    const text = general(number, digits);
    if (Number(text) !== 0 && Number(text) !== 1) return text;
  }
  return general(number, 6);
}

// A column a class: rows of probabilities sum to one, logits do not.
function scoresOfClassColumns(scores, kind, options) {
  if (kind === "odds") throw new ReadingError("kind: odds of one column are read, not those of several");
  const n = scores[0].length;
  const total = new Float64Array(n);
  for (const column of scores) for (let i = 0; i < n; i++) total[i] += column[i];
  const ends = scores.map(range);
  const [low, high] = [Math.min(...ends.map((e) => e.least)), Math.max(...ends.map((e) => e.most))];
  if (low >= 0 && options.kind !== "logits") refusePartsOf(total, high);
  const off = low >= -ROUNDING ? total.map((v) => Math.abs(v - 1)) : new Float64Array(n).fill(Infinity);
  const allowed = options.atol ?? roundingOf(scores, options.percent ?? 1);
  const most = range(off).most;
  const square = Math.sqrt(off.reduce((all, v) => all + Math.min(v, 1e9) ** 2, 0) / n);
  const sums = most <= allowed * (1 + 1e-9) && (allowed <= MOST_ATOL || square <= allowed / 2);
  if (kind === "logits" || kind === "log-probabilities") {
    if (sums) throw new ReadingError("logits: these are probabilities; name them so", [{ kind: "probabilities" }]);
    return { columns: scores, kind: "logits" };
  }
  if (!sums) refuseSums(scores, off, total, allowed, kind);
  let p = low < 0 ? scores.map((column) => column.map((v) => Math.max(v, 0))) : scores;
  if (most > NO_NEED) p = p.map((column) => column.map((v, i) => v / total[i]));
  return { columns: p, kind: "probabilities" };
}

function refusePartsOf(total, high) {
  const middle = quantile(total, 0.5);
  const { least, most } = range(total);
  if (high <= 1 + MOST_ATOL || most - least > 0.1 * middle) return;
  const unit = UNITS.find((parts) => Math.abs(parts - middle) <= 0.05 * parts);
  if (unit)
    throw new ReadingError(
      `rows of scores sum to about ${general(middle, 6)}: if they are parts of ${unit}`, [{ percent: unit }]
    );
}

// How far from one K numbers may sum: K times half a unit of the last digit written.
// As `scores.rounding_of_sums`.
function roundingOf(scores, scale) {
  const head = scores.flatMap((column) => Array.from(column.subarray(0, 1000), (v) => v * scale));
  const most = range(head.map(Math.abs)).most;
  for (let digits = 0; digits < (most <= scale ? 6 : 0); digits++) {
    const unit = 10 ** digits;
    if (head.every((v) => Math.abs(Math.round(v * unit) / unit - v) <= 1e-7 * scale))
      return Math.max(NO_NEED, (scores.length * 10 ** -digits) / scale / 2);
  }
  return NO_NEED;
}

function refuseSums(scores, off, total, allowed, kind) {
  const n = total.length;
  const isBad = Array.from({ length: n }, (_, i) => scores.some((column) => column[i] < 0 || column[i] > 1));
  const good = isBad.filter((bad, i) => !bad && Math.abs(total[i] - 1) <= allowed).length;
  if (kind === null && isBad.includes(true) && good / n <= 0.5) {
    throw new ReadingError(
      "nothing says what the scores are; by their values they are no probabilities: if they are so",
      [{ kind: "logits" }],
      "not said"
    );
  }
  const most = range(off).most;
  const row = isBad.includes(true) ? isBad.indexOf(true) : off.indexOf(most);
  const suggestions = most <= MOST_ATOL ? [{ atol: MOST_ATOL }] : [];
  const least = Math.min(...scores.map((column) => column[row]));
  const ends = suggestions.length || allowed >= MOST_ATOL ? "" : `; --atol up to ${MOST_ATOL} allows for more`;
  const more = kind ? "" : " (or --kind logits if they are)";
  throw new ReadingError(
    `row ${row} holds ${general(least, 6)} and sums to ${general(total[row], 6)}, expected probabilities that ` +
      `sum to 1 within ${general(allowed, 2)}, as their digits allow${ends}${more}`,
    suggestions
  );
}

// ---------------------------------------------------------------- what is read

// Labels, and what a model says of each sample: a column a class.
class Outputs {
  constructor(y, { columns, kind }, names, task) {
    Object.assign(this, { y, scores: columns, kind, names, task, n: y.length });
    this.prob = kind === "logits" ? softmaxOf(columns) : columns;
    const [score, hit] = [new Float64Array(this.n), new Int32Array(this.n)];
    for (let i = 0; i < this.n; i++) {
      const top = this.top(i);
      score[i] = Math.min(this.prob[top][i], 1);
      hit[i] = Number(y[i] === top);
    }
    Object.assign(this, { score, hit });
  }
  // The class that a sample is judged by: the most probable, or of a yes-or-no question the second.
  top(i) {
    if (this.task !== "classes") return 1;
    let best = 0;
    for (let k = 1; k < this.prob.length; k++) if (this.prob[k][i] > this.prob[best][i]) best = k;
    return best;
  }
}

// As `logits.softmax`.
function softmaxOf(columns) {
  const n = columns[0].length;
  const [most, total] = [new Float64Array(n).fill(-Infinity), new Float64Array(n)];
  for (const column of columns) for (let i = 0; i < n; i++) if (column[i] > most[i]) most[i] = column[i];
  const p = columns.map((column) => column.map((v, i) => Math.exp(v - most[i])));
  for (const column of p) for (let i = 0; i < n; i++) total[i] += column[i];
  for (const column of p) for (let i = 0; i < n; i++) column[i] /= total[i];
  return p;
}

// One way to read a table.
class Reading {
  constructor(options, samples, leftOut, outputs, way) {
    Object.assign(this, { options, label: samples.yName, scores: samples.columns, leftOut, outputs, way });
    this.isClustered = options.clusters.length > 0;
    this.readAs = readAs(samples, outputs, options);
  }
  // The first rows as they are understood, a sentence each.
  rows(count = 3) {
    return Array.from({ length: Math.min(count, this.outputs.n) }, (_, row) => this.row(row));
  }
  row(i) {
    const { score, hit, names, y, task } = this.outputs;
    const words = { name: i, score: general(score[i], 3), hit: hit[i] ? "right" : "wrong" };
    if (task === "pairs") return filled(TEXTS.row.pairs, words);
    return filled(TEXTS.row.classes, { ...words, says: names[this.outputs.top(i)], label: names[y[i]] });
  }
}

// A text with its words; what is written {name} in it is the word of this name.
const filled = (text, words) => text.replace(/\{(\w+)\}/g, (_, name) => words[name]);

function readAs(samples, outputs, options) {
  const words = {
    columns: fewOf(samples.columns, 4),
    labels: quoted(samples.yName),
    kind: outputs.kind,
    predicted: quoted(options.predicted ?? ""),
    event: quoted(outputs.names[1]),
  };
  if (options.predicted !== null) return filled(TEXTS.read_as.predicted, words);
  if (samples.task === "pairs") return filled(TEXTS.read_as.pairs, words);
  if (samples.scores.length > 1) return filled(TEXTS.read_as.classes, words);
  return filled(outputs.kind === "probabilities" ? TEXTS.read_as.probability : TEXTS.read_as.log_odds, words);
}
