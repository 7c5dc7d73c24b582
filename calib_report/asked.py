"""What is asked of a report beside the numbers: costs, a share to keep, time."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calib_report.contract import few, refused
from calib_report.losses import names_of
from calib_report.outputs import ModelOutputs

FEWEST_FOR_HALVES = 200  # samples below which a threshold is not found on half of them


class Costs(NamedTuple):
    """What decisions cost: a row a class, a column a decision; of two, which is the alarm's."""

    matrix: np.ndarray
    alarm: int | None = None


@dataclass(frozen=True)
class Asked:
    """What a user asks of a report, checked against the outputs."""

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
        coverage: float | None = None,
        risk: float | None = None,
        time: str | None = None,
    ) -> "Asked":
        """Read what was asked; a ValueError where it makes no sense."""
        if costs is not None and outputs.task != "classes":
            raise refused(f"no_question_of_{outputs.task}", name="cost")
        if coverage is not None and risk is not None:
            raise refused("one_of_two")
        for name, share in (("coverage", coverage), ("risk", risk)):
            if share is not None and len(outputs) < FEWEST_FOR_HALVES:
                raise refused("fewest", name=name, n=len(outputs), least=FEWEST_FOR_HALVES)
            if share is not None:
                check_share(share, name)
        known = None if costs is None else read_costs(costs, names_of(outputs))
        return cls(known, coverage, risk, time)


def check_share(value: float, name: str) -> float:
    """Check a share between 0 and 1."""
    if not 0 < value < 1:
        raise refused("said", name=name, value=repr(value), expected="a number between 0 and 1")
    return value


def number(text: Any, what: str) -> float:
    """Return a number that stands as text."""
    try:
        return float(text)
    except ValueError:
        raise refused("said", name=what, value=repr(text), expected="a number") from None


def read_costs(text: str | Path, names: list[str]) -> Costs:
    """Return costs of ``alarm=sick,false_alarm=1,miss=10``, or of a csv file of K rows."""
    if not isinstance(text, str | Path):
        raise TypeError(f"costs: {text!r}, expected text, or the name of a csv file")
    k, alarm = len(names), 1 if len(names) == 2 else None
    if "=" not in str(text):
        try:
            matrix = np.loadtxt(Path(text).read_text().splitlines(), delimiter=",", ndmin=2)
        except ValueError as error:
            raise refused("cost_file", path=text, error=error) from None
    else:
        said = [part.rpartition("=") for part in str(text).split(",")]
        given = {name.strip(): value for name, _, value in said}
        if sorted(given) != ["alarm", "false_alarm", "miss"] or len(said) != 3 or k != 2:
            raise refused("costs", text=text, names=few(names))
        if given["alarm"] not in names:
            raise refused("no_class", name="cost", wish=given["alarm"], names=few(names))
        alarm, matrix = names.index(given["alarm"]), np.zeros((2, 2))
        matrix[1 - alarm, alarm] = number(given["false_alarm"], "cost")
        matrix[alarm, 1 - alarm] = number(given["miss"], "cost")
    if len(matrix) != k or not np.isfinite(matrix).all():
        raise refused("cost_shape", shape=matrix.shape, k=k)
    return Costs(matrix, alarm if matrix.shape == (2, 2) else None)
