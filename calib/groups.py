"""Calibration within groups: gaps with intervals, chance's share, and maps that repair them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from calib.bands import poisson_binomial
from calib.calibrators.base import Calibrator, ConvergenceError
from calib.checks import (
    as_array,
    check_count,
    check_fraction,
    check_pairs,
    check_scores,
    check_weights,
)
from calib.docs import documented
from calib.views import View, top_label, view_pairs

EXACT = 2**17  # samples of a group whose hits are counted by their own distribution


@dataclass(frozen=True)
class GroupErrors:
    """Mean hit less mean score of each group: positive where the group is underconfident.

    Attributes
    ----------
    group : ndarray, shape (G,)
        The groups, sorted.
    weight : ndarray of float, shape (G,)
        Number of samples, or their whole weight.
    gap, standard_error : ndarray of float, shape (G,)
    low, high : ndarray of float, shape (G,)
        Ends of the interval of each gap, one group at a time.
    p_value : ndarray of float, shape (G,)
        Of scores that are the probabilities of the hits of the group, after Holm's correction for
        the number of groups.
    shrunken : ndarray of float, shape (G,)
        The gaps, drawn towards their mean by as much as chance explains them.
    spread : float
        Standard deviation of the true gaps between the groups, after what chance adds.
    spread_p_value : float
        Of equal gaps in all groups (Cochran's Q).

    Examples
    --------
    >>> found = group_errors([1, 1, 0, 0], [0.9, 0.7, 0.4, 0.2], groups=["a", "a", "b", "b"])
    >>> found.gap
    array([ 0.2, -0.3])
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


@documented
def group_errors(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    groups: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> "GroupErrors":
    r"""Signed calibration error of each group, with what chance does to many of them.

    A gap :math:`\hat g` is a mean of hit less score. Its interval takes the variance of the group's
    own samples and of one more, for which stands the mean variance of all samples, or that which
    the scores say if it is larger: so it is positive in the smallest group. This variance goes with
    the gap: a group that by luck makes no mistake looks certain. So whether there is a gap is asked
    of the scores themselves, which say how the number of hits is distributed if they are right. And
    the variance v behind `spread` and `shrunken` is that of the samples of all groups at the same
    tenth of the score. If the true gaps have the variance :math:`\tau^2` around their mean m, the
    best linear guess of a gap is :math:`m + (\hat g - m)\, \tau^2 / (\tau^2 + v)`.

    The distribution of the hits is exact in groups of up to 131 072 samples whose weights are whole
    numbers; otherwise their number is taken for normal, with the variance that the scores say.

    Parameters
    ----------
    %(pairs)s
    groups : array_like, shape (n,)
        The group of each sample, a number or a name.
    %(view)s
    sample_weight : array_like of float, shape (n,), optional
        Numbers of repetitions.
    confidence_level : float

    Returns
    -------
    GroupErrors

    %(faults)s

    References
    ----------
    Holm (1979); DerSimonian & Laird (1986), the estimate of :math:`\tau^2`; Efron & Morris (1975),
    shrinkage.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score, group = rng.random(1000), rng.integers(0, 20, 1000)
    >>> found = group_errors(rng.random(1000) < score, score, group)
    >>> bool(found.p_value.min() > 0.05)
    True
    """
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    groups = _names(groups)
    if groups.shape != score.shape:
        raise ValueError(f"groups: shape {groups.shape}, expected {score.shape}")
    check_fraction(confidence_level, "confidence_level")
    weight = np.ones(len(score)) if weight is None else weight
    score, hit, groups, weight = (a[weight > 0] for a in (score, hit, groups, weight))
    group, place = np.unique(groups, return_inverse=True)
    error = hit - score
    total = np.bincount(place, weight)
    gap = np.bincount(place, weight * error) / total
    square = (error - gap[place]) ** 2
    one_more = max(weight @ square, weight @ (score * (1 - score))) / total.sum()
    se = np.sqrt(np.bincount(place, weight * square) + one_more) / total
    half = stats.norm.ppf((1 + confidence_level) / 2) * se
    parts = np.split(np.argsort(place, kind="stable"), np.cumsum(np.bincount(place))[:-1])
    p_value = holm(np.array([p_value_if_calibrated(score[i], hit[i], weight[i]) for i in parts]))
    level = np.minimum((10 * score).astype(int), 9)
    noise = np.bincount(level, weight * square) / np.maximum(np.bincount(level, weight), 1e-300)
    variance = (np.bincount(place, weight * noise[level]) + one_more) / total**2
    shrunken, spread, q = shrink(gap, variance)
    q_p_value = float(stats.chi2.sf(q, len(gap) - 1)) if len(gap) > 1 else 1.0
    return GroupErrors(
        group, total, gap, se, gap - half, gap + half, p_value, shrunken, spread, q_p_value
    )


def p_value_if_calibrated(score: np.ndarray, hit: np.ndarray, weight: np.ndarray) -> float:
    """Return twice the smaller tail of the number of hits, if scores are their probabilities."""
    hits, size = weight @ hit, weight.sum()
    if size > EXACT or (weight % 1).any():
        spread = (weight @ (score * (1 - score))) ** 0.5
        return float(2 * stats.norm.sf(abs(hits - weight @ score) / max(spread, 1e-300)))
    chance, k = poisson_binomial(np.repeat(score, weight.astype(int))), int(hits)
    return float(np.clip(2 * min(chance[: k + 1].sum(), chance[k:].sum()), 0, 1))


def holm(p_value: np.ndarray) -> np.ndarray:
    """Return p-values that hold for all of the hypotheses at once."""
    order = np.argsort(p_value)
    stepped = np.maximum.accumulate(p_value[order] * np.arange(len(p_value), 0, -1))
    adjusted = np.empty(len(p_value))
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def shrink(gap: np.ndarray, variance: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Return best guesses at the true gaps, the standard deviation of these, and Cochran's Q."""
    precision = 1 / np.maximum(variance, 1e-30)
    centre = np.average(gap, weights=precision)
    q = float(precision @ (gap - centre) ** 2)
    scale = precision.sum() - (precision**2).sum() / precision.sum()
    between = max(0.0, (q - len(gap) + 1) / scale) if scale > 0 else 0.0
    mean = np.average(gap, weights=1 / (variance + between + 1e-30))
    share = between / np.maximum(between + variance, 1e-300)
    return mean + (gap - mean) * share, between**0.5, q


class Multicalibration(Calibrator):
    r"""Patch scores until no group has a gap at any level of the score.

    A cell is a group at one of `n_bins` levels of the score. While a cell of the share m of all
    samples has a gap g of mean hit and mean score with :math:`m g^2 > \alpha^2`, g is added to its
    scores. Each patch lowers the mean squared error by :math:`m g^2`, so at most
    :math:`1 / \alpha^2` patches are needed, however many groups there are.

    Parameters
    ----------
    alpha : float, optional
        Root of the largest :math:`m g^2` that may be left, between 0 and 1. By default
        :math:`\sqrt{\ln(2 C / 0.05) / (2 n)}` for C cells and n samples: calibrated scores are then
        left alone in 95 % of all samples or more, by Hoeffding's inequality in each cell.
    n_bins : int
        Number of levels, of equal width.

    Attributes
    ----------
    alpha_ : float
        `alpha`, or what was taken for it.
    patches_ : ndarray of float, shape (P, 3)
        Group, level and what was added, in their order.
    n_groups_ : int

    Notes
    -----
    The guarantee is for the samples that it was fitted on. A later patch may move the scores of an
    earlier cell, which is then patched again if need be.

    References
    ----------
    Hébert-Johnson, Kim, Reingold & Rothblum (2018), algorithm 1; Hoeffding (1963), theorem 2.

    Examples
    --------
    >>> score, group = np.full(200, 0.5), np.arange(200) % 2 == 0
    >>> fitted = Multicalibration().fit(score, group, np.column_stack([group, ~group]))
    >>> fitted.predict([0.5, 0.5], [[True, False], [False, True]])
    array([1., 0.])
    """

    def __init__(self, alpha: float | None = None, n_bins: int = 10) -> None:
        self.alpha = alpha
        self.n_bins = n_bins

    def fit(
        self,
        score: ArrayLike,
        hit: ArrayLike,
        groups: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> "Multicalibration":
        """Find the patches.

        Parameters
        ----------
        score : array_like of float, shape (n,)
        hit : array_like of int, shape (n,)
        groups : array_like of bool, shape (n, G)
            Which of the groups each sample belongs to; they may overlap.
        sample_weight : array_like of float, shape (n,), optional
            Numbers of repetitions.

        Returns
        -------
        Multicalibration
            Itself.
        """
        s, h = check_pairs(score, hit)
        belongs = _memberships(groups, len(s))
        if self.alpha is not None:
            check_fraction(self.alpha, "alpha")
        check_count(self.n_bins, "n_bins", high=10_000)
        weight = check_weights(sample_weight, len(s))
        weight = np.ones(len(s)) if weight is None else weight
        self.n_groups_ = belongs.shape[1]
        chance = np.log(2 * self.n_groups_ * self.n_bins / 0.05) / (2 * weight.sum())
        self.alpha_ = float(chance**0.5) if self.alpha is None else self.alpha
        weight = weight / weight.sum()
        sample, group = np.nonzero(belongs)
        n_cells, s = self.n_groups_ * self.n_bins, np.minimum(s, 1)
        patches: list[list[float]] = []
        for _ in range(int(1 / self.alpha_**2) + 1):
            cell = group * self.n_bins + self._level(s)[sample]
            mass = np.bincount(cell, weight[sample], n_cells)
            gap_sum = np.bincount(cell, (weight * (h - s))[sample], n_cells)
            size = np.divide(gap_sum**2, mass, where=mass > 0, out=np.zeros(n_cells))
            worst = int(size.argmax())
            if size[worst] <= self.alpha_**2:
                self.patches_ = np.array(patches).reshape(-1, 3)
                return self
            patches.append([*divmod(worst, self.n_bins), gap_sum[worst] / mass[worst]])
            s = self._patched(s, belongs, *patches[-1])
        raise ConvergenceError("Multicalibration: more patches than can be", size[worst])

    def predict(self, score: ArrayLike, groups: ArrayLike) -> np.ndarray:
        """Return the patched score of each sample, shape (n,)."""
        self._check_fitted()
        s = np.minimum(check_scores(score), 1)
        belongs = _memberships(groups, len(s))
        if belongs.shape[1] != self.n_groups_:
            raise ValueError(f"groups: {belongs.shape[1]} groups, expected {self.n_groups_}")
        for patch in self.patches_:
            s = self._patched(s, belongs, *patch)
        return s

    def _level(self, score: np.ndarray) -> np.ndarray:
        return np.minimum((score * self.n_bins).astype(int), self.n_bins - 1)

    def _patched(
        self, score: np.ndarray, groups: np.ndarray, group: float, level: float, gap: float
    ) -> np.ndarray:
        cell = groups[:, int(group)] & (self._level(score) == level)
        return np.where(cell, np.clip(score + gap, 0, 1), score)


def _names(groups: Any) -> np.ndarray:
    """Return what tells groups apart, numbers or text, as an array; all of one type."""
    if np.ma.is_masked(groups):
        raise ValueError("groups: a masked array, expected a name or number for each sample")
    try:
        names = np.asarray(groups)
    except Exception as error:  # an object's own __array__ may raise anything
        raise ValueError(f"groups: not an array ({error})") from None
    if names.dtype.kind == "O":
        for row, name in enumerate(names.ravel()):
            if not isinstance(name, str):
                raise ValueError(f"groups: row {row} is {name!r}, expected text as in the others")
    return names


def _memberships(groups: Any, n: int) -> np.ndarray:
    groups = as_array(groups, "groups")
    if groups.ndim != 2 or groups.dtype != bool or len(groups) != n:
        raise ValueError(f"groups: {groups.dtype} of shape {groups.shape}, expected bool, ({n}, G)")
    return groups
