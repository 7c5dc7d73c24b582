"""The figures of a report, as SVG whose bytes depend on the numbers alone."""

import base64
import io
from collections.abc import Callable
from typing import Any

from calib_report.losses import HeldOut
from calib_report.measure import FEW

BLUE, VERMILLION, GREY = "#0072b2", "#d55e00", "#999999"


def reliability(own: HeldOut, words: tuple[str, str]) -> str:
    """Return a reliability diagram with its band, bins of few samples shaded."""
    from calib import reliability_diagram

    def draw(ax: Any) -> None:
        reliability_diagram(own.losses.hit, own.losses.score, band=0.95, ax=ax)
        ax.set(xlabel=words[0], ylabel=words[1])
        for m in range(15):
            if 0 < own.bins.count[m] < FEW:
                ax.axvspan(*own.bins.edges[m : m + 2], color=GREY, alpha=0.25, linewidth=0)

    return _drawn(draw, (4.4, 5.7))


def in_time(table: dict[str, Any], changed: bool) -> str:
    """Return confidence less accuracy, period by period."""
    rows = [row for row in table["periods"] if "low" in row["before"]]

    def draw(ax: Any) -> None:
        told = [("before", "as it is", BLUE), ("after", "after the map", VERMILLION)]
        for shift, (when, name, colour) in enumerate(told[: 1 + changed]):
            places = [place + shift / 5 for place in range(len(rows))]
            values = [row[when]["value"] for row in rows]
            half = [row[when]["high"] - row[when]["value"] for row in rows]
            ax.errorbar(places, values, half, fmt="o-", color=colour, label=name, capsize=2)
        ax.axhline(0, color=GREY, linewidth=1)
        ax.set_xticks(range(len(rows)), [row["from"] for row in rows], rotation=45, ha="right")
        ax.set(ylabel="Confidence less accuracy")
        ax.legend(frameon=False)

    return _drawn(draw, (7.0, 3.8))


def _drawn(draw: Callable[[Any], None], size: tuple[float, float]) -> str:
    """Return what is drawn on axes as an SVG file in base64; settings of the user do not count."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams |= {"svg.hashsalt": "calib", "svg.fonttype": "none"}
        matplotlib.rcParams |= {"axes.spines.top": False, "axes.spines.right": False}
        figure = Figure(figsize=size, layout="constrained", facecolor="white")
        draw(figure.subplots())
        content = io.BytesIO()
        FigureCanvasSVG(figure).print_svg(content, metadata={"Date": None, "Creator": None})
    return base64.b64encode(content.getvalue()).decode()
