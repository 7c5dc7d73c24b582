"""Calibration within groups: gaps with intervals, and chance's share of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.bands import poisson_binomial
from calib.calibration_tests import holm
from calib.check import Pairs, Weights, as_array
from calib.constants import TINY
from calib.views import View, top_label, view_pairs

# samples of a group up to which the distribution of its hits is computed exactly
MOST_EXACT = 2**17
LEAST_VARIANCE_OF_GAP = 1e-30  # the square of what rounding leaves of it


@dataclass(frozen=True)
class GroupErrors:
    """Mean hit less mean score of each group: positive where the group is underconfident.

    Attributes
    ----------
    group : ndarray, shape (G,)
        The groups, sorted.
    weight, gap, standard_error, low, high : ndarray of float, shape (G,)
        Whole weight, gap and interval of each, one group at a time.
    p_value : ndarray of float, shape (G,)
        Of scores that are the probabilities of the hits, after Holm's correction.
    shrunken : ndarray of float, shape (G,)
        The gaps, drawn towards their mean by as much as chance explains them.
    spread, spread_p_value : float
        Standard deviation of the true gaps; p-value of equal gaps (Cochran's Q).
    """

    group: np.ndarray
    weight: np.ndarray
    gap: np.ndarray
    standard_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p_value: np.ndarray
    shrunken: np.ndarray
    spread: float
    spread_p_value: float


def group_errors(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    groups: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
    confidence_level: float = 0.95,
    frequency_weights: bool = False,
) -> GroupErrors:
    r"""Signed calibration error of each group, with what chance does to many of them.

    A gap :math:`\hat g` is a mean of hit less score. Its interval takes the variance of the group's
    own samples and of one more, for which stands the mean variance of all samples, or that which
    the scores say if it is larger: so it is positive in the smallest group. This variance goes with
    the gap: a group that by luck makes no mistake looks certain. So whether there is a gap is asked
    of the scores themselves, which say how the number of hits is distributed if they are right. And
    the variance v behind `spread` and `shrunken` is that of the samples of all groups at the same
    tenth of the score. If the true gaps have the variance :math:`\tau^2` around their mean m, the
    best linear guess of a gap is :math:`m + (\hat g - m)\, \tau^2 / (\tau^2 + v)`.

    The distribution of the hits is exact in groups of up to 131 072 samples of equal weight, or
    whose weights are numbers of repetitions; otherwise their weighted sum is taken for normal, with
    the variance that the scores say.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    groups : array_like, shape (n,)
        The group of each sample, a number or a name.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.
    confidence_level : float
    frequency_weights : bool
        Whether weights are numbers of repetitions: their sum is then the number of samples.

    Returns
    -------
    GroupErrors

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Holm (1979); DerSimonian & Laird (1986), the estimate of :math:`\tau^2`; Efron & Morris
    (1975), shrinkage.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score, group = rng.random(1000), rng.integers(0, 20, 1000)
    >>> errors = group_errors(rng.random(1000) < score, score, group)
    >>> bool(errors.p_value.min() > 0.05)
    True
    """
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    groups = check.names(groups, "groups", len(score))
    check.fraction(confidence_level, "confidence_level")
    given_weight = np.ones(len(score)) if weight is None else weight
    used = given_weight > 0
    names, group = np.unique(groups[used], return_inverse=True)
    counts = check.sample_counts(given_weight[used], frequency_weights)
    samples = _SamplesByGroup(
        # sums of float32 probabilities exceed one by rounding
        np.minimum(score[used], 1.0),
        hit[used],
        counts,
        counts if frequency_weights else counts**2,
        group,
    )
    gap, standard_error = samples.gap, samples.standard_error()
    half = scipy.special.ndtri((1 + confidence_level) / 2) * standard_error
    shrunken, spread, q = shrink(gap, samples.variance_of_all())
    several = len(names) > 1
    return GroupErrors(
        group=names,
        weight=np.bincount(group, given_weight[used]),
        gap=gap,
        standard_error=standard_error,
        low=gap - half,
        high=gap + half,
        p_value=holm(samples.p_values()),
        shrunken=shrunken,
        spread=spread,
        spread_p_value=float(scipy.special.chdtrc(len(gap) - 1, q)) if several else 1.0,
    )


@dataclass(frozen=True)
class _SamplesByGroup:
    """Samples of positive weight, each with the number of its group.

    `variance_weight` is what a sample adds to the variance of a sum: its weight's square, but of
    repetitions, which are samples of their own, their number.
    """

    score: np.ndarray
    hit: np.ndarray
    weight: np.ndarray
    variance_weight: np.ndarray
    group: np.ndarray

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of values in each group."""
        return np.bincount(self.group, values)

    @cached_property
    def total(self) -> np.ndarray:
        """Weight of each group."""
        return self.sums(self.weight)

    @cached_property
    def gap(self) -> np.ndarray:
        """Mean hit less mean score of each group."""
        return self.sums(self.weight * (self.hit - self.score)) / self.total

    @cached_property
    def squared_deviation(self) -> np.ndarray:
        """Squared distance of each sample's gap from that of its group."""
        return (self.hit - self.score - self.gap[self.group]) ** 2

    @cached_property
    def variance_of_one_more(self) -> float:
        """Variance of one more gap: a small group whose samples agree is not certain."""
        expected = self.score * (1 - self.score)
        largest = max(self.weight @ self.squared_deviation, self.weight @ expected)
        return float(largest / self.total.sum())

    def standard_error(self) -> np.ndarray:
        """Return that of each gap, by what the samples of the group itself show."""
        variance = self.sums(self.variance_weight * self.squared_deviation)
        return np.sqrt(variance + self.variance_of_one_more) / self.total

    def variance_of_all(self) -> np.ndarray:
        """Return the variance of each gap, by what all samples with about these scores show.

        A group whose samples happen to agree would count as sure, and pull the others.
        """
        tenth = np.minimum((10 * self.score).astype(int), 9)
        mass = np.maximum(np.bincount(tenth, self.weight), TINY)
        noise = np.bincount(tenth, self.weight * self.squared_deviation) / mass
        variance = self.sums(self.variance_weight * noise[tenth])
        return (variance + self.variance_of_one_more) / self.total**2

    def p_values(self) -> np.ndarray:
        """Return the p-value of each group by itself."""
        order = np.argsort(self.group, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(self.group))[:-1])
        columns = self.score, self.hit, self.weight, self.variance_weight
        return np.array(
            [p_value_if_calibrated(*(c[rows] for c in columns)) for rows in members]
        )


def p_value_if_calibrated(
    score: np.ndarray,
    hit: np.ndarray,
    weight: np.ndarray,
    variance_weight: np.ndarray,
) -> float:
    """Return twice the smaller tail of the sum of hits, if scores are their probabilities.

    `variance_weight` is what a sample adds to the variance of a sum, see `_SamplesByGroup`.
    """
    hits, size = weight @ hit, weight.sum()
    counts = np.rint(weight)
    # weights that are no numbers of repetitions have no exact distribution
    if size > MOST_EXACT or not np.array_equal(variance_weight, counts):
        spread = (variance_weight @ (score * (1 - score))) ** 0.5
        z = (hits - weight @ score) / max(spread, TINY)
        return float(2 * scipy.special.ndtr(-abs(z)))
    chance, k = poisson_binomial(np.repeat(score, counts.astype(int))), round(hits)
    return float(np.clip(2 * min(chance[: k + 1].sum(), chance[k:].sum()), 0, 1))


def shrink(gap: ArrayLike, variance: ArrayLike) -> tuple[np.ndarray, float, float]:
    """Best guesses at true gaps: drawn to their mean by as much as chance explains.

    Parameters
    ----------
    gap, variance : ndarray of float, shape (G,)
        Gaps, and the variance that chance gives each.

    Returns
    -------
    guess : ndarray of float, shape (G,)
    spread : float
        Standard deviation of the true gaps.
    q : float
        Cochran's Q.

    Raises
    ------
    ValueError
        If the two are not finite numbers of one length, or a variance is negative.

    References
    ----------
    DerSimonian & Laird (1986); Efron & Morris (1975).

    Examples
    --------
    >>> guess, spread, _ = shrink(np.array([0.1, -0.1]), np.array([1.0, 1.0]))
    >>> guess, spread
    (array([0., 0.]), 0.0)
    """
    gap, variance = _finite(gap, "gap"), _finite(variance, "variance")
    if gap.shape != variance.shape:
        raise ValueError(
            f"variance: shape {variance.shape}, expected {gap.shape} as gap"
        )
    if variance.min() < 0:
        row = int(variance.argmin())
        raise ValueError(f"variance: {variance[row]} in row {row}, expected 0 or more")
    # a group without variance would have infinite weight
    precision = 1 / np.maximum(variance, LEAST_VARIANCE_OF_GAP)
    centre = np.average(gap, weights=precision)
    q = float(precision @ (gap - centre) ** 2)
    scale = precision.sum() - (precision**2).sum() / precision.sum()
    # the moment estimate of DerSimonian & Laird (1986), which chance may leave negative
    between = max(0.0, (q - len(gap) + 1) / scale) if scale > 0 else 0.0
    mean = np.average(gap, weights=1 / (variance + between + LEAST_VARIANCE_OF_GAP))
    share = between / np.maximum(between + variance, TINY)
    return mean + (gap - mean) * share, between**0.5, q


def _finite(values: ArrayLike, name: str) -> np.ndarray:
    array = as_array(values, name).astype(float)
    if array.ndim != 1 or not len(array):
        raise ValueError(f"{name}: shape {array.shape}, expected (G >= 1,)")
    if not np.isfinite(array).all():
        row = int(np.isfinite(array).argmin())
        raise ValueError(f"{name}: {array[row]} in row {row}, expected a finite number")
    return array
