"""Bins of networks as trained, whose reliability diagrams the book draws."""

from collections.abc import Iterator

import pandas as pd

import calib
from evidence import load_source
from evidence.rows import Row, rows_of_bins


def as_trained(key: str, names: list[str] | pd.Series, n_bins: int) -> Iterator[Row]:
    """Yield the bins of networks as trained."""
    for name in names:
        yield from rows_of_bins(
            {key: name}, calib.equal_width(n_bins)(*load_source(name).test.pairs)
        )
