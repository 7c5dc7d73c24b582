"""Whether numbers are worse than those of a reference, by more than chance explains.

One look says so of a model that did not change in at most 5 of 100 cases.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from calib.constants import NORMAL_95
from calib_report.gating.references import (
    MORE_IS_WORSE,
    ReferenceNumbers,
    ReferenceOutputs,
)
from calib_report.measuring.measure import rows_of_zeros
from calib_report.measuring.two_models import compare, different_classes
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import Change, Difference, Number, Numbers
from calib_report.wording.rendering import decimals, written_ends

# Four numbers are looked at, so that each has a quarter of the 2.5 % beyond one end of an interval.
WIDER_FOR_FOUR = float(ndtri(1 - 0.025 / 4)) / NORMAL_95


@dataclass(frozen=True)
class Verdict:
    """Whether a rule holds, and a line that says why."""

    holds: bool
    line: str


def verdicts_against_numbers(
    outputs: ModelOutputs, numbers: Numbers, reference: ReferenceNumbers
) -> list[Verdict]:
    """Hold numbers to those of other samples, by the intervals of both."""
    if outputs.task != reference.task:
        topic = f"it is about {reference.task}, and these are {outputs.task}"
        raise ValueError(
            f"{reference.name}: {topic}: another question has other numbers"
        )
    if outputs.task == "classes" and sorted(reference.classes) != sorted(outputs.names):
        raise ValueError(
            f"{reference.name}: {different_classes(reference.classes, outputs.names)}"
        )
    return [
        verdict_of_change(
            name,
            unpaired_change(reference.numbers[name], numbers[name]),
            reference.name,
        )
        for name in reference.numbers
    ]


def verdicts_against_outputs(
    outputs: ModelOutputs, reference: ReferenceOutputs, seed: int
) -> list[Verdict]:
    """Hold outputs to others on the same samples, pair by pair."""
    rows = compare(reference.outputs, outputs, seed=seed, resampled=["ece"])
    # a comparison counts a zero as the floor; here the loss is what it is
    is_infinite = len(rows_of_zeros(outputs)) and not len(
        rows_of_zeros(reference.outputs)
    )
    verdicts = []
    for name in MORE_IS_WORSE:
        row = rows[name]
        if name == "NLL" and is_infinite:
            verdicts.append(
                verdict_of_change(name, {"difference": np.inf}, reference.name)
            )
        elif "refused" in row:
            verdicts.append(verdict_of_refusal(name, row, reference.name))
        else:
            verdicts.append(verdict_of_change(name, row, reference.name))
    return verdicts


def unpaired_change(reference: Number, new: Number) -> Change:
    """Return the difference of numbers of other samples, by their intervals (Zou & Donner 2008)."""
    # of two infinite numbers it is nan: nobody knows which is larger
    change = float(new["value"]) - float(reference["value"])
    if not np.isfinite(change):
        return {"difference": change}
    # losses that are all equal have no interval, and add nothing to that of the other
    below, above = _distances(new)
    base_below, base_above = _distances(reference)
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


def verdict_of_refusal(name: str, row: Difference, reference: str) -> Verdict:
    """Say that a number is not held to that of a reference, and why."""
    line = f"{name} less that of {reference}: {decimals(row['difference'])}"
    return Verdict(True, f"{line}; not held to it: {row['refused']}")


def verdict_of_change(name: str, change: Change, reference: str) -> Verdict:
    """Say whether a number is worse than that of a reference by more than chance explains."""
    line = f"{name} less that of {reference}"
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
        return bool(difference > WIDER_FOR_FOUR * (difference - change["low"]))
    return bool(-difference > WIDER_FOR_FOUR * (change["high"] - difference))
