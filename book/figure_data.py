"""What a figure draws, as a table: run at the start of each kernel, before any cell.

A figure's output then holds, beside its picture, a ``text/csv`` with a row for each point.
"""

import csv
import io

MOST_ROWS = 20_000  # a figure of more points has no table


def table(figure) -> str | None:
    """Return lines, points, bars and areas of a figure as CSV; None where there is nothing."""
    rows = [
        (_name(ax, i), kind, series, *(f"{value:.6g}" for value in point))
        for i, ax in enumerate(figure.axes)
        for kind, series, points in _series(ax)
        for point in points
    ]
    if not 0 < len(rows) <= MOST_ROWS:
        return None
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["axes", "kind", "series", "x", "y", "to x", "to y"])
    writer.writerows((*row, *[""] * (7 - len(row))) for row in rows)
    return file.getvalue()


def _name(ax, i) -> str:
    said = ax.get_title() or ax.get_ylabel()
    return " ".join(f"{i + 1} {said}".split())


def _series(ax):
    """Yield kind, label and points of what stands on axes; texts and frames are left out."""
    from matplotlib.collections import PathCollection, PolyCollection

    for line in ax.lines:
        yield "line", _label(line), zip(*map(_numbers, line.get_data()), strict=True)
    for patch in ax.patches:
        if hasattr(patch, "get_width"):
            x, y = patch.get_xy()
            yield "bar", _label(patch), [(x, y, x + patch.get_width(), y + patch.get_height())]
    for collection in ax.collections:
        if hasattr(collection, "get_segments"):
            segments = collection.get_segments()
            yield "segment", _label(collection), [(*s[0], *s[-1]) for s in segments if len(s)]
        elif isinstance(collection, PathCollection):
            yield "point", _label(collection), collection.get_offsets().tolist()
        elif isinstance(collection, PolyCollection):
            for path in collection.get_paths():
                yield "area", _label(collection), path.vertices.tolist()
    for container in ax.images:
        for i, row in enumerate(container.get_array()):
            yield "cell", f"row {i}", [(j, value) for j, value in enumerate(row) if value.ndim == 0]


def _numbers(values):
    """Return values as plain numbers: categories by their places."""
    import numpy as np

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
