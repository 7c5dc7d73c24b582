"""Compute metrics_over_random_halves.csv: of test sets, where the cut of a paper is not known."""

from collections.abc import Iterable

import numpy as np

from evidence.rows import Row
from evidence.studies.parts.random_halves import half_rows

QUANTILES = [0, 0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975, 1]


def rows() -> Iterable[Row]:
    return map(summarised, half_rows())


def summarised(row: Row) -> Row:
    """Mean, standard deviation and quantiles over the halves."""
    entry = dict(row)
    values = np.array(entry.pop("values"))
    entry |= {"n_halves": len(values), "mean": values.mean(), "sd": values.std(ddof=1)}
    return entry | {f"q{100 * q:g}": float(np.quantile(values, q)) for q in QUANTILES}
