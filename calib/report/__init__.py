"""A report on your own model: measure it, compare recalibration maps, recommend one.

`make_report` writes one HTML page without external parts, the numbers as JSON, and the recommended
map; `apply_map` applies that map to new outputs.
"""

from calib.report.comparison import candidates, compare, recommend, recommended_map
from calib.report.measurement import measure
from calib.report.page import (
    analyse,
    apply_map,
    make_report,
    notes,
    without_infinities,
    write_report,
)
from calib.report.tables import (
    classes_table,
    comparison_table,
    decimals,
    interval,
    intervals_text,
    metrics_table,
    ranges_table,
    recommendation_text,
    summary_text,
)

__all__ = [
    "analyse",
    "apply_map",
    "candidates",
    "classes_table",
    "compare",
    "comparison_table",
    "decimals",
    "interval",
    "intervals_text",
    "make_report",
    "measure",
    "metrics_table",
    "notes",
    "ranges_table",
    "recommend",
    "recommendation_text",
    "recommended_map",
    "summary_text",
    "without_infinities",
    "write_report",
]
