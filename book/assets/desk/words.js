// The report in a sentence, as `calib_report.deciding.decision` decides it and `calib_report.wording.words` writes it,
// with the same texts. A function has the name of the one in Python that it mirrors, doubtRepeatedIds that of
// doubt_repeated_ids, or names it.

const { SMALL_ERROR, BEARABLE, TELLING } = TEXTS.limits;

// As `rendering.percent`.
function percentOf(value, digits) {
  if (!Number.isFinite(value)) return value > 0 ? "infinite" : "unknown";
  return `${(100 * value).toFixed(digits ?? digitsOf(Math.abs(100 * value)))} %`;
}

// As many digits as show two that count, of a size in per cent.
// As `rendering.percent`.
function digitsOf(size) {
  if (size >= 9.95 || size === 0) return 0;
  return size >= 0.995 ? 1 : 2;
}

// Two shares with the digits that tell them apart, and from 0 and 100 % if they are.
// As `words.shares`.
function sharesOf(first, second) {
  let digits = digitsApart(Math.abs(first - second), Math.min(first, second));
  const looksCertain = (share) =>
    share !== 0 && share !== 1 && [0, 100].includes(Number((100 * share).toFixed(digits)));
  while (digits < 5 && (looksCertain(first) || looksCertain(second))) digits += 1;
  return [percentOf(first, digits), percentOf(second, digits)];
}

// As `words.shares`.
function digitsApart(distance, smaller) {
  if (distance < 0.002) return 2;
  return distance < 0.02 || smaller < 0.0995 ? 1 : 0;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

// What a report comes to: the file first, too little, as it is, with care, or a map.
// As `decision.decide`.
function caseOf(report) {
  const error = report.before.ECE;
  let [byChance, unseen] = [error.p_value > SIGNIFICANCE_LEVEL, error.high];
  if (report.event && report.task === "classes") {
    const excess = report.event.before["mean probability less frequency"];
    byChance = byChance && (excess.low ?? -1) <= 0 && 0 <= (excess.high ?? 1);
    unseen = Math.max(unseen, Math.abs(excess.low ?? 0), Math.abs(excess.high ?? 0));
  }
  return { byChance, unseen, changed: report.recommended.name !== "none" };
}

// The one line that decides.
// As `words.decision_in_words`.
function decisionOf(report) {
  const { byChance, unseen, changed } = caseOf(report);
  const fact = reasonOf(report, byChance, changed);
  const words = {
    fact,
    fact_first: capital(fact),
    looks_wrong: report.looks_wrong,
    cannot_tell: capital(cannotTell(report, unseen)),
    unseen: percentOf(unseen),
    instruction: changed ? capital(instructionOf(report)) : "",
  };
  return filled(TEXTS.decision[decisionCase(report, byChance, unseen, changed)], words);
}

// As `decision.conclusion`.
function decisionCase(report, byChance, unseen, changed) {
  if (report.looks_wrong) return "suspect";
  if (report.lack_of_samples) return "cannot_tell";
  if (changed) return report.recommended.confirmed ? "confirmed" : "unconfirmed";
  if (!byChance) return "care";
  if (unseen <= SMALL_ERROR) return "as_it_is";
  return unseen <= BEARABLE ? "bearable" : "cannot_tell";
}

function cannotTell(report, unseen) {
  const words = { n: grouped(report.n), noun: TEXTS.nouns[report.task] };
  if (report.lack_of_samples === "one_class") return filled(TEXTS.decision.alike, words);
  const side = report.lack_of_samples && report.n >= FEWEST_TO_TELL ? shownExcess(report) : null;
  const needed = grouped(neededFor(report.n, unseen));
  return filled(TEXTS.decision[side ? "shown" : "more_needed"], { ...words, ...side, needed });
}

// To which side a model is off, and by how much, where few samples show it: by the mean's interval and by Wilson's.
// As `decision.side_shown`.
function shownExcess({ before, excess, mean_confidence }) {
  const share = before.accuracy;
  const isAlike = share.value === 0 || share.value === 1 || excess.low === undefined;
  if (isAlike || (share.low <= mean_confidence && mean_confidence <= share.high)) return null;
  if (excess.low <= 0 && 0 <= excess.high) return null;
  const [low, high] =
    [excess.low, excess.high].map(Math.abs).sort((a, b) => a - b).map((end) => percentOf(end).replace(/ %$/, ""));
  const side = excess.value > 0 ? "over" : "under";
  return { side: TEXTS.side[side], by: `${low} to ${high} points` };
}

// How many samples would show an error of five points, with two digits.
// As `decision.samples_needed`.
function neededFor(n, unseen) {
  const needed = Math.max(n * (Math.min(unseen, 1) / TELLING) ** 2, 1.1 * n, FEWEST_SAMPLES);
  return twoDigits(needed);
}

// A number of samples with two digits, rounded up.
// As `decision.samples_needed`.
function twoDigits(count) {
  const digit = 10 ** Math.max(Math.trunc(Math.log10(count)) - 1, 0);
  // 1.1 * 200 is a little more than 220
  return Math.ceil(Number((count / digit).toFixed(9))) * digit;
}

// What a decision rests on; of an event what its answers say, where a map is for them.
// As `words.reason`.
function reasonOf(report, byChance, changed) {
  const isUnjudged = report.looks_wrong || report.lack_of_samples;
  if (isUnjudged || !isOfAnswers(report, byChance, changed)) return averagesInWords(report);
  const [stated, observed] = sharesOf(report.mean_confidence, report.hit_rate);
  return filled(TEXTS.fact.answers, { stated, observed, event: averagesInWords(report) });
}

// Whether the answers to an event are off, and further than its mean probability is.
function isOfAnswers({ event, task, excess }, byChance, changed) {
  if ((byChance && !changed) || !event || task !== "classes") return false;
  return Math.abs(excess.value) > Math.abs(event.before["mean probability less frequency"].value);
}

function averagesInWords(report) {
  const { task, event } = report;
  if (task === "classes" && event) {
    const [stated, observed] = sharesOf(event.before["mean probability"].value, event.before.frequency.value);
    return filled(TEXTS.fact.event, { name: quoted(event.name), stated, observed });
  }
  const [stated, observed] = sharesOf(report.mean_confidence, report.hit_rate);
  return filled(TEXTS.fact[task], { stated, observed });
}

// As `words.instruction`.
function instructionOf({ task, kind, temperature, floor }) {
  const factor = temperature >= 1 ? temperature : 1 / temperature;
  const ofClasses = kind === "logits" ? "logits" : "probabilities";
  const scores = task === "classes" ? ofClasses : task;
  return filled(
    TEXTS.instruction[temperature >= 1 ? "divide" : "multiply"],
    { scores: TEXTS.scores[scores], factor: general(factor, 3), ends: endsOf(task, floor) }
  );
}

// As `words.ends_in_words`.
function endsOf(task, floor) {
  if (floor === null || floor <= FLOOR) return "";
  return filled(
    TEXTS.ends[task === "classes" ? "classes" : "one"], { floor: general(floor, 2), top: general(1 - floor, 4) }
  );
}

// What the decision rests on.
// As `words.sentence`.
function sentenceOf(report) {
  const { byChance, changed } = caseOf(report);
  if (report.looks_wrong) return filled(TEXTS.sentence.suspect, { fact: averagesInWords(report) });
  if (report.lack_of_samples) {
    const [excess, ends] = betweenOf(report.excess);
    return filled(TEXTS.sentence.lack_of_samples, { excess, ends, reason: capital(report.recommended.reason) });
  }
  const clauses = [eventExcessInWords(report, byChance, changed), errorOf(report)];
  if (changed) clauses.push(gainOf(report, byChance));
  else if (!byChance) clauses.push(TEXTS.sentence.no_map);
  return clauses.filter(Boolean).join(" ");
}

function eventExcessInWords(report, byChance, changed) {
  const { event } = report;
  if (!event || report.task !== "classes") return "";
  const excess = event.before["mean probability less frequency"];
  const [stated, observed] = sharesOf(report.mean_confidence, report.hit_rate);
  const answers = isOfAnswers(report, byChance, changed)
    ? ""
    : filled(TEXTS.sentence.answers, { stated, observed }); // or the decision has said it
  if (excess.low === undefined || (excess.low <= 0 && 0 <= excess.high)) return answers;
  const [low, high] = [excess.low, excess.high].map(Math.abs).sort((a, b) => a - b);
  const [size, ends] = betweenOf({ value: Math.abs(excess.value), low, high });
  const side = excess.value > 0 ? "too_probable" : "too_improbable";
  const by = `${size}${ends}`.replaceAll(" %", " points");
  return filled(TEXTS.sentence[side], { name: quoted(event.name), by, answers }).trimEnd();
}

// As `words.error_in_words`.
function errorOf(report) {
  const error = report.before.ECE;
  const of_answers = report.event && report.task === "classes" ? TEXTS.sentence.of_its_answers : "";
  if (error.p_value > SIGNIFICANCE_LEVEL) {
    return filled(TEXTS.sentence.by_chance, {
      of_answers,
      error: percentOf(error.value),
      chance: percentOf(error.chance),
      most: percentOf(error.chance_high),
      unseen: percentOf(error.high),
    });
  }
  const [value, ends] = betweenOf(error);
  return filled(TEXTS.sentence.beyond_chance, { of_answers, error: value, ends, chance: percentOf(error.chance) });
}

// As `words.gain_in_words`.
function gainOf(report, byChance) {
  const after = report.after.ECE;
  const gain = filled(TEXTS.sentence.gain, { gain: general(report.recommended.gain, 2) });
  const error = filled(TEXTS.sentence.error_after, { after: percentOf(after.value), chance: percentOf(after.chance) });
  const text = filled(TEXTS.sentence[byChance && report.recommended.confirmed ? "single" : "after"], { gain, error });
  return report.recommended.confirmed ? text : `${text} ${TEXTS.sentence.not_confirmed}`;
}

// A share in percent, and its ends with the digits that tell all three apart.
// As `words.share_and_ends`.
function betweenOf({ value, low, high }) {
  if (low === undefined) return [percentOf(value), ""];
  for (const digits of [undefined, 1, 2]) {
    const shown = [value, low, high].map((share) => percentOf(share, digits));
    if (new Set(shown).size === 3 || digits === 2)
      return [shown[0], filled(TEXTS.sentence.between, { low: shown[1], high: shown[2] })];
  }
}
