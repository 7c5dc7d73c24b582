"""Labels, predictions and weights, drawn at random: with ties, with zeros and ones, of few."""

import numpy as np
import pytest

import calib

FACTORS = (1e-30, 1 / 7, 7.3, 1e30)  # of all weights, of which only ratios matter


def draw(n, n_classes, seed=0, *, sharp=3.0, ties=False, saturated=False):
    """Return labels and probabilities; ties: few distinct values; saturated: many 0 and 1."""
    rng = np.random.default_rng(seed)
    p = calib.softmax(rng.normal(size=(n, n_classes)) * sharp)
    y = np.array([rng.choice(n_classes, p=row) for row in p])
    if ties:
        p = np.round(p * 8) / 8
        p[:, 0] += 1 - p.sum(axis=1)
        bad = p.min(axis=1) < 0
        p[bad] = np.eye(n_classes)[0]
    if saturated:
        p[::2] = np.eye(n_classes)[p[::2].argmax(axis=1)]
    return y, p


def draw_weights(n):
    """Return weights from 0 to 3, the first of them 2."""
    weights = np.random.default_rng(1).integers(0, 4, n)
    weights[0] = 2
    return weights


SHAPES = [
    (60, 2, {}),
    (60, 3, {"ties": True}),
    (60, 10, {"saturated": True}),
    (1, 2, {}),
    (1, 5, {"saturated": True}),
    (20, 100, {}),
    (6, 300, {}),
    (60, 4, {"ties": True, "saturated": True}),
]
each_draw = pytest.mark.parametrize(("n", "n_classes", "options"), SHAPES)
shapes = pytest.mark.parametrize("options", [{}, {"ties": True}, {"saturated": True}])


def drawn_pairs(n, options, seed=0):
    """Return hits and scores of the top label."""
    score, hit = calib.top_label(*draw(n, 3, seed, **options))
    return hit.astype(int), score


def votes(n, n_classes, n_trees, seed):
    """Probabilities that are shares of votes, and labels that they are right of."""
    rng = np.random.default_rng(seed)
    true = rng.dirichlet([1.2] * n_classes, n)
    y = (np.cumsum(true, axis=1) < rng.random((n, 1))).sum(axis=1)
    return rng.multinomial(n_trees, true) / n_trees, np.minimum(y, n_classes - 1)


def uneven_weights(n):
    """Return positive weights, some ten times as large as others."""
    return np.random.default_rng(5).lognormal(0, 0.7, n)
