"""Answers with a confidence: drawn, and what a map leaves of those of a calibrated model."""

import numpy as np

import calib
from evidence.language import originals as sources


def drawn_pairs(n):
    rng = np.random.default_rng(3)
    score = np.round(rng.random(n), 1)
    return rng.random(n) < 0.3 + score / 2, score


N_CALIBRATED, N_MODELS = 6000, 20
# in the middle of bins, where what two maps make of them stays
STATED = 0.3, 0.5, 0.7, 0.9


def calibrated_answers():
    """Answers of models whose confidence is the probability that the answer is right."""
    rng = np.random.default_rng(8)
    score = rng.choice(STATED, (N_MODELS, N_CALIBRATED))
    outcome = (rng.random(score.shape) < score).astype(np.uint8)
    models = [f"net {i}" for i in range(N_MODELS)]
    group = np.full(N_CALIBRATED, "all")
    return sources.Answers("s", "d", models, outcome, {"stated": score}, group)


def of_one_half(calibrator, rng):
    """ECE on one half after a map of the other, and that of a calibrated model with its scores."""
    score = rng.choice(STATED, N_CALIBRATED)
    hit, first = rng.random(len(score)) < score, np.arange(len(score)) % 2 == 0
    after = calibrator.fit(score[first], hit[first]).predict(score[~first])
    return calib.ece(hit[~first], after), calib.error_if_calibrated(after)


def means_and_errors(columns):
    """Mean of each column, and its standard error."""
    table = np.array(list(columns), float)
    return table.mean(axis=0), table.std(axis=0) / np.sqrt(len(table))


def agree(of_table, by_simulation):
    (mean, error), (expected, its_error) = of_table, by_simulation
    return np.abs(mean - expected) < 3 * np.hypot(error, its_error)
