// Which column is the label and which are the scores: the contract of `calib_report`, and its proposals' clues. A
// function has the name of the one in Python that it mirrors, doubtRepeatedIds that of doubt_repeated_ids, or names
// it.

const NAMES = TEXTS.names;

// A pattern of the contract, of which a part may distinguish capitals.
// Here alone: Python reads the contract's patterns as they stand.
function pattern(name) {
  const text = TEXTS.patterns[name];
  const strict = text.match(/\|?\.\*\(\?-i:(.*)\)$/);
  const rest = strict ? text.slice(0, strict.index) : text;
  return {
    search: (word) => new RegExp(rest, "i").test(word),
    whole: (word) => new RegExp(`^(?:${rest})$`, "i").test(word) ||
      Boolean(strict && new RegExp(`^.*(?:${strict[1]})$`).test(word)),
  };
}
const PATTERNS = Object.fromEntries(Object.keys(TEXTS.patterns).map((name) => [name, pattern(name)]));

const normalised = (name) => name.normalize("NFKC").toLowerCase().replace(/[\s_\-.]+/g, "");
const isWholeText = (label) => /^-?\d{1,18}$/.test(label);
const areWhole = (labels) => labels.every(isWholeText);

// Whether a name, or its last part, is one of some kind, such as "labels".
function isCalled(name, ...roles) {
  const word = name.trim().toLowerCase();
  const last = word.slice(word.lastIndexOf(".") + 1);
  return roles.some((role) => NAMES[role].includes(word) || NAMES[role].includes(last));
}

const isExactlyCalled = (name, what) => NAMES[what].includes(name.trim().toLowerCase());

function kindOf(name) {
  const low = name.trim().toLowerCase();
  const isOf = (kind) => NAMES[kind].includes(low) || PATTERNS[kind].search(low);
  return ["log-probabilities", "logits", "probabilities", "odds"].find(isOf) ?? null;
}

const saysConfidence = (name) =>
  name.toLowerCase().replace(/[- ]/g, "_").split("_").some((word) => NAMES.confidence.includes(word));

// ---------------------------------------------------------------- values

// Which entries are missing: nan, or text such as "" and "NA" that is none of `names`.
// As `values.empty_entries`.
function emptyRows(column, names = []) {
  if (column.kind === "f") {
    const empty = new Array(column.length);
    for (let row = 0; row < empty.length; row++) empty[row] = Number.isNaN(column.values[row]);
    return empty;
  }
  if (column.kind !== "U") return new Array(column.length).fill(false);
  const own = new Set(names.map(normalised));
  const words = new Set(NAMES.empty.filter((word) => !word || !own.has(normalised(word))));
  return column.texts.map((text) => words.has(text.toLowerCase()));
}

// The labels that occur, as text, sorted.
function labelsOccurring(column, names = []) {
  if (column.kind === "f" && Array.from(column.values).some(Number.isNaN)) {
    const whole = Array.from(column.values).filter((v) => !Number.isNaN(v));
    return [...new Set(whole.map(String))].sort();
  }
  const own = new Set(names.map(normalised));
  const words = new Set(NAMES.empty.filter((word) => !word || !own.has(normalised(word))));
  const all = [...column.different.keys()];
  return column.kind === "U" ? all.filter((text) => !words.has(text.toLowerCase())) : all;
}

const labelsOccurringIn = (named, name) => {
  const parts = [...new Set([...named.keys()].flatMap((column) => column.split(/[^0-9A-Za-z/]+/)))].sort();
  return named.has(name) ? labelsOccurring(named.get(name), parts) : [];
};

function refuseEmpty(name, column, names = []) {
  const empty = emptyRows(column, names);
  const row = empty.indexOf(true);
  if (row < 0) return;
  const count = empty.filter(Boolean).length;
  throw new ReadingError(
    `${quoted(name)} is empty in ${count} of ${empty.length} rows, the first is row ${row}; such rows are left ` +
      "out by",
    [{ leave_out_empty: [name] }]
  );
}

// Whether a column holds words and no numbers, such as predicted classes.
const areWords = (column) => column.kind === "U" &&
  !column.values.some((value) => /^([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|-inf)/i.test(value.replace(/^[ []+/, "")));

// Scores as numbers; "85%" and "8/10" are.
// As `values.numbers`.
function numbersOf(name, column) {
  refuseEmpty(name, column);
  if (column.isNumeric) return column.values;
  if (column.values.every((value) => value[0] === "[")) throw new BeyondError("vectors");
  const comma = !column.values.some((value) => value.includes("."));
  return Float64Array.from(column.values, (value, row) => {
    let [text, ...divisors] = (comma ? value.replaceAll(",", ".") : value).trim().split("/");
    if (text.endsWith("%")) [text, divisors] = [text.slice(0, -1).trim(), ["100"]];
    const parts = [text, divisors.join("/") || "1"].map((part) => part.trim());
    if (!parts.every((part) => NUMBER.test(part) || part === "-inf"))
      throw new ReadingError(`row ${row} of ${quoted(name)} is ${quoted(value)}, expected a number`);
    return (parts[0] === "-inf" ? -Infinity : Number(parts[0])) / (Number(parts[1]) || NaN);
  });
}

// The one of `names` that each label is, whatever its case; empty where one has none.
function namesOfLabels(labels, names) {
  if (labels.every((label) => names.includes(label))) return new Map(labels.map((label) => [label, label]));
  const byNormalised = new Map(names.map((name) => [normalised(name), name]));
  const alike = new Map(labels.map((label) => [label, byNormalised.get(normalised(label)) ?? ""]));
  const unique = byNormalised.size === new Set(names).size && new Set(alike.values()).size === alike.size;
  return unique && [...alike.values()].every(Boolean) ? alike : new Map();
}

// ---------------------------------------------------------------- labels and scores by the contract

// As `arrays.column_named`.
function columnCalled(named, name, option) {
  if (!named.has(name))
    throw new ReadingError(`--${option}: there is no ${quoted(name)}, found ${fewOf([...named.keys()])}`);
  return named.get(name);
}

function findLabels(named, options) {
  if (options.y !== null) {
    if (named.has(options.y)) return options.y;
    options.y.split(",").forEach((name) => columnCalled(named, name.trim(), "y"));
    throw new BeyondError("labels");
  }
  const names = [...named.keys()].filter((name) => isExactlyCalled(name, "label"));
  if (names.length === 1) return names[0];
  const low = new Set([...named.keys()].map((name) => name.trim().toLowerCase()));
  if (NAMES.times.some((name) => low.has(name)) && NAMES.events.some((name) => low.has(name)))
    throw new ReadingError(TEXTS.desk.survival, [], "not judged");
  const problem = names.length
    ? `${fewOf(names)} may all be the labels; the file holds ${fewOf([...named.keys()])}`
    : `none has a name that says the labels; the file holds ${fewOf([...named.keys()])}`;
  throw new ReadingError(problem, names.length ? names.map((y) => ({ y })) : [{ y: "NAME" }], "not said");
}

function keepsPairs(named, options) {
  const low = [...named.keys()].map((name) => name.trim().toLowerCase());
  const unsaid = options.y === null && options.scores === null && options.pairs === null;
  return unsaid && low.includes("confidence") && low.includes("correct") &&
    ![...named.keys()].some((name) => isExactlyCalled(name, "label"));
}

// Names of the columns of scores; their classes and kind where said.
const scoreColumns = (columns, classes = null, kind = null) => ({ columns, classes, kind });

function findScores(named, labels, options) {
  if (options.scores !== null) return scoresOfOption(named, labels, options);
  const candidates = scoresByContract(named, labels);
  if (candidates.length === 1) return candidates[0];
  if (!candidates.length) refuseNear(named, labels);
  if (candidates.length) {
    const suggestions = candidates.map((scores) => ({ scores: typedScores(scores, named) }));
    const names = suggestions.map((suggestion) => suggestion.scores);
    throw new ReadingError(`${fewOf(names)} may all be the scores`, suggestions, "not said");
  }
  const decisions = [...named].find(
    ([name, column]) => isCalled(name, "predicted") && labelsOccurring(column).length &&
      labelsOccurring(column).every((label) => labels.includes(label))
  );
  const more = decisions ? `; ${quoted(decisions[0])} holds decisions, not probabilities` : "";
  throw new ReadingError(
    `none has a name that says the scores; the file holds ${fewOf([...named.keys()])}${more}`,
    [{ scores: "NAME" }],
    "not said"
  );
}

function scoresByContract(named, labels) {
  const found = [];
  if (!labels.length) return found;
  for (const start of NAMES.beginnings) {
    const members = new Map([...named.keys()]
                              .filter((n) => n.toLowerCase().startsWith(start))
                              .map((n) => [n.slice(start.length), n])
                              .filter(([c]) => c));
    const family = familyOf(members, labels, kindOf(`${start}x`));
    if (family) found.push(family);
  }
  const bare = namesOfLabels(labels, [...named.keys()]);
  if (bare.size > 1) {
    const columns = [...named.keys()].filter((name) => [...bare.values()].includes(name));
    found.push(scoreColumns(columns, columns.map((name) => name.trim())));
  }
  return found;
}

const isMask = (label) => /^(-\d+|255)$/.test(label);

function refuseNear(named, labels) {
  for (const start of NAMES.beginnings) {
    const columns = [...named.keys()].filter((n) => n.toLowerCase().startsWith(start));
    const members = columns.map((name) => name.slice(start.length));
    const lacking = labels.filter((label) => !namesOfLabels([label], members).size);
    if (columns.length < 2 || !lacking.length) continue;
    if (lacking.every(isMask))
      throw new ReadingError(
        `no column is of the label ${quoted(lacking[0])}; if it marks samples to leave out`,
        [{ ignore_index: lacking.map(Number) }]
      );
    if (lacking.length < labels.length)
      throw new ReadingError(
        `no column is of the label ${quoted(lacking[0])}: found ${fewOf(columns)}`, [], "not said"
      );
    throw new ReadingError(
      `the labels are ${fewOf(labels)}, and the columns ${fewOf(columns)} say not which is whose`, [], "not said"
    );
  }
}

// Columns by their classes if each label has one; of two labels one may do.
function familyOf(members, labels, kind) {
  if (namesOfLabels(labels, [...members.keys()]).size) return orderedColumns(members, kind);
  if (labels.length !== 2 || members.size !== 1 || kind !== "probabilities") return null;
  const [[one, column]] = members;
  const positive = labels.filter((label) => normalised(label) === normalised(one));
  if (positive.length !== 1) return null;
  return scoreColumns([column], [labels.find((label) => label !== positive[0]), positive[0]], kind);
}

// Columns in the order of their classes: of numbers by size, of names as they stand.
// As `score_columns.in_order_of_classes`.
function orderedColumns(members, kind) {
  const classes = [...members.keys()];
  if (areWhole(classes)) classes.sort((a, b) => Number(a) - Number(b));
  return scoreColumns(classes.map((c) => members.get(c)), classes, kind);
}

const isLetter = (text) => /[\p{L}\p{N}]/u.test(text);
const isDigit = (text) => /\p{Nd}/u.test(text);

// Columns by their classes, wherever in a name the label stands; see `calib_report.columns.score_columns.families`.
function families(names, labels) {
  const found = new Map();
  for (const name of names) {
    for (const [start, end] of endsAround(name, labels)) {
      const family = new Map(labels.map((label) => [label, `${start}${label}${end}`]));
      if ([...family.values()].every((member) => names.includes(member)))
        found.set(`${start}\0${end}`, [start, end, family]);
    }
  }
  for (const [start, end, family] of found.values()) {
    for (const name of names) {
      const inner = name.slice(start.length, name.length - end.length);
      const whole = name === `${start}${inner}${end}` && (start || end) && inner;
      if (whole && ![...family.values()].includes(name) && !NAMES.statistics.includes(inner.toLowerCase()))
        family.set(inner, name);
    }
  }
  return [...found.values()].map(([, , family]) => family);
}

function endsAround(name, labels) {
  const found = [];
  const [label] = labels;
  for (let at = name.indexOf(label); at >= 0; at = name.indexOf(label, at + Math.max(label.length, 1))) {
    const [start, end] = [name.slice(0, at), name.slice(at + label.length)];
    const [before, after] = [start.slice(-1), end.slice(0, 1)];
    const glued = isLetter(before) || isLetter(after);
    const digits = isDigit(before) || isDigit(after);
    if (!glued || (isDigit(label) && isWholeText(label) && !digits)) found.push([start, end]);
  }
  return found;
}

function scoresOfOption(named, labels, options) {
  const name = options.scores;
  if (named.has(name)) return scoreColumns([name], null, kindOf(name));
  if (name.includes(",")) {
    const columns = name.split(",").map((part) => part.trim());
    columns.forEach((column) => columnCalled(named, column, "scores"));
    return columnsWithClasses(columns, labels, options.classes);
  }
  const columns = [...named.keys()].filter((n) => n.startsWith(name));
  if (columns.length < 2)
    throw new ReadingError(`--scores: there is no ${quoted(name)}, found ${fewOf([...named.keys()])}`);
  return columnsThatBeginAlike(columns, name, labels, options.classes);
}

function columnsThatBeginAlike(columns, start, labels, classes) {
  const members = new Map(columns.map((column) => [column.slice(start.length), column]));
  if (classes !== null && classes.every((c) => members.has(c)))
    return scoreColumns(classes.map((c) => members.get(c)), classes, kindOf(columns[0]));
  if (namesOfLabels(labels, [...members.keys()]).size) return orderedColumns(members, kindOf(`${start}x`));
  const scores = columnsWithClasses(columns, labels, classes);
  return scores.classes === columns ? scoreColumns(columns, [...members.keys()], scores.kind) : scores;
}

// Columns in the order in which they were named, with the classes that names bear.
function columnsWithClasses(columns, labels, classes) {
  const kinds = new Set(columns.map(kindOf));
  const kind = kinds.size === 1 ? [...kinds][0] : null;
  if (classes !== null && classes.length === columns.length) {
    const ending = (c) => columns.filter((n) => normalised(n).endsWith(normalised(c)));
    const own = new Map(classes.flatMap((c) => ending(c).map((n) => [c, n])));
    if (own.size === classes.length && new Set(own.values()).size === own.size)
      return scoreColumns(classes.map((c) => own.get(c)), classes, kind);
    return scoreColumns(columns, classes, kind);
  }
  for (const family of labels.length ? families(columns, labels) : []) {
    if (family.size !== columns.length) continue;
    const byColumn = new Map([...family].map(([label, name]) => [name, label]));
    return scoreColumns(columns, columns.map((name) => byColumn.get(name)), kind);
  }
  const bare = namesOfLabels(labels, columns);
  if (!bare.size && labels.length && areWhole(labels)) refuseOtherNumber(columns, labels);
  return scoreColumns(columns, columns.length > 1 ? columns : null, kind);
}

function refuseOtherNumber(columns, labels) {
  const codes = labels.map(Number).sort((a, b) => a - b);
  const numbers = trailingNumbers(columns);
  const inRow = numbers.every((number, k) => number === numbers[0] + k);
  if (numbers.length && !inRow && codes.join() !== [...numbers].sort((a, b) => a - b).join()) {
    throw new ReadingError(
      `columns are numbered ${fewOf(numbers)}, and labels are ${fewOf(codes)}: which is whose is said by ` +
      "--classes A,B,C, in the order of the columns"
    );
  }
  const last = codes[codes.length - 1];
  const count = codes.length ? classesCounted(codes) : 0;
  if (columns.length > 2 && count < columns.length) {
    throw new ReadingError(
      `${columns.length} columns of scores, and labels from ${codes[0]} to ${last}: --scores with ${count} of ` +
      "them; or, where classes do not occur, name all in the order of the columns: --classes A,B,C"
    );
  }
}

// How many classes labels count: from 0, or from the least of them up to 1.
// As `labels.n_classes_counted`.
function classesCounted(codes) {
  const least = Math.min(...codes);
  return Math.max(...codes) - (least <= 1 ? least : 0) + 1;
}

function trailingNumbers(columns) {
  const matches = columns.map((column) => column.match(/(\d{1,18})$/));
  return matches.every(Boolean) ? matches.map((match) => Number(match[1])) : [];
}

// What `--scores` should be to name columns: how they begin, if that is shorter.
// As `roles.scores_option`.
function typedScores({ columns, classes }, named) {
  const whole = columns.join(",");
  if ((columns.length <= 8 && whole.length <= 200) || classes === null) return whole;
  const start = columns[0].slice(0, columns[0].length - classes[0].length);
  const begins = [...named.keys()].filter((name) => name.startsWith(start));
  return start && begins.length === columns.length && columns.every((column) => begins.includes(column))
    ? start
    : whole;
}
