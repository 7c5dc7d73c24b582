"""What decisions cost: costs as they are typed or saved, and the table of what a map changes."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from calib_report.checked_numbers import number_typed
from calib_report.contract import OptionError, listed
from calib_report.measuring.estimates import mean_with_interval
from calib_report.measuring.outcome import Outcome
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import CostTable


class Costs(NamedTuple):
    """What decisions cost: a row a class, a column a decision; of two, which is the alarm's."""

    matrix: np.ndarray
    alarm: int | None = None


def read_costs(text: str | Path, names: list[str]) -> Costs:
    """Return costs of ``alarm=sick,false_alarm=1,miss=10``, or of a csv file of K rows."""
    if not isinstance(text, str | Path):
        problem = f"{text!r:.60}, expected text, or the name of a csv file"
        raise OptionError("costs", problem)
    # who types costs types an equals sign, which no name of a file needs
    is_typed = "=" in str(text)
    costs = (_costs_of_alarm if is_typed else _costs_of_file)(text, names)
    if len(costs.matrix) != len(names) or not np.isfinite(costs.matrix).all():
        shape = costs.matrix.shape
        problem = f"shape {shape}, expected {len(names)} rows of finite numbers"
        raise OptionError("costs", problem)
    return costs


def _costs_of_alarm(text: str | Path, names: list[str]) -> Costs:
    entries = [entry.rpartition("=") for entry in str(text).split(",")]
    costs = {name.strip(): value for name, _, value in entries}
    # a name that is typed twice is one of too many entries
    are_three = len(entries) == 3 and {*costs} == {"alarm", "false_alarm", "miss"}
    if not are_three or len(names) != 2:
        raise OptionError(
            "costs",
            f"{text!r} of the classes {listed(names)}, expected "
            "alarm=CLASS,false_alarm=NUMBER,miss=NUMBER of two classes, or a csv file with a row a "
            "class and a column a decision",
        )
    if costs["alarm"] not in names:
        problem = f"there is no class {costs['alarm']!r}, found {listed(names)}"
        raise OptionError("costs", problem)
    # rows are labels, columns decisions; what is right costs nothing
    alarm, matrix = names.index(costs["alarm"]), np.zeros((2, 2))
    matrix[1 - alarm, alarm] = number_typed(
        "false_alarm", costs["false_alarm"], "costs"
    )
    matrix[alarm, 1 - alarm] = number_typed("miss", costs["miss"], "costs")
    return Costs(matrix, alarm)


def _costs_of_file(path: str | Path, names: list[str]) -> Costs:
    try:
        matrix = np.loadtxt(Path(path).read_text().splitlines(), delimiter=",", ndmin=2)
    except ValueError as error:
        raise OptionError(
            "costs",
            f"{path}: not a table of numbers: {error}; expected no heading, a row a class in "
            "their order, and a column a decision",
        ) from None
    # a square of two classes has an alarm: the second
    is_square_of_two = len(names) == 2 and matrix.shape == (2, 2)
    return Costs(matrix, 1 if is_square_of_two else None)


def cost_table(
    costs: Costs, before: Outcome, after: Outcome, outputs: ModelOutputs
) -> CostTable:
    """Return what decisions cost: as it is, after the map, and always the best constant one."""
    if before.cost is None or after.cost is None:
        raise ValueError("the decisions of an outcome were taken without costs")
    names, clusters = outputs.names, before.clusters
    frequency = np.bincount(outputs.y, minlength=len(names)) / len(outputs)
    constant = frequency @ costs.matrix
    best = int(constant.argmin())
    # a column a class decides for the class; other decisions have no names
    is_square = costs.matrix.shape[1] == len(names)
    table: CostTable = {
        "before": mean_with_interval(before.cost, clusters),
        "after": mean_with_interval(after.cost, clusters),
        "change": mean_with_interval(after.cost - before.cost, clusters),
        "constant": float(constant[best]),
        "constant_decision": names[best] if is_square else f"decision {best + 1}",
    }
    if costs.alarm is None or not 0 <= alarm_threshold(costs) <= 1:
        return table  # of negative costs, say, one of the decisions is always cheaper
    return {**table, "alarm": names[costs.alarm], "threshold": alarm_threshold(costs)}


def alarm_threshold(costs: Costs) -> float:
    """Probability of the class of the alarm from which deciding for it is cheaper."""
    alarm = 1 if costs.alarm is None else costs.alarm
    healthy, sick = costs.matrix[1 - alarm], costs.matrix[alarm]
    # only the differences within a row decide
    false_alarm = healthy[alarm] - healthy[1 - alarm]
    miss = sick[1 - alarm] - sick[alarm]
    if false_alarm + miss == 0:
        return float("nan")
    return float(false_alarm / (false_alarm + miss))
