"""Compute data/results/measure_*.csv: the measures of calibration in one race.

`python -m evidence.studies studies.measures` from the root. `measure_spread`: what each says of a
known world, over samples of one size, beside what it says of a million. `measure_gamed`: what a
forecaster who knows the truth gains by saying something else. `measure_winners`: how often two
halves of a test set of one network name the same best map.
"""

import re
from functools import partial

import numpy as np
from scipy.special import expit, logit
from scipy.stats import spearmanr

import calib
from evidence import load_zoo
from evidence.studies.pieces import compute_pieces, generator
from evidence.studies.split_half import MOST_CLASSES, predictions
from evidence.studies.zoo import supported

SIZES, WHOLE = (300, 1000, 3000, 10_000), 1_000_000
N_DRAWS, N_LIES, N_SPLITS = 200, 2000, 20
WORLDS = {"calibrated": 1.0, "overconfident": 1.3}  # what divides the log odds that are said
PAIRS = {
    "ece": calib.ece,
    "ece_mass": partial(calib.calibration_error, bins=calib.equal_mass(15)),
    "debiased_ece": calib.debiased_ece,
    "sweep_ece": calib.sweep_ece,
    "ks_error": calib.ks_error,
    "smooth_ece": calib.smooth_ece,
    "kde_ece": calib.kde_ece,
    "psce": calib.psce,
    "two_bin_error": calib.two_bin_error,
    "brier": lambda hit, score: float(np.mean((hit - score) ** 2)),
}
LIES = ("the truth", "three values", "one value", "a tenth surer", "a tenth less sure")


def of_vectors(function):
    """Return an error of the vectors as a function of hits and scores of one event."""

    def measure(hit, score):
        p = np.clip(score, 1e-12, 1 - 1e-12)
        logits = np.column_stack([np.zeros(len(p)), logit(p)])
        return function(logits, hit.astype(int)).error / 2  # both classes are as far off

    return measure


BOUND = {"vector_error": of_vectors(partial(calib.vector_error, calibrator=calib.VectorScaling()))}


def world(temperature, n, rng):
    """Return scores, of one event, and hits whose log odds are those of the scores, divided."""
    score = rng.beta(5, 2, size=n)
    return score, (rng.random(n) < expit(logit(score) / temperature)).astype(int)


def spread_rows():
    for name, temperature in WORLDS.items():
        rng = generator("measures", name)
        score, hit = world(temperature, WHOLE, rng)
        whole = {key: f(hit, score) for key, f in (PAIRS | BOUND).items()}
        for n in SIZES:
            draws = [world(temperature, n, rng) for _ in range(N_DRAWS)]
            for measure, function in (PAIRS | BOUND).items():
                values = np.array([function(hit, score) for score, hit in draws])
                yield {
                    "world": name,
                    "n": n,
                    "measure": measure,
                    "whole": whole[measure],
                    "mean": float(values.mean()),
                    "sd": float(values.std(ddof=1)),
                }


def said(lie, truth):
    """Return what a forecaster says who knows the probability of each event."""
    if lie == "three values":
        third = np.searchsorted(np.quantile(truth, [1 / 3, 2 / 3]), truth)
        means = np.bincount(third, truth) / np.bincount(third)
        return means[third]
    if lie == "one value":
        return np.full(len(truth), truth.mean())
    slope = {"the truth": 1.0, "a tenth surer": 1.1, "a tenth less sure": 0.9}[lie]
    return expit(slope * logit(truth))


def gamed_rows():
    """Each lie on the same events, so that its gain is a mean of differences."""
    for n in SIZES[:3]:
        rng = generator("lies", n)
        values = {measure: {lie: [] for lie in LIES} for measure in PAIRS}
        for _ in range(N_LIES // (n // 300)):
            truth = rng.beta(5, 2, size=n)
            hit = (rng.random(n) < truth).astype(int)
            for lie in LIES:
                score = said(lie, truth)
                for measure, function in PAIRS.items():
                    values[measure][lie].append(function(hit, score))
        for measure, by_lie in values.items():
            honest = np.array(by_lie["the truth"])
            for lie in LIES[1:]:
                gain = honest - np.array(by_lie[lie])
                yield {
                    "n": n,
                    "measure": measure,
                    "said": lie,
                    "honest": float(honest.mean()),
                    "gain": float(gain.mean()),
                    "standard_error": float(gain.std(ddof=1) / np.sqrt(len(gain))),
                }


WINNERS = {name: f for name, f in PAIRS.items() if name != "brier"}
OF_VECTORS = {"nll": calib.nll, "brier": calib.brier, "classwise_ece": calib.classwise_ece}


def classwise_two_bins(y, p):
    """Return the mean over the classes of the averaged two-bin error, which nobody can game."""
    each = [calib.two_bin_error(y == k, p[:, k]) for k in range(p.shape[1])]
    return float(np.mean(each))


def values(outputs, rows):
    score, hit = (part[rows] for part in outputs.pairs)
    y, p = outputs.y[rows], outputs.prob[rows]
    whole = OF_VECTORS | {"classwise_two_bins": classwise_two_bins}
    return [f(hit, score) for f in WINNERS.values()] + [f(y, p) for f in whole.values()]


def winners(name):
    """How often two halves of a test set name one best map, by each measure."""
    maps = predictions(load_zoo(name))
    rng, measures = generator("winners", name), [*WINNERS, *OF_VECTORS, "classwise_two_bins"]
    halves = np.empty((2, N_SPLITS, len(maps), len(measures)))
    for split in range(N_SPLITS):
        order = rng.permutation(len(maps["none"]))
        for half, rows in enumerate(np.array_split(order, 2)):
            halves[half, split] = [values(outputs, rows) for outputs in maps.values()]
    found = []
    for at, measure in enumerate(measures):
        first, second = halves[..., at]
        same = first.argmin(axis=1) == second.argmin(axis=1)
        ranks = [spearmanr(a, b).statistic for a, b in zip(first, second, strict=True)]
        found.append(
            {
                "name": name,
                "maps": len(maps),
                "measure": measure,
                "same": float(same.mean()),
                "rank_correlation": float(np.nanmean(ranks)),
            }
        )
    return found


def networks():
    """The first seed of each network of at most fifty classes whose test set is in the tree."""
    names = [name for name in supported() if re.search(r"-s[^1]$", name) is None]
    return [name for name in names if load_zoo(name).test.n_classes <= MOST_CLASSES]


TABLES = {
    "measure_spread": spread_rows,
    "measure_gamed": gamed_rows,
    "measure_winners": lambda: compute_pieces("measure_winners", winners, networks()),
}
