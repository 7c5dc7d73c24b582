// From a table to an answer, in the worker or, where a page from a folder may have none, in the page.

const { FIRST_SCORES, DIGITS_OF_PROBABILITY, DIGITS_OF_LOGIT, WRITTEN, ROWS_A_COPY, FEWEST_DIFFERENT } = TEXTS.limits;
const [MOST_ROWS, MOST_NUMBERS] = [100_000, 5_000_000];
let proposals = []; // of the last table

// The answer to a table, or to the choice of one of the readings that were proposed for it.
function answerTo({ bytes, text, isPasted, choice }) {
  try {
    if (choice !== undefined) return answered(proposals[choice]);
    const table = tableOf(text ?? decodedBytes(bytes), isPasted);
    const count = [...table.named.values()][0].length;
    const isLarge = count > MOST_ROWS || count * table.named.size > MOST_NUMBERS;
    if (isLarge)
      return { beyond: filled(TEXTS.beyond.large, { most: grouped(MOST_ROWS), numbers: grouped(MOST_NUMBERS) }) };
    const { isRead, readings } = propose(table);
    proposals = readings;
    const shown = readings.map((reading) => inWords(reading));
    return isRead ? { readings: shown, ...answered(readings[0]) } : { readings: shown };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return error.kind === "beyond"
      ? { beyond: TEXTS.beyond[error.problem] }
      : { refused: error.problem, isJudged: error.kind !== "not judged" };
  }
}

const inWords = (reading) => ({
  typed: asTyped(changedOptions(reading.options)),
  options: changedOptions(reading.options),
  way: reading.way,
  readAs: reading.readAs,
  rows: reading.rows(),
  leftOut: reading.leftOut,
  accuracy: meanOf(reading.outputs.hit),
  confidence: meanOf(reading.outputs.score),
  n: reading.outputs.n,
  task: reading.outputs.task,
});

// The numbers of a reading, and what they come to.
function answered(reading) {
  if (reading.isClustered || hasCopies(reading.outputs)) return { beyond: TEXTS.beyond.clusters };
  const report = measure(reading.outputs);
  return {
    report,
    decision: decisionOf(report),
    sentence: sentenceOf(report),
    formula: report.temperature ? formulaOf(report) : null,
    platt: report.platt ? plattInWords(report.platt, report.event.name) : null,
    reading: inWords(reading),
    rows: numberRows(report),
    more: moreSamples(report),
  };
}

// What is shown of each number: its name, value, interval, what chance shows, and the page that explains it.
function numberRows(report) {
  const { before, event, mean_confidence, task } = report;
  const shares = event && task === "classes"
    ? { mean_probability: event.before["mean probability"], frequency: event.before.frequency }
    : {};
  const rows =
    Object.entries({ ...shares, confidence: { value: mean_confidence }, accuracy: before.accuracy, ece: before.ECE });
  const shareRows = rows.map(([key, number]) => {
    const ends = number.low === undefined ? "" : betweenOf(number)[1].replace(/^, /, "");
    const chance = number.chance === undefined
      ? ""
      : filled(TEXTS.page.on_average, { chance: percentOf(number.chance), most: percentOf(number.chance_high) });
    return {
      key,
      name: filled(TEXTS.number[key], { name: quoted(event?.name ?? "") }),
      value: percentOf(number.value),
      ends,
      chance,
    };
  });
  const others = { nll: decimalsOf(before.NLL), temperature: [temperatureOrWhyNot(report), ""] };
  if (event && task === "classes") others.auroc = decimalsOf(event.before.AUROC);
  const otherRows = Object.entries(others).map(([key, [value, ends]]) => {
    return { key, name: TEXTS.number[key], value, ends, chance: "" };
  });
  return [...shareRows, ...otherRows];
}

function temperatureOrWhyNot({ lack_of_samples, looks_wrong, best }) {
  if (looks_wrong) return TEXTS.no_temperature.suspect;
  return lack_of_samples ? TEXTS.no_temperature.few : temperatureInWords(best);
}

// The best temperature, and below 1 what one multiplies by, as the decision says it.
function temperatureInWords({ temperature, reason }) {
  if (!temperature) return TEXTS.no_temperature[reason];
  const text = general(temperature, 3);
  if (temperature >= 1) return text;
  return filled(TEXTS.page.multiply, { temperature: text, factor: general(1 / temperature, 3) });
}

// What one computes by hand to do as the decision says.
function formulaOf({ kind, task, event, temperature, floor }) {
  const { formula } = TEXTS;
  const name = quoted(event?.name ?? "");
  const isOfEvent = event && task === "classes";
  const what = filled(isOfEvent ? formula.of_event : formula.of_answer, { name });
  const ofTwo = isOfEvent && kind === "logits" ? formula.of_two_logits : formula.one_score;
  const text = isOfEvent || task !== "classes" ? ofTwo : formula[kind];
  const ends = endsOf(task, floor).replace(/^ \((.*)\)$/, " $1.");
  return filled(text, { temperature: general(temperature, 3), what, name }) +
    ends.replace(/^ ./, (start) => start.toUpperCase());
}

// Whether two numbers are worth more than one, by the rule of the report: the smaller map stays unless it clearly
// loses.
function plattInWords({ slope, intercept, change }, name) {
  const signed = (value) => `${value < 0 ? "\u2212" : ""}${Math.abs(value).toFixed(4)}`;
  const words = {
    name: quoted(name),
    slope: general(slope, 3),
    intercept: signed(intercept),
    change: signed(change.value),
    low: signed(change.low),
    high: signed(change.high),
  };
  return filled(`${TEXTS.platt.tried} ${TEXTS.platt[plattCase(change)]}`, words);
}

function plattCase({ value, low, high }) {
  if (low === undefined || (low <= 0 && 0 <= high)) return "alike";
  return value < 0 ? "gains" : "loses";
}

function decimalsOf({ value, low, high }) {
  const text = (number) => (Number.isFinite(number) ? number.toFixed(4) : TEXTS.page.infinite);
  return [text(value), low === undefined ? "" : `between ${text(Math.max(low, 0))} and ${text(high)}`];
}

// What more samples would change.
function moreSamples(report) {
  const { byChance, unseen } = caseOf(report);
  const words = {
    n: grouped(report.n),
    noun: TEXTS.nouns[report.task],
    unseen: percentOf(unseen),
    needed: grouped(neededFor(report.n, unseen)),
    times: grouped(twoDigits(4 * report.n)),
  };
  if (byChance) return filled(unseen > TELLING ? TEXTS.page.unseen : TEXTS.page.enough, words);
  const { low, high } = report.before.ECE;
  const width = 100 * (high - low);
  // its ends are shown with two digits, so a wide one has no tenths
  return filled(TEXTS.page.seen, { ...words, width: width.toFixed(width < 2 ? 1 : 0) });
}

// Whether rows are copies of one sample, label included, as `calib_report.doubting.copies.copies` finds them.
function hasCopies({ scores, y, n, score, names }) {
  const columns = scores.slice(0, FIRST_SCORES);
  const hasMore = (v, digits) => Math.abs(Math.round(v * 10 ** digits) / 10 ** digits - v) > WRITTEN;
  const isFine = (row) => row.some((v) => hasMore(v, DIGITS_OF_PROBABILITY)) ||
    (Math.min(...row) < 0 && row.filter((v) => hasMore(v, DIGITS_OF_LOGIT)).length > 1);
  const [seen, twice] = [new Set(), new Set()];
  for (const v of columns[0]) (seen.has(v) ? twice : seen).add(v);
  const keys = new Map();
  for (let i = 0; twice.size && i < n; i++) {
    if (!twice.has(columns[0][i])) continue;
    const row = columns.map((column) => (Number.isFinite(column[i]) ? column[i] : 0));
    if (!isFine(row)) continue;
    const key = columns.map((column) => column[i]).join();
    if (!keys.has(key)) keys.set(key, []);
    keys.get(key).push(i);
  }
  const several = [...keys.values()].filter((rows) => rows.length > 1);
  const again = several.flat();
  const labelled = new Set(several.flatMap((rows, s) => rows.map((i) => s * names.length + y[i]))).size;
  const expected = again.reduce((all, i) => all + 1 - score[i], 0);
  return again.length >= n / ROWS_A_COPY && labelled <= several.length && expected >= FEWEST_DIFFERENT;
}
