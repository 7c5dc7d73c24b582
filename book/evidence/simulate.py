"""Models whose true calibration error is known, by a formula or by quadrature.

Each family says how scores arise and what the probability of a hit given the score really is. A
metric computed from a sample can then be held against the number that it estimates.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import integrate, optimize, special, stats

from calib.check import (
    HEAVIEST,
    check_choice,
    check_count,
    check_number,
    check_rng,
    check_scores,
    softmax,
)
from calib.doc import FAULTS, PARTS, documented

NORMS = ("l1", "l2")
PARTS["sample"] = f"""\
Parameters
----------
n : int
rng : numpy.random.Generator or int
    The same state gives the same samples, whatever the error of the model.

Returns
-------
y_true : ndarray of int, shape (n,)
y_prob : ndarray of float, shape (n, K), or scores of hits, shape (n,)

{FAULTS}"""


@dataclass(frozen=True)
class BetaDistorted:
    r"""Binary scores from a beta distribution; the probability of a hit is a beta map of the score.

    .. math:: s \sim \mathrm{Beta}(\alpha, \beta), \qquad
       \operatorname{logit} P(h = 1 \mid s) = a \log s - b \log(1 - s) + c.

    With a = b < 1 the scores are too extreme; with a = b = 1 and c = 0 they are calibrated.

    Parameters
    ----------
    alpha, beta : float
        Shape of the distribution of the scores.
    a, b, c : float
        The map from a score to the probability of a hit; a and b are not negative, so that it
        is monotone.

    Raises
    ------
    ValueError
        Where a parameter is out of range.

    References
    ----------
    The map: Kull, Silva Filho & Flach (2017).

    Examples
    --------
    >>> BetaDistorted(alpha=1, beta=1, a=1, b=0, c=0).true_ece()  # log(2) - 1/2
    0.19314718055994531
    >>> BetaDistorted().calibrated().true_ece()
    0.0
    """

    alpha: float = 4.0
    beta: float = 1.0
    a: float = 0.6
    b: float = 0.6
    c: float = 0.0

    def __post_init__(self) -> None:
        _check_range(self.alpha, "alpha", 0, np.inf)
        _check_range(self.beta, "beta", 0, np.inf)
        _check_range(self.a, "a", 0, np.inf, closed=True)
        _check_range(self.b, "b", 0, np.inf, closed=True)
        _check_range(self.c, "c", -np.inf, np.inf)

    def calibrated(self) -> "BetaDistorted":
        """Return the model with the same scores and no error."""
        return replace(self, a=1.0, b=1.0, c=0.0)

    @documented
    def sample(self, n: int, rng: np.random.Generator | int) -> tuple[np.ndarray, np.ndarray]:
        """Draw hits and scores.

        %(sample)s
        """
        check_count(n, "n", high=10**8)
        rng = check_rng(rng)
        score = rng.beta(self.alpha, self.beta, size=n)
        return (rng.random(n) < self.hit_probability(score)).astype(int), score

    def hit_probability(self, score: ArrayLike) -> Any:
        """Probability of a hit at each score: the true calibration curve."""
        score = _check_unit(score)
        if (self.a, self.b, self.c) == (1, 1, 0):
            return score
        log_odds = special.xlogy(self.a, score) - special.xlog1py(self.b, -score) + self.c
        return special.expit(log_odds)

    def true_accuracy(self) -> float:
        """Share of hits."""
        return self._integral(self.hit_probability, 0, 1)

    def true_ece(self, norm: str = "l1") -> float:
        """Mean ("l1") or root mean square ("l2") of the gap between hits and scores."""
        check_choice(norm, "norm", NORMS)
        if norm == "l2":
            square = [
                self._integral(lambda s: self._gap(s) ** 2, *piece) for piece in self._pieces()
            ]
            return float(np.sqrt(sum(square)))
        return float(np.abs(self._gap_integrals()).sum())

    def true_classwise_ece(self, norm: str = "l1") -> float:
        """The same as :meth:`true_ece`: the classes' scores s and 1 - s have the same gaps."""
        return self.true_ece(norm)

    def true_ks(self) -> float:
        """Largest gap between the cumulative hits and the cumulative scores."""
        return float(np.abs(np.cumsum(self._gap_integrals())).max())

    def true_classwise_ks(self) -> float:
        """Mean KS error of the classes' scores, s and 1 - s."""
        up = np.abs(np.cumsum(self._gap_integrals())).max()
        down = np.abs(np.cumsum(self._gap_integrals()[::-1])).max()
        return float((up + down) / 2)

    def _gap(self, score: float) -> float:
        return self.hit_probability(score) - score

    def _gap_integrals(self) -> np.ndarray:
        return np.array([self._integral(self._gap, *piece) for piece in self._pieces()])

    def _integral(self, f: Callable[..., Any], low: float, high: float) -> float:
        """Mean of f over the scores whose fractile is between low and high."""
        quantile = stats.beta(self.alpha, self.beta).ppf
        return integrate.quad(lambda u: f(quantile(u)), low, high, epsabs=1e-12, limit=200)[0]

    def _pieces(self) -> list[tuple[float, float]]:
        """Intervals of the fractile on which the gap keeps its sign."""

        def excess(
            t: np.ndarray,
        ) -> np.ndarray:  # logit of the hit probability minus t, the logit of the score
            return (1 - self.a) * np.logaddexp(0, -t) + (self.b - 1) * np.logaddexp(0, t) + self.c

        grid = np.linspace(-40, 40, 4001)
        sign = np.sign(excess(grid))
        roots = [
            optimize.brentq(excess, grid[i], grid[i + 1], xtol=1e-14)
            for i in np.flatnonzero(sign[1:] * sign[:-1] < 0)
        ]
        roots += list(grid[sign == 0]) if (sign != 0).any() else []
        inner = stats.beta(self.alpha, self.beta).cdf(special.expit(np.sort(roots)))
        edges = np.concatenate([[0.0], inner, [1.0]])
        return list(pairwise(edges))


@dataclass(frozen=True)
class TemperedGaussian:
    r"""Gaussian classes in the plane; the network's logits are T times the true ones.

    The K means lie evenly on a circle, the covariance is the identity and the classes are equally
    frequent, so the posterior is softmax(z) with :math:`z_k = x \cdot \mu_k`. The network reports
    softmax(T z): for T > 1 it is overconfident, and temperature scaling should find T.

    Parameters
    ----------
    n_classes : int
        Number of classes K, at least 2.
    radius : float
        Radius of the circle of means, in standard deviations of a class.
    temperature : float
        The temperature T that repairs the network; 1 is calibrated.

    Raises
    ------
    ValueError, TypeError
        Where a parameter is out of range.

    Notes
    -----
    Tempering moves the largest probability of every sample in the same direction, whatever the
    classes. So the gap given the confidence never changes sign, and the top-label ECE and KS error
    are both the gap between accuracy and mean confidence. Per class the gap does change sign:
    there the error is read off 4096 bins of a fine grid in the plane.

    Examples
    --------
    >>> model = TemperedGaussian(n_classes=3, temperature=2.0)
    >>> round(model.true_ece(), 3), round(model.true_ks(), 3)
    (0.083, 0.083)
    >>> model.calibrated().true_ece()
    0.0
    """

    n_classes: int = 3
    radius: float = 1.5
    temperature: float = 2.0

    def __post_init__(self) -> None:
        check_count(self.n_classes, "n_classes", low=2, high=10**5)
        _check_range(self.radius, "radius", 0, np.inf)
        _check_range(self.temperature, "temperature", 0, np.inf)

    def calibrated(self) -> "TemperedGaussian":
        """Return the network that reports the true posterior."""
        return replace(self, temperature=1.0)

    @documented
    def sample(self, n: int, rng: np.random.Generator | int) -> tuple[np.ndarray, np.ndarray]:
        """Draw labels and reported probabilities.

        %(sample)s
        """
        y, logits = self.sample_logits(n, rng)
        return y, softmax(logits)

    def sample_logits(
        self, n: int, rng: np.random.Generator | int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw labels, and the logits T z instead of the probabilities of :meth:`sample`."""
        check_count(n, "n", high=10**8)
        rng = check_rng(rng)
        y = rng.integers(self.n_classes, size=n)
        x = self.means[y] + rng.normal(size=(n, 2))
        return y, self.temperature * (x @ self.means.T)

    @property
    def means(self) -> np.ndarray:
        """Means of the classes, shape (K, 2)."""
        angle = 2 * np.pi * np.arange(self.n_classes) / self.n_classes
        return self.radius * np.column_stack([np.cos(angle), np.sin(angle)])

    def true_accuracy(self) -> float:
        """Share of right predictions: the accuracy of the best possible classifier."""
        weight, true, _ = self._top_label(64)
        return float(weight @ true)

    def true_ece(self, norm: str = "l1") -> float:
        """Mean ("l1") or root mean square ("l2") of the gap given the confidence."""
        check_choice(norm, "norm", NORMS)
        if norm == "l2":
            return _binned_norm(*self._top_label(800), norm=norm)
        return self.true_ks()

    def true_ks(self) -> float:
        """KS error of the top label: accuracy minus mean confidence, without its sign."""
        weight, true, reported = self._top_label(64)
        return float(abs(weight @ (true - reported)))

    def true_classwise_ece(self, norm: str = "l1") -> float:
        """Calibration error of a class against the rest; by symmetry the same for each class."""
        check_choice(norm, "norm", NORMS)
        return _binned_norm(*self._class_zero(800), norm=norm)

    def true_classwise_ks(self) -> float:
        """KS error of a class against the rest; by symmetry the same for each class."""
        gap, _ = _binned(*self._class_zero(800))
        return float(np.abs(np.cumsum(gap)).max())

    def _top_label(self, n_nodes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nodes of the half wedge where class 0 is predicted; the others are its mirror images."""
        return self._nodes(np.pi / self.n_classes, n_nodes, 2 * self.n_classes)

    def _class_zero(self, n_nodes: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nodes of the half plane above the mean of class 0; the other half is its mirror image."""
        return self._nodes(np.pi, n_nodes, 2)

    def _nodes(
        self, angle: float, n_nodes: int, copies: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Gauss-Legendre weights, true and reported probability of class 0 up to an angle."""
        unit, weight = special.roots_legendre(n_nodes)
        unit, weight = (unit + 1) / 2, weight / 2
        length = self.radius + 10
        r, theta = np.meshgrid(length * unit, angle * unit, indexing="ij")
        z = np.stack([r * np.cos(theta) * m[0] + r * np.sin(theta) * m[1] for m in self.means])
        log_sum = special.logsumexp(z, axis=0)
        density = np.exp(log_sum - (r**2 + self.radius**2) / 2) / (2 * np.pi * self.n_classes)
        area = np.outer(weight * length, weight * angle) * r
        true = np.exp(z[0] - log_sum)
        if self.temperature == 1:
            reported = true
        else:
            z *= self.temperature
            reported = np.exp(z[0] - special.logsumexp(z, axis=0))
        return (copies * density * area).ravel(), true.ravel(), reported.ravel()


@dataclass(frozen=True)
class LabelNoise:
    r"""A calibrated network whose test labels are wrong at random.

    Probabilities are drawn from a symmetric Dirichlet distribution and labels from them; then, with
    probability `noise`, a label is replaced by one of the other classes. Of every class and of the
    top label, the gap is a function of the score p alone:

    .. math:: P(h = 1 \mid p) - p = \mathrm{noise} \; \frac{1 - K p}{K - 1}.

    Parameters
    ----------
    n_classes : int
        Number of classes K, at least 2.
    concentration : float
        Parameter of the Dirichlet distribution: the smaller, the more confident the network.
    noise : float
        Share of wrong labels, from 0 (calibrated) to 1.

    Raises
    ------
    ValueError, TypeError
        Where a parameter is out of range.

    Examples
    --------
    >>> model = LabelNoise(n_classes=2, concentration=1.0, noise=0.2)
    >>> round(model.true_ece(), 12)  # p uniform: mean confidence 3/4, so 0.2 (2 x 3/4 - 1)
    0.1
    >>> model.calibrated().true_ece()
    0.0
    """

    n_classes: int = 10
    concentration: float = 0.1
    noise: float = 0.1

    def __post_init__(self) -> None:
        check_count(self.n_classes, "n_classes", low=2, high=10**5)
        _check_range(self.concentration, "concentration", 0, np.inf)
        _check_range(self.noise, "noise", 0, 1, closed=True)

    def calibrated(self) -> "LabelNoise":
        """Return the network tested on the right labels."""
        return replace(self, noise=0.0)

    @documented
    def sample(self, n: int, rng: np.random.Generator | int) -> tuple[np.ndarray, np.ndarray]:
        """Draw labels and reported probabilities.

        %(sample)s
        """
        check_count(n, "n", high=10**8)
        rng = check_rng(rng)
        p = rng.dirichlet(np.full(self.n_classes, self.concentration), size=n)
        below = p.cumsum(axis=1) < rng.random((n, 1))
        y = np.minimum(below.sum(axis=1), self.n_classes - 1)
        shift = rng.integers(1, self.n_classes, size=n)
        return (y + shift * (rng.random(n) < self.noise)) % self.n_classes, p

    def hit_probability(self, score: ArrayLike) -> Any:
        """Probability of a hit at each score, of a class or of the top label."""
        score = _check_unit(score)
        return score + self.noise * (1 - self.n_classes * score) / (self.n_classes - 1)

    def true_accuracy(self) -> float:
        """Share of right predictions."""
        return float(self.hit_probability(self._confidence_moment(1)))

    def true_ece(self, norm: str = "l1") -> float:
        """Mean ("l1") or root mean square ("l2") of the gap given the confidence."""
        check_choice(norm, "norm", NORMS)
        k, mean = self.n_classes, self._confidence_moment(1)
        if norm == "l1":
            return float(self.noise / (k - 1) * (k * mean - 1))
        square = k**2 * self._confidence_moment(2) - 2 * k * mean + 1
        return float(self.noise / (k - 1) * np.sqrt(square))

    def true_ks(self) -> float:
        """KS error of the top label: the same as its ECE, since the gap is never positive."""
        return self.true_ece()

    def true_classwise_ece(self, norm: str = "l1") -> float:
        """Calibration error of a class against the rest; by symmetry the same for each class."""
        check_choice(norm, "norm", NORMS)
        k = self.n_classes
        a, b = self.concentration, (k - 1) * self.concentration
        if norm == "l1":  # the mean absolute deviation of Beta(a, b), which p follows
            log_mean = special.xlogy(a, a) + special.xlogy(b, b) - special.betaln(a, b)
            spread = 2 * np.exp(log_mean - (a + b + 1) * np.log(a + b))
        else:
            spread = stats.beta(a, b).std()
        return float(self.noise * k / (k - 1) * spread)

    def true_classwise_ks(self) -> float:
        """Half of the classwise ECE: below 1/K the gaps add up to what they lose above it."""
        return self.true_classwise_ece() / 2

    def _confidence_moment(self, power: int) -> float:
        """Mean of the confidence or of its square.

        The confidence is the largest of K gamma variables divided by their sum, which is
        independent of it.
        """
        shape, total = self.concentration, self.n_classes * self.concentration
        top = stats.gamma(shape).isf(1e-18)

        def tail(t: float) -> float:
            with np.errstate(divide="ignore"):  # where no gamma variable is as small
                below = np.log1p(-special.gammaincc(shape, t))
            return power * t ** (power - 1) * -np.expm1(self.n_classes * below)

        edges = [0, *(top * 10.0 ** np.arange(-6, 1))]
        integrals = [integrate.quad(tail, *piece, epsabs=1e-13)[0] for piece in pairwise(edges)]
        return sum(integrals) / special.poch(total, power)


def _binned(
    weight: np.ndarray, true: np.ndarray, reported: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of gaps and of weights in 4096 bins of the reported score."""
    bin_of = np.minimum((reported * 4096).astype(int), 4095)
    return np.bincount(bin_of, weight * (true - reported)), np.bincount(bin_of, weight)


def _binned_norm(weight: np.ndarray, true: np.ndarray, reported: np.ndarray, *, norm: str) -> float:
    gap, weight = _binned(weight, true, reported)
    if norm == "l1":
        return float(np.abs(gap).sum())
    held = weight > 0
    return float(np.sqrt((gap[held] ** 2 / weight[held]).sum()))


def _check_range(value: float, name: str, low: float, high: float, closed: bool = False) -> None:
    number = check_number(value, name)
    inside = low <= number <= high if closed else low < number < high
    if not (inside and abs(number) <= HEAVIEST):
        ends = "[]" if closed else "()"
        raise ValueError(f"{name}: {value!r}, expected a number in {ends[0]}{low}, {high}{ends[1]}")


def _check_unit(score: Any) -> np.ndarray:
    """Return scores in [0, 1] of any shape as float64."""
    check_scores(np.ravel(score))
    return np.asarray(score, float)
