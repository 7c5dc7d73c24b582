"""Figures for the last row of a lecture room: those of the chapters, drawn wide, in large letters.

The chapters are executed once more for it, in kernels that this module has registered with.
"""

import json
import os
from contextlib import suppress

INCHES = 11.8, 5.7
PIXELS = 100  # an inch, as slides show them; they are drawn twice as fine
LETTERS = 18  # points: 25 px


def register(shell) -> None:
    """Let a kernel draw every figure for the room; BOOK_PANELS has the panels kept, by cell."""
    from matplotlib.backend_bases import FigureCanvasBase

    draw, panels = FigureCanvasBase.print_figure, json.loads(os.environ["BOOK_PANELS"])
    kept: list[int] = []

    def print_figure(canvas, *given, **options):
        enlarge(canvas.figure, kept)
        return draw(canvas, *given, **options)

    def before(cell) -> None:
        kept[:] = panels.get(cell.raw_cell, [])

    shell.events.register("pre_run_cell", before)
    FigureCanvasBase.print_figure = print_figure


def enlarge(figure, panels: list[int] = ()) -> None:
    """Make a figure wide, its letters and lines large, its ticks few."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.text import Text
    from matplotlib.ticker import AutoLocator, MaxNLocator

    if not isinstance(figure.get_layout_engine(), ConstrainedLayoutEngine):
        with suppress(RuntimeError):  # a colour bar was placed by the old one
            figure.set_layout_engine("constrained")
    figure.set_size_inches(INCHES)
    kept = [figure.axes[i] for i in panels] or list(figure.axes)
    _legend_outside(figure, kept, always=bool(panels))
    if panels:
        _in_a_row(figure, kept)
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            if isinstance(axis.get_major_locator(), AutoLocator):
                axis.set_major_locator(MaxNLocator(2 if len(panels) > 2 else 4))
        for line in ax.lines:
            line.set(linewidth=1.5 * line.get_linewidth(), markersize=1.5 * line.get_markersize())
    rows = [ax for ax in figure.axes if ax.get_ylabel() and ax.get_subplotspec()]
    if len(rows) > 2 and len({ax.get_ylabel() for ax in rows}) == 1:  # one says it for all
        for ax in {*rows} - {rows[len(rows) // 2]}:
            ax.set_ylabel("")
    for text in figure.findobj(Text):
        text.set_fontsize(LETTERS)


def _in_a_row(figure, kept: list) -> None:
    """Keep these panels alone, side by side; labels that the first one has are not repeated."""
    bottom = figure.axes[-1].get_xlabel()
    for ax in {*figure.axes} - {*kept}:
        ax.remove()
    for ax, place in zip(kept, figure.add_gridspec(1, len(kept)), strict=True):
        ax.set_subplotspec(place)
        ax.tick_params(labelbottom=True)
        ax.set_xlabel(ax.get_xlabel() or bottom)
        if ax is not kept[0] and (ax.get_shared_y_axes().joined(ax, kept[0]) or _same(ax, kept[0])):
            ax.tick_params(labelleft=False)
            ax.set_ylabel("")
    figure.get_layout_engine().set(w_pad=0.15)


def _same(*axes) -> bool:
    """Tell whether two vertical axes have the same words as labels."""
    first, second = ([t.get_text() for t in ax.get_yticklabels()] for ax in axes)
    return first == second and any(map(str.isalpha, "".join(first)))


def _legend_outside(figure, kept: list, *, always: bool) -> None:
    """Put the legend of square panels, of panels in a row, of a whole figure where it has room."""
    square = [ax for ax in kept if ax.get_aspect() == 1]
    framed = figure.axes if always else square
    legends = [*figure.legends, *filter(None, (ax.get_legend() for ax in framed))]
    said = {}
    for legend in legends:
        names = [text.get_text() for text in legend.get_texts()]
        said |= dict(zip(names, legend.legend_handles, strict=True))
        legend.remove()
    if said:
        right = len(square) == len(kept) == 1
        place = "outside right center" if right else "outside lower center"
        options = {"frameon": False, "ncols": 1 if right else 3}
        figure.legend(list(said.values()), list(said), loc=place, **options)
