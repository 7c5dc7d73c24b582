"""Outputs of simulated networks, too confident, to which the tests fit maps."""

import numpy as np


def network(n, k, seed=0, dtype=np.float64):
    """Logits of a network that is too confident, in some classes more than in others; labels."""
    rng = np.random.default_rng(seed)
    true = 2 * rng.standard_normal((n, k))
    y = (true + rng.gumbel(size=(n, k))).argmax(axis=1)
    noise = 0.3 * rng.standard_normal((n, k))
    return ((true + noise) * rng.uniform(1, 2, k) + rng.standard_normal(k)).astype(
        dtype
    ), y


def pairs(n, seed=0, power=1.7):
    """Scores, and hits of which the share is a power of the score."""
    rng = np.random.default_rng(seed)
    score = rng.random(n)
    return score, rng.random(n) < score**power
