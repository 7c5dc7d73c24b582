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
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtr

import calib
from evidence.rows import Row
from evidence.simulate import drawn_labels

SIZES, CLUSTERED, CLUSTER = (300, 1000, 5000, 20_000), 2000, 10
N_TRIALS, N_BASIC, N_RESAMPLES, SEED = 200, 60, 200, 20_261_128
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
        hit_b = np.where(self.agree[i], hit, (first <= u) & (u < first + second))
        return self.score[:, i], np.array([hit, hit_b]), np.arange(n) // cluster

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
    rows, of = np.arange(len(q)), [p.argmax(axis=1) for p in (a, b)]
    score = np.array([p[rows, k] for p, k in zip((a, b), of, strict=True)])
    return PairedScores(score, np.array([q[rows, k] for k in of]), of[0] == of[1])


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


def worlds() -> Iterator[tuple[str, PairedScores]]:
    """Yield the name of each world, and the world."""
    rng = np.random.default_rng(SEED)
    for k in (2, 3, 10, 30, 100):
        yield (
            f"temperature, {k} classes",
            before_and_after(k, calib.TemperatureScaling(), rng),
        )
    yield "vector, 10 classes", before_and_after(10, calib.VectorScaling(), rng)
    q, z = truth_and_logits(10, rng)
    p = calib.softmax(z)
    top, score, y = p.argmax(axis=1), p.max(axis=1), drawn_labels(q[:N_FIT], rng)
    p_true, hit = q[np.arange(len(q)), top], y == top[:N_FIT]
    for name in ("Isotonic", "Beta", "Spline"):
        fit = getattr(calib, f"{name}Calibration")().fit(score[:N_FIT], hit)
        yield (
            f"{name.lower()}, 10 classes",
            same_answers(score, fit.predict(score), p_true),
        )
    for name, fit in (
        ("histogram", calib.HistogramBinning()),
        ("Platt", calib.PlattScaling()),
    ):
        after = fit.fit(score[:N_FIT], hit).predict(score)
        yield f"{name}, 10 classes", same_answers(score, after, p_true)
    maps = calib.TemperatureScaling(), calib.VectorScaling()
    mapped = [scaling.fit(z[:N_FIT], y).predict_proba(z) for scaling in maps]
    yield "temperature and vector", top_pairs(q, *mapped)
    yield (
        "underconfident",
        before_and_after(5, calib.TemperatureScaling(), rng, factor=0.6),
    )
    yield (
        "surer than right",
        before_and_after(10, calib.TemperatureScaling(), rng, sharp=6.0),
    )
    visible, unseen = 1.5 * rng.normal(size=(2, POPULATION))
    whole = expit(visible + unseen)
    # the mean over what it cannot see: calibrated, though it knows less
    q_part = expit(visible[:, None] + 1.5 * rng.normal(size=500)).mean(axis=1)
    q, sharp, blunt = binary(whole), whole, q_part
    yield "two calibrated", top_pairs(q, q, binary(blunt))
    yield "calibrated and constant", top_pairs(q, q, binary(np.full(POPULATION, 0.5)))
    yield (
        "one overconfident",
        top_pairs(q, binary(expit(1.4 * logit(sharp))), binary(blunt)),
    )
    off = [binary(expit(1.4 * logit(p))) for p in (sharp, blunt)]
    yield "both overconfident", top_pairs(q, *off)
    yield (
        "both slightly",
        top_pairs(q, *(binary(expit(1.1 * logit(p))) for p in (sharp, blunt))),
    )
    s = rng.uniform(0.5, 1, POPULATION)
    # gaps that change their sign at each tenth, two of them inside a bin
    wave = s + 0.15 * (1 - s) * np.sin(10 * np.pi * (s - 0.5))
    yield "accuracy that swings", same_answers(s, wave, wave)


def coverage(name: str, world: PairedScores, n: int, cluster: int) -> Row:
    rng = np.random.default_rng([SEED, n, cluster])
    truth = world.truth(true_ece)
    held_by: dict[str, list[bool]] = {"split": [], "basic": []}
    for trial in range(N_TRIALS):
        score, hit, clusters = world.sample(n, rng, cluster)
        of: dict[str, Any] = {
            "clusters": clusters if cluster > 1 else None,
            "y_true_b": hit[1],
        }
        for method, holds in held_by.items():
            if method == "split" or (trial < N_BASIC and n <= 5000):
                options = of | {
                    "n_resamples": N_RESAMPLES,
                    "rng": rng,
                    "method": method,
                }
                e = calib.paired_difference(calib.ece, hit[0], *score, **options)
                holds.append(e.low <= truth <= e.high)
    row: Row = {"world": name, "n": n, "cluster": cluster, "truth": truth}
    for method, held in held_by.items():
        row[method] = float(np.mean(held)) if held else None
    trials = {f"{method}_trials": len(held) for method, held in held_by.items()}
    return row | trials


def rows() -> Iterator[Row]:
    for name, world in worlds():
        for n, cluster in (*((n, 1) for n in SIZES), (CLUSTERED, CLUSTER)):
            yield coverage(name, world, n, cluster)
