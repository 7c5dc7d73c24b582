"""Read tables of others, trusting nothing in them. Errors are ValueErrors."""

import csv
import io

import numpy as np


def read_csv(content: bytes, columns: list[str] | None = None) -> dict[str, np.ndarray]:
    """Columns of numbers, by name.

    Parameters
    ----------
    content : bytes
    columns : list of str, optional
        The names that the first line must hold. Without it the file has no such line and the
        columns are named "0", "1", ….

    Returns
    -------
    dict of ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        If the text is not such a table; the error names the row.

    Examples
    --------
    >>> read_csv(b"label,score\\n1,0.5\\n", ["label", "score"])
    {'label': array([1.]), 'score': array([0.5])}
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8"))) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"not a CSV file: {error}") from None
    if columns is not None:
        header = rows.pop(0) if rows else []
        if header != columns:
            raise ValueError(f"the first line is {header[:9]}, expected {columns}")
    if not rows:
        raise ValueError("the table is empty")
    width = len(rows[0] if columns is None else columns)
    for number, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(f"row {number} has {len(row)} fields, expected {width}")
    try:
        table = np.array(rows, dtype=np.float64)
    except ValueError as error:
        raise ValueError(f"not a table of numbers: {error}") from None
    return {name: table[:, i] for i, name in enumerate(columns or map(str, range(width)))}
