"""The report in a sentence, right in every case."""

from dataclasses import dataclass

import numpy as np

from calib.constants import SMALLEST_PROBABILITY
from calib_report.limits import FEWEST_SAMPLES, FEWEST_TO_TELL
from calib_report.measuring.measure import CALIBRATED
from calib_report.schema import Difference, Event, Interval, Judged, MapRow, Number
from calib_report.texts import TEXTS
from calib_report.wording.rendering import decimals, hundredths, percent, written_ends

SENTENCE: dict[str, str] = TEXTS["sentence"]
SMALL_ERROR = 0.02  # calibration error that harms nobody
BEARABLE = 0.08  # one that may be left unseen, if it is said
TELLING = 0.05  # one that enough samples would show
NOUNS: dict[str, str] = TEXTS["nouns"]
COMPARISON: dict[str, str] = TEXTS["comparison"]  # of two models


@dataclass(frozen=True)
class Grounds:
    """On what it rests which sentences a report gets."""

    suspect: bool
    too_few: bool
    changed: bool
    by_chance: bool  # whether chance explains the error
    unseen: float  # the error that would not show

    @classmethod
    def of(cls, report: Judged) -> "Grounds":
        error, excess = (
            report["before"]["ECE"],
            _excess_of_event(_event_of_classes(report)),
        )
        # an event without an interval says nothing, neither for chance nor against
        may_be_zero = excess.get("low", -1) <= 0 <= excess.get("high", 1)
        return cls(
            suspect=bool(report["looks_wrong"]),
            too_few=report["too_few"],
            changed=report["recommended"]["name"] != "none",
            by_chance=error["p_value"] > CALIBRATED and may_be_zero,
            unseen=max(
                error["high"], abs(excess.get("low", 0)), abs(excess.get("high", 0))
            ),
        )


def _event_of_classes(report: Judged) -> Event | None:
    """Return the numbers of the event that two classes are about; None of other questions."""
    return report["event"] if report["task"] == "classes" else None


def _excess_of_event(event: Event | None) -> Number:
    """Return by how much an event is said to be too probable; zero where there is no event."""
    if event is None:
        return {"value": 0.0}
    return event["before"]["mean probability less frequency"]


def decision(report: Judged) -> str:
    """Return the one line that decides: what to do, and what the model says beside what is so."""
    grounds = Grounds.of(report)
    fact = _reason(report, grounds)
    words = {
        "fact": fact,
        "fact_first": _capital(fact),
        "looks_wrong": report["looks_wrong"],
        "cannot_tell": cannot_tell(report, grounds.unseen),
        "unseen": percent(grounds.unseen),
        "instruction": _capital(instruction(report)) if grounds.changed else "",
    }
    text: str = TEXTS["decision"][_outcome(report, grounds)]
    return text.format(**words)


def _outcome(report: Judged, grounds: Grounds) -> str:
    """Return which of the sentences that decide holds."""
    if grounds.suspect:
        return "suspect"
    if grounds.too_few:
        return "cannot_tell"
    if grounds.changed:
        return "confirmed" if report["recommended"]["confirmed"] else "unconfirmed"
    return _outcome_unchanged(grounds)


def _outcome_unchanged(grounds: Grounds) -> str:
    """Return what is said of a model that no map is recommended for, by its error."""
    if not grounds.by_chance:
        return "care"
    if grounds.unseen <= SMALL_ERROR:
        return "as_it_is"
    # what a few samples leave open may be more than anybody would bear
    return "bearable" if grounds.unseen <= BEARABLE else "cannot_tell"


def cannot_tell(report: Judged, unseen: float) -> str:
    """Say that there are too few samples, and how many would show an error of five points."""
    noun, n = NOUNS[report["task"]], report["n"]
    if report["clusters"]:
        noun, n = "clusters", report["clusters"]
    texts: dict[str, str] = TEXTS["decision"]
    if report["too_few"] and n >= FEWEST_SAMPLES:
        return texts["alike"].format(n=f"{n:,}", noun=noun)
    needed = max(n * (min(unseen, 1.0) / TELLING) ** 2, 1.1 * n, FEWEST_SAMPLES)
    digit = 10 ** max(int(np.log10(needed)) - 1, 0)  # two digits are enough
    needed = int(np.ceil(needed / digit) * digit)
    shown = _shown_excess(report) if report["too_few"] and n >= FEWEST_TO_TELL else {}
    text = texts["shown" if shown else "too_few"]
    return text.format(n=f"{n:,}", noun=noun, needed=f"{needed:,}", **shown)


def _shown_excess(report: Judged) -> dict[str, str]:
    """Say to which side a model is off, and by how much, where few samples show it; else nothing.

    The interval of a mean is too short where all or nearly all answers are right: the accuracy's
    own, Wilson's, has to leave out the mean confidence as well.
    """
    is_of_labels = report["task"] == "labels"
    share = report["before"]["share of yes" if is_of_labels else "accuracy"]
    excess = report["gap"]
    alike = share["value"] in (0, 1) or "low" not in excess
    if alike or share["low"] <= report["mean_confidence"] <= share["high"]:
        return {}
    if not _is_beyond_chance(excess):
        return {}
    size = _size_of(excess)
    side = "over" if excess["value"] > 0 else "under"
    sides: dict[str, str] = TEXTS["side"]
    return {
        "side": sides[f"{side}_labels" if is_of_labels else side],
        "by": f"{hundredths(size['low'])} to {percent(size['high'], unit='points')}",
    }


def _reason(report: Judged, grounds: Grounds) -> str:
    """Say what a decision rests on; of an event what its answers say, where a map is for them."""
    if grounds.suspect or grounds.too_few or not _is_of_answers(report, grounds):
        return what_it_says(report)
    stated, observed = _shares_of_answers(report)
    words = {"stated": stated, "observed": observed, "event": what_it_says(report)}
    text: str = TEXTS["fact"]["answers"]
    return text.format(**words)


def _is_of_answers(report: Judged, grounds: Grounds) -> bool:
    """Tell whether the answers to an event are off, and further than its mean probability is."""
    is_fine = grounds.by_chance and not grounds.changed
    if is_fine or _event_of_classes(report) is None:
        return False
    of_event = _excess_of_event(_event_of_classes(report))
    return bool(abs(report["gap"]["value"]) > abs(of_event["value"]))


def what_it_says(report: Judged) -> str:
    """Say what is said on average, beside how often that is so."""
    texts: dict[str, str] = TEXTS["fact"]
    event = _event_of_classes(report)
    if event is None:
        stated, observed = _shares_of_answers(report)
        return texts[report["task"]].format(stated=stated, observed=observed)
    before = event["before"]
    stated, observed = shares(before["mean probability"], before["frequency"])
    name = repr(event["name"])
    return texts["event"].format(stated=stated, observed=observed, name=name)


def _shares_of_answers(report: Judged) -> tuple[str, str]:
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


def sentence(report: Judged) -> str:
    """Return what the decision rests on."""
    grounds = Grounds.of(report)
    if grounds.suspect:
        return SENTENCE["suspect"].format(fact=what_it_says(report))
    if grounds.too_few:
        excess, ends = _between(report["gap"])
        reason = _capital(report["recommended"]["reason"])
        return SENTENCE["too_few"].format(excess=excess, ends=ends, reason=reason)
    clauses = [
        _event_excess(report, grounds),
        _error(report),
        *_clauses_of_map(report, grounds),
    ]
    return " ".join(filter(None, clauses))


def _clauses_of_map(report: Judged, grounds: Grounds) -> list[str]:
    """Say what the recommended map gains and costs; without one, that none helps an error."""
    if grounds.changed:
        return [_gain_in_words(report, grounds), _lost_accuracy(report)]
    return [] if grounds.by_chance else [SENTENCE["no_map"]]


def _event_excess(report: Judged, grounds: Grounds) -> str:
    """Say by how much an event is said to be too probable, where that is beyond chance."""
    event = _event_of_classes(report)
    if event is None:
        return ""
    excess = _excess_of_event(event)
    stated, observed = _shares_of_answers(report)
    answers = SENTENCE["answers"].format(stated=stated, observed=observed)
    if _is_of_answers(report, grounds):
        answers = ""  # the decision has said it
    if not _is_beyond_chance(excess):
        return answers
    side = "too_probable" if excess["value"] > 0 else "too_improbable"
    size, ends = _between(_size_of(excess), unit="points")
    words = {"name": repr(event["name"]), "by": f"{size}{ends}", "answers": answers}
    return SENTENCE[side].format(**words).rstrip()


def _is_beyond_chance(interval: Interval) -> bool:
    """Tell whether an interval leaves zero out; without one nothing is known."""
    return "low" in interval and not interval["low"] <= 0 <= interval["high"]


def _size_of(number: Number) -> Number:
    """Return a number of either sign without it, its ends in order."""
    low, high = sorted((abs(number["low"]), abs(number["high"])))
    return {"value": abs(number["value"]), "low": low, "high": high}


def _error(report: Judged) -> str:
    """Say how large the calibration error is, beside that of a calibrated model."""
    error = report["before"]["ECE"]
    words = {"chance": percent(error["chance"]), "of_answers": ""}
    # of an event the error is another number than that of its answers
    if _event_of_classes(report):
        words["of_answers"] = SENTENCE["of_its_answers"]
    if error["p_value"] > CALIBRATED:
        words["error"], words["unseen"] = (
            percent(error["value"]),
            percent(error["high"]),
        )
        words["most"] = percent(error["chance_high"])
        return SENTENCE["by_chance"].format(**words)
    words["error"], words["ends"] = _between(error)
    return SENTENCE["beyond_chance"].format(**words)


def _row_of_map(report: Judged) -> MapRow:
    """Return what the comparison says of the recommended map."""
    name = report["recommended"]["name"]
    return next(row for row in report["comparison"] if row["name"] == name)


def _gain_in_words(report: Judged, grounds: Grounds) -> str:
    """Say what a map does to the error and to the loss, on held-out samples."""
    after, change = report["after"]["ECE"], _row_of_map(report)["nll_change"]
    gain = SENTENCE["gain"].format(gain=f"{-change['difference']:.2g}")
    ends = {"after": percent(after["value"]), "chance": percent(after["chance"])}
    error = SENTENCE["error_after"].format(**ends)
    is_confirmed = report["recommended"]["confirmed"]
    # an error that chance explains is not said to be repaired
    key = "single" if grounds.by_chance and is_confirmed else "after"
    text = SENTENCE[key].format(gain=gain, error=error)
    return text if is_confirmed else f"{text} {SENTENCE['not_confirmed']}"


def _lost_accuracy(report: Judged) -> str:
    """Say what accuracy a map costs, where that is beyond chance."""
    change = _row_of_map(report)["accuracy_change"]
    if report["task"] != "classes" or change.get("high", 0) >= 0:
        return ""
    loss: Number = {
        "value": -change["difference"],
        "low": -change["high"],
        "high": -change["low"],
    }
    size, ends = _between(loss, unit="points")
    return SENTENCE["lost_accuracy"].format(loss=f"{size}{ends}")


def comparison_in_words(rows: dict[str, Difference]) -> str:
    """Say which of two models is better, by the loss and by the accuracy."""
    loss = _clause_of_difference("NLL", rows["NLL"], more_is_better=False)
    accuracy = _clause_of_difference("accuracy", rows["accuracy"], more_is_better=True)
    return COMPARISON["sentence"].format(loss=loss, accuracy=accuracy)


def _clause_of_difference(name: str, row: Difference, more_is_better: bool) -> str:
    if not _is_beyond_chance(row):
        return COMPARISON["alike"].format(name=name)
    difference = row["difference"]
    key = "better" if (difference > 0) == more_is_better else "worse"
    ends = written_ends(row, like=difference)
    size = decimals(abs(difference))
    return COMPARISON[key].format(name=name, size=size, ends=ends)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _between(number: Number, unit: str = "%") -> tuple[str, str]:
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


def instruction(report: Judged) -> str:
    """Return what to do with the scores, by hand where one number does it."""
    name, temperature = report["recommended"]["name"], report.get("temperature")
    texts: dict[str, str] = TEXTS["instruction"]
    if temperature is None:
        return texts["map"].format(name=name)
    verb = "divide" if temperature >= 1 else "multiply"
    factor = temperature if temperature >= 1 else 1 / temperature
    words = {
        "scores": _scores(report),
        "factor": f"{factor:.3g}",
        "ends": _ends(report),
    }
    return texts[verb].format(**words)


def _scores(report: Judged) -> str:
    """Return what is divided by a temperature."""
    what = report["kind"] if report["task"] == "classes" else report["task"]
    return str(TEXTS["scores"][what])


def _ends(report: Judged) -> str:
    """Say what 0, and 1, count as, whose logarithm or odds are infinite."""
    floor = report["floor"]
    if floor is None or floor <= SMALLEST_PROBABILITY:
        return ""
    text: str = TEXTS["ends"]["classes" if report["task"] == "classes" else "one"]
    return text.format(floor=f"{floor:.2g}", top=f"{1 - floor:.4g}")
