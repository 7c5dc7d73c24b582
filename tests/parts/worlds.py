"""Simulated models whose truth is known: labels follow what is said, or are off by a rule."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, xlog1py, xlogy

import calib


@dataclass(frozen=True)
class NoisyLabels:
    """Probabilities of a Dirichlet distribution, labels drawn of them, a share of these changed."""

    n_classes: int
    concentration: float
    noise: float

    def sample(self, n, rng):
        """Draw labels and probabilities."""
        p = rng.dirichlet(np.full(self.n_classes, self.concentration), size=n)
        below = p.cumsum(axis=1) < rng.random((n, 1))
        y = np.minimum(below.sum(axis=1), self.n_classes - 1)
        shift = rng.integers(1, self.n_classes, size=n)
        return (y + shift * (rng.random(n) < self.noise)) % self.n_classes, p


@dataclass(frozen=True)
class DistortedScores:
    """Scores of Beta(4, 1); the log odds of a hit are a log s - b log(1 - s)."""

    a: float = 0.6
    b: float = 0.6

    def sample(self, n, rng):
        """Draw hits and scores."""
        score = rng.beta(4, 1, size=n)
        probability = expit(xlogy(self.a, score) - xlog1py(self.b, -score))
        return (rng.random(n) < probability).astype(int), score


@dataclass(frozen=True)
class WeeklyModel:
    """A confident model of an event, looked at each week, whose offset changes after a year."""

    n_labels: int
    before: float
    after: float
    shape: tuple[float, float]  # of the beta distribution of its probabilities
    change: int = 52

    def looks(self, rng, n_weeks=104):
        """Draw the sums of all weeks, as `calib.look_sums` returns them."""
        offsets = np.where(np.arange(n_weeks) < self.change, self.before, self.after)
        return np.stack([self.look(offset, rng) for offset in offsets])

    def look(self, offset, rng):
        said = rng.beta(*self.shape, size=self.n_labels)
        happened = rng.random(self.n_labels) < np.clip(said + offset, 0, 1)
        return calib.look_sums(happened, said)
