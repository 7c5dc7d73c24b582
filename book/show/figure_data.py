"""What a figure draws, as a table: run at the start of each kernel, before any cell.

A figure's output then holds, beside its picture, a ``text/csv`` with a row for each point.
"""

import csv
import io
from itertools import islice

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex

MOST_ROWS = 20_000  # a figure of more points has no table


def table(figure) -> str | None:
    """Return lines, points, bars and areas of a figure as CSV; None where there is nothing."""
    keys = _keys(figure)
    every = (
        (" ".join(f"{i} {title}".split()), kind, series, *(f"{value:.6g}" for value in point))
        for i, ax in enumerate(figure.axes, 1)
        for title in [ax.get_title() or ax.get_ylabel()]
        for kind, series, points in _series(ax, keys)
        for point in points
    )
    rows = list(islice(every, MOST_ROWS + 1))
    if not 0 < len(rows) <= MOST_ROWS:
        return None
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["axes", "kind", "series", "x", "y", "to x", "to y"])
    writer.writerows((*row, *[""] * (7 - len(row))) for row in rows)
    return file.getvalue()


def _keys(figure) -> list[list]:
    """Return the lines without points that are seaborn's entries of legends, a list a heading."""
    found: list[list] = [[]]
    empty = [line for ax in figure.axes for line in ax.lines if not len(line.get_xdata())]
    for line in filter(_label, empty):
        if line.get_color() == "w":
            found.append([])
        else:
            found[-1].append(line)
    return found


def _meaning(artist, keys, **look) -> str:
    """Return an artist's label, or what its look means by the keys under each heading."""
    names = [_label(artist)]
    for entries in [] if _label(artist) else keys:
        looks = [_look(line) for line in entries]
        telling = [part for part in look if len({one[part] for one in looks}) > 1]
        same = [all(one[part] == look[part] for part in telling) for one in looks]
        if telling and not any(same):
            return ""
        names += [_label(entries[same.index(True)])] if telling else []
    return ", ".join(filter(None, dict.fromkeys(names)))


def _look(line) -> dict:
    return {
        "colour": to_hex(line.get_color()),
        "marker": line.get_marker(),
        "dashed": line.is_dashed(),
        "width": line.get_linewidth(),
    }


def _series(ax, keys):
    """Yield kind, label and points of what stands on axes; texts and frames are left out."""
    for line in ax.lines:
        look = {part: value for part, value in _look(line).items() if value not in ("None", "")}
        series = _meaning(line, keys, **look)
        yield "line", series, zip(*map(_numbers, line.get_data()), strict=True)
    for patch in ax.patches:
        if hasattr(patch, "get_width"):
            x, y = patch.get_xy()
            yield "bar", _label(patch), [(x, y, x + patch.get_width(), y + patch.get_height())]
    for drawn in ax.collections:
        colours = [to_hex(face) for face in drawn.get_facecolors()]
        if hasattr(drawn, "get_segments"):
            segments = drawn.get_segments()
            yield "segment", _label(drawn), [(*s[0], *s[-1]) for s in segments if len(s)]
        elif isinstance(drawn, PathCollection):
            places = drawn.get_offsets().tolist()
            if _label(drawn) or not any(keys) or len(colours) != len(places):
                colours = [""] * len(places)
            for colour in dict.fromkeys(colours):
                same = [place for place, own in zip(places, colours, strict=True) if own == colour]
                yield "point", _meaning(drawn, keys if colour else [], colour=colour), same
        elif isinstance(drawn, PolyCollection):
            series = _meaning(drawn, keys, colour="".join(colours[:1]))
            for path in drawn.get_paths():
                yield "area", series, path.vertices.tolist()
    for container in ax.images:
        for i, row in enumerate(container.get_array()):
            yield "cell", f"row {i}", [(j, value) for j, value in enumerate(row) if value.ndim == 0]


def _numbers(values):
    """Return values as plain numbers: categories by their places."""
    values = np.asarray(values)
    return values if values.dtype.kind in "fiu" else range(len(values))


def _label(artist) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def register(shell) -> None:
    """Let a shell show the table beside each figure's picture."""
    from IPython.core.formatters import BaseFormatter
    from traitlets import ObjectName, Unicode

    class Table(BaseFormatter):
        format_type = Unicode("text/csv")
        print_method = ObjectName("_repr_csv_")

        def __call__(self, shown):  # matplotlib drops what is registered for its figures
            return table(shown) if hasattr(shown, "savefig") else None

    shell.display_formatter.formatters["text/csv"] = Table(parent=shell.display_formatter)
