// From a table to an answer, in the worker or, where a page from a folder may have none, in the page.

const [MOST_ROWS, MOST_NUMBERS] = [100_000, 5_000_000];
let proposals = []; // of the last table
let accepted; // the reading that was measured last

// The answer to a table, or to the choice of one of the readings that were proposed for it.
function answerTo({ bytes, text, isPasted, choice }) {
  try {
    if (choice !== undefined) return answered(proposals[choice]);
    const table = tableOf(text ?? decodedBytes(bytes), isPasted);
    const count = [...table.named.values()][0].length;
    const isLarge = count > MOST_ROWS || count * table.named.size > MOST_NUMBERS;
    if (isLarge) return { beyond: filled(TEXTS.beyond.large, { most: grouped(MOST_ROWS), numbers: grouped(MOST_NUMBERS) }) };
    const { isRead, readings } = proposed(table);
    proposals = readings;
    const shown = readings.map((reading) => inWords(reading));
    return isRead ? { readings: shown, ...answered(readings[0]) } : { readings: shown };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return error.kind === "beyond" ? { beyond: TEXTS.beyond[error.problem] } : { refused: error.problem, isJudged: error.kind !== "not judged" };
  }
}

const inWords = (reading) => ({
  command: reading.command("look", "FILE"),
  options: changedOptions(reading.options),
  rule: reading.rule,
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
  accepted = reading;
  const report = measured(reading.outputs);
  return { report, decision: decisionOf(report), sentence: sentenceOf(report), fact: whatItSays(report), reading: inWords(reading), ...caseOf(report) };
}

// Whether rows are copies of one sample, label included, as `calib_report.values.copies` finds them.
function hasCopies({ known, y, n, score, names }) {
  const columns = known.slice(0, 8);
  const finest = (digits, v) => Math.abs(Number(v.toFixed(digits)) - v) > 1e-6;
  const keys = new Map();
  let again = [];
  for (let i = 0; i < n; i++) {
    const row = columns.map((column) => (Number.isFinite(column[i]) ? column[i] : 0));
    const isFine = row.some((v) => finest(4, v)) || (Math.min(...row) < 0 && row.filter((v) => finest(2, v)).length > 1);
    if (!isFine) continue;
    const key = columns.map((column) => column[i]).join();
    if (!keys.has(key)) keys.set(key, []);
    keys.get(key).push(i);
  }
  const several = [...keys.values()].filter((rows) => rows.length > 1);
  again = several.flat();
  const labelled = new Set(several.flatMap((rows, s) => rows.map((i) => s * names.length + y[i]))).size;
  const expected = again.reduce((all, i) => all + 1 - score[i], 0);
  return again.length >= n / 50 && labelled <= several.length && expected >= 3;
}
