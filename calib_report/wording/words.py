"""The report in a sentence, right in every case."""

# Mirrored by the answer desk, book/assets/desk/words.js: change both.

from calib.constants import SMALLEST_PROBABILITY
from calib_report.deciding.decision import Decision, Lack, row_of_map
from calib_report.measuring.estimates import is_beyond_chance
from calib_report.measuring.event import event_of_classes, excess_of_event
from calib_report.schema import Basis, Difference, Number
from calib_report.texts import TEXTS, capitalised
from calib_report.wording.rendering import decimals, hundredths, percent, written_ends

SENTENCE: dict[str, str] = TEXTS["sentence"]
NOUNS: dict[str, str] = TEXTS["nouns"]
COMPARISON: dict[str, str] = TEXTS["comparison"]  # of two models


def decision_in_words(report: Basis, decision: Decision) -> str:
    """Return the one line that decides: what to do, and what the model says beside what is so."""
    fact = _reason(report, decision)
    words = {
        "fact": fact,
        "fact_first": capitalised(fact),
        "looks_wrong": report["looks_wrong"],
        "unseen": percent(decision.unseen),
    }
    if decision.lack is not None:
        words["cannot_tell"] = cannot_tell(report, decision.lack)
    if decision.is_for_a_map:
        words["instruction"] = capitalised(instruction(report))
    text: str = TEXTS["decision"][decision.conclusion]
    return text.format(**words)


def cannot_tell(report: Basis, lack: Lack) -> str:
    """Say that samples cannot tell, what they show already, and how many would tell."""
    noun = "clusters" if report["clusters"] else NOUNS[report["task"]]
    words = {"n": f"{lack.n:,}", "noun": noun, "needed": f"{lack.needed:,}"}
    if lack.side is not None:
        words |= _excess_shown(report, lack.side)
    text: str = TEXTS["decision"][lack.why]
    return text.format(**words)


def _excess_shown(report: Basis, side: str) -> dict[str, str]:
    """Say to which side a model is off, and by how much."""
    sides: dict[str, str] = TEXTS["side"]
    size = _without_sign(report["excess"])
    return {
        "side": sides[f"{side}_labels" if report["task"] == "labels" else side],
        "by": f"{hundredths(size['low'])} to {percent(size['high'], unit='points')}",
    }


def _reason(report: Basis, decision: Decision) -> str:
    """Say what a decision rests on; of an event what its answers say, where a map is for them."""
    if _is_unjudged(report) or not decision.is_of_answers:
        return averages_in_words(report)
    stated, observed = _shares_of_answers(report)
    words = {"stated": stated, "observed": observed, "event": averages_in_words(report)}
    text: str = TEXTS["fact"]["answers"]
    return text.format(**words)


def _is_unjudged(report: Basis) -> bool:
    """Tell whether nothing is judged of a file: it looks wrong, or holds too little."""
    return bool(report["looks_wrong"] or report["lack_of_samples"])


def averages_in_words(report: Basis) -> str:
    """Say what is said on average, beside how often that is so."""
    texts: dict[str, str] = TEXTS["fact"]
    event = event_of_classes(report)
    if event is None:
        stated, observed = _shares_of_answers(report)
        return texts[report["task"]].format(stated=stated, observed=observed)
    before = event["before"]
    stated, observed = shares(before["mean probability"], before["frequency"])
    name = repr(event["name"])
    return texts["event"].format(stated=stated, observed=observed, name=name)


def _shares_of_answers(report: Basis) -> tuple[str, str]:
    """Return the confidence in answers, and how many are right."""
    return shares({"value": report["mean_confidence"]}, {"value": report["hit_rate"]})


def shares(first: Number, second: Number) -> tuple[str, str]:
    """Write two shares with the digits that tell them apart, and from 0 and 100 % if they are."""
    pair = (first["value"], second["value"])
    digits = _telling_digits(*pair)
    while digits < 5 and any(_looks_certain(share, digits) for share in pair):
        digits += 1
    return percent(pair[0], digits), percent(pair[1], digits)


def _telling_digits(first: float, second: float) -> int:
    """Return the digits of per cent that tell two shares apart."""
    distance = abs(first - second)
    if distance < 0.002:
        return 2
    return 1 if distance < 0.02 or min(first, second) < 0.0995 else 0


def _looks_certain(share: float, digits: int) -> bool:
    """Tell whether a share that is not 0 or 1 would be written so."""
    return share not in (0, 1) and round(100 * share, digits) in (0, 100)


def sentence(report: Basis, decision: Decision) -> str:
    """Return what the decision rests on."""
    if decision.conclusion == "suspect":
        return SENTENCE["suspect"].format(fact=averages_in_words(report))
    if report["lack_of_samples"] is not None:
        excess, ends = _share_and_ends(report["excess"])
        reason = capitalised(report["recommended"]["reason"])
        return SENTENCE["lack_of_samples"].format(
            excess=excess, ends=ends, reason=reason
        )
    clauses = [
        _event_excess_in_words(report, decision),
        _error_in_words(report, decision),
        *_clauses_of_map(report, decision),
    ]
    return " ".join(filter(None, clauses))


def _clauses_of_map(report: Basis, decision: Decision) -> list[str]:
    """Say what the recommended map gains and costs; without one, that none helps an error."""
    if not decision.is_for_a_map:
        return [] if decision.chance_explains_all else [SENTENCE["no_map"]]
    gain = _gain_in_words(report, decision)
    return (
        [gain, _lost_accuracy_in_words(report)] if decision.costs_accuracy else [gain]
    )


def _event_excess_in_words(report: Basis, decision: Decision) -> str:
    """Say by how much an event is said to be too probable, where that is beyond chance."""
    event = event_of_classes(report)
    if event is None:
        return ""
    of_answers = ""
    # else the decision has said it
    if not decision.is_of_answers:
        stated, observed = _shares_of_answers(report)
        of_answers = SENTENCE["answers"].format(stated=stated, observed=observed)
    if not decision.is_event_off:
        return of_answers
    excess = excess_of_event(report)
    side = "too_probable" if excess["value"] > 0 else "too_improbable"
    size, ends = _share_and_ends(_without_sign(excess), unit="points")
    words = {"name": repr(event["name"]), "by": f"{size}{ends}", "answers": of_answers}
    return SENTENCE[side].format(**words).rstrip()


def _without_sign(number: Number) -> Number:
    """Return a number of either sign without it, its ends in order."""
    low, high = sorted((abs(number["low"]), abs(number["high"])))
    return {"value": abs(number["value"]), "low": low, "high": high}


def _error_in_words(report: Basis, decision: Decision) -> str:
    """Say how large the calibration error is, beside that of a calibrated model."""
    error = report["before"]["ECE"]
    words = {"chance": percent(error["chance"]), "of_answers": ""}
    # of an event the error is another number than that of its answers
    if event_of_classes(report):
        words["of_answers"] = SENTENCE["of_its_answers"]
    if decision.chance_explains_error:
        words["error"], words["unseen"] = (
            percent(error["value"]),
            percent(error["high"]),
        )
        words["most"] = percent(error["chance_high"])
        return SENTENCE["by_chance"].format(**words)
    words["error"], words["ends"] = _share_and_ends(error)
    return SENTENCE["beyond_chance"].format(**words)


def _gain_in_words(report: Basis, decision: Decision) -> str:
    """Say what a map does to the error and to the loss, on held-out samples."""
    after, change = report["after"]["ECE"], row_of_map(report)["nll_change"]
    gain = SENTENCE["gain"].format(gain=f"{-change['difference']:.2g}")
    ends = {"after": percent(after["value"]), "chance": percent(after["chance"])}
    error = SENTENCE["error_after"].format(**ends)
    is_confirmed = decision.conclusion == "confirmed"
    # an error that chance explains is not said to be repaired
    key = "single" if decision.chance_explains_all and is_confirmed else "after"
    text = SENTENCE[key].format(gain=gain, error=error)
    return text if is_confirmed else f"{text} {SENTENCE['not_confirmed']}"


def _lost_accuracy_in_words(report: Basis) -> str:
    """Say what accuracy a map costs."""
    change = row_of_map(report)["accuracy_change"]
    loss: Number = {
        "value": -change["difference"],
        "low": -change["high"],
        "high": -change["low"],
    }
    size, ends = _share_and_ends(loss, unit="points")
    return SENTENCE["lost_accuracy"].format(loss=f"{size}{ends}")


def comparison_in_words(rows: dict[str, Difference]) -> str:
    """Say which of two models is better, by the loss and by the accuracy."""
    loss = _clause_of_difference("NLL", rows["NLL"], more_is_better=False)
    accuracy = _clause_of_difference("accuracy", rows["accuracy"], more_is_better=True)
    return COMPARISON["sentence"].format(loss=loss, accuracy=accuracy)


def _clause_of_difference(name: str, row: Difference, more_is_better: bool) -> str:
    if not is_beyond_chance(row):
        return COMPARISON["alike"].format(name=name)
    difference = row["difference"]
    key = "better" if (difference > 0) == more_is_better else "worse"
    ends = written_ends(row, like=difference)
    size = decimals(abs(difference))
    return COMPARISON[key].format(name=name, size=size, ends=ends)


def _share_and_ends(number: Number, unit: str = "%") -> tuple[str, str]:
    """Return a share in percent, and its ends with the digits that tell all three apart."""
    if "low" not in number:
        return percent(number["value"], unit=unit), ""
    for digits in (None, 1, 2):
        value, low, high = (
            percent(number[name], digits, unit) for name in ("value", "low", "high")
        )
        if len({value, low, high}) == 3:
            break
    return value, SENTENCE["between"].format(low=low, high=high)


def instruction(report: Basis) -> str:
    """Return what to do with the scores, by hand where one number does it."""
    name, temperature = report["recommended"]["name"], report.get("temperature")
    texts: dict[str, str] = TEXTS["instruction"]
    if temperature is None:
        return texts["map"].format(name=name)
    verb = "divide" if temperature >= 1 else "multiply"
    factor = temperature if temperature >= 1 else 1 / temperature
    words = {
        "scores": _scores_in_words(report),
        "factor": f"{factor:.3g}",
        "ends": _ends_in_words(report),
    }
    return texts[verb].format(**words)


def _scores_in_words(report: Basis) -> str:
    """Return what is divided by a temperature."""
    what = report["kind"] if report["task"] == "classes" else report["task"]
    return str(TEXTS["scores"][what])


def _ends_in_words(report: Basis) -> str:
    """Say what 0, and 1, count as, whose logarithm or odds are infinite."""
    floor = report["floor"]
    if floor is None or floor <= SMALLEST_PROBABILITY:
        return ""
    text: str = TEXTS["ends"]["classes" if report["task"] == "classes" else "one"]
    return text.format(floor=f"{floor:.2g}", top=f"{1 - floor:.4g}")
