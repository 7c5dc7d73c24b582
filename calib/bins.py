"""Bins: scores grouped, with the sums that histogram binning, diagrams and errors all read."""

from dataclasses import dataclass

import numpy as np

from calib.checks import ENTRIES_AT_ONCE, check_choice, check_count, check_pairs, check_weights

LANES = 4  # sums kept for each bin, so that neighbours in one bin need not wait for each other
LANE = np.arange(ENTRIES_AT_ONCE) % LANES


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
        count, mass, score_sum = np.zeros((3, self.n_bins, 2))  # of misses and of hits
        for start in range(0, len(score), ENTRIES_AT_ONCE):
            part = slice(start, start + ENTRIES_AT_ONCE)
            s, w = score[part], None if weight is None else weight[part]
            bin_of = width_bin(s, self.n_bins, self.closed)
            place = LANES * (2 * bin_of + hit[part]) + LANE[: len(s)]
            count += _totals(place, None, self.n_bins)
            mass += _totals(place, w, self.n_bins)
            score_sum += _totals(place, s if w is None else w * s, self.n_bins)
        sums = mass.sum(axis=1), score_sum.sum(axis=1), mass[:, 1]
        return Bins(edges, self.closed, count.sum(axis=1).astype(np.int64), *sums)


@dataclass(frozen=True)
class EqualMass:
    """Bins of equal weight; made by :func:`equal_mass`."""

    n_bins: int = 15

    def __call__(self, score, hit, weight=None):
        score, hit, weight = sort_pairs(*_check(score, hit, weight))
        inner = score[_last_of_bins(len(score), self.n_bins, weight)]
        cut = np.concatenate([[0], np.searchsorted(score, inner, side="right"), [len(score)]])
        weight = np.ones(len(score)) if weight is None else weight
        sums = [
            np.diff(np.concatenate([[0.0], np.cumsum(v)])[cut])
            for v in (weight, weight * score, weight * hit)
        ]
        return Bins(np.concatenate([[0.0], inner, [1.0]]), "right", np.diff(cut), *sums)


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
    score, weight = np.asarray(score), None if weight is None else np.asarray(weight)
    if weight is not None:
        order = np.argsort(score, kind="stable")
        return score[order][_last_of_bins(len(score), n_bins, weight[order])]
    last = _last_of_bins(len(score), n_bins)
    return np.partition(score, last)[last] if n_bins > 1 else np.empty(0)


def sort_pairs(score, hit, weight=None):
    """Sort pairs by score.

    Without weights, score and hit are sorted as one word: the bits of a number that is not negative
    rise with it, and its sign bit leaves room for the hit.

    Parameters
    ----------
    score : ndarray of float64, shape (n,)
        Not negative.
    hit : ndarray of bool, shape (n,)
    weight : ndarray of float64, shape (n,), optional

    Returns
    -------
    score, hit, weight : ndarray or None
        The same samples by rising score.

    Examples
    --------
    >>> sort_pairs(np.array([0.5, 0.25]), np.array([True, False]))
    (array([0.25, 0.5 ]), array([False,  True]), None)
    """
    if weight is not None:
        order = np.argsort(score, kind="stable")
        return score[order], hit[order], weight[order]
    single = score.astype(np.float32)
    exact = np.array_equal(single, score)
    bits = (single.view(np.uint32) if exact else score.view(np.uint64)) << 1 | hit
    bits.sort()
    score = (bits >> 1).view(np.float32 if exact else np.float64)
    return score.astype(np.float64, copy=False), (bits & 1).astype(bool), None


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


def width_bin(score, n_bins, closed):
    """Return what :func:`_assign` would, for edges m/M, without a search."""
    bin_of = np.minimum((score * n_bins).astype(np.intp), n_bins - 1)
    lower = bin_of / n_bins
    below = score <= lower if closed == "right" else score < lower
    return bin_of - (below & (bin_of > 0))


def _totals(place, values, n_bins):
    """Return the sums of the values of misses and of hits in each bin, shape (n_bins, 2)."""
    return np.bincount(place, values, LANES * 2 * n_bins).reshape(n_bins, 2, LANES).sum(axis=2)


def _last_of_bins(n, n_bins, weight=None):
    """Return where, of sorted samples, each bin of equal mass but the last one ends."""
    step = np.arange(1, n_bins)
    if weight is None:
        return -(-step * n // n_bins) - 1
    below = np.cumsum(weight)
    return np.searchsorted(below * n_bins, step * below[-1])
