"""Models whose true calibration error is known, by a formula or by quadrature.

Each family says how scores arise and what the probability of a hit given the score really is. A
metric computed from a sample can then be held against the number that it estimates. What `sample`
draws are labels and reported probabilities, or hits and scores; the same state of the generator
gives the same scores whatever the error of the model.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import integrate, optimize, special, stats

from calib import softmax

Sample = tuple[np.ndarray, np.ndarray]


def drawn_labels(prob: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a label drawn from each row of probabilities, by one uniform number a row."""
    return labels_at(prob, rng.random(len(prob)))


def labels_at(prob: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    """Return of each row the first class whose cumulated probability reaches a number.

    Examples
    --------
    >>> labels_at(np.full((4, 3), 1 / 3), np.array([0.2, 0.5, 0.9, 1.0]))
    array([0, 1, 2, 2])
    """
    below = prob.cumsum(axis=1) < uniform[:, None]
    # rounded probabilities may add up to a little less than one: then it is the last class
    return np.minimum(below.sum(axis=1), prob.shape[1] - 1)


@dataclass(frozen=True)
class BetaDistorted:
    r"""Binary scores from a beta distribution; the probability of a hit is a beta map of the score.

    .. math:: s \sim \mathrm{Beta}(\alpha, \beta), \qquad
       \operatorname{logit} P(h = 1 \mid s) = a \log s - b \log(1 - s) + c.

    With a = b < 1 the scores are too extreme; with a = b = 1 and c = 0 they are calibrated. The map
    is that of Kull, Silva Filho & Flach (2017); a and b are not negative, so that it is monotone.

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

    def calibrated(self) -> "BetaDistorted":
        """Return the model with the same scores and no error."""
        return replace(self, a=1.0, b=1.0, c=0.0)

    def sample(self, n: int, rng: np.random.Generator | int) -> Sample:
        """Draw hits and scores."""
        rng = np.random.default_rng(rng)
        score = rng.beta(self.alpha, self.beta, size=n)
        return (rng.random(n) < self.hit_probability(score)).astype(int), score

    def hit_probability(self, score: Any) -> Any:
        """Probability of a hit at each score: the true calibration curve."""
        score = np.asarray(score, float)
        if (self.a, self.b, self.c) == (1, 1, 0):
            return score
        log_odds = (
            special.xlogy(self.a, score) - special.xlog1py(self.b, -score) + self.c
        )
        return special.expit(log_odds)

    def true_accuracy(self) -> float:
        """Share of hits."""
        return self._mean(self.hit_probability, 0, 1)

    def true_ece(self) -> float:
        """Mean absolute gap between the probability of a hit and the score."""
        return float(np.abs(self._gaps()).sum())

    def true_ks(self) -> float:
        """Largest gap between the cumulative hits and the cumulative scores."""
        return float(np.abs(np.cumsum(self._gaps())).max())

    def _mean(self, f: Any, low: float, high: float) -> float:
        """Mean of f over the scores whose fractile is between low and high."""
        quantile = stats.beta(self.alpha, self.beta).ppf
        return integrate.quad(
            lambda u: f(quantile(u)), low, high, epsabs=1e-12, limit=200
        )[0]

    def _gaps(self) -> np.ndarray:
        """Return the gap's integral over each interval of fractiles where it keeps its sign."""

        def excess(t: Any) -> Any:
            # logit of the hit probability minus t, the logit of the score
            return (
                (1 - self.a) * np.logaddexp(0, -t)
                + (self.b - 1) * np.logaddexp(0, t)
                + self.c
            )

        # beyond 40 the sigmoid is one in double precision
        grid = np.linspace(-40, 40, 4001)
        sign = np.sign(excess(grid))
        roots = [
            optimize.brentq(excess, grid[i], grid[i + 1], xtol=1e-14)
            for i in np.flatnonzero(sign[1:] * sign[:-1] < 0)
        ]
        roots += list(grid[sign == 0]) if (sign != 0).any() else []
        inner = stats.beta(self.alpha, self.beta).cdf(special.expit(np.sort(roots)))
        pieces = pairwise([0.0, *inner, 1.0])
        return np.array(
            [self._mean(lambda s: self.hit_probability(s) - s, *p) for p in pieces]
        )


@dataclass(frozen=True)
class TemperedGaussian:
    r"""Gaussian classes in the plane; the network's logits are T times the true ones.

    The K means lie evenly on a circle, the covariance is the identity and the classes are equally
    frequent, so the posterior is softmax(z) with :math:`z_k = x \cdot \mu_k`. The network reports
    softmax(T z): for T > 1 it is overconfident, and temperature scaling should find T. The radius
    of the circle is in standard deviations of a class.

    Examples
    --------
    >>> from calib import TemperatureScaling
    >>> y, logits = TemperedGaussian(temperature=2.0).sample_logits(50_000, 0)
    >>> round(TemperatureScaling().fit(logits, y).temperature_, 1)
    2.0
    """

    n_classes: int = 3
    radius: float = 1.5
    temperature: float = 2.0

    def calibrated(self) -> "TemperedGaussian":
        """Return the network that reports the true posterior."""
        return replace(self, temperature=1.0)

    def sample(self, n: int, rng: np.random.Generator | int) -> Sample:
        """Draw labels and reported probabilities."""
        y, logits = self.sample_logits(n, rng)
        return y, softmax(logits)

    def sample_logits(self, n: int, rng: np.random.Generator | int) -> Sample:
        """Draw labels, and the logits T z instead of the probabilities of :meth:`sample`."""
        rng = np.random.default_rng(rng)
        # by symmetry all classes are alike, and as hard
        angle = 2 * np.pi * np.arange(self.n_classes) / self.n_classes
        means = self.radius * np.column_stack([np.cos(angle), np.sin(angle)])
        y = rng.integers(self.n_classes, size=n)
        x = means[y] + rng.normal(size=(n, 2))
        return y, self.temperature * (x @ means.T)


@dataclass(frozen=True)
class LabelNoise:
    r"""A calibrated network whose test labels are wrong at random.

    Probabilities are drawn from a symmetric Dirichlet distribution and labels from them; then, with
    probability `noise`, a label is replaced by one of the other classes. Of every class and of the
    top label, the gap is a function of the score p alone:

    .. math:: P(h = 1 \mid p) - p = \mathrm{noise} \; \frac{1 - K p}{K - 1}.

    The smaller the concentration of the Dirichlet distribution, the more confident the network.

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

    def calibrated(self) -> "LabelNoise":
        """Return the network tested on the right labels."""
        return replace(self, noise=0.0)

    def sample(self, n: int, rng: np.random.Generator | int) -> Sample:
        """Draw labels and reported probabilities."""
        rng = np.random.default_rng(rng)
        p = rng.dirichlet(np.full(self.n_classes, self.concentration), size=n)
        y = drawn_labels(p, rng)
        # 1 to K - 1 classes further: another class, each as likely
        shift = rng.integers(1, self.n_classes, size=n)
        return (y + shift * (rng.random(n) < self.noise)) % self.n_classes, p

    def true_ece(self) -> float:
        """Mean absolute gap given the confidence; it is never positive, so the KS error as well."""
        k = self.n_classes
        return float(self.noise / (k - 1) * (k * self._mean_confidence() - 1))

    def true_classwise_ece(self) -> float:
        """Calibration error of a class against the rest; by symmetry the same for each class."""
        k = self.n_classes
        a, b = self.concentration, (k - 1) * self.concentration
        # the mean absolute deviation of Beta(a, b), which p follows
        log_mean = special.xlogy(a, a) + special.xlogy(b, b) - special.betaln(a, b)
        spread = 2 * np.exp(log_mean - (a + b + 1) * np.log(a + b))
        return float(self.noise * k / (k - 1) * spread)

    def _mean_confidence(self) -> float:
        """Mean of the largest of K gamma variables over that of their sum, independent of it."""
        shape = self.concentration
        # above this nothing is left of the integral
        top = stats.gamma(shape).isf(1e-18)

        def tail(t: float) -> float:
            with np.errstate(divide="ignore"):  # where no gamma variable is as small
                below = np.log1p(-special.gammaincc(shape, t))
            return -np.expm1(self.n_classes * below)

        edges = [0, *(top * 10.0 ** np.arange(-6, 1))]
        integrals = [
            integrate.quad(tail, *piece, epsabs=1e-13)[0] for piece in pairwise(edges)
        ]
        return sum(integrals) / (self.n_classes * shape)
