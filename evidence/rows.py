"""Rows of the tables that studies compute: of bins, means, numbers as text, whole CSV files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from calib.bins import Bins
from calib.files import write_whole
from evidence.data import csv_bytes, data_folder

Row = dict[str, Any]  # of a table, by column
DIGITS = 10  # significant, of the numbers of a table


def results_folder() -> Path:
    """The folder of the tables that studies compute."""
    return data_folder() / "results"


def rows_of_bins(head: Row, bins: Bins) -> Iterator[Row]:
    """One row a bin, after a head: number of samples, sums of their scores and of their hits."""
    sums = zip(bins.count, bins.score_sum, bins.hit_sum, strict=True)
    for m, (count, score_sum, hit_sum) in enumerate(sums, 1):
        entry = {
            "count": int(count),
            "score_sum": float(score_sum),
            "hit_sum": float(hit_sum),
        }
        yield head | {"bin": m} | entry


def format_number(value: float, form: str) -> str:
    """A number as text in a form of its own, as decimals; nothing where there is none."""
    return "" if np.isnan(value) else format(value, form)


def means(drawn: list[Row]) -> Row:
    """The mean and the standard deviation of each column of rows."""
    columns: Row = {}
    for column in drawn[0]:
        values = np.array([row[column] for row in drawn])
        columns |= {
            column: float(values.mean()),
            f"{column}_sd": float(values.std(ddof=1)),
        }
    return columns


def table_bytes(rows: list[Row], digits: int = DIGITS, name: str = "table") -> bytes:
    """The CSV file of rows, floats with so many digits; an empty cell where a number is NaN."""
    table = [{key: _text(value, digits) for key, value in row.items()} for row in rows]
    return csv_bytes(table, name)


def write_table(place: str, rows: list[Row], digits: int = DIGITS) -> None:
    """Write ``data/results/PLACE.csv``, where a place is a folder and a name: see `table_bytes`."""
    name = f"{place}.csv"
    write_whole(results_folder() / name, table_bytes(rows, digits, name))
    print(f"data/results/{name}: {len(rows)} rows")


def _text(value: Any, digits: int) -> Any:
    return format_number(value, f".{digits}g") if isinstance(value, float) else value
