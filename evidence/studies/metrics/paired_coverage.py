"""Compute paired_coverage.csv: how often an interval of a difference holds the truth.

`python -m evidence.studies paired_coverage` from the root. In twenty worlds the probability of each
class is known: a network before and after each map (fitted to other samples), two maps, and two
networks. `split` and `basic` are the shares of `split_trials` and `basic_trials` samples whose 95 %
interval of the difference of two ECEs, 15 bins, holds that of the true errors of these bins. The
split difference was chosen beforehand, in other worlds and with other seeds, for the largest of the
least coverages: against the basic interval, errors less the bias of a bootstrap whose gaps are
drawn towards zero, parts of other sizes, and intervals without what wrong signs take.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr

import calib
from evidence.rows import Row
from evidence.simulate import drawn_labels

SIZES, CLUSTERED, CLUSTER = (300, 1000, 5000, 20_000), 2000, 10
N_TRIALS, N_BASIC, N_RESAMPLES, SEED = 200, 60, 200, 20_261_128
MOST_BASIC = 5000  # samples, of which a basic interval is drawn too
POPULATION, N_FIT, SAME_BINS = 100_000, 2000, calib.equal_width(15)


@dataclass
class PairedScores:
    """Scores of two models, the probabilities that they are right, and whether they agree."""

    score: np.ndarray  # (2, n)
    right: np.ndarray
    agree: np.ndarray

    def sample(
        self, n: int, rng: np.random.Generator, cluster: int = 1
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return scores and hits, (2, n), and clusters, whose labels hang together."""
        i = rng.integers(len(self.agree), size=n)
        common = np.repeat(rng.normal(size=n // cluster), cluster)
        shared = 0.2 if cluster > 1 else 0.0
        # one uniform number for both models, so that their hits hang together
        u = ndtr(shared**0.5 * common + (1 - shared) ** 0.5 * rng.normal(size=n))
        first, second = self.right[:, i]
        hit = u < first
        # where they disagree, at most one of the two is right
        hit_second = np.where(self.agree[i], hit, (first <= u) & (u < first + second))
        return self.score[:, i], np.array([hit, hit_second]), np.arange(n) // cluster

    def truth(self, metric: Callable[..., float]) -> float:
        """Return the difference of the errors of the population."""
        first, second = (
            metric(s, r) for s, r in zip(self.score, self.right, strict=True)
        )
        return first - second


def true_ece(score: np.ndarray, right: np.ndarray) -> float:
    # the bins of the population: the ECE that the samples estimate
    place = SAME_BINS(score, np.zeros(len(score))).assign(score)
    return np.abs(np.bincount(place, right - score)).sum() / len(score)


def top_pairs(q: np.ndarray, a: np.ndarray, b: np.ndarray) -> PairedScores:
    """The top labels of two networks, where q holds the true probabilities."""
    samples, top = np.arange(len(q)), [p.argmax(axis=1) for p in (a, b)]
    score = np.array([p[samples, k] for p, k in zip((a, b), top, strict=True)])
    right = np.array([q[samples, k] for k in top])
    return PairedScores(score, right, top[0] == top[1])


def same_answers(
    before: np.ndarray, after: np.ndarray, right: np.ndarray
) -> PairedScores:
    return PairedScores(
        np.array([before, after]), np.array([right, right]), np.ones(len(right), bool)
    )


def truth_and_logits(
    n_classes: int,
    rng: np.random.Generator,
    factor: float = 1.6,
    sharp: float = 2.2,
    shift: float = 0.2,
) -> tuple[np.ndarray, np.ndarray]:
    """True probabilities, and logits of a network that is off by a factor and an offset each."""
    z = sharp * rng.normal(size=(POPULATION, n_classes))
    return calib.softmax(z), factor * (z + shift * rng.normal(size=n_classes))


def before_and_after(
    n_classes: int, scaling: Any, rng: np.random.Generator, **off: float
) -> PairedScores:
    q, z = truth_and_logits(n_classes, rng, **off)
    fit = scaling.fit(z[:N_FIT], drawn_labels(q[:N_FIT], rng))
    return top_pairs(q, calib.softmax(z), fit.predict_proba(z))


def binary(p: np.ndarray) -> np.ndarray:
    return np.column_stack([1 - p, p])


class TenClasses(NamedTuple):
    """A network of ten classes: true probabilities, logits, and labels of the samples to fit."""

    q: np.ndarray
    z: np.ndarray
    y: np.ndarray


class TwoModels(NamedTuple):
    """Calibrated probabilities of an event by two models, of which one knows less."""

    sharp: np.ndarray
    blunt: np.ndarray


@dataclass
class Draws:
    """One generator for all worlds, in their order, and what several worlds have in common."""

    rng: np.random.Generator

    @cached_property
    def network(self) -> TenClasses:
        """The network whose scores, or vectors, are mapped; drawn where first asked for."""
        q, z = truth_and_logits(10, self.rng)
        return TenClasses(q, z, drawn_labels(q[:N_FIT], self.rng))

    @cached_property
    def two_models(self) -> TwoModels:
        """Models of which the second sees one of two causes; drawn where first asked for."""
        visible, unseen = 1.5 * self.rng.normal(size=(2, POPULATION))
        sharp = expit(visible + unseen)
        # the mean over what it cannot see: calibrated, though it knows less
        blunt = expit(visible[:, None] + 1.5 * self.rng.normal(size=500)).mean(axis=1)
        return TwoModels(sharp, blunt)


def scaled(draws: Draws, *, n_classes: int, scaling: Any, **off: float) -> PairedScores:
    """A network of its own, before and after a map of its logits."""
    return before_and_after(n_classes, scaling, draws.rng, **off)


def map_of_scores(draws: Draws, *, calibrator: Any) -> PairedScores:
    """The network of ten classes before and after a map of its confidence."""
    q, z, y = draws.network
    p = calib.softmax(z)
    top, score = p.argmax(axis=1), p.max(axis=1)
    calibrator.fit(score[:N_FIT], y == top[:N_FIT])
    return same_answers(score, calibrator.predict(score), q[np.arange(len(q)), top])


def two_maps(draws: Draws) -> PairedScores:
    """The network of ten classes after two maps of its logits."""
    q, z, y = draws.network
    maps = calib.TemperatureScaling(), calib.VectorScaling()
    return top_pairs(
        q, *(scaling.fit(z[:N_FIT], y).predict_proba(z) for scaling in maps)
    )


def two_models(
    draws: Draws, *, of_sharp: float | None = None, of_blunt: float | None = None
) -> PairedScores:
    """Two models of an event, their log odds multiplied by factors where these are given."""
    sharp, blunt = draws.two_models
    first = binary(overconfident(sharp, of_sharp))
    return top_pairs(binary(sharp), first, binary(overconfident(blunt, of_blunt)))


def overconfident(p: np.ndarray, factor: float | None) -> np.ndarray:
    """Probabilities whose log odds are multiplied by a factor; as they are without one."""
    return p if factor is None else expit(factor * logit(p))


def calibrated_and_constant(draws: Draws) -> PairedScores:
    """A model of an event beside one that always says a half."""
    q = binary(draws.two_models.sharp)
    return top_pairs(q, q, binary(np.full(POPULATION, 0.5)))


def accuracy_that_swings(draws: Draws) -> PairedScores:
    """Scores too high and too low in one bin, which no ECE sees, beside the truth."""
    score = draws.rng.uniform(0.5, 1, POPULATION)
    truth = score + 0.15 * (1 - score) * np.sin(10 * np.pi * (score - 0.5))
    return same_answers(score, truth, truth)


TEMPERATURE = calib.TemperatureScaling()
MAPS_OF_SCORES = {
    "isotonic": calib.IsotonicCalibration(),
    "beta": calib.BetaCalibration(),
    "spline": calib.SplineCalibration(),
    "histogram": calib.HistogramBinning(),
    "Platt": calib.PlattScaling(),
}
# one generator draws them all: a world more stands at the end, so that no other becomes another
WORLDS: dict[str, Callable[[Draws], PairedScores]] = {
    **{
        f"temperature, {k} classes": partial(scaled, n_classes=k, scaling=TEMPERATURE)
        for k in (2, 3, 10, 30, 100)
    },
    "vector, 10 classes": partial(scaled, n_classes=10, scaling=calib.VectorScaling()),
    **{
        f"{name}, 10 classes": partial(map_of_scores, calibrator=calibrator)
        for name, calibrator in MAPS_OF_SCORES.items()
    },
    "temperature and vector": two_maps,
    "underconfident": partial(scaled, n_classes=5, scaling=TEMPERATURE, factor=0.6),
    "surer than right": partial(scaled, n_classes=10, scaling=TEMPERATURE, sharp=6.0),
    "two calibrated": two_models,
    "calibrated and constant": calibrated_and_constant,
    "one overconfident": partial(two_models, of_sharp=1.4),
    "both overconfident": partial(two_models, of_sharp=1.4, of_blunt=1.4),
    "both slightly": partial(two_models, of_sharp=1.1, of_blunt=1.1),
    "accuracy that swings": accuracy_that_swings,
}


def coverage(name: str, world: PairedScores, n: int, cluster: int) -> Row:
    """Return how often the intervals of each method hold the true difference, of n samples."""
    rng = np.random.default_rng([SEED, n, cluster])
    truth = world.truth(true_ece)
    trials = {"split": N_TRIALS, "basic": N_BASIC if n <= MOST_BASIC else 0}
    n_held = dict.fromkeys(trials, 0)
    for trial in range(N_TRIALS):
        score, hit, clusters = world.sample(n, rng, cluster)
        drawn = clusters if cluster > 1 else None
        for method, n_trials in trials.items():
            if trial < n_trials:
                low, high = interval(score, hit, drawn, method, rng)
                n_held[method] += bool(low <= truth <= high)
    row: Row = {"world": name, "n": n, "cluster": cluster, "truth": truth}
    for method, n_trials in trials.items():
        row[method] = n_held[method] / n_trials if n_trials else None
    return row | {f"{method}_trials": n_trials for method, n_trials in trials.items()}


def interval(
    score: np.ndarray,
    hit: np.ndarray,
    clusters: np.ndarray | None,
    method: str,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Return the ends of the interval of the difference of two ECEs."""
    options: dict[str, Any] = {"clusters": clusters, "y_true_b": hit[1]}
    options |= {"n_resamples": N_RESAMPLES, "rng": rng, "method": method}
    estimate = calib.paired_difference(calib.ece, hit[0], *score, **options)
    return estimate.low, estimate.high


def rows() -> Iterator[Row]:
    draws = Draws(np.random.default_rng(SEED))
    for name, world_of in WORLDS.items():
        world = world_of(draws)
        for n, cluster in (*((n, 1) for n in SIZES), (CLUSTERED, CLUSTER)):
            yield coverage(name, world, n, cluster)
