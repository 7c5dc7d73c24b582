"""Difference of two calibration errors of the same samples, without what chance adds to each.

A mean absolute gap is the largest of many sums: of all signs of the gaps in bins. A sample's own
luck chooses which one, and so the error is too large, by more the nearer a model is to calibration:
the difference of two errors says too little of a repair. Here one part of the evidence chooses the
signs, and an independent part measures the sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from calib.bins import Binning, EqualWidth, assign, group
from calib.check import Pairs
from calib.constants import TINY

# of sums of gaps, (..., M), the error of each row
ErrorOfSums = Callable[[np.ndarray], np.ndarray]

# of one model; with 100 an interval of 95 % held 86 % in the worst world
MOST_FILLED_BINS = 60
# standard deviations of noise that are added to the part that chooses
NOISE_OF_SIGNS = 0.5


@dataclass(frozen=True)
class Gaps:
    """Gaps, hit less score, in the bins of one model.

    Attributes
    ----------
    bin_of : ndarray of int, shape (n,)
        The bin of each sample, of those that hold any.
    gap : ndarray of float, shape (n,)
    expected : ndarray of float, shape (M,)
        Variance of the sum of gaps in each bin that the scores expect.
    """

    bin_of: np.ndarray
    gap: np.ndarray
    expected: np.ndarray

    @classmethod
    def of(cls, pairs: Pairs, bins: Binning | None) -> Gaps:
        """Return the gaps of pairs in the bins of all of them."""
        score, hit, _ = pairs
        binned = group(bins, EqualWidth(), pairs)
        bin_of = np.unique(
            assign(score, binned.edges, binned.closed), return_inverse=True
        )[1]
        score = score.astype(np.float64, copy=False)
        # scores may exceed one by rounding
        expected = np.bincount(bin_of, np.maximum(score * (1 - score), 0))
        return cls(bin_of, hit - score, expected)

    def __len__(self) -> int:
        return len(self.expected)


def joint_sums(
    a: Gaps, b: Gaps, cluster: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean gap sums of both models, a's bins first, and their covariance."""
    n, m_a, n_bins = len(a.gap), len(a), len(a) + len(b)
    unit = np.arange(n) if cluster is None else cluster
    m = int(unit.max()) + 1
    # a unit adds its gaps to a bin of a and to one of b: a sparse (m, n_bins)
    at = np.tile(unit, 2), np.concatenate([a.bin_of, m_a + b.bin_of])
    added = scipy.sparse.csr_array((np.concatenate([a.gap, b.gap]), at), (m, n_bins))
    total = np.asarray(added.sum(axis=0)).ravel()
    covariance = (added.T @ added).toarray() - np.outer(total, total) / m
    covariance *= m / (m - 1)
    # a bin whose few samples are all hits shows no variance, where the scores expect some
    expected = np.append(a.expected, b.expected)
    missing = np.maximum(expected - np.diagonal(covariance), 0)
    covariance[np.diag_indices(n_bins)] += missing
    return total / n, covariance / n**2


def sum_of_signs(spread: np.ndarray) -> ErrorOfSums:
    r"""Return the error :math:`\sum |d|` of gap sums d, each with its standard deviation.

    The sign is taken of d + w / 2 and the size of d - 2 w, where w is noise like that of d: the two
    are independent. The mean over all w is known.
    """
    spread = np.maximum(spread, TINY)

    def error(sums: np.ndarray) -> np.ndarray:
        # beyond forty standard deviations nothing is left to chance
        z = np.clip(sums / (NOISE_OF_SIGNS * spread), -40, 40)
        lucky = 2 * spread / NOISE_OF_SIGNS * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        return np.sum(sums * (2 * scipy.special.ndtr(z) - 1) - lucky, axis=-1)

    return error


def shortage(sums: np.ndarray, spread: np.ndarray) -> float:
    """Return what wrong signs take from the sum: gaps about as large as their noise have some.

    The gaps are drawn towards zero together, until their squares are as large as an unbiased
    estimate says, or as chance alone moves the squares: of a model that happens to look calibrated
    nobody knows that it is.
    """
    noise, square = float(np.sum(spread**2)), float(np.sum(sums**2))
    if square == 0:
        return 0.0
    least = float(np.sqrt(2 * np.sum(spread**4)))
    gap = np.abs(sums) * np.sqrt(min(max(square - noise, least) / square, 1.0))
    wrong = scipy.special.ndtr(
        -gap / (np.maximum(spread, TINY) * np.hypot(1, NOISE_OF_SIGNS))
    )
    return float(np.sum(2 * gap * wrong))


def split_difference(
    a: Gaps,
    b: Gaps,
    *,
    cluster: np.ndarray | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> tuple[float, np.ndarray, tuple[float, float]]:
    """Return the difference of two errors, drawn ones, and what either may be short of."""
    for name, gaps in (("y_prob_a", a), ("y_prob_b", b)):
        if len(gaps) > MOST_FILLED_BINS:
            raise ValueError(
                f"{name}: scores in {len(gaps)} bins, expected at most {MOST_FILLED_BINS}, "
                "or method='basic', which promises less"
            )
    sums, covariance = joint_sums(a, b, cluster)
    spread = np.sqrt(np.diagonal(covariance))
    parts = slice(0, len(a)), slice(len(a), None)
    # a covariance may be singular, and an eigenvalue below zero by rounding
    variances, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(variances, 0))
    noise = rng.standard_normal((n_resamples, len(sums))) @ root.T
    errors = [sum_of_signs(spread[part]) for part in parts]
    short_a, short_b = (shortage(sums[part], spread[part]) for part in parts)

    def difference(sums: np.ndarray) -> np.ndarray:
        first, second = (
            error(sums[:, part]) for error, part in zip(errors, parts, strict=True)
        )
        return first - second

    return (
        float(difference(sums[None])[0]),
        difference(sums + noise),
        (short_a, short_b),
    )
