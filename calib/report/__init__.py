"""A report on your own model: measure it, compare recalibration maps, recommend one.

`make_report` writes one HTML page without external parts, the numbers as JSON, and the recommended
map; `apply_map` applies that map to new outputs.
"""

from calib.report.advice import SITUATIONS, Situation
from calib.report.application import apply_map
from calib.report.comparison import candidates, compare, recommend, recommended_map
from calib.report.page import analyse, make_report, notes, without_infinities
from calib.report.sentence import decimals, interval, percent, sentence
from calib.report.two import compare_two

__all__ = [
    "SITUATIONS",
    "Situation",
    "analyse",
    "apply_map",
    "candidates",
    "compare",
    "compare_two",
    "decimals",
    "interval",
    "make_report",
    "notes",
    "percent",
    "recommend",
    "recommended_map",
    "sentence",
    "without_infinities",
]
