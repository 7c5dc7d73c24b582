"""Outputs of models whose truth is known, which the tests of the report share."""

import numpy as np

from calib_report.measuring.outcome import Outcome
from evidence.simulate import TemperedGaussian


def outputs(temperature, n=2000, n_classes=4, seed=0, **more):
    """Labels and logits, too large by a temperature."""
    model = TemperedGaussian(n_classes=n_classes, temperature=temperature)
    y, logits = model.sample_logits(n, np.random.default_rng(seed))
    return {"y": y, "logits": logits} | more


def drawn(n, seed, n_classes=4, temperature=2.5):
    return outputs(temperature, n, n_classes, seed).values()


def write(path, **arrays):
    np.savez(path, **arrays)
    return str(path)


def of_pairs(score, hit, clusters=None):
    """What is known of pairs of a score and a hit."""
    return Outcome(
        0 * score, (score - hit) ** 2, score, np.asarray(hit), clusters=clusters
    )
