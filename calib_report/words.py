"""The report in a sentence, right in every case, and how its numbers are written."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from calib_report.measure import CALIBRATED, FEWEST_SAMPLES, Found, Number
from calib_report.model_outputs import FLOOR
from calib_report.suspicion import FEWEST

TEXTS = tomllib.loads(files("calib_report").joinpath("texts.toml").read_text("utf-8"))
SENTENCE: dict[str, str] = TEXTS["sentence"]
Report = Found  # what report.json holds
SMALL = 0.02  # calibration error that harms nobody
BEARABLE = 0.08  # one that may be left unseen, if it is said
TELLING = 0.05  # one that enough samples would show
NOUNS: dict[str, str] = TEXTS["nouns"]
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """Write what steers a terminal, or turns the direction of a line, as its code."""
    return UNSEEN.sub(lambda found: ascii(found.group())[1:-1], text)


def plain(text: str) -> str:
    """Write text so that Markdown takes it for text."""
    return re.sub(r"([\\`*_\[\]<>|#~!])", r"\\\1", visible(text))


@cache
def templates() -> Any:
    """Return the environment of the page, the model card and the figures."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("calib_report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters |= {
        w.__name__: w for w in (percent, decimals, interval, plain, signed)
    }
    return environment


@dataclass(frozen=True)
class Case:
    """What a report comes to: the file first, too little, as it is, with care, or a map."""

    suspect: bool
    too_few: bool
    changed: bool
    by_chance: bool  # whether chance explains the error
    unseen: float  # the error that would not show

    @classmethod
    def of(cls, report: Report) -> "Case":
        error, event = report["before"]["ECE"], report.get("event")
        by_chance, unseen = error["p_value"] > CALIBRATED, error["high"]
        if event is not None and report["task"] == "classes":
            gap = event["before"]["mean probability less frequency"]
            by_chance = by_chance and gap.get("low", -1) <= 0 <= gap.get("high", 1)
            unseen = max(unseen, abs(gap.get("low", 0)), abs(gap.get("high", 0)))
        changed = report["recommended"]["name"] != "none"
        return cls(
            bool(report["looks_wrong"]), report["too_few"], changed, by_chance, unseen
        )


def decision(report: Report) -> str:
    """Return the one line that decides: what to do, and what the model says beside what is so."""
    case = Case.of(report)
    words = {
        "fact": _reason(report, case),
        "looks_wrong": report["looks_wrong"],
        "cannot_tell": cannot_tell(report, case.unseen),
        "unseen": percent(case.unseen),
        "instruction": _capital(instruction(report)) if case.changed else "",
    }
    text: str = TEXTS["decision"][_outcome(report, case)]
    return text.format(**words)


def _outcome(report: Report, case: Case) -> str:
    """Return which of the sentences that decide holds."""
    if case.suspect:
        return "suspect"
    if case.too_few:
        return "cannot_tell"
    if case.changed:
        return "confirmed" if report["recommended"]["confirmed"] else "unconfirmed"
    if not case.by_chance:
        return "care"
    if case.unseen <= SMALL:
        return "as_it_is"
    return "bearable" if case.unseen <= BEARABLE else "cannot_tell"


def cannot_tell(report: Report, unseen: float) -> str:
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
    shown = _shown_gap(report) if report["too_few"] and n >= FEWEST else {}
    text = texts["shown" if shown else "too_few"]
    return text.format(n=f"{n:,}", noun=noun, needed=f"{needed:,}", **shown)


def _shown_gap(report: Report) -> dict[str, str]:
    """Say to which side a model is off, and by how much, where few samples show it; else nothing.

    The interval of a mean is too short where all or nearly all answers are right: the accuracy's
    own, Wilson's, has to leave out the mean confidence as well.
    """
    is_of_labels = report["task"] == "labels"
    share = report["before"]["share of yes" if is_of_labels else "accuracy"]
    gap = report["gap"]
    alike = share["value"] in (0, 1) or "low" not in gap
    if alike or share["low"] <= report["mean_confidence"] <= share["high"]:
        return {}
    if gap["low"] <= 0 <= gap["high"]:
        return {}
    ends = _sorted_ends(gap)
    low, high = (percent(abs(ends[end])) for end in ("low", "high"))
    side = "over" if gap["value"] > 0 else "under"
    sides: dict[str, str] = TEXTS["side"]
    return {
        "side": sides[f"{side}_labels" if is_of_labels else side],
        "by": f"{low.removesuffix(' %')} to {high.removesuffix(' %')} points",
    }


def _reason(report: Report, case: Case) -> str:
    """Say what a decision rests on; of an event what its answers say, where a map is for them."""
    if case.suspect or case.too_few or not _is_of_answers(report, case):
        return what_it_says(report)
    stated, observed = _answers(report)
    words = {"stated": stated, "observed": observed, "event": what_it_says(report)}
    text: str = TEXTS["fact"]["answers"]
    return text.format(**words)


def _is_of_answers(report: Report, case: Case) -> bool:
    """Tell whether the answers to an event are off, and further than its mean probability is."""
    event = report.get("event")
    is_fine = case.by_chance and not case.changed
    if is_fine or event is None or report["task"] != "classes":
        return False
    of_event = event["before"]["mean probability less frequency"]
    return bool(abs(report["gap"]["value"]) > abs(of_event["value"]))


def _answers(report: Report) -> tuple[str, str]:
    """Return what the answers say on average, and how often they are right."""
    return shares({"value": report["mean_confidence"]}, {"value": report["hit_rate"]})


def what_it_says(report: Report) -> str:
    """Say what is said on average, beside how often that is so."""
    task, event = report["task"], report.get("event")
    pair = {"value": report["mean_confidence"]}, {"value": report["hit_rate"]}
    name = ""
    if task == "classes" and event is not None:
        pair = event["before"]["mean probability"], event["before"]["frequency"]
        task, name = "event", repr(event["name"])
    stated, observed = shares(*pair)
    text: str = TEXTS["fact"][task]
    return text.format(stated=stated, observed=observed, name=name)


def shares(first: Number, second: Number) -> tuple[str, str]:
    """Write two shares with the digits that tell them apart, and from 0 and 100 % if they are."""
    pair = (first["value"], second["value"])
    digits = _telling_digits(*pair)
    while digits < 5 and any(_looks_certain(share, digits) for share in pair):
        digits += 1
    return percent(pair[0], digits), percent(pair[1], digits)


def _telling_digits(first: float, second: float) -> int:
    """Return the digits of per cent that tell two shares apart."""
    gap = abs(first - second)
    if gap < 0.002:
        return 2
    return 1 if gap < 0.02 or min(first, second) < 0.0995 else 0


def _looks_certain(share: float, digits: int) -> bool:
    """Tell whether a share that is not 0 or 1 would be written so."""
    return share not in (0, 1) and round(100 * share, digits) in (0, 100)


def sentence(report: Report) -> str:
    """Return what the decision rests on."""
    case = Case.of(report)
    if case.suspect:
        return SENTENCE["suspect"].format(fact=what_it_says(report))
    if case.too_few:
        gap, ends = _between(report["gap"])
        reason = _capital(report["recommended"]["reason"])
        return SENTENCE["too_few"].format(gap=gap, ends=ends, reason=reason)
    clauses = [_event_gap(report, case), _error(report, case)]
    if case.changed:
        clauses += [_gain(report, case), _lost_accuracy(report)]
    elif not case.by_chance:
        clauses.append(SENTENCE["no_map"])
    return " ".join(clause for clause in clauses if clause)


def _event_gap(report: Report, case: Case) -> str:
    """Say by how much an event is said to be too probable, where that is beyond chance."""
    event = report.get("event")
    if event is None or report["task"] != "classes":
        return ""
    gap = event["before"]["mean probability less frequency"]
    stated, observed = _answers(report)
    answers = SENTENCE["answers"].format(stated=stated, observed=observed)
    if _is_of_answers(report, case):
        answers = ""  # the decision has said it
    if "low" not in gap or gap["low"] <= 0 <= gap["high"]:
        return answers
    side = "too_probable" if gap["value"] > 0 else "too_improbable"
    size, ends = _between(
        {name: abs(value) for name, value in _sorted_ends(gap).items()}
    )
    by = f"{size}{ends}".replace(" %", " points")
    words = {"name": repr(event["name"]), "by": by, "answers": answers}
    return SENTENCE[side].format(**words).rstrip()


def _sorted_ends(number: Number) -> Number:
    """Return a number of either sign so that its ends without sign are in order."""
    low, high = sorted((number["low"], number["high"]), key=abs)
    return {"value": number["value"], "low": low, "high": high}


def _error(report: Report, case: Case) -> str:
    """Say how large the calibration error is, beside that of a calibrated model."""
    error = report["before"]["ECE"]
    of_event = report.get("event") and report["task"] == "classes"
    words = {
        name: percent(error[name])
        for name in ("value", "chance", "chance_high", "high")
    }
    words["of_answers"] = SENTENCE["of_its_answers"] if of_event else ""
    if error["p_value"] > CALIBRATED:
        words |= {
            "error": words["value"],
            "most": words["chance_high"],
            "unseen": words["high"],
        }
        return SENTENCE["by_chance"].format(**words)
    words["error"], words["ends"] = _between(error)
    return SENTENCE["beyond_chance"].format(**words)


def _gain(report: Report, case: Case) -> str:
    """Say what a map does to the error and to the loss, on held-out samples."""
    after, name = report["after"]["ECE"], report["recommended"]["name"]
    row = next(row for row in report["comparison"] if row["name"] == name)
    gain = SENTENCE["gain"].format(gain=f"{-row['nll_change']['difference']:.2g}")
    ends = {"after": percent(after["value"]), "chance": percent(after["chance"])}
    error = SENTENCE["error_after"].format(**ends)
    is_single = case.by_chance and report["recommended"]["confirmed"]
    text = SENTENCE["single" if is_single else "after"].format(gain=gain, error=error)
    if not report["recommended"]["confirmed"]:
        text += f" {SENTENCE['not_confirmed']}"
    return text


def _lost_accuracy(report: Report) -> str:
    """Say what accuracy a map costs, where that is beyond chance."""
    name = report["recommended"]["name"]
    change = next(row for row in report["comparison"] if row["name"] == name)[
        "accuracy_change"
    ]
    if report["task"] != "classes" or change.get("high", 0) >= 0:
        return ""
    lost = {
        "value": -change["difference"],
        "low": -change["high"],
        "high": -change["low"],
    }
    size, ends = _between(lost)
    return f"It costs accuracy: {size}{ends}.".replace(" %", " points")


def comparison_in_words(rows: dict[str, Number]) -> str:
    """Say which of two models is better, by the loss and by the accuracy."""
    clauses = []
    for name, more_is_better in (("NLL", False), ("accuracy", True)):
        row = rows[name]
        if "low" not in row or row["low"] <= 0 <= row["high"]:
            clauses.append(f"no clear difference in {name}")
            continue
        better = "better" if (row["difference"] > 0) == more_is_better else "worse"
        ends = interval(row | {"value": row["difference"]})
        clauses.append(
            f"{better} in {name}, by {decimals(abs(row['difference']))} ({ends})"
        )
    return f"The second beside the first: {'; '.join(clauses)}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _between(number: Number) -> tuple[str, str]:
    """Return a share in percent, and its ends with the digits that tell all three apart."""
    if "low" not in number:
        return percent(number["value"]), ""
    ends = [number[name] for name in ("value", "low", "high")]
    for digits in (None, 1, 2):
        value, low, high = (percent(share, digits) for share in ends)
        if len({value, low, high}) == 3:
            break
    return value, SENTENCE["between"].format(low=low, high=high)


def instruction(report: Report) -> str:
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


def _scores(report: Report) -> str:
    """Return what is divided by a temperature."""
    what = report["kind"] if report["task"] == "classes" else report["task"]
    return str(TEXTS["scores"][what])


def _ends(report: Report) -> str:
    """Say what 0, and 1, count as, whose logarithm or odds are infinite."""
    floor = report["floor"]
    if floor is None or floor <= FLOOR:
        return ""
    text: str = TEXTS["ends"]["classes" if report["task"] == "classes" else "one"]
    return text.format(floor=f"{floor:.2g}", top=f"{1 - floor:.4g}")


def percent(value: float | None, digits: int | None = None) -> str:
    """Write a share in percent, with two digits that count.

    Examples
    --------
    >>> percent(0.9712), percent(0.0551), percent(0.0061), percent(0.97, 1), percent(0.0)
    ('97 %', '5.5 %', '0.61 %', '97.0 %', '0 %')
    """
    if value is None or not np.isfinite(value):
        return "infinite" if value is not None and value > 0 else "unknown"
    return (
        f"{100 * value:.{_digits_that_count(value) if digits is None else digits}f} %"
    )


def _digits_that_count(share: float) -> int:
    """Return the decimals of a percentage with which it has two digits that count."""
    size = abs(100 * share)
    if size == 0 or size >= 9.95:
        return 0
    return 1 if size >= 0.995 else 2


def decimals(value: float | None, like: float | None = None) -> str:
    """Write a number with four decimals, or as many as show three digits of it, or of `like`.

    Examples
    --------
    >>> decimals(0.04312), decimals(0.000123456), decimals(0.0, like=0.00123), decimals(1.5)
    ('0.0431', '0.000123', '0.00000', '1.5000')
    """
    if value is None or not np.isfinite(value):
        return "infinite" if value is None or value > 0 else "−infinite"
    # an end of an interval is written with as many digits as its value
    size = abs(value if like is None or not np.isfinite(like) else like)
    if not 0 < size < 0.01:
        return f"{value:.4f}"
    return f"{value:.{min(2 - int(np.floor(np.log10(size))), 9)}f}"


def signed(value: float) -> str:
    """Write a gap with three decimals; what rounds to zero has no sign."""
    return f"{round(value, 3) + 0.0:.3f}"


def interval(number: Number) -> str:
    """Write the ends of a number's interval; nothing where there is none."""
    if "low" not in number:
        return ""
    return " to ".join(
        decimals(number[end], like=number["value"]) for end in ("low", "high")
    )
