"""Bins: scores grouped, with the sums that histogram binning, diagrams and errors all read."""

from dataclasses import dataclass

import numpy as np

from calib.checks import check_choice, check_count, check_pairs, check_weights


@dataclass(frozen=True)
class Bins:
    """Scores in bins.

    Attributes
    ----------
    edges : ndarray of float64, shape (M + 1,)
        Bin m holds the scores from ``edges[m]`` to ``edges[m + 1]``.
    closed : {"right", "left"}
        The end of a bin that belongs to it. The outermost edges always do.
    count : ndarray of int64, shape (M,)
        Number of samples.
    weight : ndarray of float64, shape (M,)
        Sum of the sample weights; the count where there are none.
    score_sum, hit_sum : ndarray of float64, shape (M,)
        Weighted sums of the scores and of the hits.
    """

    edges: np.ndarray
    closed: str
    count: np.ndarray
    weight: np.ndarray
    score_sum: np.ndarray
    hit_sum: np.ndarray

    @property
    def gap_sum(self):
        """Sum of hits minus sum of scores, shape (M,); zero in empty bins."""
        return self.hit_sum - self.score_sum

    @property
    def mean_score(self):
        """Mean score, conf(B), shape (M,); NaN in empty bins."""
        return self._mean(self.score_sum)

    @property
    def mean_hit(self):
        """Mean hit, acc(B), shape (M,); NaN in empty bins."""
        return self._mean(self.hit_sum)

    @property
    def gap(self):
        """acc(B) - conf(B), shape (M,); NaN in empty bins."""
        return self._mean(self.gap_sum)

    def assign(self, score):
        """Return the bin of each score, shape (n,)."""
        return _assign(score, self.edges, self.closed)

    def _mean(self, total):
        empty = np.full(len(total), np.nan)
        return np.divide(total, self.weight, out=empty, where=self.weight > 0)


@dataclass(frozen=True)
class EqualWidth:
    """Bins of equal width; made by :func:`equal_width`."""

    n_bins: int = 15
    closed: str = "right"

    def __call__(self, score, hit, weight=None):
        score, hit, weight = _check(score, hit, weight)
        edges = np.arange(self.n_bins + 1) / self.n_bins
        bin_of = _width_bin(score, self.n_bins, self.closed)
        return _bins(score, hit, weight, bin_of, edges, self.closed)


@dataclass(frozen=True)
class EqualMass:
    """Bins of equal weight; made by :func:`equal_mass`."""

    n_bins: int = 15

    def __call__(self, score, hit, weight=None):
        score, hit, weight = _check(score, hit, weight)
        inner = equal_mass_edges(score, self.n_bins, weight)
        edges = np.concatenate([[0.0], inner, [1.0]])
        return _bins(score, hit, weight, _assign(score, edges, "right"), edges, "right")


def equal_width(n_bins=15, closed="right"):
    """Bins of width 1/M, the edges at m/M.

    Parameters
    ----------
    n_bins : int
        Number of bins M.
    closed : {"right", "left"}
        "right": ((m - 1)/M, m/M], the first bin closed at 0 (Guo et al. 2017). "left":
        [(m - 1)/M, m/M), the last bin closed at 1 (Vasilev & D'yakonov 2021, equation 3). The two
        differ where scores fall on an edge. Edges are float64: the float32 number nearest to 0.2
        is above the float64 number nearest to 0.2.

    Returns
    -------
    callable
        ``binning(score, hit, weight=None)`` -> :class:`Bins`.

    Raises
    ------
    ValueError, TypeError
        Where an option is not as described.

    Examples
    --------
    >>> bins = equal_width(4)([0.1, 0.25, 0.3, 1.0], [0, 0, 1, 1])
    >>> bins.count
    array([2, 1, 0, 1])
    >>> bins.mean_hit
    array([ 0.,  1., nan,  1.])
    """
    check_choice(closed, "closed", ("right", "left"))
    return EqualWidth(check_count(n_bins, "n_bins"), closed)


def equal_mass(n_bins=15):
    """Bins that hold n/M samples each, as nearly as tied scores, which stay together, allow.

    The bin of a score is floor(M r / n), r being the number of scores below it; where there are
    weights, r is the weight below it and n the whole weight. Without ties the counts differ by at
    most one.

    Parameters
    ----------
    n_bins : int
        Number of bins M.

    Returns
    -------
    callable
        ``binning(score, hit, weight=None)`` -> :class:`Bins`, whose inner edges are the largest
        scores of the bins.

    Raises
    ------
    ValueError, TypeError
        Where `n_bins` is not a positive integer.

    Examples
    --------
    >>> equal_mass(2)([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]).count
    array([2, 2])
    >>> equal_mass(2)([0.1, 0.9, 0.9, 0.9], [0, 0, 1, 1]).count
    array([4, 0])
    """
    return EqualMass(check_count(n_bins, "n_bins"))


def equal_mass_edges(score, n_bins, weight=None):
    """Return the M - 1 inner edges of :func:`equal_mass` bins, closed on the right."""
    step = np.arange(1, n_bins)
    if weight is None:
        last = -(-step * len(score) // n_bins) - 1
        return np.partition(score, last)[last] if n_bins > 1 else np.empty(0)
    order = np.argsort(score, kind="stable")
    below = np.cumsum(weight[order])
    last = np.searchsorted(below * n_bins, step * below[-1])
    return score[order][last]


def check_binning(bins, default):
    """Return `bins`, or the default with 15 bins where it is None."""
    if bins is None:
        return default(15)
    if not callable(bins):
        raise TypeError(f"bins: {bins!r}, expected a binning such as calib.equal_width(15)")
    return bins


def _check(score, hit, weight):
    score, hit = check_pairs(score, hit, atol=1e-2)
    return score, hit, check_weights(weight, len(score), name="weight")


def _assign(score, edges, closed):
    side = "left" if closed == "right" else "right"
    return np.searchsorted(edges[1:-1], score, side=side)


def _width_bin(score, n_bins, closed):
    """Return what :func:`_assign` would, for edges m/M, without a search."""
    bin_of = np.minimum((score * n_bins).astype(np.intp), n_bins - 1)
    lower = bin_of / n_bins
    below = score <= lower if closed == "right" else score < lower
    return bin_of - (below & (bin_of > 0))


def _bins(score, hit, weight, bin_of, edges, closed):
    def total(values=None):
        return np.bincount(bin_of, values, minlength=len(edges) - 1)

    count = total()
    if weight is None:
        return Bins(edges, closed, count, count.astype(float), total(score), total(hit))
    return Bins(edges, closed, count, total(weight), total(weight * score), total(weight * hit))
