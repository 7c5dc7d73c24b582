"""Bins: scores grouped, with the sums that histogram binning, diagrams and errors all read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.check import Pairs, Weights, as_array
from calib.matrices import ENTRIES_AT_ONCE

SCORE_KEYS = 1 << 14  # leading 16 bits of the float32 numbers from 0 to 2
MOST_BINS = 1_000_000
ROUNDING = 32 * np.finfo(float).eps  # of a score, that logarithm and exponential leave
# of a score, by which another may be above it and yet be tied
TIED = 4 * np.finfo(float).eps
# share of the gap between two scores within which a number counts as one of them
TIED_OF_GAP = 0.03
# share of a number within which it counts as another one: as far as float16 rounds
FLOAT16_ROUNDING = float(np.finfo(np.float16).eps) / 2
# of a type, that a bin must be wide for its edges to be rounded to the type
WIDTHS_OF_ROUNDING = 8
LANES = 4  # sums of each bin, see `bins_of`
LANE = np.arange(ENTRIES_AT_ONCE) % LANES

# what a metric is of drawn gaps or labels and weights, shape (n,) each
DrawnMetric = Callable[[np.ndarray, np.ndarray], float]


@dataclass(frozen=True)
class Bins:
    """Scores in bins.

    Attributes
    ----------
    edges : ndarray of float64, shape (M + 1,)
        Bin m holds the scores from ``edges[m]`` to ``edges[m + 1]``. An edge on which float32 or
        float16 scores lie is their number.
    closed : {"right", "left"}
        The end of a bin that belongs to it. The outermost edges always do.
    count : ndarray of intp, shape (M,)
    weight, score_sum, hit_sum : ndarray of float64, shape (M,)
        Sums of weights, counts where there are none; weighted sums of scores and of hits.
    """

    edges: np.ndarray
    closed: str
    count: np.ndarray
    weight: np.ndarray
    score_sum: np.ndarray
    hit_sum: np.ndarray

    @property
    def gap_sum(self) -> np.ndarray:
        """Sum of hits minus sum of scores, shape (M,); zero in empty bins."""
        return self.hit_sum - self.score_sum

    @property
    def mean_score(self) -> np.ndarray:
        """Mean score, conf(B), shape (M,); NaN in empty bins."""
        return self._mean(self.score_sum)

    @property
    def mean_hit(self) -> np.ndarray:
        """Mean hit, acc(B), shape (M,); NaN in empty bins."""
        return self._mean(self.hit_sum)

    @property
    def gap(self) -> np.ndarray:
        """acc(B) - conf(B), shape (M,); NaN in empty bins."""
        return self._mean(self.gap_sum)

    def assign(self, score: ArrayLike) -> np.ndarray:
        """Return the bin of each score in [0, 1], in the shape of the scores."""
        score = as_array(score, "score")
        flat = check.scores(score.ravel(), atol=1e-2)
        bin_of = assign(flat, in_type_of(flat, self.edges), self.closed)
        return bin_of.reshape(score.shape)

    def _mean(self, total: np.ndarray) -> np.ndarray:
        # an empty bin has no mean, and says so without a warning of a division
        empty = np.full(len(total), np.nan)
        return np.divide(total, self.weight, out=empty, where=self.weight > 0)


@dataclass(frozen=True, eq=False)
class ClassEntries:
    """The probabilities of all samples and classes that lie above the first bin, and in which bin.

    Of many classes nearly all entries lie in the first bin. So only the others are grouped: what a
    sum of all entries of a class leaves is that of the first bin.
    """

    n_classes: int
    n_bins: int
    # sample of each entry, as `label` its class and `score` its probability
    row: np.ndarray
    label: np.ndarray
    score: np.ndarray
    # number of its bin, those of the first class before those of the second
    class_bin: np.ndarray

    def sums(self, values: np.ndarray | None, whole: np.ndarray) -> np.ndarray:
        """Return the sums of the entries' values in each bin, or their numbers, shape (K, M).

        In place of the first bin stands `whole`, shape (K,), what all samples of a class sum to.
        Such sums may be added up over blocks of samples before `first_bin_apart` is taken.
        """
        total = np.bincount(self.class_bin, values, self.n_classes * self.n_bins)
        # numpy returns integers where there is no entry
        sums = total.reshape(self.n_classes, self.n_bins).astype(float, copy=False)
        sums[:, 0] = whole
        return sums

    @staticmethod
    def first_bin_apart(sums: np.ndarray) -> np.ndarray:
        """Return a copy of such sums, (..., M): the first bin has what the others leave of all."""
        apart = sums.copy()
        apart[..., 0] -= sums[..., 1:].sum(axis=-1)
        return apart


@dataclass(frozen=True)
class LibraryBinning:
    """A binning of the library; `group_checked` takes what is checked already."""

    n_bins: int = 15

    def __call__(
        self, score: ArrayLike, hit: ArrayLike, weight: Weights = None
    ) -> Bins:
        names = "score", "hit", "weight"
        return self.group_checked(
            check.pairs(score, hit, weight, atol=1e-2, names=names)
        )

    def group_checked(self, pairs: Pairs) -> Bins:
        raise NotImplementedError


@dataclass(frozen=True)
class EqualWidth(LibraryBinning):
    """Bins of equal width; made by :func:`equal_width`."""

    closed: str = "right"

    @property
    def edges(self) -> np.ndarray:
        """Edges m/M, shape (M + 1,)."""
        return np.arange(self.n_bins + 1) / self.n_bins

    def group_checked(self, pairs: Pairs) -> Bins:
        return bins_of(pairs, in_type_of(pairs.score, self.edges), self.closed)

    def class_entries(self, p: np.ndarray) -> ClassEntries:
        """Return where the entries of checked probabilities, (n, K), lie that are in later bins."""
        # a little below the first edge, which rounding to the type of the scores may have moved
        row, label = np.divmod(np.flatnonzero(p > 0.99 / self.n_bins), p.shape[1])
        score = p[row, label].astype(np.float64)
        bin_of = assign(score, in_type_of(score, self.edges), self.closed)
        class_bin = self.n_bins * label + bin_of
        return ClassEntries(p.shape[1], self.n_bins, row, label, score, class_bin)


@dataclass(frozen=True)
class EqualMass(LibraryBinning):
    """Bins of equal weight; made by :func:`equal_mass`."""

    def group_checked(self, pairs: Pairs) -> Bins:
        score, hit, weight = pairs
        if weight is None:
            return _counted_mass_bins(score, hit, self.n_bins)
        order = np.argsort(score, kind="stable")
        inner = score[order][last_of_bins(np.cumsum(weight[order]), self.n_bins)]
        return bins_of(pairs, np.concatenate([[0.0], inner, [1.0]]), "right")


Binning = Callable[..., Bins]


def equal_width(n_bins: int = 15, closed: str = "right") -> EqualWidth:
    """Bins of width 1/M, the edges at m/M: ``binning(score, hit, weight=None) -> Bins``.

    Parameters
    ----------
    n_bins : int
        Number of bins M, at most a million.
    closed : {"right", "left"}
        "right": ((m - 1)/M, m/M], the first bin closed at 0 (Guo et al. 2017). "left":
        [(m - 1)/M, m/M), the last bin closed at 1 (Vasilev & D'yakonov 2021, equation 3). The two
        differ where scores fall on an edge. Scores are compared with the edges in their own type:
        the float32 number nearest to 0.2 is on the edge 0.2, though as a number it is above.

    Returns
    -------
    EqualWidth

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> bins = equal_width(4)([0.1, 0.25, 0.3, 1.0], [0, 0, 1, 1])
    >>> bins.count, bins.mean_hit
    (array([2, 1, 0, 1]), array([ 0.,  1., nan,  1.]))
    """
    check.choice(closed, "closed", ("right", "left"))
    return EqualWidth(check.count(n_bins, "n_bins", high=MOST_BINS), closed)


def equal_mass(n_bins: int = 15) -> EqualMass:
    """Bins that hold n/M samples each, as nearly as tied scores, which stay together, allow.

    The bin of a score is floor(M r / n), r being the number of scores below it; where there are
    weights, r is the weight below it and n the whole weight. Without ties the counts differ by at
    most one. The inner edges are the largest scores of the bins.

    Parameters
    ----------
    n_bins : int
        Number of bins M, at most a million.

    Returns
    -------
    EqualMass

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> equal_mass(2)([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]).count
    array([2, 2])
    >>> equal_mass(2)([0.1, 0.9, 0.9, 0.9], [0, 0, 1, 1]).count
    array([4, 0])
    """
    return EqualMass(check.count(n_bins, "n_bins", high=MOST_BINS))


def check_binning(bins: Any, default: Binning) -> Binning:
    """Return `bins`, or the default where it is None."""
    if bins is None:
        return default
    # what makes a binning can be called too: the parentheses were forgotten
    if not callable(bins) or bins in (equal_width, equal_mass):
        raise TypeError(
            f"bins: {bins!r}, expected a binning such as calib.equal_width(15)"
        )
    return bins


def group(bins: Binning | None, default: LibraryBinning, pairs: Pairs) -> Bins:
    """Group pairs that are checked; `bins` is an option of a metric."""
    binning = check_binning(bins, default)
    if isinstance(binning, LibraryBinning):
        return binning.group_checked(pairs)
    return binning(*pairs)


def narrowest_type(score: np.ndarray, rounding: float = 0.0) -> type[np.floating]:
    """Return the narrowest type of floats that holds the scores, but for rounding in float64."""
    # A table that was cast to float64 keeps its numbers, so its type is seen in them.
    for narrow in (np.float16, np.float32):
        # ten scores tell most arrays from a narrow type; all are asked only where they do not
        if _fits_type(score[:10], narrow, rounding) and _fits_type(
            score, narrow, rounding
        ):
            return narrow
    return np.float64


def _fits_type(score: np.ndarray, narrow: type[np.floating], rounding: float) -> bool:
    rounded = score.astype(narrow)
    if rounding == 0:
        return bool((rounded == score).all())
    return bool((np.abs(rounded.astype(np.float64) - score) <= rounding * score).all())


def in_type_of(score: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the edges as numbers of the type of the scores, with which these are compared."""
    narrow = narrowest_type(score)
    rounded = rounded_edges(edges, narrow)
    if narrow is not np.float16 or rounded is edges:
        return rounded
    # of float16, which also holds short fractions, only those edges on which scores lie
    upper = 1 + assign(score, rounded, "right")
    on_edge = np.unique(upper[rounded[upper] == score])
    edges = edges.copy()
    edges[on_edge] = rounded[on_edge]
    return edges


def rounded_edges(edges: np.ndarray, narrow: type[np.floating]) -> np.ndarray:
    """Return the edges, of which the inner ones are rounded to a type."""
    # in bins as narrow as rounding an edge would be taken for another
    least = WIDTHS_OF_ROUNDING * np.finfo(narrow).eps
    if narrow is np.float64 or np.diff(edges).min() < least:
        return edges
    return np.concatenate(
        [edges[:1], edges[1:-1].astype(narrow), edges[-1:]], dtype=float
    )


def off_scores(score: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the edges, moved where scores lie on them, but for rounding: none changes its bin.

    Such an edge goes half way to the next score, or to the middle of the bin if that is nearer, so
    that the same score in another type of numbers, or summed in another order, is in the same bin.
    """
    rounded = rounded_edges(edges, narrowest_type(score, ROUNDING))
    highest_on_edge = rounded * (1 + ROUNDING)
    upper = 1 + assign(score, highest_on_edge, "right")
    on_edge = np.unique(upper[score >= rounded[upper] * (1 - ROUNDING)])
    # the last edge stays: no score lies above it
    on_edge = on_edge[on_edge < len(edges) - 1]
    if not len(on_edge):
        return edges
    distinct = np.append(np.unique(score), 1.0)
    highest = highest_on_edge[on_edge]
    above = distinct[np.searchsorted(distinct[:-1], highest, side="right")]
    middle = (edges[on_edge] + edges[on_edge + 1]) / 2
    moved = edges.copy()
    moved[on_edge] = between(highest, np.minimum(above, middle))
    return moved


def ends_of_mass(below: np.ndarray, n_bins: int) -> np.ndarray:
    """Return where bins of equal mass end among distinct scores: those that hold scores, not all.

    `below` is the weight up to each score. The last bin has no end.
    """
    # several bins may end at one score that many samples share; only one of them holds it
    last = np.unique(last_of_bins(below, n_bins))
    return last[last < len(below) - 1]


def between(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return edges half way between numbers, such that the lower ones are not above them."""
    # half way between two neighbouring numbers may round to the upper one
    return np.minimum(lower + (upper - lower) / 2, np.nextafter(upper, lower))


def assign(score: np.ndarray, edges: np.ndarray, closed: str) -> np.ndarray:
    """Return the bin of each score, shape (n,): the number of inner edges below it."""
    side: Literal["left", "right"] = "left" if closed == "right" else "right"
    inner = edges[1:-1]
    if len(score) < SCORE_KEYS:
        return np.searchsorted(inner, score, side=side)
    # A table of the leading bits of all scores tells the bin of a score in one step.
    # Only scores that share their leading bits with an edge, -1 in the table, are searched.
    at_edge = np.bincount(_key(inner), minlength=SCORE_KEYS)
    bin_of_key = np.where(at_edge > 0, -1, np.cumsum(at_edge))
    bin_of = bin_of_key.take(_key(score), mode="clip")
    near = np.flatnonzero(bin_of < 0)
    bin_of[near] = np.searchsorted(inner, score[near], side=side)
    return bin_of


def last_of_bins(below: np.ndarray, n_bins: int) -> np.ndarray:
    """Return where the first M - 1 bins of equal mass end, from the weight up to each sample.

    What rounding takes from a sum of weights moves no end: equal weights give what none give.
    """
    rounding = 2 * len(below) * np.finfo(float).eps  # of the whole weight
    return np.searchsorted(
        below * n_bins, np.arange(1, n_bins) * below[-1] * (1 - rounding)
    )


def _counted_mass_bins(score: np.ndarray, hit: np.ndarray, n_bins: int) -> Bins:
    """Return bins of equal mass where all weights are one, as sorting all scores would."""
    # A histogram of the leading bits tells in which key the last score of each bin lies.
    # Only the scores of these keys are sorted; of the others it holds numbers and sums.
    key, ranks = _key(score), -(-np.arange(1, n_bins + 1) * len(score) // n_bins) - 1
    n_of_key = np.bincount(key, minlength=SCORE_KEYS)
    n_up_to = np.cumsum(n_of_key)
    edge_key = np.searchsorted(n_up_to, ranks, side="right")
    n_below = n_up_to[edge_key] - n_of_key[edge_key]

    at_edge = np.zeros(SCORE_KEYS, bool)
    at_edge[edge_key] = True
    near = np.sort(score[at_edge.take(key, mode="clip")])
    first = np.searchsorted(_key(near), edge_key)
    edge = near[first + ranks - n_below]
    last = np.searchsorted(near, edge, side="right")

    count = np.diff(n_below + last - first, prepend=0)
    sum_of_key = np.bincount(key, score, SCORE_KEYS)
    sum_of_key[edge_key] = 0
    sum_between = np.add.reduceat(sum_of_key, np.append(0, edge_key))[:-1]
    score_sum = sum_between + np.diff(
        np.append(0, np.cumsum(near, dtype=float))[last], prepend=0
    )
    edges = np.concatenate([[0.0], edge[:-1], [1.0]])
    hit_sum = np.bincount(assign(score[hit], edges, "right"), minlength=n_bins).astype(
        np.float64
    )
    return Bins(edges, "right", count, count.astype(np.float64), score_sum, hit_sum)


def group_by_score(
    score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distinct scores in rising order, and the weights of their samples and hits."""
    if weight is None:
        distinct, total = np.unique(score, return_counts=True)
        hits = np.bincount(
            np.searchsorted(distinct, score[hit]), minlength=len(distinct)
        )
    else:
        distinct, tie = np.unique(score, return_inverse=True)
        total, hits = np.bincount(tie, weight), np.bincount(tie, weight * hit)
    return distinct, total.astype(float), hits.astype(float)


def group_tied(
    score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group by score; scores that differ by rounding, as 0.2 and 1 - 0.8, are one, the lowest."""
    distinct, total, hits = group_by_score(score, hit, weight)
    first = np.flatnonzero(np.diff(distinct, prepend=-1) > TIED * distinct)
    if len(first) < len(distinct):
        total, hits = (np.add.reduceat(sums, first) for sums in (total, hits))
    return distinct[first], total, hits


def _key(score: np.ndarray) -> np.ndarray:
    """Return the leading 16 bits of the scores as float32, which rise with them."""
    # Read as an integer, the bits of a positive float32 rise with it: exponent, then fraction.
    # The sign, which -0.0 has, is shifted out; 8 bits of exponent and 7 of fraction are kept.
    bits = score.astype(np.float32, copy=False).view(np.uint32)
    return ((bits << 1) >> 17).astype(np.intp)


def bins_of(pairs: Pairs, edges: np.ndarray, closed: str) -> Bins:
    """Return the bins between edges of pairs that are checked."""
    # Neighbours in one bin would wait for each other's sum, so each bin has four sums, its lanes:
    # sample i adds to lane i mod 4. Misses and hits are counted apart: lane = 4 (2 bin + hit).
    (score, hit, weight), n_bins = pairs, len(edges) - 1
    count, mass, score_sum = np.zeros((3, n_bins, 2))  # of misses and of hits
    for start in range(0, len(score), ENTRIES_AT_ONCE):
        block = slice(start, start + ENTRIES_AT_ONCE)
        s, w = score[block], None if weight is None else weight[block]
        lane = LANES * (2 * assign(s, edges, closed) + hit[block]) + LANE[: len(s)]
        count += _totals(lane, None, n_bins)
        mass += 0 if w is None else _totals(lane, w, n_bins)
        score_sum += _totals(lane, s if w is None else w * s, n_bins)
    mass = count if weight is None else mass
    sums = mass.sum(axis=1), score_sum.sum(axis=1), mass[:, 1]
    return Bins(edges, closed, count.sum(axis=1).astype(np.intp), *sums)


def _totals(lane: np.ndarray, values: np.ndarray | None, n_bins: int) -> np.ndarray:
    """Return the sums of the values of misses and of hits in each bin, shape (n_bins, 2)."""
    totals = np.bincount(lane, values, LANES * 2 * n_bins)
    return totals.reshape(n_bins, 2, LANES).sum(axis=2)


def l1_norm(gap_sum: np.ndarray, weight: np.ndarray) -> float:
    """Return the weighted mean gap, of sums of gaps and of weights, shape (M,) each."""
    return float(np.abs(gap_sum).sum() / weight.sum())


def l2_norm(gap_sum: np.ndarray, weight: np.ndarray) -> float:
    """Return the weighted root mean square gap."""
    filled = weight > 0
    return float(np.sqrt((gap_sum[filled] ** 2 / weight[filled]).sum() / weight.sum()))


def max_norm(gap_sum: np.ndarray, weight: np.ndarray) -> float:
    """Return the largest gap."""
    filled = weight > 0
    return float((np.abs(gap_sum[filled]) / weight[filled]).max())


NORMS = {"l1": l1_norm, "l2": l2_norm, "max": max_norm}


def error_in_bins(pairs: Pairs, bins: Binning, norm: str) -> float:
    """Return an error in bins of pairs that are checked."""
    check.choice(norm, "norm", tuple(NORMS))
    binned = group(bins, EqualWidth(), pairs)
    return NORMS[norm](binned.gap_sum, binned.weight)


@dataclass(frozen=True)
class ErrorInBins:
    """The formula of an error in bins: a function of :class:`calib.Pairs` and options.

    Attributes
    ----------
    bins_and_norm : callable
        ``bins_and_norm(**options) -> (Binning, "l1", "l2" or "max")``. The value and its draws both
        ask it, so that an interval is of the bins and the norm of the value.
    """

    bins_and_norm: Callable[..., tuple[Binning, str]]

    def __call__(self, pairs: Pairs, **options: Any) -> float:
        return error_in_bins(pairs, *self.bins_and_norm(**options))


def prepare_binned_draws(score: np.ndarray, bins: EqualWidth, norm: str) -> DrawnMetric:
    """Return an error in bins of scores that stay, as a function of their gaps and weights."""
    bin_of = assign(score, in_type_of(score, bins.edges), bins.closed)
    # sorted by bin once, so that the sums of each draw are one pass
    order = np.argsort(bin_of, kind="stable")
    first = np.flatnonzero(np.diff(bin_of[order], prepend=-1))

    def total(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values[order], first)

    # of the weights, the weighted mean takes no more than their sum
    return lambda gap, w: NORMS[norm](total(gap * w), w if norm == "l1" else total(w))
