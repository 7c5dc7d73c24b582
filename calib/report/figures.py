"""The figures of a report, as SVG whose bytes depend on the numbers alone."""

import base64
import io
from typing import Any

from calib.bins import equal_width

FEW = 10  # samples of a bin below which it says little
SIZE = (4.4, 5.7)


def reliability(losses: Any, words: Any) -> str:
    """Return a reliability diagram with its band, bins of few samples shaded."""
    from calib.plots import GREY, reliability_diagram

    bins = equal_width(15)(losses.score, losses.hit)

    def draw(ax: Any) -> None:
        reliability_diagram(losses.hit, losses.score, band=0.95, ax=ax)
        ax.set(xlabel=words[0], ylabel=words[1])
        for m in range(15):
            if 0 < bins.count[m] < FEW:
                ax.axvspan(*bins.edges[m : m + 2], color=GREY, alpha=0.25, linewidth=0)

    return _drawn(draw, SIZE)


def risk_coverage_figure(before: Any, after: Any) -> str:
    """Return the share of errors against the share of answers kept."""
    from calib.plots import COLOURS
    from calib.selective import risk_coverage

    def draw(ax: Any) -> None:
        for losses, name, line in ((before, "as it is", "-"), (after, "after the map", "--")):
            if losses is None:
                continue
            curve = risk_coverage(losses.hit, losses.score)
            step = max(1, len(curve.coverage) // 1000)
            colour = COLOURS["blue" if losses is before else "vermillion"]
            ax.plot(curve.coverage[::step], curve.risk[::step], line, color=colour, label=name)
        ax.set(xlabel="Share of answers kept", ylabel="Share of errors among them", xlim=(0, 1))
        ax.set_ylim(0, None)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(frameon=False)

    return _drawn(draw, (5.2, 3.4))


def _drawn(draw: Any, size: Any) -> str:
    """Return what is drawn on axes as an SVG file in base64; settings of the user do not count."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams |= {"svg.hashsalt": "calib", "svg.fonttype": "none"}
        figure = Figure(figsize=size, layout="constrained", facecolor="white")
        draw(figure.subplots())
        content = io.BytesIO()
        FigureCanvasSVG(figure).print_svg(content, metadata={"Date": None, "Creator": None})
    return base64.b64encode(content.getvalue()).decode()
