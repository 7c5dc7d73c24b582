"""Maps of one score: histogram binning, isotonic regression, BBQ, Platt scaling and their like.

Each learns from pairs (score, hit) what share of the samples of a score are hits. The views in
:mod:`calib.maps.wrappers` apply them to the predictions of a network. What scipy is needed for is
imported where it is used, so that a saved map is loaded quickly.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calib.bins import assign, equal_mass, equal_width, group_by_score, last_of_bins
from calib.check import Pairs, check_choice
from calib.doc import documented
from calib.maps.base import SOLVER, ConvergenceError, ScoreCalibrator, check_nested, clone
from calib.maps.newton import Solution, newton

MOST_SAMPLES, MOST_BINNINGS = 1e9, 1000  # of BBQ
LOG_FLOOR = 1e-12  # scores this near to 0 or 1 count as this near: their logarithm is finite


@dataclass(repr=False, eq=False)
class HistogramBinning(ScoreCalibrator):
    """Replace each score by the share of hits in its bin.

    The share is the value that minimises the squared error within the bin. A bin without samples
    takes its centre.

    Parameters
    ----------
    n_bins : int
        Number of bins M.
    strategy : {"width", "mass"}
        Bins of equal width, or of equal numbers of samples.
    floor : float
        Results stay in [floor, 1 - floor], so that the NLL is finite.

    Attributes
    ----------
    edges_ : ndarray, shape (M + 1,)
        Edges of the bins, which are closed on the right.
    values_ : ndarray, shape (M,)
        Calibrated score of each bin.

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
    _learned: ClassVar = {"edges_": "m+1", "values_": "m"}

    def _fit(self, score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> None:
        check_choice(self.strategy, "strategy", ("width", "mass"))
        binning = (equal_width if self.strategy == "width" else equal_mass)(self.n_bins)
        bins = binning.of_checked(Pairs(score, hit, weight))
        centre = (bins.edges[:-1] + bins.edges[1:]) / 2
        self.edges_ = bins.edges
        self.values_ = np.where(bins.weight > 0, bins.mean_hit, centre)

    def _predict(self, score: np.ndarray) -> np.ndarray:
        value = self.values_[assign(score, self.edges_, "right")]
        return value.clip(self.floor, 1 - self.floor)


@dataclass(repr=False, eq=False)
class IsotonicCalibration(ScoreCalibrator):
    """Replace the scores by the non-decreasing function that is nearest to the hits.

    The function is constant on blocks of scores, which the pool-adjacent-violators algorithm
    finds. Tied scores get one value. Between two blocks the result is interpolated linearly;
    outside the scores of the calibration set it is constant.

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
    _learned: ClassVar = {"thresholds_": "m", "values_": "m"}

    def _fit(self, score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> None:
        from scipy.optimize import isotonic_regression

        # The scores below the lowest hit are one block of value zero, which needs no sorting.
        rest = np.flatnonzero(score >= score[hit].min(initial=score.max()))
        zeros = np.delete(score, rest)
        zero_ends = np.unique([zeros.min(), zeros.max()]) if len(zeros) else zeros
        weight = None if weight is None else weight[rest]
        distinct, total, hits = group_by_score(score[rest], hit[rest], weight)
        fit = isotonic_regression(hits / total, weights=total)
        ends = np.unique([fit.blocks[:-1], fit.blocks[1:] - 1])
        self.thresholds_ = np.concatenate([zero_ends, distinct[ends]])
        self.values_ = np.concatenate([0 * zero_ends, fit.x[ends]])

    def _predict(self, score: np.ndarray) -> np.ndarray:
        value = np.interp(score, self.thresholds_, self.values_)
        return np.minimum(np.maximum(value, self.floor), 1 - self.floor)


@dataclass(repr=False, eq=False)
class BBQ(ScoreCalibrator):
    """Bayesian binning into quantiles: an average of histogram binnings, weighted by evidence.

    Binnings of equal mass with n^(1/3)/10 to 10 n^(1/3) bins, at most a thousand, are compared, n
    being the sum of the weights where there are any. In each bin the share of hits has a beta prior
    of strength `strength` / M around the bin's centre; a binning's weight is the marginal
    likelihood of the hits, and its calibrated scores are the posterior means.

    Parameters
    ----------
    strength : float
        Strength N' of the prior, in samples, shared by the M bins.

    Attributes
    ----------
    edges_ : ndarray, shape (m + 1,)
        Edges of all binnings together.
    values_ : ndarray, shape (m,)
        Calibrated score between two edges.
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
    _learned: ClassVar = {"edges_": "m+1", "values_": "m", "n_bins_": "b", "evidence_": "b"}

    def _fit(self, score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> None:
        distinct, total, hits = group_by_score(score, hit, weight)
        if total.sum() > MOST_SAMPLES:
            raise ValueError(
                f"sample_weight: the weights stand for {total.sum():g} samples, expected at most "
                f"{MOST_SAMPLES:g}"
            )
        cube_root = np.cbrt(total.sum())
        fewest, most = max(1, int(cube_root / 10)), max(1, min(int(10 * cube_root), MOST_BINNINGS))
        self.n_bins_ = np.arange(fewest, most + 1)
        below, padded = np.cumsum(total), np.append([hits, total - hits], [[0.0], [0.0]], axis=1)
        models = [
            _binning(distinct, below, padded, n_bins, self.strength)
            for n_bins in range(fewest, most + 1)
        ]
        log_evidence = np.array([evidence for _, _, evidence in models])
        evidence = np.exp(log_evidence - log_evidence.max())
        self.evidence_ = evidence / evidence.sum()
        inner = np.unique(np.concatenate([edges[1:-1] for edges, _, _ in models]))
        self.edges_ = np.concatenate([[0.0], inner, [1.0]])
        self.values_ = sum(
            share * values[np.searchsorted(edges[1:-1], self.edges_[1:])]
            for share, (edges, values, _) in zip(self.evidence_, models, strict=True)
        )

    def _predict(self, score: np.ndarray) -> np.ndarray:
        return self.values_[np.searchsorted(self.edges_[1:-1], score)]


def _binning(
    x: np.ndarray, below: np.ndarray, hits_and_misses: np.ndarray, n_bins: int, strength: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return edges, posterior means and log evidence of one binning of equal mass.

    `x` are the distinct scores in rising order, `below` the weight up to each, `hits_and_misses`
    the weights of both, shape (2, n + 1), with a zero at the end.
    """
    from scipy.special import gammaln

    last = np.unique(last_of_bins(below, n_bins))
    edges = np.concatenate([[0.0], x[last], [1.0]])
    n_hits, n_misses = np.add.reduceat(hits_and_misses, np.append(0, last + 1), axis=1)
    centre = ((edges[:-1] + edges[1:]) / 2).clip(LOG_FLOOR, 1 - LOG_FLOOR)
    prior = strength / n_bins
    a, b = prior * centre, prior * (1 - centre)
    of_all = gammaln(prior) - gammaln(prior + n_hits + n_misses)
    log_evidence = of_all + gammaln(a + n_hits) - gammaln(a) + gammaln(b + n_misses) - gammaln(b)
    return edges, (a + n_hits) / (prior + n_hits + n_misses), log_evidence.sum()


@documented
@dataclass(repr=False, eq=False)
class PlattScaling(ScoreCalibrator):
    """Fit a sigmoid of the log-odds of the score: sigmoid(a log(s / (1 - s)) + b).

    The targets are Platt's, (N+ + 1)/(N+ + 2) for hits and 1/(N- + 2) for misses, so that the
    optimum is finite even where a threshold separates hits from misses.

    Parameters
    ----------
    smooth_targets : bool
        False fits the hits themselves, which fails where a threshold separates them from misses.
    %(solver)s

    Attributes
    ----------
    coef_, intercept_ : float
        a and b.
    %(how it ended)s

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
    _learned: ClassVar = {"coef_": "", "intercept_": "", **SOLVER}

    def _fit(self, score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> None:
        target = platt_targets(hit, weight) if self.smooth_targets else hit.astype(float)
        solution = _logistic(log_odds(score)[:, None], target, weight, self)
        self.coef_, self.intercept_ = map(float, solution.x)
        self.gradient_norm_, self.n_iter_ = solution.gradient_norm, solution.n_iter

    def _predict(self, score: np.ndarray) -> np.ndarray:
        from scipy.special import expit

        return expit(self.coef_ * log_odds(score) + self.intercept_)


@dataclass(repr=False, eq=False)
class ScalingBinning(ScoreCalibrator):
    """Fit a smooth map, then replace its values by their mean in each of a few bins.

    The bins hold equal numbers of the map's values. The means are of these values, not of the
    hits: they hardly vary from sample to sample, so that many bins cost little. As there are only
    `n_bins` different scores, the calibration error of the result can be measured on other samples;
    that of the smooth map cannot, as bins average it out.

    All three steps use all samples, as the authors' released code does; their proof gives each
    step a part of its own.

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
    edges_ : ndarray, shape (n_bins + 1,)
        Edges of the bins of its values, which are closed on the right.
    values_ : ndarray, shape (n_bins,)
        Mean of the values in each bin; the centre of an empty one.

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
    _learned: ClassVar = {"map_": "map", "edges_": "m+1", "values_": "m"}

    def _check_parameters(self) -> None:
        check_nested(self.calibrator, ScoreCalibrator)
        super()._check_parameters()

    def _fit(self, score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> None:
        self.map_ = clone(self.calibrator)._fit_pairs(score, hit, weight)
        pairs = Pairs(self.map_._predict(score), hit, weight)
        bins = equal_mass(self.n_bins).of_checked(pairs)
        centre = (bins.edges[:-1] + bins.edges[1:]) / 2
        self.edges_ = bins.edges
        self.values_ = np.where(bins.weight > 0, bins.mean_score, centre)

    def _predict(self, score: np.ndarray) -> np.ndarray:
        return self.values_[assign(self.map_._predict(score), self.edges_, "right")]


@documented
@dataclass(repr=False, eq=False)
class BetaCalibration(ScoreCalibrator):
    """Fit a sigmoid of both logarithms of the score: sigmoid(a log s - b log(1 - s) + c).

    The likelihood ratio of two beta distributions has this form. a, b >= 0 keep the map
    non-decreasing: where the best a or b is negative it is set to zero. a = b is Platt scaling,
    a = b = 1 and c = 0 change nothing. Where a threshold separates hits from misses, no finite map
    is best, and `fit` raises :class:`ConvergenceError`.

    Parameters
    ----------
    %(solver)s

    Attributes
    ----------
    coef_ : ndarray, shape (2,)
        a and b.
    intercept_ : float
        c.
    gradient_norm_, n_iter_
        How the solver ended; the gradient is that of the coefficients that are not held at zero.

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
    _learned: ClassVar = {"coef_": "2", "intercept_": "", **SOLVER}

    def _fit(self, score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> None:
        features, target = _log_features(score), hit.astype(float)
        used = [0, 1]
        try:
            solution = _logistic(features, target, weight, self)
        except ConvergenceError:
            if score[hit].min(initial=1) >= score[~hit].max(initial=0):
                raise
            used, solution = self._at_the_bound(features, target, weight)
        while (solution.x[:-1] < 0).any():
            used.pop(int(solution.x[:-1].argmin()))
            solution = _logistic(features[:, used], target, weight, self)
        self.coef_ = np.zeros(2)
        self.coef_[used] = solution.x[:-1]
        self.intercept_ = float(solution.x[-1])
        self.gradient_norm_, self.n_iter_ = solution.gradient_norm, solution.n_iter

    def _at_the_bound(
        self, features: np.ndarray, target: np.ndarray, weight: np.ndarray | None
    ) -> tuple[list[int], Solution]:
        """Return which of a and b are not zero, and the best map, where a or b has to be zero.

        No threshold separates hits from misses, but a map that falls somewhere does: without the
        bounds there is no best one.
        """
        found = []
        for used in ([0], [1], []):
            with suppress(ConvergenceError):  # it falls, and separates them
                found.append((used, _logistic(features[:, used], target, weight, self)))
        rising = [(used, solution) for used, solution in found if (solution.x[:-1] >= 0).all()]
        return min(rising, key=lambda one: one[1].value)

    def _predict(self, score: np.ndarray) -> np.ndarray:
        from scipy.special import expit

        return expit(_log_features(score) @ self.coef_ + self.intercept_)


def platt_targets(hit: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """Return Platt's smoothed targets: (N+ + 1)/(N+ + 2) for hits, 1/(N- + 2) for misses.

    Examples
    --------
    >>> platt_targets(np.array([True, False, False]), None).round(3)
    array([0.667, 0.25 , 0.25 ])
    """
    weight = np.ones(len(hit)) if weight is None else weight
    n_hits, n_misses = weight @ hit, weight @ ~hit
    return np.where(hit, (n_hits + 1) / (n_hits + 2), 1 / (n_misses + 2))


def inside(score: np.ndarray) -> np.ndarray:
    """Return scores of which none is nearer to 0 or 1 than `LOG_FLOOR`."""
    return np.clip(score, LOG_FLOOR, 1 - LOG_FLOOR)


def log_odds(score: np.ndarray) -> np.ndarray:
    """Return log(s / (1 - s)), finite also at 0 and 1."""
    return np.log(inside(score)) - np.log(inside(1 - score))


def _log_features(score: np.ndarray) -> np.ndarray:
    return np.column_stack([np.log(inside(score)), -np.log(inside(1 - score))])


def _logistic(
    features: np.ndarray,
    target: np.ndarray,
    weight: np.ndarray | None,
    calibrator: PlattScaling | BetaCalibration,
) -> Solution:
    """Fit a logistic regression with an intercept, by Newton's method from the constant fit."""
    x = np.vstack([features.T, np.ones(len(features))])  # a row a feature, which is quick
    share = np.full(x.shape[1], 1 / x.shape[1]) if weight is None else weight / weight.sum()
    hits_or_misses = np.isin(target, (0, 1)).all()

    def objective(coef: np.ndarray) -> tuple[float, np.ndarray, Callable[[], np.ndarray]]:
        margin = coef @ x
        small = np.exp(-np.abs(margin))
        p = np.where(margin > 0, 1, small) / (1 + small)
        value = share @ (np.maximum(margin, 0) + np.log1p(small) - target * margin)
        gradient = x @ (share * (p - target))
        hessian = (x * (share * p * (1 - p))) @ x.T
        return value, gradient, lambda: -np.linalg.lstsq(hessian, gradient)[0]

    return newton(
        objective,
        np.zeros(len(x)),
        tol=calibrator.tol,
        max_iter=calibrator.max_iter,
        no_minimum_below=np.log(2) * share.min() if hits_or_misses else -np.inf,
        name=type(calibrator).__name__,
    )
