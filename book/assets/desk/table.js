// A text of cells as columns of numbers or words, as `calib_report.files.formats` reads it. A function has the name
// of the one in Python that it mirrors, doubtRepeatedIds that of doubt_repeated_ids, or names it.

// Of all scripts of the desk, which share one scope, that of their worker:
const {
  basicInterval, ece, equalWidth, equalWidthBin, generator, mean, meanInterval, poissonBinomial, quantile, rangeOf,
  splitScores, sum, wilson,
} = book.definitions;

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const WHOLE = /^[-+]?\d+$/;
const TRUTH = { true: 1, True: 1, TRUE: 1, false: 0, False: 0, FALSE: 0 };
const MISSING = new Set(["", "nan", "NaN"]);
const { SEPARATORS, LINES_OF_HEAD } = TEXTS.limits;

// What stops a reading: `problem` in words, and `suggestions`, options of which each would say what the file does not.
class ReadingError extends Error {
  constructor(problem, suggestions = [], kind = "reading") {
    super(problem);
    Object.assign(this, { problem, suggestions, kind });
  }
}

// What the command reads, and this page does not.
class BeyondError extends ReadingError {
  constructor(what) {
    super(what, [], "beyond");
  }
}

// One column: `kind` is b, i, f or U, as numpy calls truth values, whole numbers, numbers and text.
class Column {
  constructor(kind, values) {
    Object.assign(this, { kind, values });
  }
  get length() {
    return this.values.length;
  }
  get isNumeric() {
    return this.kind !== "U";
  }
  // Entries as text, whole numbers without a point.
  get texts() {
    return (this.asText ??= Array.from(this.values, this.textOf));
  }
  get textOf() {
    if (this.kind === "U") return (text) => text.trim();
    return this.kind === "b" ? (isTrue) => (isTrue ? "True" : "False") : asText;
  }
  // Its different texts, sorted, and where each first stands.
  get different() {
    if (this.known) return this.known;
    const first = new Map();
    this.texts.forEach((text, row) => first.has(text) || first.set(text, row));
    return (this.known = new Map([...first].sort(([a], [b]) => (a < b ? -1 : 1))));
  }
  rows(chosen) {
    return new Column(
      this.kind,
      this.kind === "U"
        ? chosen.map((row) => this.values[row])
        : Float64Array.from(chosen, (row) => this.values[row])
    );
  }
}

const asText = (value) => (Number.isNaN(value) ? "nan" : String(value));

// Bytes as text: UTF-16 where they say so, Windows-1252 if they are not UTF-8.
// As `formats.text`.
function decodedBytes(bytes) {
  bytes = new Uint8Array(bytes);
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return new TextDecoder(a === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const isComment = (line) => !line.trim() || line[0] === "#" || line.toLowerCase().startsWith("sep=");

// What stands between cells: as a line `sep=;` says, or what the heading holds most.
// As `text_tables.separator`.
function separatorOf(lines, before) {
  const declaration = lines.slice(0, before).find((line) => line.toLowerCase().startsWith("sep="));
  if (declaration) return declaration["sep=".length];
  const count = (sign) => (lines[before] ?? "").split(sign).length - 1;
  const best = SEPARATORS.reduce((most, sign) => (count(sign) > count(most) ? sign : most));
  if (count(best)) return best;
  const words = (line) => line.trim().split(/\s+/).length;
  const rows = lines.slice(before).filter((line) => line.trim());
  const columns = words(rows[0] ?? "");
  return columns > 1 && rows.every((line) => words(line) === columns) ? " " : best;
}

// As `text_tables.cells`.
function cellsOf(text, separator) {
  if (separator === " ")
    return text.split(/\r?\n/).filter((line) => line.trim()).map((line) => line.trim().split(/\s+/));
  const { data, errors } = Papa.parse(text, { delimiter: separator, skipEmptyLines: "greedy" });
  if (errors.some(({ code }) => code === "MissingQuotes")) throw new ReadingError(TEXTS.desk.quote);
  return data;
}

const areNumbers = (cells) => cells.every((cell) => NUMBER.test(cell));

// The columns of a text, by name; one that is pasted may lack its heading.
// As `text_tables.frame_of_text`.
function tableOf(text, isPasted = false) {
  const head = text.slice(0, 1e6).split(/\r?\n/, LINES_OF_HEAD);
  const before = Math.max(head.findIndex((line) => !isComment(line)), 0);
  const separator = separatorOf(head, before);
  let rest = text;
  for (let i = 0; i < before; i++) rest = rest.slice(rest.indexOf("\n") + 1);
  const rows = cellsOf(rest, separator);
  if (before && rows.length && areNumbers(rows[0]) && rows[0].length > 1) {
    const heading = cellsOf(head[before - 1].replace(/^[# ]+/, ""), separator)[0] ?? []; // numpy's is a comment
    if (heading.length === rows[0].length && !areNumbers(heading)) rows.unshift(heading);
  }
  const last = rows.length ? rows[0].findLastIndex((name) => name.trim()) : -1;
  let names = (rows[0] ?? []).slice(0, last + 1).map((name) => name.trim());
  if (!names.length) throw new ReadingError(TEXTS.desk.empty);
  const isHeadless = areNumbers(names) && names.join() !== names.map((_, k) => k).join();
  if (isHeadless && !isPasted)
    throw new ReadingError(TEXTS.desk.headless.replace("{numbers}", names.slice(0, 3).join(", ")));
  if (isHeadless) names = names.map((_, k) => `column ${k + 1}`);
  else rows.shift();
  const twice = names.find((name, k) => names.indexOf(name) !== k);
  if (twice !== undefined) throw new ReadingError(TEXTS.desk.twice.replace("{name}", quoted(twice)));
  if (!rows.length) throw new ReadingError(TEXTS.desk.empty);
  const far = rows.findIndex((row) => row.length > names.length && row.slice(names.length).some((cell) => cell.trim()));
  if (far >= 0) throw new ReadingError(TEXTS.desk.ragged.replace("{row}", far));
  const comma = separator !== "," &&
    rows.slice(
          0, LINES_OF_HEAD
    ).some((row) => row.some((cell) => /^-?\d+,\d+(e[-+]?\d+)?( ?%)?$/.test(cell.trim())));
  const named = new Map(names.map((name, k) => [name, columnOf(rows.map((row) => row[k] ?? ""), comma)]));
  if ([
        ...named.values(),
      ].some((column) => column.kind === "U" && column.values.every((cell) => /^\[.*\]$/.test(cell))))
    throw new BeyondError("vectors");
  return { named, isHeadless };
}

// As `formats.as_written`.
function columnOf(cells, comma) {
  if (comma)
    cells = cells.map((cell) => (/^[-+]?\d+,\d+(e[-+]?\d+)?$/i.test(cell.trim()) ? cell.replace(",", ".") : cell));
  const values = new Float64Array(cells.length).fill(NaN);
  let [areNumeric, areWholes, isCode, missing] = [true, true, false, 0];
  for (let row = 0; row < cells.length && areNumeric; row++) {
    const isPlain = NUMBER.test(cells[row]);
    const cell = isPlain ? cells[row] : cells[row].trim();
    if (isPlain || NUMBER.test(cell)) {
      values[row] = Number(cell);
      areWholes &&= WHOLE.test(cell);
      isCode ||= areWholes && /^[-+]?0\d/.test(cell);
    } else if (MISSING.has(cell)) missing += 1;
    else if (INFINITE.test(cell)) [values[row], areWholes] = [cell[0] === "-" ? -Infinity : Infinity, false];
    else areNumeric = false;
  }
  const isFull = missing === 0;
  if (areNumeric && !(areWholes && isCode && missing < cells.length))
    return new Column(areWholes && isFull ? "i" : "f", values);
  cells = cells.map((cell) => cell.trimStart());
  if (!areNumeric && cells.every((cell) => Object.hasOwn(TRUTH, cell)))
    return new Column("b", Float64Array.from(cells, (cell) => TRUTH[cell]));
  return new Column("U", cells.map((cell) => (MISSING.has(cell.trim()) ? "" : cell)));
}

const INFINITE = /^([-+]?)inf(inity)?$/i;

// A text as Python shows it in quotes.
// Here alone: `repr` of Python.
function quoted(text) {
  const sign = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = String(text).replace(/\\/g, "\\\\");
  return sign + (sign === "'" ? inner.replace(/'/g, "\\'") : inner) + sign;
}

const fewOf = (names, most = 8) => [...names].slice(0, most).map((name) => quoted(String(name))).join(", ") +
    (names.length > most ? ", …" : "") ||
  "nothing";

// A number with so many digits that count, as Python's format "g".
// Here alone: the format "g" of Python.
function general(value, digits) {
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power < -4 || power >= digits)
    return `${mantissa.replace(/\.?0+$/, "")}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const shown = value.toFixed(Math.max(digits - 1 - power, 0));
  return shown.includes(".") ? shown.replace(/\.?0+$/, "") : shown;
}
