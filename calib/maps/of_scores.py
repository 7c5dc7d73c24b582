"""Maps of one score: histogram binning, isotonic regression, BBQ, Platt scaling and their like.

Each learns from pairs (score, hit) what share of the samples of a score are hits.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.bins import (
    FLOAT16_ROUNDING,
    ROUNDING,
    TIED_OF_GAP,
    assign,
    between,
    bins_of,
    ends_of_mass,
    equal_width,
    group_tied,
    off_scores,
)
from calib.check import Pairs
from calib.constants import SMALLEST_PROBABILITY
from calib.logits import floor_of
from calib.maps.base import (
    BINS,
    FLOOR,
    NUMBER,
    SOLVER,
    Array,
    CheckedWeight,
    ConvergenceError,
    Learned,
    LearnedMap,
    ScoreCalibrator,
    clone,
)
from calib.maps.newton import Solution, Step, newton

MOST_SAMPLES_OF_BBQ, MOST_BINNINGS = 1e9, 1000
RANK = 1e-12  # share of the largest singular value below which one is rounding


class HistogramBinning(ScoreCalibrator):
    """Replace each score by the share of hits in its bin.

    It minimises the squared error within the bin. Bins of equal width without samples take their
    centre. Edges lie between the scores of the calibration set: those of equal mass half way, and
    of equal width one on which a score lies moves half way to the next, within its bin.

    Parameters
    ----------
    n_bins : int
        Number of bins M.
    strategy : {"width", "mass"}
        Bins of equal width, or of equal numbers of samples: fewer where many scores are tied.
    floor : float
        Results stay in [floor, 1 - floor], so that the NLL is finite.

    Attributes
    ----------
    edges_, values_ : ndarray, shape (m + 1,) and (m,)
        Edges of the bins, which are closed on the right, and their calibrated scores; m = M but
        where tied scores leave bins of equal mass without samples.

    References
    ----------
    Zadrozny & Elkan (2001); Vasilev & D'yakonov (2021), equation 12.

    Examples
    --------
    >>> binning = HistogramBinning(n_bins=2).fit([0.1, 0.4, 0.7, 0.8, 0.9, 1.0], [0, 1, 1, 0, 1, 1])
    >>> binning.predict([0.2, 0.6])
    array([0.5 , 0.75])
    """

    n_bins: int = 15
    strategy: str = "width"
    floor: float = 1e-6
    _learned: ClassVar = BINS

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        if self.strategy == "mass":
            distinct, total, hits = group_tied(score, hit, weight)
            edges, total, hits = _mass_bins(distinct, self.n_bins, total, hits)
            self._store(edges, hits / total)
            return
        edges = equal_width(self.n_bins).edges
        bins = bins_of(Pairs(score, hit, weight), off_scores(score, edges), "right")
        centre = (edges[:-1] + edges[1:]) / 2
        self._store(bins.edges, np.where(bins.weight > 0, bins.mean_hit, centre))

    def _store(self, edges: Array, values: Array) -> None:
        self.edges_: Array = edges
        self.values_: Array = values

    def _predict(self, score: Array) -> Array:
        value = self.values_[assign(score, self.edges_, "right")]
        return value.clip(self.floor, 1 - self.floor)


def _mass_bins(distinct: Array, n_bins: int, *sums: Array) -> tuple[Array, ...]:
    """Return the edges of bins of equal mass of distinct scores, and sums in them.

    The first of the sums is that of weights.
    """
    last = ends_of_mass(np.cumsum(sums[0]), n_bins)
    inner = between(distinct[last], distinct[last + 1])
    first = np.append(0, last + 1)
    edges = np.concatenate([[0.0], inner, [1.0]])
    return edges, *(np.add.reduceat(values, first) for values in sums)


class IsotonicCalibration(ScoreCalibrator):
    """Replace the scores by the non-decreasing function that is nearest to the hits.

    It is constant on blocks of scores, which the pool-adjacent-violators algorithm finds, and
    interpolated linearly between two of them. Tied scores get one value.

    Parameters
    ----------
    floor : float
        Results stay in [floor, 1 - floor], so that the NLL is finite.

    Attributes
    ----------
    thresholds_, values_ : ndarray, shape (m,)
        First and last score of each block, and its calibrated score.

    References
    ----------
    Zadrozny & Elkan (2002); Vasilev & D'yakonov (2021), equation 13.

    Examples
    --------
    >>> isotonic = IsotonicCalibration().fit([0.1, 0.2, 0.3, 0.4, 0.9], [0, 1, 0, 1, 1])
    >>> isotonic.predict([0.1, 0.2, 0.3, 0.35, 0.4]).round(4)
    array([0.  , 0.5 , 0.5 , 0.75, 1.  ])
    """

    floor: float = 1e-6
    _learned: ClassVar = {
        "thresholds_": Learned(("m",), low=0, high=1, rising=True),
        "values_": Learned(("m",), low=0, high=1, rising=True),
    }

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        # The scores below the lowest hit are one block of value zero, which needs no sorting.
        lowest_hit = score[hit].min(initial=score.max())
        above_least = np.flatnonzero(score >= lowest_hit * (1 - ROUNDING))
        zeros = np.delete(score, above_least)
        zero_ends = np.unique([zeros.min(), zeros.max()]) if len(zeros) else zeros
        weight = None if weight is None else weight[above_least]
        distinct, total, hits = group_tied(score[above_least], hit[above_least], weight)
        fit = scipy.optimize.isotonic_regression(hits / total, weights=total)
        # a block has one value: its first and its last score are enough
        ends = np.unique([fit.blocks[:-1], fit.blocks[1:] - 1])
        self.thresholds_: Array = np.concatenate([zero_ends, distinct[ends]])
        self.values_: Array = np.concatenate([0 * zero_ends, fit.x[ends]])

    def _predict(self, score: Array) -> Array:
        value = np.interp(score, self.thresholds_, self.values_)
        return np.minimum(np.maximum(value, self.floor), 1 - self.floor)


class BBQ(ScoreCalibrator):
    """Bayesian binning into quantiles: an average of histogram binnings, weighted by evidence.

    Binnings of equal mass have n^(1/3)/10 to 10 n^(1/3) bins, at most a thousand; n is the number
    of samples, of weighted ones Kish's. Their edges lie half way between scores. In each bin the
    share of hits has a beta prior of strength `strength` / M around the bin's centre; a binning's
    weight is the marginal likelihood of the hits, its calibrated scores are the posterior means.

    Parameters
    ----------
    strength : float
        Strength N' of the prior, in samples, shared by the M bins.
    frequency_weights : bool
        Whether weights are numbers of repetitions.

    Attributes
    ----------
    edges_, values_ : ndarray, shape (m + 1,) and (m,)
        Edges of all binnings together, and calibrated scores between them.
    n_bins_, evidence_ : ndarray, shape (n_models,)
        Bins asked for in each binning, and its share of the evidence.

    References
    ----------
    Naeini, Cooper & Hauskrecht (2015); Guo et al. (2017), section 4.1.

    Examples
    --------
    >>> bbq = BBQ().fit([0.3] * 100 + [0.7] * 100, [1] * 10 + [0] * 90 + [1] * 60 + [0] * 40)
    >>> bbq.predict([0.3, 0.7]).round(2)
    array([0.1, 0.6])
    """

    strength: float = 2.0
    frequency_weights: bool = False
    _learned: ClassVar = {
        **BINS,
        "n_bins_": Learned(("b",)),
        "evidence_": Learned(("b",)),
    }

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        weight = check.sample_counts(weight, self.frequency_weights)
        distinct, total, hits = group_tied(score, hit, weight)
        if total.sum() > MOST_SAMPLES_OF_BBQ:
            raise ValueError(
                f"sample_weight: the weights stand for {total.sum():g} samples, expected at most "
                f"{MOST_SAMPLES_OF_BBQ:g}"
            )
        cube_root = np.cbrt(total.sum())
        fewest = max(1, int(cube_root / 10))
        most = max(1, min(int(10 * cube_root), MOST_BINNINGS))
        self.n_bins_: Array = np.arange(fewest, most + 1)
        below, counts = np.cumsum(total), np.array([hits, total - hits])
        halfway = between(distinct[:-1], distinct[1:])
        models = [
            _binning(halfway, below, counts, n_bins, self.strength)
            for n_bins in range(fewest, most + 1)
        ]
        log_evidence = np.array([evidence for _, _, evidence in models])
        # relative to the best: evidences themselves are smaller than any float
        evidence = np.exp(log_evidence - log_evidence.max())
        self.evidence_: Array = evidence / evidence.sum()
        inner = np.unique(np.concatenate([edges[1:-1] for edges, _, _ in models]))
        self.edges_: Array = np.concatenate([[0.0], inner, [1.0]])
        # a mixture of step functions is one step function on the edges of all
        self.values_: Array = sum(
            share * values[np.searchsorted(edges[1:-1], self.edges_[1:])]
            for share, (edges, values, _) in zip(self.evidence_, models, strict=True)
        )

    def _predict(self, score: Array) -> Array:
        return self.values_[np.searchsorted(self.edges_[1:-1], score)]


def _binning(
    halfway: Array, below: Array, hits_and_misses: Array, n_bins: int, strength: float
) -> tuple[Array, Array, float]:
    """Return edges, posterior means and log evidence of one binning of distinct scores.

    `halfway` holds the numbers between them, `below` the weight up to each; hits_and_misses is of
    shape (2, n).
    """
    last = ends_of_mass(below, n_bins)
    edges = np.concatenate([[0.0], halfway[last], [1.0]])
    n_hits, n_misses = np.add.reduceat(hits_and_misses, np.append(0, last + 1), axis=1)
    centre = ((edges[:-1] + edges[1:]) / 2).clip(
        SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY
    )
    prior = strength / n_bins
    a, b = prior * centre, prior * (1 - centre)
    gammaln = scipy.special.gammaln
    of_all = gammaln(prior) - gammaln(prior + n_hits + n_misses)
    log_evidence = (
        of_all + gammaln(a + n_hits) - gammaln(a) + gammaln(b + n_misses) - gammaln(b)
    )
    return edges, (a + n_hits) / (prior + n_hits + n_misses), log_evidence.sum()


class _Sigmoid(ScoreCalibrator):
    """A sigmoid of `_features(score)`, (n, d), and an intercept, fitted by logistic regression."""

    _learned: ClassVar = {"intercept_": NUMBER, "floor_": FLOOR, **SOLVER}
    _features: ClassVar[Any]
    _identity: ClassVar[Array]  # coefficients that leave each score as it is

    def _learn_floor(self, score: Array, floor: float | None) -> None:
        self.floor_: float = floor_of(score, 1 - score) if floor is None else floor

    def _logistic(
        self, x: Array, target: Array, weight: CheckedWeight, identity: Array
    ) -> Solution:
        """Fit by Newton's method from the constant fit; `x` has a row a feature, which is quick.

        A feature that is the same in all samples says nothing of its coefficient: that of the
        identity is taken.
        """
        share = (
            np.full(x.shape[1], 1 / x.shape[1])
            if weight is None
            else weight / weight.sum()
        )
        mean = x @ share
        spread = np.sqrt((x - mean[:, None]) ** 2 @ share)
        constant = spread <= ROUNDING * np.abs(mean)
        # a feature that does not vary becomes zero, and takes no part
        scale = np.where(constant, np.inf, spread)
        x = np.vstack([(x - mean[:, None]) / scale[:, None], np.ones(x.shape[1])])

        def objective(coef: Array) -> tuple[float, Array, Step]:
            margin = coef @ x
            # the exponential of minus the size never overflows
            small = np.exp(-np.abs(margin))
            p = np.where(margin > 0, 1, small) / (1 + small)
            value = share @ (np.maximum(margin, 0) + np.log1p(small) - target * margin)
            gradient = x @ (share * (p - target))
            hessian = (x * (share * p * (1 - p))) @ x.T

            def step(damping: float) -> Array:
                damped = hessian + damping * np.eye(len(x))
                # two features that are nearly one leave the Hessian without inverse
                return -np.linalg.lstsq(damped, gradient, RANK)[0]

            return value, gradient, step

        hits_or_misses = np.isin(target, (0, 1)).all()
        # below it each sample has more than 1/2: hits and misses are separated
        bound = np.log(2) * share.min() if hits_or_misses else -np.inf
        solution = newton(objective, np.zeros(len(x)), self, no_minimum_below=bound)
        coef = np.where(constant, identity, solution.x[:-1] / scale)
        return replace(solution, x=np.append(coef, solution.x[-1] - coef @ mean))

    def _store(self, coef: float | Array, solution: Solution) -> None:
        self.coef_: float | Array = coef
        self.intercept_: float = float(solution.x[-1])
        self.gradient_norm_: float = solution.gradient_norm
        self.n_iter_: int = solution.n_iter

    def _predict(self, score: Array) -> Array:
        margin = self._features(score) @ np.atleast_1d(self.coef_) + self.intercept_
        return scipy.special.expit(margin)

    def _log_odds(self, score: Array) -> Array:
        """Return log(s / (1 - s)), finite also at 0 and 1."""
        return np.log(self._inside(score)) - np.log(self._inside(1 - score))

    def _inside(self, score: Array) -> Array:
        return np.clip(score, self.floor_, 1 - self.floor_)


class PlattScaling(_Sigmoid):
    """Fit a sigmoid of the log-odds of the score: sigmoid(a log(s / (1 - s)) + b).

    The targets are Platt's, (N+ + 1)/(N+ + 2) for hits and 1/(N- + 2) for misses, so that the
    optimum is finite even where a threshold separates hits from misses.

    Parameters
    ----------
    smooth_targets : bool
        False fits the hits themselves, which fails where a threshold separates them from misses.
    tol : float
        Largest norm of the gradient of the mean NLL, in nats, at which the solver stops, for
        features less their mean and over their standard deviation.
    max_iter : int
        Largest number of Newton steps.
    floor : float, optional
        Scores nearer to 0 or 1 count as this near, so that their log-odds are finite. By default,
        where scores are 0 or 1, half of the least distance of the others: of votes, half a vote.
    frequency_weights : bool
        Whether weights are numbers of repetitions; N+ and N- are theirs.

    Attributes
    ----------
    coef_, intercept_ : float
        a and b; a is 1 where all scores are equal.
    floor_ : float
        The floor of the scores.
    gradient_norm_, n_iter_
        How the solver ended.

    References
    ----------
    Platt (1999); Vasilev & D'yakonov (2021), equation 14.

    Examples
    --------
    >>> score, hit = [0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.9], [0, 1, 0, 0, 1, 1, 0, 1]
    >>> platt = PlattScaling(smooth_targets=False).fit(score, hit)
    >>> platt.predict([0.1, 0.9]).round(4)
    array([0.25, 0.75])
    """

    smooth_targets: bool = True
    tol: float = 1e-9
    max_iter: int = 100
    floor: float | None = None
    frequency_weights: bool = False
    _learned: ClassVar = {"coef_": NUMBER}
    _identity: ClassVar = np.array([1.0])

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        self._learn_floor(score, self.floor)
        target = hit.astype(float)
        if self.smooth_targets:
            counts = check.sample_counts(weight, self.frequency_weights)
            w = np.ones(len(hit)) if counts is None else counts
            n_hits, n_misses = w @ hit, w @ ~hit
            # Platt (1999): as if one hit and one miss more had been seen
            target = np.where(hit, (n_hits + 1) / (n_hits + 2), 1 / (n_misses + 2))
        solution = self._logistic(
            self._features(score).T, target, weight, self._identity
        )
        self._store(float(solution.x[0]), solution)

    def _features(self, score: Array) -> Array:
        return self._log_odds(score)[:, None]


class QuadraticScaling(_Sigmoid):
    """Fit a sigmoid of a parabola of the log-odds: sigmoid(a x^2 + b x + c), x = log(s / (1 - s)).

    It bends both tails of Platt scaling at once, and may fall somewhere. Where such a curve
    separates hits from misses, no finite map is best, and `fit` raises :class:`ConvergenceError`.

    Parameters
    ----------
    tol : float
        Largest norm of the gradient of the mean NLL, in nats, at which the solver stops, for
        features less their mean and over their standard deviation.
    max_iter : int
        Largest number of Newton steps.
    floor : float, optional
        Scores nearer to 0 or 1 count as this near, so that their log-odds are finite. By default,
        where scores are 0 or 1, half of the least distance of the others: of votes, half a vote.

    Attributes
    ----------
    coef_, intercept_ : ndarray, shape (2,), and float
        b and a, and c; b is 1 and a is 0 where all scores are equal.
    floor_ : float
        The floor of the scores.
    gradient_norm_, n_iter_
        How the solver ended.

    References
    ----------
    Berta, Holzmüller, Jordan & Bach (2026).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.random(20_000)
    >>> quadratic = QuadraticScaling().fit(score, rng.random(20_000) < score**2)
    >>> quadratic.predict([0.3, 0.7]).round(1)
    array([0.1, 0.5])
    """

    tol: float = 1e-9
    max_iter: int = 100
    floor: float | None = None
    _learned: ClassVar = {"coef_": Learned((2,))}
    _identity: ClassVar = np.array([1.0, 0.0])

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        self._learn_floor(score, self.floor)
        # features one after another in memory: products of a turned view sum in another order
        x = np.ascontiguousarray(self._features(score).T)
        solution = self._logistic(x, hit.astype(float), weight, self._identity)
        self._store(solution.x[:-1].copy(), solution)

    def _features(self, score: Array) -> Array:
        x = self._log_odds(score)
        return np.column_stack([x, x**2])


class BetaCalibration(_Sigmoid):
    """Fit a sigmoid of both logarithms of the score: sigmoid(a log s - b log(1 - s) + c).

    The likelihood ratio of two beta distributions has this form. A best a or b below zero is set to
    zero, so that the map does not fall. a = b is Platt scaling. Where a threshold separates hits
    from misses, no finite map is best, and `fit` raises :class:`ConvergenceError`.

    Parameters
    ----------
    tol : float
        Largest norm of the gradient of the mean NLL, in nats, at which the solver stops, for
        features less their mean and over their standard deviation.
    max_iter : int
        Largest number of Newton steps.
    floor : float, optional
        Scores nearer to 0 or 1 count as this near, so that their log-odds are finite. By default,
        where scores are 0 or 1, half of the least distance of the others: of votes, half a vote.

    Attributes
    ----------
    coef_, intercept_ : ndarray, shape (2,), and float
        a and b, and c; a and b are 1 where all scores are equal.
    floor_ : float
        The floor of the scores.
    gradient_norm_, n_iter_
        How the solver ended, for the coefficients that are not held at zero.

    References
    ----------
    Kull, Silva Filho & Flach (2017).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.random(20_000)
    >>> beta = BetaCalibration().fit(score, rng.random(20_000) < score**2)
    >>> beta.predict([0.3, 0.7]).round(1)
    array([0.1, 0.5])
    """

    tol: float = 1e-9
    max_iter: int = 100
    floor: float | None = None
    _learned: ClassVar = {"coef_": Learned((2,))}
    _identity: ClassVar = np.array([1.0, 1.0])

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        self._learn_floor(score, self.floor)
        x, target, used = self._features(score).T, hit.astype(float), [0, 1]
        try:
            solution = self._logistic(x, target, weight, self._identity)
        except ConvergenceError:
            if score[hit].min(initial=1) >= score[~hit].max(initial=0):
                raise
            used, solution = self._at_the_bound(x, target, weight)
        # Kull et al. (2017): a negative coefficient goes, the other is fitted again
        while (solution.x[:-1] < 0).any():
            used.pop(int(solution.x[:-1].argmin()))
            solution = self._logistic(x[used], target, weight, self._identity[used])
        coef = np.zeros(2)
        coef[used] = solution.x[:-1]
        self._store(coef, solution)

    def _at_the_bound(
        self, x: Array, target: Array, weight: CheckedWeight
    ) -> tuple[list[int], Solution]:
        """Return which of a and b are not zero, and the best map, where only a falling map fits."""
        fits = []
        for used in ([0], [1], []):
            with suppress(ConvergenceError):  # it falls, and separates them
                solution = self._logistic(x[used], target, weight, self._identity[used])
                fits.append((used, solution))
        rising = [
            (used, solution) for used, solution in fits if (solution.x[:-1] >= 0).all()
        ]
        return min(rising, key=lambda fit: fit[1].value)

    def _features(self, score: Array) -> Array:
        return np.column_stack(
            [np.log(self._inside(score)), -np.log(self._inside(1 - score))]
        )


class VennAbers(ScoreCalibrator):
    r"""Two isotonic fits a score, one as if it were a miss and one as if it were a hit.

    Isotonic regression is fitted to the calibration set and the new score with the hit 0, which
    gives it :math:`p_0`, and with the hit 1, which gives :math:`p_1 \geq p_0`. One of the two is
    calibrated, whatever the scores (`predict_interval`). The calibrated score is the p of least
    regret in log loss, :math:`p_1 / (1 - p_0 + p_1)`. With `n_folds` above one each fold has its
    own pair, and :math:`p_1` and :math:`1 - p_0` are geometric means (cross Venn-Abers).

    Parameters
    ----------
    n_folds : int
        Folds, to which the samples go in turn.
    frequency_weights : bool
        Whether weights are numbers of repetitions. Beside them the new score has the weight one.

    Attributes
    ----------
    score_, lower_, upper_ : ndarray, shape (m,)
        Distinct scores of the calibration set; :math:`p_0` from each on, :math:`p_1` up to each.
        What rounds to one of them in float16, and is within 3 % of the gap to the next, is
        that score.

    References
    ----------
    Vovk & Petej (2014); Vovk, Petej & Fedorova (2015), algorithms 1 to 4.

    Examples
    --------
    >>> venn = VennAbers().fit([0.1, 0.2, 0.3, 0.4, 0.9], [0, 1, 0, 1, 1])
    >>> low, high = venn.predict_interval([0.2, 0.9])
    >>> low.round(2), high.round(2), venn.predict([0.2, 0.9]).round(2)
    (array([0.33, 0.67]), array([0.67, 1.  ]), array([0.5 , 0.75]))
    """

    n_folds: int = 1
    frequency_weights: bool = False
    _learned: ClassVar = {
        "score_": Learned(("m",), low=0, high=1, rising=True),
        "lower_": Learned(("m",), low=0, high=1),
        "upper_": Learned(("m",), low=0, high=1),
    }

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        check.count(self.n_folds, "n_folds", high=len(score))
        weight = check.sample_counts(weight, self.frequency_weights)
        weight = np.ones(len(score)) if weight is None else weight
        self.score_: Array = group_tied(score, hit)[0]
        log_miss, log_hit = np.zeros((2, len(self.score_)))
        for k in range(self.n_folds):
            in_fold = slice(k, None, self.n_folds)
            x, total, hits = group_tied(score[in_fold], hit[in_fold], weight[in_fold])
            if_hit = np.append(_if_hit(total, hits), 1.0)
            if_miss = np.append(_if_hit(total[::-1], (total - hits)[::-1]), 1.0)
            with np.errstate(divide="ignore"):
                log_hit += np.log(
                    if_hit[np.searchsorted(x * (1 + ROUNDING), self.score_)]
                )
                from_below = np.searchsorted(
                    x * (1 - ROUNDING), self.score_, side="right"
                )
                below = len(x) - from_below
                log_miss += np.log(if_miss[below])
        self.lower_: Array = 1 - np.exp(log_miss / self.n_folds)
        self.upper_: Array = np.exp(log_hit / self.n_folds)

    def predict_interval(self, score: ArrayLike) -> tuple[Array, Array]:
        """Return p_0 and p_1 of each score, shape (n,) each."""
        self._check_fitted()
        return self._interval(check.scores(score))

    def _interval(self, score: Array) -> tuple[Array, Array]:
        gap = np.diff(self.score_, prepend=0.0, append=1.0)
        rounding = FLOAT16_ROUNDING * self.score_
        lower = self.score_ - np.minimum(rounding, TIED_OF_GAP * gap[:-1])
        upper = self.score_ + np.minimum(rounding, TIED_OF_GAP * gap[1:])
        at_or_below = np.searchsorted(lower, score, side="right")
        at_or_above = np.searchsorted(upper, score)
        return np.append(0.0, self.lower_)[at_or_below], np.append(self.upper_, 1.0)[
            at_or_above
        ]

    def _predict(self, score: Array) -> Array:
        low, high = self._interval(score)
        return high / (1 - low + high)


def _if_hit(total: Array, hits: Array) -> Array:
    """Return the isotonic value of one more hit at each distinct score, from rising weights, hits.

    It is the slope of the lower convex hull of the cumulative sums at the new sample's own step,
    those to its left being moved by (-1, -1). The hull from there on is kept as a stack.
    """
    sums = np.cumsum(total) + 1j * np.cumsum(hits)
    points, value = [-1 - 1j, 0j, *sums.tolist()], np.empty(len(total))
    hull: list[complex] = []

    def turn(a: complex, b: complex, c: complex) -> float:
        return ((b - a).conjugate() * (c - a)).imag  # positive to the left

    for point in points:
        while len(hull) > 1 and turn(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        hull.append(point)
    hull.reverse()
    left = points[0]
    for i in range(len(total)):
        step = hull[-2] - hull[-1]
        value[i] = step.imag / step.real
        left += points[i + 2] - points[i + 1]
        if turn(hull[-1], hull[-2], left) < 0:
            hull.pop()
            while len(hull) > 1 and turn(left, hull[-1], hull[-2]) <= 0:
                hull.pop()
            hull.append(left)
    return value


class ScalingBinning(ScoreCalibrator):
    """Fit a smooth map, then replace its values by their mean in each of a few bins.

    The bins hold equal numbers of the map's values. The means of these hardly vary from sample to
    sample, so that many bins cost little; and the calibration error of so few scores can be
    measured, that of the smooth map not. All three steps use all samples, as the authors' code
    does; their proof gives each a part of its own.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        The smooth map, fitted as a copy, such as :class:`PlattScaling`.
    n_bins : int
        Number of bins.

    Attributes
    ----------
    map_ : ScoreCalibrator
        The fitted smooth map.
    edges_, values_ : ndarray, shape (m + 1,) and (m,)
        Edges of the bins, half way between values, and the mean in each; m is `n_bins` but where
        tied values leave bins empty.

    References
    ----------
    Kumar, Liang & Ma (2019), section 4.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.random(20_000)
    >>> binning = ScalingBinning(BetaCalibration(), n_bins=4)
    >>> binning.fit(score, rng.random(20_000) < score**2).values_.round(2)
    array([0.02, 0.14, 0.41, 0.78])
    """

    calibrator: ScoreCalibrator
    n_bins: int = 15
    _takes = ScoreCalibrator
    _learned: ClassVar = {"map_": LearnedMap(ScoreCalibrator), **BINS}

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        self.map_: ScoreCalibrator = clone(self.calibrator)._fit_pairs(
            score, hit, weight
        )
        smooth, total, _ = group_tied(self.map_._predict(score), hit, weight)
        edges, total, sums = _mass_bins(smooth, self.n_bins, total, total * smooth)
        self.edges_: Array = edges
        self.values_: Array = np.minimum(sums / total, 1.0)

    def _predict(self, score: Array) -> Array:
        return self.values_[assign(self.map_._predict(score), self.edges_, "right")]
