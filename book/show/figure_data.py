"""What a figure draws, as a table: run at the start of each kernel, before any cell.

A figure's output then holds, beside its picture, a ``text/csv`` with a row for each point.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

Row = tuple[str, ...]
Keys = list[list[Any]]  # entries of legends, a list a heading

MOST_ROWS = 20_000  # a figure of more points has no table


def points_as_csv(figure: Figure) -> str | None:
    """Return lines, points, bars and areas of a figure as CSV; None where there is nothing."""
    # a row beyond tells that there are too many, without making them all
    rows = list(islice(_rows(figure), MOST_ROWS + 1))
    if not 0 < len(rows) <= MOST_ROWS:
        return None
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["axes", "kind", "series", "x", "y", "to x", "to y"])
    writer.writerows((*row, *[""] * (7 - len(row))) for row in rows)
    return file.getvalue()


def _rows(figure: Figure) -> Iterator[Row]:
    """Yield a row for each point: axes, kind, series and two or four numbers."""
    keys = _keys(figure)
    for i, ax in enumerate(figure.axes, 1):
        axes = " ".join(f"{i} {ax.get_title() or ax.get_ylabel()}".split())
        for kind, series, points in _series(ax, keys):
            for point in points:
                yield axes, kind, series, *(f"{value:.6g}" for value in point)


def _keys(figure: Figure) -> Keys:
    """Return the lines without points that are seaborn's entries of legends, a list a heading."""
    keys: Keys = [[]]
    for line in chain.from_iterable(ax.lines for ax in figure.axes):
        if len(line.get_xdata()) or not _label(line):
            continue
        if line.get_color() == "w":  # a heading
            keys.append([])
        else:
            keys[-1].append(line)
    return keys


def _meaning(artist: Artist, keys: Keys, **look: Any) -> str:
    """Return an artist's label, or what its look means by the keys under each heading."""
    if _label(artist):
        return _label(artist)
    names = []
    for entries in keys:
        looks = [_look(line) for line in entries]
        telling = _telling(look, looks)
        if not telling:
            continue
        same = [all(entry[name] == look[name] for name in telling) for entry in looks]
        # a look that one heading does not explain means nothing
        if not any(same):
            return ""
        names.append(_label(entries[same.index(True)]))
    return ", ".join(filter(None, dict.fromkeys(names)))


def _telling(names: Iterable[str], looks: list[dict[str, Any]]) -> list[str]:
    """Return what differs between the entries of a heading: all else says nothing."""
    return [name for name in names if len({look[name] for look in looks}) > 1]


def _look(line: Any) -> dict[str, Any]:
    return {
        "colour": to_hex(line.get_color()),
        "marker": line.get_marker(),
        "dashed": line.is_dashed(),
        "width": line.get_linewidth(),
    }


def _series(ax: Any, keys: Keys) -> Iterator[tuple[str, str, Any]]:
    """Yield kind, label and points of what stands on axes; texts and frames are left out."""
    for line in ax.lines:
        yield _of_line(line, keys)
    for patch in ax.patches:
        if hasattr(patch, "get_width"):
            yield "bar", _label(patch), [_corners(patch)]
    for collection in ax.collections:
        yield from _of_collection(collection, keys)
    for image in ax.images:
        for i, row in enumerate(image.get_array()):
            # a picture in colours has vectors in its cells, and no table
            cells = [(j, value) for j, value in enumerate(row) if value.ndim == 0]
            yield "cell", f"row {i}", cells


def _of_line(line: Any, keys: Keys) -> tuple[str, str, Any]:
    """Return kind, label and points of a line."""
    look = _look(line)
    if look["marker"] in ("None", ""):  # no marker tells nothing
        del look["marker"]
    # as drawn: what was given may be names of categories, or numbers that are called objects
    return "line", _meaning(line, keys, **look), line.get_xydata()


def _corners(bar: Any) -> tuple[float, float, float, float]:
    """Return the lower left and the upper right corner of a bar."""
    x, y = bar.get_xy()
    return x, y, x + bar.get_width(), y + bar.get_height()


def _of_collection(collection: Any, keys: Keys) -> Iterator[tuple[str, str, Any]]:
    """Yield the segments, points or areas of a collection."""
    if hasattr(collection, "get_segments"):
        # of a broken line the two ends alone
        ends = [(*s[0], *s[-1]) for s in collection.get_segments() if len(s)]
        yield "segment", _label(collection), ends
    elif isinstance(collection, PathCollection):
        yield from _points(collection, keys)
    elif isinstance(collection, PolyCollection):
        series = _meaning(collection, keys, colour="".join(_colours(collection)[:1]))
        for path in collection.get_paths():
            yield "area", series, np.asarray(path.vertices).tolist()


def _points(collection: Any, keys: Keys) -> Iterator[tuple[str, str, Any]]:
    """Yield the points of a scatter plot, those of one colour together where a key explains it."""
    places, colours = collection.get_offsets().tolist(), _colours(collection)
    if _label(collection) or not any(keys) or len(colours) != len(places):
        colours, keys = [""] * len(places), []
    points: dict[str, list[Any]] = {colour: [] for colour in colours}
    for place, colour in zip(places, colours, strict=True):
        points[colour].append(place)
    for colour, of_colour in points.items():
        yield "point", _meaning(collection, keys, colour=colour), of_colour


def _colours(collection: Any) -> list[str]:
    return [to_hex(face) for face in collection.get_facecolors()]


def _label(artist: Any) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def register(shell: Any) -> None:
    """Let a shell show the table beside each figure's picture."""
    from IPython.core.formatters import BaseFormatter
    from traitlets import ObjectName, Unicode

    class Table(BaseFormatter):
        format_type = Unicode("text/csv")
        print_method = ObjectName("_repr_csv_")

        # matplotlib drops what is registered for its figures
        def __call__(self, shown: Any) -> str | None:
            return points_as_csv(shown) if hasattr(shown, "savefig") else None

    shell.display_formatter.formatters["text/csv"] = Table(
        parent=shell.display_formatter
    )
