"""Small tables as a person types them: a line of names, then a line a row, parted by semicolons."""

import numpy as np


def typed(text):
    """Return columns by name; of "label p_a; a 0.9; b 0.2" two, of which `-` is an empty cell."""
    names, *rows = (line.split() for line in text.split(";"))
    assert all(len(row) == len(names) for row in rows), text
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return {name: column_of(cells) for name, cells in zip(names, columns, strict=True)}


def column_of(cells):
    """Return cells as whole numbers, as numbers, or as text, whichever all of them are."""
    for kind in (int, float):
        try:
            return np.array([kind(cell) for cell in cells])
        except ValueError:
            continue
    return np.array(["" if cell == "-" else cell for cell in cells])
