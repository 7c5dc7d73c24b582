"""Compute share_rank_tests.csv: are the ranks of share_ranks.csv uniform?

Pearson's test of each design, from the stored counts, with Holm's correction over the designs: the
least of several p values is small by chance. A test that finds nothing says little unless it could:
``seen_width`` is how wide posteriors may be, as a share of what they should be, before the test
finds them too narrow in four of five cases.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import chi2, ncx2, norm

import calib
from evidence import load_results
from evidence.rows import Row

DESIGN = ["effects", "n", "data_sets"]
LEVEL, POWER = 0.05, 0.8


def deviation(counts: np.ndarray) -> float:
    """Return Pearson's statistic of counts against equal ones.

    Examples
    --------
    >>> deviation(np.array([12, 8]))
    0.8
    """
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def p_uniform(counts: np.ndarray) -> float:
    """Return the p value of Pearson's test that counts are of equally likely bins."""
    return float(chi2.sf(deviation(counts), len(counts) - 1))


def counts_of_width(width: float, n: int, n_bins: int) -> np.ndarray:
    """Return how many ranks are expected in each bin, of posteriors `width` times as wide as due.

    Of a normal posterior whose center is right, the rank is Phi(z / width) of a standard normal z.
    """
    edges = norm.ppf(np.linspace(0, 1, n_bins + 1))
    return n * np.diff(norm.cdf(width * edges))


def seen_width(n: int, n_bins: int, level: float) -> float:
    """Return the width of posteriors that a test at some level finds with the power `POWER`."""
    bound = chi2.isf(level, n_bins - 1)

    def lacking(width: float) -> float:
        noncentrality = deviation(counts_of_width(width, n, n_bins))
        return float(ncx2.sf(bound, n_bins - 1, noncentrality)) - POWER

    return brentq(lacking, 0.1, 0.99)


def rows() -> Iterator[Row]:
    """Yield the test of each design."""
    counts = load_results("share_ranks").groupby(DESIGN, sort=False)["count"].agg(list)
    designs = pd.Series(counts).map(np.array)
    p = [p_uniform(ranks) for ranks in designs]
    for design, ranks, one, corrected in zip(
        designs.index, designs, p, calib.holm(p), strict=True
    ):
        total, n_bins = int(ranks.sum()), len(ranks)
        yield {
            **dict(zip(DESIGN, design, strict=True)),
            "ranks": total,
            "bins": n_bins,
            "statistic": deviation(ranks),
            "p": one,
            "p_holm": float(corrected),
            "seen_width": seen_width(total, n_bins, LEVEL / len(designs)),
        }
