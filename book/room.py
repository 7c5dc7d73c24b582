"""Figures for the last row of a lecture room: those of the chapters, drawn wide, in large letters.

The chapters are executed once more, up to their last figure that a lecture shows. What was drawn is
kept until the chapter, its data or this file change.
"""

import base64
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from book.executor import PROCESSES, SECONDS, key, project_runner
from book.project import BookError, Chapter, Project
from book.runner import RunError, Runner, with_parameters
from calib.files import write_whole

HERE = Path(__file__).resolve()
BY = HERE.read_bytes()
INCHES = 11.8, 5.7
PIXELS = 100  # an inch, as slides show them; they are drawn twice as fine
LETTERS = 18  # points: 25 px
PANELS: list[int] = []  # of the next figure: which are kept, all if none is named


def enlarge_figures() -> None:
    """Let this process draw every figure for the room."""
    from matplotlib.backend_bases import FigureCanvasBase

    draw = FigureCanvasBase.print_figure

    def print_figure(canvas, *given, **options):
        enlarge(canvas.figure, PANELS)
        PANELS.clear()
        return draw(canvas, *given, **options)

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
            line.set_linewidth(1.5 * line.get_linewidth())
            line.set_markersize(1.5 * line.get_markersize())
    _one_label_a_column(figure)
    for text in figure.findobj(Text):
        text.set_fontsize(LETTERS)


def _in_a_row(figure, kept: list) -> None:
    """Keep these panels alone, side by side; labels that the first one has are not repeated."""
    bottom = figure.axes[-1].get_xlabel()
    for ax in list(figure.axes):
        if ax not in kept:
            ax.remove()
    places = figure.add_gridspec(1, len(kept))
    for i, ax in enumerate(kept):
        ax.set_subplotspec(places[i])
        ax.tick_params(labelbottom=True)
        ax.set_xlabel(ax.get_xlabel() or bottom)
        shared = ax.get_shared_y_axes().joined(ax, kept[0])
        if i and (shared or _names(ax) == _names(kept[0]) != []):
            ax.tick_params(labelleft=False)
            ax.set_ylabel("")
    figure.get_layout_engine().set(w_pad=0.15)


def _names(ax) -> list[str]:
    """Return the labels of the vertical axis that are words."""
    return [t.get_text() for t in ax.get_yticklabels() if any(map(str.isalpha, t.get_text()))]


def _legend_outside(figure, kept: list, *, always: bool) -> None:
    """Put the legend of square panels, of panels in a row, of a whole figure where it has room."""
    square = [ax for ax in kept if ax.get_aspect() == 1]
    framed = figure.axes if always else square
    legends = [*figure.legends, *filter(None, (ax.get_legend() for ax in framed))]
    said = {t.get_text(): h for one in legends for t, h in _entries(one)}
    for legend in legends:
        legend.remove()
    if said:
        right = len(square) == len(kept) == 1
        place = "outside right center" if right else "outside lower center"
        options = {"frameon": False, "ncols": 1 if right else 3}
        figure.legend(list(said.values()), list(said), loc=place, **options)


def _entries(legend):
    return zip(legend.get_texts(), legend.legend_handles, strict=True)


def _one_label_a_column(figure) -> None:
    """Where rows are low and share a label, leave it to one of them."""
    first = [ax for ax in figure.axes if ax.get_ylabel() and ax.get_subplotspec()]
    if len(first) > 2 and len({ax.get_ylabel() for ax in first}) == 1:
        for ax in first:
            ax.set_ylabel(ax.get_ylabel() if ax is first[len(first) // 2] else "")


def figures(project: Project, wanted: dict[str, list[int]]) -> dict[str, bytes]:
    """Return the pictures that the lectures show, by their names; `wanted` has their panels."""
    chapters = [chapter for chapter in project.listed() if chapter.is_notebook]
    shares = [chapters[i::PROCESSES] for i in range(PROCESSES)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        found = pool.map(lambda share: _share(project, share, wanted), shares)
        return {name: picture for one in found for name, picture in one.items()}


def _share(project: Project, chapters: list, wanted: dict[str, list[int]]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with project_runner(project) as runner:
        for chapter in chapters:
            found |= _drawn(project, runner, chapter, wanted)
    return found


def _drawn(project: Project, runner: Runner, chapter: Chapter, wanted: dict) -> dict[str, bytes]:
    import jupytext

    notebook = jupytext.read(chapter.path)
    names = [_name(cell) for cell in notebook.cells]
    shown = [i for i, name in enumerate(names) if name in wanted]
    if not shown:
        return {}
    place = project.build / "room" / chapter.name
    panels = {names[i]: wanted[names[i]] for i in shown}
    made = key(project, chapter, {"panels": panels, "by": hashlib.sha256(BY).hexdigest()})
    record = place / "key"
    if not (record.is_file() and record.read_text() == made):
        _draw(runner, chapter, notebook.cells[: shown[-1] + 1], panels, place)
        write_whole(record, made.encode())
    return {names[i]: (place / f"{names[i]}.png").read_bytes() for i in shown}


def _name(cell) -> str:
    return cell.metadata.get("mystnb", {}).get("figure", {}).get("name", "")


def _draw(runner: Runner, chapter: Chapter, cells: list, panels: dict, place: Path) -> None:
    from nbformat.v4 import new_code_cell, new_notebook

    given = [new_code_cell("from book import room\n\nroom.enlarge_figures()")]
    for cell in cells:
        if panels.get(_name(cell)):
            given.append(new_code_cell(f"room.PANELS[:] = {panels[_name(cell)]}"))
        if not {"stub", "check", "solution"} & set(cell.metadata.get("tags", [])):
            given.append(cell)
    try:
        done = runner.run(
            with_parameters(new_notebook(cells=given), chapter.parameters),
            seconds=SECONDS,
            cwd=chapter.path.parent,
            environment={"CALIB_DECLARED": os.pathsep.join(chapter.data)},
        )
    except RunError as error:
        raise BookError(f"{chapter.path}: its figures were not drawn: {error}") from None
    place.mkdir(parents=True, exist_ok=True)
    for cell in done.cells:
        for output in cell.get("outputs", []):
            if _name(cell) and "image/png" in output.get("data", {}):
                picture = base64.b64decode(output["data"]["image/png"])
                write_whole(place / f"{_name(cell)}.png", picture)
