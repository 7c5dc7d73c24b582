"""Rules that the numbers of a model are held to, broken only where chance does not explain it.

One look breaks a rule of a model that did not change in at most 5 of 100 cases, by the 95 %
intervals; `python -m evidence.studies promises_about_chance` measures how often. Many looks break
one sooner or later.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from calib_report.checked_numbers import check_seed, number_typed
from calib_report.contract import OptionError, listed
from calib_report.doubting.suspicion import suspicion
from calib_report.gating.changes import (
    Verdict,
    verdicts_against_numbers,
    verdicts_against_outputs,
)
from calib_report.gating.references import ReferenceNumbers, ReferenceOutputs
from calib_report.measuring.declining import threshold_to_decline
from calib_report.measuring.event import event_numbers
from calib_report.measuring.measure import (
    AUROC_OF_ANSWERS,
    numbers_as_they_are,
    other_numbers,
)
from calib_report.measuring.outcome import Outcome, outcome_as_is
from calib_report.measuring.request import Request, check_share_to_decline
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import Number, Numbers
from calib_report.wording.rendering import decimals, interval, percent

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
            problem = f"{text!r}, expected NAME=NUMBER, such as ece=0.05"
            raise OptionError(_option_of_bound(is_upper), problem)
        number = number_typed(name.strip(), limit, _option_of_bound(is_upper))
        return cls(name.strip().lower(), number, is_upper)

    @property
    def option(self) -> str:
        """The option that names it."""
        return _option_of_bound(self.is_upper)

    def __str__(self) -> str:
        return f"{'at most' if self.is_upper else 'at least'} {self.limit:g}"

    def is_kept(self, value: float) -> bool:
        return bool(value <= self.limit if self.is_upper else value >= self.limit)

    def is_beyond(self, infinite: float) -> bool:
        """Tell whether what is infinite is so on the side that keeps a bound."""
        return bool(infinite < 0 if self.is_upper else infinite > 0)


def _option_of_bound(is_upper: bool) -> str:
    return "max" if is_upper else "min"


@dataclass(frozen=True)
class Rules:
    """What the numbers of a model are held to.

    Parameters
    ----------
    bounds : sequence of Bound
    max_risk : float, optional
        Share of errors allowed among answers that are decided alone.
    against : ReferenceOutputs or ReferenceNumbers, optional
        Outputs on the same samples, or what :func:`read_reference` returns.
    seed : int
        Of the bootstrap, and of the halves on which a threshold is found and tried.
    """

    bounds: Sequence[Bound] = ()
    max_risk: float | None = None
    against: ReferenceOutputs | ReferenceNumbers | None = None
    seed: int = 0

    @classmethod
    def parsed(
        cls,
        maxima: Iterable[str] = (),
        minima: Iterable[str] = (),
        max_risk: float | None = None,
        against: ReferenceOutputs | ReferenceNumbers | None = None,
        seed: int = 0,
    ) -> "Rules":
        """Return the rules of texts ``NAME=NUMBER``."""
        bounds = [Bound.of(text, is_upper=True) for text in maxima]
        bounds += [Bound.of(text, is_upper=False) for text in minima]
        check_seed(seed)
        return cls(tuple(bounds), max_risk, against, seed)


def judge(outputs: ModelOutputs, rules: Rules) -> tuple[Numbers, list[Verdict]]:
    """Return all numbers of outputs, and a verdict for each rule.

    A file that looks wrong breaks a rule of its own, which nobody needs to name.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logits = rng.normal(size=(400, 3))
    >>> y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    >>> _, verdicts = judge(ModelOutputs(y, logits=4 * logits), Rules.parsed(maxima=["ece=0.05"]))
    >>> [verdict.holds for verdict in verdicts]
    [False]
    """
    outcome = outcome_as_is(outputs)
    numbers = all_numbers(outputs, outcome, rules.seed)
    verdicts = verdict_of_file(outputs)
    verdicts += [verdict_of_bound(bound, numbers) for bound in rules.bounds]
    if rules.max_risk is not None:
        verdicts.append(verdict_of_risk(outputs, outcome, rules.max_risk, rules.seed))
    if isinstance(rules.against, ReferenceNumbers):
        verdicts += verdicts_against_numbers(outputs, numbers, rules.against)
    elif rules.against is not None:
        verdicts += verdicts_against_outputs(outputs, rules.against, rules.seed)
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
        raise OptionError(bound.option, unknown_name(bound.name, list(by_key)))
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
            "'auroc' is of one event, and here are more classes; "
            f"{alternative} is of all answers"
        )
    return f"{name!r}, expected NAME=NUMBER, with one of {listed(names, MOST_NAMES)}"


def verdict_of_risk(
    outputs: ModelOutputs, outcome: Outcome, risk: float, seed: int
) -> Verdict:
    """Say which share may be decided alone, with a bound that is at most the risk."""
    check_share_to_decline(risk, "max_risk", len(outputs))
    alone = threshold_to_decline(
        outcome, np.random.default_rng(seed), Request(risk=risk)
    )
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
