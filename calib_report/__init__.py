"""A report on your own model: measure it, compare recalibration maps, recommend one.

`make_report` writes one HTML page without external parts, the numbers as JSON, and the recommended
map; `apply_map` applies that map to new outputs.
"""

from calib_report.apply import apply_map
from calib_report.comparison import compare, compare_two
from calib_report.decide import SITUATIONS, advice, recommend, recommended_map
from calib_report.outputs import ModelOutputs
from calib_report.page import analyse, make_report
from calib_report.table import read

__all__ = [
    "SITUATIONS",
    "ModelOutputs",
    "advice",
    "analyse",
    "apply_map",
    "compare",
    "compare_two",
    "make_report",
    "read",
    "recommend",
    "recommended_map",
]
