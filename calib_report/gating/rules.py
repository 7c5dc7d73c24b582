"""Rules that the numbers of a model are held to, broken only where chance does not explain it.

One look breaks a rule of a model that did not change in at most 5 of 100 cases, by the 95 %
intervals; `python -m evidence.studies promises_about_chance` measures how often. Many looks break
one sooner or later.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri

from calib.constants import NORMAL_95
from calib_report.contract import listed
from calib_report.doubting.suspicion import suspicion
from calib_report.measuring.costs import number_typed
from calib_report.measuring.declining import threshold_to_decline
from calib_report.measuring.event import event_numbers
from calib_report.measuring.measure import (
    AUROC_OF_ANSWERS,
    numbers_as_they_are,
    other_numbers,
    rows_of_zeros,
)
from calib_report.measuring.outcome import Outcome, outcome_as_is
from calib_report.measuring.request import check_share, request_of
from calib_report.measuring.two_models import compare, different_classes
from calib_report.model_outputs import TASKS, ModelOutputs
from calib_report.schema import Change, Difference, Number, Numbers
from calib_report.wording.rendering import decimals, interval, percent, written_ends

# held to a base
MORE_IS_WORSE = {"accuracy": False, "NLL": True, "Brier": True, "ECE": True}
# Four numbers are looked at, so that each has a quarter of the 2.5 % beyond one end of an interval.
OF_FOUR = float(ndtri(1 - 0.025 / 4)) / NORMAL_95
MOST_NAMES = 60  # that an error lists


@dataclass(frozen=True)
class Bound:
    """What a number may be at most, or at least."""

    name: str  # as it is typed: "classwise-ece"
    limit: float
    is_upper: bool

    @classmethod
    def of(cls, text: str, is_upper: bool) -> "Bound":
        """Read ``NAME=NUMBER``."""
        name, equals, limit = text.rpartition("=")
        if not equals:
            raise ValueError(f"{text!r}: expected NAME=NUMBER, such as ece=0.05")
        return cls(name.strip().lower(), number_typed(limit, name), is_upper)

    def __str__(self) -> str:
        return f"{'at most' if self.is_upper else 'at least'} {self.limit:g}"

    def is_kept(self, value: float) -> bool:
        return bool(value <= self.limit if self.is_upper else value >= self.limit)

    def is_beyond(self, infinite: float) -> bool:
        """Tell whether what is infinite is so on the side that keeps a bound."""
        return bool(infinite < 0 if self.is_upper else infinite > 0)


@dataclass(frozen=True)
class SavedNumbers:
    """The numbers of a report.json, of other samples, checked."""

    name: str
    task: str
    classes: list[str]
    numbers: Numbers


@dataclass(frozen=True)
class Base:
    """Outputs on the same samples that a model is held to."""

    name: str
    outputs: ModelOutputs


@dataclass(frozen=True)
class Rules:
    """What the numbers of a model are held to.

    Parameters
    ----------
    bounds : sequence of Bound
    max_risk : float, optional
        Share of errors allowed among answers that are decided alone.
    against : Base or SavedNumbers, optional
        Outputs on the same samples, or what :func:`saved_base` returns.
    seed : int
        Of the bootstrap, and of the halves on which a threshold is found and tried.
    """

    bounds: Sequence[Bound] = ()
    max_risk: float | None = None
    against: Base | SavedNumbers | None = None
    seed: int = 0

    @classmethod
    def of(
        cls,
        maxima: Iterable[str] = (),
        minima: Iterable[str] = (),
        max_risk: float | None = None,
        against: Base | SavedNumbers | None = None,
        seed: int = 0,
    ) -> "Rules":
        """Return the rules of texts ``NAME=NUMBER``."""
        bounds = [Bound.of(text, is_upper=True) for text in maxima]
        bounds += [Bound.of(text, is_upper=False) for text in minima]
        return cls(tuple(bounds), max_risk, against, seed)


@dataclass(frozen=True)
class Verdict:
    """Whether a rule holds, and a line that says why."""

    holds: bool
    line: str


def check(outputs: ModelOutputs, rules: Rules) -> tuple[Numbers, list[Verdict]]:
    """Return all numbers of outputs, and a verdict for each rule.

    A file that looks wrong breaks a rule of its own, which nobody needs to name.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logits = rng.normal(size=(400, 3))
    >>> y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    >>> _, verdicts = check(ModelOutputs(y, logits=4 * logits), Rules.of(maxima=["ece=0.05"]))
    >>> [verdict.holds for verdict in verdicts]
    [False]
    """
    outcome = outcome_as_is(outputs)
    numbers = all_numbers(outputs, outcome, rules.seed)
    verdicts = verdict_of_file(outputs)
    verdicts += [verdict_of_bound(bound, numbers) for bound in rules.bounds]
    if rules.max_risk is not None:
        verdicts.append(verdict_alone(outputs, outcome, rules.max_risk, rules.seed))
    if isinstance(rules.against, SavedNumbers):
        verdicts += against_saved(outputs, numbers, rules.against)
    elif rules.against is not None:
        verdicts += against_base(outputs, rules.against, rules.seed)
    return numbers, verdicts


def all_numbers(outputs: ModelOutputs, outcome: Outcome, seed: int) -> Numbers:
    """Return all numbers of outputs by their names, in the order of a report."""
    rng = np.random.default_rng(seed)
    numbers = numbers_as_they_are(outputs, outcome, rng)
    if outcome.event_probability is not None:
        numbers |= event_numbers(outcome)
    return numbers | other_numbers(outputs, outcome, rng)


def verdict_of_file(outputs: ModelOutputs) -> list[Verdict]:
    """Say that a file looks wrong; nothing where it does not."""
    finding = suspicion(outputs)
    if finding is None:
        return []
    return [Verdict(False, f"look at the file first: {finding.sentence}")]


def verdict_of_bound(bound: Bound, numbers: Numbers) -> Verdict:
    """Hold a number to a bound: its interval, or what is left of it after what chance shows."""
    by_key = {name.lower().replace(" ", "-"): name for name in numbers}
    if bound.name not in by_key:
        raise ValueError(unknown_name(bound.name, list(by_key)))
    name = by_key[bound.name]
    row = numbers[name]
    line = f"{name} {decimals(row['value'])}"
    if not np.isfinite(row["value"]):
        return Verdict(bound.is_beyond(row["value"]), f"{line}, {bound}")
    nearest, reason = _value_nearest_to_bound(row, bound)
    return Verdict(bound.is_kept(nearest), f"{line}{reason}, {bound}")


def _value_nearest_to_bound(row: Number, bound: Bound) -> tuple[float, str]:
    """Return the number nearest to keeping a bound that chance leaves possible, and why."""
    if "low" in row:
        return row["low"] if bound.is_upper else row["high"], f" ({interval(row)})"
    value = row["value"]
    if not bound.is_upper or "chance_high" not in row:
        return value, " (it has no interval, so chance alone may break this rule)"
    nearest = max(value - row["chance_high"], 0.0)
    by_chance = decimals(row["chance_high"], like=value)
    return (
        nearest,
        f", less what chance alone may show ({by_chance}) {decimals(nearest)}",
    )


def unknown_name(name: str, names: list[str]) -> str:
    """Say which numbers there are, and which one of many classes takes the place of an AUROC."""
    if name == "auroc":
        alternative = AUROC_OF_ANSWERS.lower().replace(" ", "-")
        return (
            "'auroc': is of one event, and here are more classes; "
            f"{alternative} is of all answers"
        )
    return f"{name!r}: expected NAME=NUMBER, with one of {listed(names, MOST_NAMES)}"


def verdict_alone(
    outputs: ModelOutputs, outcome: Outcome, risk: float, seed: int
) -> Verdict:
    """Say which share may be decided alone, with a bound that is at most the risk."""
    question = request_of(outputs, risk=check_share(risk, "max_risk"))
    alone = threshold_to_decline(outcome, np.random.default_rng(seed), question)
    allowed = f"at most {percent(risk)} errors"
    if alone["threshold"] is None or alone["errors"] is None:
        return Verdict(
            False, f"of no answers it is shown (95 %) that they hold {allowed}"
        )
    at_most = percent(alone["at_most"])
    return Verdict(
        True,
        f"{percent(alone['kept']['value'])} of the answers, from a confidence of "
        f"{decimals(alone['threshold'])} on, may be decided alone with {allowed}: "
        f"{percent(alone['errors']['value'])} of them are wrong, at most {at_most} (95 %)",
    )


def saved_base(source: str | Path) -> SavedNumbers | None:
    """Return the numbers of a report.json, checked; None of another file, such as outputs."""
    path = Path(source)
    if path.suffix.lower() != ".json":
        return None
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or "before" not in content:
        return None
    return saved_numbers(content, path.name)


def saved_numbers(report: dict[str, Any], name: str) -> SavedNumbers:
    """Return the numbers of a report, of which every one that rules need is there and in order."""
    task, before = report.get("task"), report.get("before")
    if task not in TASKS or not isinstance(before, dict):
        raise ValueError(
            f"{name}: not a report.json: it has no 'task', or no numbers 'before'"
        )
    keys = [*MORE_IS_WORSE]
    if task == "labels":  # of which some share is yes, which is no accuracy
        keys.remove("accuracy")
    numbers = {key: _saved_number(before.get(key), f"{name}: {key}") for key in keys}
    classes = _saved_classes(report)
    if task == "classes" and not classes:
        raise ValueError(f"{name}: not a report.json: it does not name its 'classes'")
    return SavedNumbers(name, task, classes, numbers)


def _saved_classes(report: dict[str, Any]) -> list[str]:
    rows = report.get("classes")
    if not isinstance(rows, list):
        return []
    rows = [row for row in rows if isinstance(row, dict)]
    return [str(row["class"]) for row in rows if "class" in row]


def _saved_number(row: Any, what: str) -> Number:
    """Return a number of a report.json, in which null is what is infinite."""
    if not isinstance(row, dict) or "value" not in row:
        raise ValueError(f"{what}: not there, so that nothing can be held to it")
    names = [name for name in ("value", "low", "high") if name in row]
    number = {name: _finite_or_infinite(row[name], f"{what}: {name}") for name in names}
    value = number["value"]
    if not np.isfinite(value):
        return {"value": np.inf}
    # of losses that were all equal there is no interval
    if len(number) == 1:
        return {"value": value}
    low, high = number.get("low", np.nan), number.get("high", np.nan)
    if not low <= value <= high:
        raise ValueError(f"{what}: {number}, expected an interval that holds the value")
    return {"value": value, "low": low, "high": high}


def _finite_or_infinite(value: Any, what: str) -> float:
    if not isinstance(value, int | float | None) or isinstance(value, bool):
        raise ValueError(f"{what} is {value!r:.40}, expected a number")
    return np.inf if value is None else float(value)


def against_saved(
    outputs: ModelOutputs, numbers: Numbers, base: SavedNumbers
) -> list[Verdict]:
    """Hold numbers to those of other samples, by the intervals of both."""
    if outputs.task != base.task:
        topic = f"it is about {base.task}, and these are {outputs.task}"
        raise ValueError(f"{base.name}: {topic}: another question has other numbers")
    if outputs.task == "classes" and sorted(base.classes) != sorted(outputs.names):
        raise ValueError(
            f"{base.name}: {different_classes(base.classes, outputs.names)}"
        )
    return [
        verdict_of_change(name, unpaired(base.numbers[name], numbers[name]), base.name)
        for name in base.numbers
    ]


def against_base(outputs: ModelOutputs, base: Base, seed: int) -> list[Verdict]:
    """Hold outputs to others on the same samples, pair by pair."""
    rows = compare(base.outputs, outputs, seed=seed, resampled=["ece"])
    # a comparison counts a zero as the floor; here the loss is what it is
    is_infinite = len(rows_of_zeros(outputs)) and not len(rows_of_zeros(base.outputs))
    verdicts = []
    for name in MORE_IS_WORSE:
        row = rows[name]
        if name == "NLL" and is_infinite:
            verdicts.append(verdict_of_change(name, {"difference": np.inf}, base.name))
        elif "refused" in row:
            verdicts.append(verdict_of_refusal(name, row, base.name))
        else:
            verdicts.append(verdict_of_change(name, row, base.name))
    return verdicts


def unpaired(base: Number, new: Number) -> Change:
    """Return the difference of numbers of other samples, by their intervals (Zou & Donner 2008)."""
    # of two infinite numbers it is nan: nobody knows which is larger
    change = float(new["value"]) - float(base["value"])
    if not np.isfinite(change):
        return {"difference": change}
    # losses that are all equal have no interval, and add nothing to that of the other
    below, above = _distances(new)
    base_below, base_above = _distances(base)
    return {
        "difference": change,
        "low": change - np.hypot(below, base_above),
        "high": change + np.hypot(above, base_below),
    }


def _distances(number: Number) -> tuple[float, float]:
    """Return how far below and above a number its interval reaches; no way without one."""
    if "low" not in number:
        return 0.0, 0.0
    return number["value"] - number["low"], number["high"] - number["value"]


def verdict_of_refusal(name: str, row: Difference, base: str) -> Verdict:
    """Say that a number is not held to that of a base, and why."""
    line = f"{name} less that of {base}: {decimals(row['difference'])}"
    return Verdict(True, f"{line}; not held to it: {row['refused']}")


def verdict_of_change(name: str, change: Change, base: str) -> Verdict:
    """Say whether a number is worse than that of a base by more than chance explains."""
    line = f"{name} less that of {base}"
    difference = change["difference"]
    if np.isnan(difference):
        return Verdict(True, f"{line}: both are infinite")
    if np.isinf(difference):
        return Verdict(bool(difference < 0), f"{line}: {decimals(difference)}")
    ends = written_ends(change, like=difference)
    holds = not _is_worse(name, change)
    return Verdict(holds, f"{line}: {decimals(difference)} ({ends})")


def _is_worse(name: str, change: Change) -> bool:
    """Tell whether a change to the worse leaves its interval, widened for four looks."""
    difference = change["difference"]
    if MORE_IS_WORSE[name]:
        return bool(difference > OF_FOUR * (difference - change["low"]))
    return bool(-difference > OF_FOUR * (change["high"] - difference))
