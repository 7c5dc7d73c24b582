"""Numbers with their uncertainty as text: over seeds, with an interval, a share of networks."""

import pandas as pd

from book.show.display import typeset
from evidence import claims


def mean_and_sd(values: pd.Series, scale: float = 100, digits: int = 1) -> str:
    """Return mean and standard deviation as text."""
    shown = f"{scale * values.mean():.{digits}f}"
    return (
        f"{shown}\u00a0±\u00a0{scale * values.std():.{digits}f}"
        if len(values) > 1
        else shown
    )


def share_with_interval(won: pd.Series) -> str:
    """Return how many of some networks, and the interval of the share of new networks.

    The index of `won` names the networks, or has their ``dataset`` and ``model``; the interval is
    the ledger's, by its model.
    """
    low, high = claims.share_of(won).quantiles()
    of_new = f"of new ones {low:.0%}\u00a0to\u00a0{high:.0%}"
    return f"{won.sum()} of {len(won)} ({of_new})"


def count_of(flags: pd.Series) -> str:
    """Return how many are true, of how many."""
    return f"{flags.sum()} of {len(flags)}"


def count_inside(rows: pd.DataFrame) -> str:
    """Return how many printed numbers lie within the range of recomputed ones."""
    return f"{rows['printed'].between(rows['low'], rows['high']).sum()} of {len(rows)}"


def with_interval(value: float, low: float, high: float, digits: int = 2) -> str:
    """Return a value with its interval as text."""
    return typeset(f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})")
