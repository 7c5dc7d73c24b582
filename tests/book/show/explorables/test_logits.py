"""Logits as bytes."""

import numpy as np

from book.show.explorables.logits import DEEPEST, root_steps, very_sure


def test_rounded_logits_keep_who_is_very_sure():
    rng = np.random.default_rng(3)
    logits = rng.normal(scale=4, size=(4000, 6))
    below = logits.max(axis=1, keepdims=True) - logits
    steps = root_steps(below, [1, 1.5])
    for temperature in (1, 1.5):
        rounded = very_sure(DEEPEST * (steps / 255) ** 2, temperature)
        assert (rounded == very_sure(below, temperature)).all()
