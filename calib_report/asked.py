"""What is asked of a report beside the numbers: costs, new frequencies, a share to keep, time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calib_report.losses import NO_PURPOSE, Purpose, names_of
from calib_report.outputs import ModelOutputs
from calib_report.words import few_of

FEWEST_FOR_HALVES = 200  # samples below which a threshold is not found on half of them
WANTED = "alarm=CLASS,false_alarm=NUMBER,miss=NUMBER"
NO_QUESTION = {  # why costs and new frequencies are refused
    "pairs": "pairs of a confidence and whether it was right do not tell the classes",
    "labels": "each label has a frequency of its own; take one label at a time",
}


class Costs(NamedTuple):
    """What decisions cost: a row of the matrix a class, and a column a decision.

    `alarm` is, of two classes, the one that an alarm is about; `presumed`, whether nobody said so.
    """

    matrix: np.ndarray
    alarm: int | None = None
    presumed: bool = False


@dataclass(frozen=True)
class Asked:
    """What a user asks of a report, checked against the outputs."""

    purpose: Purpose = NO_PURPOSE
    costs: Costs | None = None
    coverage: float | None = None
    risk: float | None = None
    time: str | None = None

    @classmethod
    def of(
        cls,
        outputs: ModelOutputs,
        *,
        costs: str | Path | None = None,
        priors: Any = None,
        coverage: float | None = None,
        risk: float | None = None,
        time: str | None = None,
    ) -> "Asked":
        """Read what was asked; a ValueError where it makes no sense."""
        for name, wish in (("cost", costs), ("priors", priors)):
            if wish is not None and outputs.task != "classes":
                raise ValueError(f"{name}: {NO_QUESTION[outputs.task]}")
        if coverage is not None and risk is not None:
            raise ValueError("coverage, risk: ask for one of them, and the other follows")
        for name, share in (("coverage", coverage), ("risk", risk)):
            if share is not None and len(outputs) < FEWEST_FOR_HALVES:
                raise ValueError(f"{name}: {len(outputs)} samples, expected {FEWEST_FOR_HALVES}")
            if share is not None:
                check_share(share, name)
        names, old = names_of(outputs), None
        known = None if costs is None else read_costs(costs, names)
        new = None if priors is None else read_priors(priors, names)
        if new is not None:
            old = np.bincount(outputs.y, minlength=outputs.n_classes) / len(outputs)
            if (old == 0).any():
                raise ValueError(f"priors: class {names[old.argmin()]!r} has no samples here")
        purpose = Purpose(None if known is None else known.matrix, old, new)
        return cls(purpose, known, coverage, risk, time)

    def notes(self, outputs: ModelOutputs) -> list[str]:
        """Say what an alarm is about where nobody said it."""
        if self.costs is None or self.costs.alarm is None or not self.costs.presumed:
            return []
        name = names_of(outputs)[self.costs.alarm]
        return [
            f"Nothing says what an alarm is about: it is taken for {name!r}, the second class. Say "
            f"alarm={name}, or the other class, in the costs."
        ]


def check_share(value: float, name: str) -> float:
    """Check a share between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name}: {value!r}, expected a number between 0 and 1")
    return value


def number(text: Any, what: str) -> float:
    """Return a number that stands as text."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what}: {text!r}, expected a number") from None


def _named(text: str, what: str, wanted: str) -> dict[str, str]:
    """Return what stands before and after each equals sign."""
    parts = [part.rpartition("=") for part in text.split(",")]
    if not all(name for name, _, _ in parts) or len({name for name, _, _ in parts}) < len(parts):
        raise ValueError(f"{what}: {text!r}, expected {wanted}")
    return {name.strip(): value for name, _, value in parts}


def read_costs(text: str | Path, names: list[str]) -> Costs:
    """Return the costs of decisions, of classes whose names are given.

    They are text, ``alarm=sick,false_alarm=1,miss=10`` of two classes, where the alarm is about the
    second if nothing is said; or the name of a csv file of K rows of numbers.
    """
    if not isinstance(text, str | Path):
        raise TypeError(f"costs: {text!r}, expected {WANTED}, or the name of a csv file")
    k, positive, presumed = len(names), 1 if len(names) == 2 else None, False
    if "=" not in str(text):
        try:
            matrix = np.loadtxt(Path(text).read_text().splitlines(), delimiter=",", ndmin=2)
        except ValueError as error:
            raise ValueError(
                f"cost: {text}: not a table of numbers: {error}; expected no heading, a row a "
                "class in their order, and a column a decision"
            ) from None
        positive = positive if matrix.shape == (2, 2) else None
    else:
        given = _named(str(text), "cost", f"{WANTED} of two classes")
        presumed, alarm = "alarm" not in given, given.pop("alarm", names[-1])
        if set(given) != {"false_alarm", "miss"} or k != 2:
            raise ValueError(
                f"cost: {text!r} of {k} classes, expected {WANTED} of two, or a csv file with a "
                "row a class and a column a decision"
            )
        if alarm not in names:
            raise ValueError(f"cost: there is no class {alarm!r}, found {few_of(names)}")
        positive, matrix = names.index(alarm), np.zeros((2, 2))
        matrix[1 - positive, positive] = number(given["false_alarm"], "cost")
        matrix[positive, 1 - positive] = number(given["miss"], "cost")
    if len(matrix) != k or not np.isfinite(matrix).all():
        raise ValueError(f"cost: shape {matrix.shape}, expected {k} rows of finite numbers")
    return Costs(matrix, positive, presumed)


def read_priors(given: str | Mapping[str, Any] | Sequence[Any], names: list[str]) -> np.ndarray:
    """Return new frequencies of the classes, shape (K,).

    They are text, ``sick=0.03``, or a mapping, where the class that is left out gets the rest; or
    numbers in the order of the classes.
    """
    if isinstance(given, str):
        wanted = "NAME=SHARE, or a number for each class, with commas between"
        given = _named(given, "priors", wanted) if "=" in given else given.split(",")
    if isinstance(given, Mapping):
        if unknown := [name for name in given if name not in names]:
            raise ValueError(f"priors: there is no class {unknown[0]!r}, found {few_of(names)}")
        if len(left := [name for name in names if name not in given]) > 1:
            raise ValueError(f"priors: name all classes but one; {few_of(left)} are left out")
        shares = {name: number(share, "priors") for name, share in given.items()}
        given = [shares.get(name, 1 - sum(shares.values())) for name in names]
    priors = np.array([number(share, "priors") for share in given])
    if len(priors) != len(names):
        raise ValueError(f"priors: {len(priors)} shares, expected one for each of {few_of(names)}")
    if not (priors >= 0).all() or not abs(priors.sum() - 1) < 1e-6:
        raise ValueError(f"priors: {priors.tolist()}, expected shares that sum to 1")
    return priors
