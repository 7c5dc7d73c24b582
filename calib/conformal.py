"""Prediction sets that hold the label as often as promised, whatever the probabilities."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.bins import FLOAT16_ROUNDING, ROUNDING, TIED_OF_GAP, narrowest_type
from calib.check import Weights, as_array
from calib.maps.base import Calibrator
from calib.matrices import ranking
from calib.resampling import Rng


class ConformalSets(Calibrator):
    r"""Split conformal prediction sets from class probabilities.

    A score says how odd a label would be. The threshold is the :math:`\lceil (n + 1) c \rceil`-th
    smallest score of the n calibration labels, and a set holds every label whose score is not
    above it: that of a new, exchangeable sample with probability at least the coverage c. It lies
    3 % of the way to the next score, at most what float16 rounds: a label whose score is
    the same in another type of numbers is not lost. Weighted, n is Kish's number of samples.

    * ``"lac"``: one less the probability of the label. The smallest sets on average.
    * ``"aps"``: the probability of all labels that are likelier, and of the label itself.
    * ``"raps"``: the same, plus `penalty` for each rank of the label beyond `free`.

    `within` the classes, or groups, each has its own threshold, from its own samples: the promise
    then holds for every class, or group, and not on average only (Mondrian sets).

    Parameters
    ----------
    score : {"lac", "aps", "raps"}
    coverage : float
        The promised share of sets that hold the label.
    randomize : bool
        Whether ``"aps"`` and ``"raps"`` count a uniform share of the label's own probability,
        which makes the coverage exact. Then `fit` and `predict` take a generator.
    penalty : float
        Of ``"raps"``, for each rank.
    free : int
        Of ``"raps"``, the number of first ranks without penalty.
    within : {"all", "classes", "groups"}
        What has a threshold of its own. For groups `fit` and `predict` take `groups`, numbers or
        names, shape (n,).
    frequency_weights : bool
        Whether weights are numbers of repetitions, whose sum is n.

    Attributes
    ----------
    threshold_ : float, or ndarray, shape (K,) or (G,)
        Infinite where the calibration set is too small for the coverage: sets are then whole. So
        they are of ``"aps"`` where it reaches 1, as the sum of all classes of coarse votes does.
    n_classes_ : int
    groups_ : ndarray, shape (G,)
        The groups, sorted; only where they are given.

    References
    ----------
    Vovk, Gammerman & Shafer (2005); Sadinle, Lei & Wasserman (2019), "LAC"; Romano, Sesia &
    Candès (2020), "APS"; Angelopoulos, Bates, Malik & Jordan (2021), "RAPS"; Vovk (2012), Mondrian.

    Examples
    --------
    >>> sets = ConformalSets(coverage=0.5).fit([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], [0, 0, 0])
    >>> sets.predict([[0.7, 0.3], [0.5, 0.5]])
    array([[ True, False],
           [False, False]])
    """

    score: str = "lac"
    coverage: float = 0.9
    randomize: bool = False
    penalty: float = 0.01
    free: int = 5
    within: str = "all"
    frequency_weights: bool = False

    def fit(
        self,
        y_prob: ArrayLike,
        y: ArrayLike,
        sample_weight: Weights = None,
        *,
        groups: ArrayLike | None = None,
        rng: Rng | None = None,
    ) -> Self:
        """Find the threshold on probabilities and labels; a generator where `randomize` is set."""
        p = check.probabilities(y_prob)
        y = check.labels(y, p.shape[1], n=len(p), name="y")
        weight = check.weights(sample_weight, len(p))
        check.fraction(self.coverage, "coverage")
        check.choice(self.within, "within", ("all", "classes", "groups"))
        check.flag(self.frequency_weights, "frequency_weights")
        score = self.scores(p, rng=rng)[np.arange(len(p)), y]
        weight = np.ones(len(p)) if weight is None else weight
        if self.within == "groups":
            self.groups_: np.ndarray = np.unique(self._named(groups, len(p)))
        part = self._parts(p, groups, y)
        members = [part == j for j in range(self._n_parts(p.shape[1]))]
        coarseness = float(np.finfo(narrowest_type(p.ravel(), ROUNDING)).eps)
        rounding = max(2 * coarseness, ROUNDING)
        each = [self._threshold(score[i], weight[i], rounding) for i in members]
        self.threshold_: float | np.ndarray = (
            each[0] if self.within == "all" else np.array(each)
        )
        self.n_classes_: int = p.shape[1]
        return self

    def _n_parts(self, n_classes: int) -> int:
        """Return the number of thresholds."""
        if self.within == "groups":
            return len(self.groups_)
        return n_classes if self.within == "classes" else 1

    def _threshold(
        self, score: np.ndarray, weight: np.ndarray, rounding: float
    ) -> float:
        """Return the score that a set's labels do not exceed, of the samples of one part."""
        score, weight = score[weight > 0], weight[weight > 0]
        if not len(score):
            return np.inf
        weight = check.sample_counts(weight, self.frequency_weights)
        order = np.argsort(score)
        # the sum of weights is rounded: it must not ask for one sample more
        score, needed = score[order], (weight.sum() + 1) * self.coverage - 1e-9
        rank = np.searchsorted(np.cumsum(weight[order]), needed)
        # too few samples for this coverage: only the set of all classes keeps the promise
        if rank == len(score):
            return np.inf
        # the part of a score that was rounded: of "lac" the probability
        rounded = 1 - score[rank] if self.score == "lac" else score[rank]
        tied = score[rank] + rounding * max(rounded, 0.0)
        following = np.append(score, np.inf)[np.searchsorted(score, tied, side="right")]
        as_float16 = FLOAT16_ROUNDING * max(rounded, 0.0)
        return float(tied + min(TIED_OF_GAP * (following - tied), as_float16))

    def _parts(
        self, p: np.ndarray, groups: ArrayLike | None, y: np.ndarray
    ) -> np.ndarray:
        """Return which threshold is that of each sample; of each label, in the shape of `y`."""
        if self.within == "classes":
            return y
        if self.within == "all":
            return np.zeros(len(p), np.intp)
        names = self._named(groups, len(p))
        new = np.setdiff1d(names, self.groups_)
        if len(new):
            raise ValueError(f"groups: {new[0]}, expected one of those of fit")
        return np.searchsorted(self.groups_, names)

    def _named(self, groups: ArrayLike | None, n: int) -> np.ndarray:
        if groups is None:
            raise ValueError(
                "groups: None, expected the group of each sample (within='groups')"
            )
        return check.names(groups, "groups", n)

    def predict(
        self,
        y_prob: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        rng: Rng | None = None,
    ) -> np.ndarray:
        """Return the sets, a bool for each sample and class, shape (n, K)."""
        self._check_fitted()
        p = check.probabilities(y_prob)
        if p.shape[1] != self.n_classes_:
            raise ValueError(
                f"y_prob: {p.shape[1]} classes, expected {self.n_classes_}"
            )
        part = self._parts(p, groups, np.arange(self.n_classes_))
        threshold = np.atleast_1d(self.threshold_)[part]
        threshold = threshold if self.within == "classes" else threshold[:, None]
        return self.scores(p, rng=rng) <= threshold

    def scores(self, p: np.ndarray, *, rng: Rng | None = None) -> np.ndarray:
        """Return how odd each label would be, shape (n, K), from probabilities."""
        check.choice(self.score, "score", ("lac", "aps", "raps"))
        if self.score == "lac":
            return 1 - p.astype(float)
        order = ranking(p)
        ranked = np.take_along_axis(p, order, axis=1).astype(float)
        total = np.cumsum(ranked, axis=1)
        if check.flag(self.randomize, "randomize"):
            # Romano et al. (2020): a share of a class's own mass counts, for exact coverage
            total -= check.rng(rng).random((len(p), 1)) * ranked
        if self.score == "raps":
            # Angelopoulos et al. (2021): each rank beyond the first few costs a penalty
            beyond = np.arange(1, p.shape[1] + 1) - check.count(
                self.free, "free", low=0
            )
            total += check.nonnegative(self.penalty, "penalty") * np.maximum(beyond, 0)
        scores = np.empty_like(total)
        np.put_along_axis(scores, order, total, axis=1)
        return scores


def set_coverage(
    y_true: ArrayLike, sets: ArrayLike, *, sample_weight: Weights = None
) -> float:
    """Share of the sets that hold the label.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    sets : array_like of bool, shape (n, K)
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> set_coverage([0, 1], [[True, False], [True, False]])
    0.5
    """
    sets = as_array(sets, "sets")
    if sets.ndim != 2 or sets.dtype != bool:
        raise ValueError(
            f"sets: {sets.dtype} of shape {sets.shape}, expected bool, (n, K)"
        )
    y = check.labels(y_true, sets.shape[1], n=len(sets))
    weight = check.weights(sample_weight, len(sets))
    return float(np.average(sets[np.arange(len(sets)), y], weights=weight))
