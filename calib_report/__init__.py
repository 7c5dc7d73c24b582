"""A report on your own model: measure it, compare recalibration maps, recommend one.

`make_report` writes one HTML page without external parts, the numbers as JSON, and the recommended
map; `apply_map` applies that map to new outputs.
"""

from calib_report.apply import apply_map
from calib_report.comparison import candidates, compare, compare_two
from calib_report.decide import SITUATIONS, Situation, recommend, recommended_map
from calib_report.outputs import ModelOutputs
from calib_report.page import analyse, make_report
from calib_report.sums import Accumulator
from calib_report.table import read
from calib_report.words import decimals, interval, percent, sentence

__all__ = [
    "SITUATIONS",
    "Accumulator",
    "ModelOutputs",
    "Situation",
    "analyse",
    "apply_map",
    "candidates",
    "compare",
    "compare_two",
    "decimals",
    "interval",
    "make_report",
    "percent",
    "read",
    "recommend",
    "recommended_map",
    "sentence",
]
