"""What a user asks of a report, checked against the outputs."""

from pathlib import Path
from typing import NamedTuple

from calib_report.checked_numbers import check_share
from calib_report.contract import OptionError
from calib_report.measuring.costs import Costs, read_costs
from calib_report.model_outputs import ModelOutputs

NO_COSTS = {  # of questions that are not about classes
    "pairs": "pairs of a confidence and whether it was right do not tell the classes",
    "labels": "each label has a frequency of its own; take one label at a time",
}
FEWEST_FOR_HALVES = 200  # samples below which a threshold is not found on half of them


class Request(NamedTuple):
    """What a user asks of a report."""

    costs: Costs | None = None
    coverage: float | None = None
    risk: float | None = None
    time: str | None = None

    @property
    def to_decline(self) -> bool:
        """Whether it is asked below which confidence to decline."""
        return self.coverage is not None or self.risk is not None


def request_of(
    outputs: ModelOutputs,
    *,
    costs: str | Path | None = None,
    coverage: float | None = None,
    risk: float | None = None,
    time: str | None = None,
) -> Request:
    """Return what was asked, checked against the outputs; OptionError where it makes no sense."""
    if costs is not None and outputs.task in NO_COSTS:
        raise OptionError("costs", NO_COSTS[outputs.task])
    if coverage is not None and risk is not None:
        problem = "beside a coverage: ask for one of them, and the other follows"
        raise OptionError("risk", problem)
    _refuse_share_of_few(coverage, "coverage", len(outputs))
    _refuse_share_of_few(risk, "risk", len(outputs))
    # last, since it reads a file
    prices = None if costs is None else read_costs(costs, outputs.names)
    return Request(prices, coverage, risk, time)


def _refuse_share_of_few(share: float | None, option: str, n: int) -> None:
    if share is not None:
        check_share_to_decline(share, option, n)


def check_share_to_decline(share: float, option: str, n: int) -> float:
    """Return a share that can be found on one half of n samples and tried on the other."""
    if n < FEWEST_FOR_HALVES:
        raise OptionError(option, f"{n} samples, expected {FEWEST_FOR_HALVES}")
    return check_share(share, option)
