// How a table could be read: the ways of `calib_report.proposing.guesses`, each tried as if its options had been
// typed. Ways that this page does not read by stop the search, so that a later one is not taken for an earlier
// one. A function has the name of the one in Python that it mirrors, doubtRepeatedIds that of doubt_repeated_ids, or
// names it.

const { MOST_PROPOSED, DEEPEST, MOST_DISTINCT, TAKEN_BACK } = TEXTS.limits;
const LIKELY_POSITIVE = TEXTS.likely_positive;

// At most three readings, the likeliest first; what the contract reads is the only one, and needs no acceptance.
function propose({ named, isHeadless }) {
  try {
    return { isRead: true, readings: [interpret(named, NOTHING_SAID)] };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    if (error.kind === "not judged" || error.kind === "beyond") throw error;
  }
  const [readings, errors] = [[], []];
  for (const reading of readingsOfAllWays(new Clues(named, isHeadless), errors)) {
    if (!readings.some((other) => areAlike(reading.outputs, other.outputs))) readings.push(reading);
    if (readings.length === MOST_PROPOSED) break;
  }
  if (!readings.length) throw errors[errors.length - 1];
  return { isRead: false, readings };
}

function areAlike(one, other) {
  if (one.task !== other.task || one.scores.length !== other.scores.length || one.n !== other.n) return false;
  const near = (a, b) => Math.abs(a - b) <= 1e-8 + 1e-5 * Math.abs(b);
  return one.y.every((label, i) => label === other.y[i]) &&
    one.prob.every((column, k) => column.every((p, i) => near(p, other.prob[k][i])));
}

function* readingsOfAllWays(clues, errors) {
  for (const [way, title] of WAYS) {
    for (const guess of way(clues)) {
      const failed = [];
      for (const reading of readingsTried(clues.named, withMore(NOTHING_SAID, guess), DEEPEST, failed, title))
        yield reading;
      if (errors.length < 2) errors.push(...failed.slice(0, 1));
    }
  }
}

// The reading that options give, or those of the options that its error shows.
function* readingsTried(named, options, depth, failed, title) {
  try {
    yield interpret(named, options, title);
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    if (error.kind === "beyond") throw error;
    failed.push(error);
    for (const suggestion of depth ? error.suggestions : []) {
      if (!mayBeTried(suggestion, options)) continue;
      yield* readingsTried(named, withMore(options, suggestion), depth - 1, failed, title);
    }
  }
}

// Whether an option that an error shows is an answer, and none that was given already.
function mayBeTried(suggestion, options) {
  return Object.entries(suggestion).every(([name, value]) => {
    if (["NAME", "NAMES", "FILE"].includes(value)) return false;
    if (name === "ignore_index" && !value.every((code) => isMask(String(code)))) return false;
    if (SEVERAL.includes(name) || TAKEN_BACK.includes(name)) return true;
    return options[name] === null || same(options[name], value);
  });
}

// ---------------------------------------------------------------- what may have a role

class Clues {
  constructor(named, isHeadless) {
    Object.assign(this, { named, isHeadless, known: new Map() });
  }
  // Columns of numbers, but for those that name or number something.
  columnsOfScores(...without) {
    return [...this.named].filter(
                            ([name, column]) => !without.includes(name) && mayBeScores(name, column)
    ).map(([name]) => name);
  }
  // What may be the labels, the likeliest first.
  columnsOfLabels() {
    const names = [...this.named.keys()];
    const contract = names.filter((name) => isExactlyCalled(name, "label"));
    const called = names.filter((name) => isCalled(name, "labels") || isRoleInSet(name, "labels"));
    const others = names.filter((name) => mayBeALabel(name, this.named.get(name)));
    return [...new Set([...contract, ...called, ...others])];
  }
  labelsOccurring(name) {
    if (!this.known.has(name)) this.known.set(name, labelsOccurringIn(this.named, name));
    return this.known.get(name);
  }
}

function mayBeScores(name, column) {
  if (column.kind === "b" || areWords(column)) return false;
  return !(PATTERNS.id.whole(name.trim()) && column.kind !== "f");
}

function mayBeALabel(name, column) {
  if (isCalled(name, "predicted") || isCalled(name, "scores")) return false;
  const whole = column.kind !== "f" ||
    Array.from(column.values.subarray(0, 100)).every((v) => Number.isInteger(v) && v >= 0 && v < 1000);
  const few = new Set(column.texts.slice(0, 5000)).size <= Math.min(MOST_DISTINCT, Math.max(2, column.length / 2));
  return whole && few && !PATTERNS.id.whole(name.trim());
}

function isRoleInSet(name, what) {
  const word = name.trim().toLowerCase();
  const [, start, rest] = word.match(/^(.*?)[._](.*)$/) ?? [];
  const at = word.lastIndexOf("_");
  const sets = [...NAMES.test, ...NAMES.calibration];
  return (sets.includes(start) && NAMES[what].includes(rest)) ||
    (at >= 0 && sets.includes(word.slice(at + 1)) && NAMES[what].includes(word.slice(0, at)));
}

// ---------------------------------------------------------------- ways: each yields guesses

function* asItStands() {
  yield {};
}

function* longTable({ named }) {
  const ids = idNames(named).filter((name) => !isUnique(named.get(name)));
  for (const sample of ids) {
    const times = named.get(sample).length / named.get(sample).different.size;
    for (const [name, column] of named) {
      if (column.kind === "U" && !ids.includes(name) && column.different.size === times) throw new BeyondError("long");
    }
  }
}

function* labelColumns(clues) {
  const marks =
    [...clues.named].filter(
                      ([, column]) => labelsOccurring(column).every((label) => label === "0" || label === "1")
    ).map(([name]) => name);
  for (const columns of columnsByBeginning(marks)) {
    const start = columns.length ? startOf(columns[0]) : "";
    const classes = new Set(columns.map((name) => name.slice(start.length)));
    if (columns.length < 2) continue;
    for (const scores of columnsByBeginning(clues.columnsOfScores(...marks))) {
      const own = scores.map((name) => name.slice(startOf(name).length));
      if (new Set(own).size === classes.size && own.every((c) => classes.has(c))) throw new BeyondError("labels");
    }
  }
}

function* classColumns(clues) {
  for (const y of clues.columnsOfLabels()) {
    const labels = clues.labelsOccurring(y);
    if (labels.length < 2) continue;
    const names = clues.columnsOfScores(y);
    for (const family of familiesBearing(names, labels)) {
      let columns = columnsOfFamily(clues.named, names, family, labels);
      if (areWhole([...family.keys()])) {
        const ofColumn = new Map([...family].map(([label, name]) => [name, Number(label)]));
        columns = [...columns].sort((a, b) => ofColumn.get(a) - ofColumn.get(b));
      }
      yield { y, scores: columns.join(",") };
    }
  }
}

// Families of columns that bear all labels, as they are or without case and signs.
function* familiesBearing(names, labels) {
  const bare = namesOfLabels(labels, names);
  if (bare.size && !areWhole(labels)) yield new Map([...names.map((name) => [name, name]), ...bare]);
  yield* families(names, labels);
  const byNormalised = new Map(names.map((name) => [normalised(name), name]));
  if (byNormalised.size === names.length) {
    for (const family of families([...byNormalised.keys()], labels.map(normalised)))
      yield new Map([...family].map(([label, name]) => [label, byNormalised.get(name)]));
  }
  if (!areWhole(labels)) return;
  const found = new Map();
  for (const name of names) {
    for (const match of name.matchAll(/\d+/g)) {
      const rest = `${name.slice(0, match.index)}#${name.slice(match.index + match[0].length)}`;
      if (!found.has(rest)) found.set(rest, new Map());
      found.get(rest).set(match[0].replace(/^0+(?=\d)/, ""), name);
    }
  }
  for (const family of found.values()) if (labels.every((label) => family.has(label))) yield family;
}

// The columns of a family, of which some bear no label: all where they sum to one.
function columnsOfFamily(named, names, family, labels) {
  const members = [...family.values()];
  const columns = names.filter((name) => members.includes(name));
  const own = new Set(labels.map(normalised));
  const bear = [...family].filter(([c]) => own.has(normalised(c))).map(([, name]) => name);
  if (bear.length === columns.length || columns.some((name) => !named.get(name).isNumeric)) return columns;
  const count = Math.min(named.get(columns[0]).length, 100);
  const totals = Array.from({ length: count }, (_, row) => sum(columns.map((name) => named.get(name).values[row])));
  const are = (total, room) => totals.every((v) => Math.abs(v - total) <= room + 1e-5 * total);
  return are(1, 0.02) || are(100, 2) ? columns : columns.filter((name) => bear.includes(name));
}

const saysTrueOrFalse = (v) => NAMES.true.includes(v.toLowerCase()) || NAMES.false.includes(v.toLowerCase());

const isOfHits = ([name, column]) =>
  (isCalled(name, "correct") || isCalled(name, "incorrect")) && labelsOccurring(column).every(saysTrueOrFalse);

const columnsOfHits = ({ named }) => [...named].filter(isOfHits).map(([name]) => name);

const stated = (y, scores) => ({ y, scores, pairs: true, ...(isCalled(y, "incorrect") ? { positive: "0" } : {}) });

function* statedConfidences(clues) {
  for (const y of columnsOfHits(clues))
    for (const scores of clues.columnsOfScores(y))
      if (saysConfidence(scores)) yield stated(y, scores);
  for (const y of columnsOfHits(clues))
    for (const scores of clues.columnsOfScores(y))
      if (kindOf(scores) || isCalled(scores, "scores")) yield stated(y, scores);
}

function* statedDoubts(clues) {
  for (const y of columnsOfHits(clues)) {
    for (const scores of clues.columnsOfScores(y))
      if (isCalled(scores, "uncertainty"))
        yield { y, scores, pairs: true, positive: isCalled(y, "incorrect") ? "1" : "0" };
  }
}

function* predictions(clues) {
  const predicted = [...clues.named.keys()].filter((name) => isCalled(name, "predicted"));
  for (const y of clues.columnsOfLabels()) {
    const labels = clues.labelsOccurring(y);
    for (const name of predicted.filter((other) => other !== y)) {
      const predictions = clues.named.get(name).different;
      if (!labels.some((label) => predictions.has(label))) continue;
      for (const scores of singleScores(clues, y)) if (scores !== name) yield { y, scores, predicted: name };
    }
  }
}

// Columns that may each be the whole score, those whose names say so first.
function singleScores(clues, y) {
  const { named } = clues;
  const names = clues.columnsOfScores(y).filter((name) => !isNoScore(name));
  const called =
    names.filter((name) => kindOf(name) || isCalled(name, "scores") || name.toLowerCase().includes("score"));
  const more = names.filter((name) => PATTERNS.percent.search(name) || name.toLowerCase().includes("pred"));
  const floats = names.filter((name) => named.get(name).kind === "f");
  const holdsTwoCodes = (column) => column.kind === "i" && new Set(column.values).size <= 2;
  const likely = [...new Set([...names.filter(saysConfidence), ...called, ...more])].filter(
    (name) => !holdsTwoCodes(named.get(name))
  );
  if (likely.length) return likely;
  return floats.length === 1 ? floats : [];
}

const lastWord = (name) => name.trim().toLowerCase().split(/[._ ]/).pop();
const isNoScore = (name) => [...NAMES.ends, ...NAMES.spread, "loss", "weight"].includes(lastWord(name)) ||
  isCalled(name, "uncertainty") || isCalled(name, "incorrect");
const risks = (clues, y) => clues.columnsOfScores(y).filter(
  (name) => name.trim().toLowerCase().split(/[._ ]/).includes("risk") && clues.named.get(name).kind === "f"
);

function* oneOfTwo(clues) {
  for (const y of clues.columnsOfLabels()) {
    const labels = clues.labelsOccurring(y);
    if (labels.length < 1 || labels.length > 2) continue;
    const likely = LIKELY_POSITIVE.find((word) => labels.some((label) => label.toLowerCase() === word)) ??
      labels[labels.length - 1];
    const positive = labels.find((label) => label.toLowerCase() === likely.toLowerCase());
    const other = labels.find((label) => label !== positive) ?? positive;
    const single = singleScores(clues, y);
    for (const scores of single.length ? single : risks(clues, y)) {
      if (scores === y || isCalled(y, "correct")) continue;
      const borne = labels.filter((label) => normalised(scores).endsWith(normalised(label)) && !/^\d+$/.test(label));
      const first = borne.length === 1 ? borne[0] : positive;
      for (const label of new Set([first, positive, other])) yield { y, scores, positive: label, pairs: false };
    }
  }
}

// Of two pasted columns without a heading nothing says which question they answer: the other one is shown as well.
// Here alone: a file of the command has a heading.
function* pastedPairs(clues) {
  if (!clues.isHeadless) return;
  for (const y of clues.columnsOfLabels()) {
    const labels = clues.labelsOccurring(y);
    if (!labels.every((label) => label === "0" || label === "1")) continue;
    for (const scores of singleScores(clues, y)) if (scores !== y) yield { y, scores, pairs: true };
  }
}

function* numberedColumns(clues) {
  for (const y of clues.columnsOfLabels()) {
    const labels = clues.labelsOccurring(y);
    if (!areWhole(labels)) {
      for (const columns of columnsByBeginning(clues.columnsOfScores(y)))
        if (trailingNumbers(columns).join() === labels.map((_, k) => k).join())
          yield { y, scores: columns.join(","), classes: labels };
      continue;
    }
    if (labels.length < 3) continue;
    const k = classesCounted(labels.map(Number));
    for (const columns of columnsByBeginning(clues.columnsOfScores(y)))
      if (columns.length === k) yield { y, scores: columns.join(",") };
  }
}

const startOf = (name) => name.match(/^.*[_. :-]/)?.[0] ?? "";

// Columns that begin alike, first without those that say a statistic, then with them.
// As `guesses.columns_by_beginning`.
function* columnsByBeginning(names) {
  const groups = new Map();
  names.forEach((name) => groups.set(startOf(name), [...(groups.get(startOf(name)) ?? []), name]));
  for (const [start, columns] of groups) {
    const own = columns.filter((name) => !NAMES.statistics.includes(name.slice(start.length).toLowerCase()));
    yield own;
    if (own.length < columns.length) yield columns;
  }
}

const WAYS = [
  asItStands,
  longTable,
  labelColumns,
  classColumns,
  statedConfidences,
  statedDoubts,
  predictions,
  oneOfTwo,
  pastedPairs,
  numberedColumns,
].map((way) => [way, TEXTS.ways[way.name]]);
