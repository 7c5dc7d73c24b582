"""Logits of many samples as bytes, so that a page holds a whole test set."""

from collections.abc import Sequence

import numpy as np

import calib

DEEPEST = 60  # what a logit may be below the largest: at T = 4 it counts as 3e-7
SURE = 0.99


def very_sure(below: np.ndarray, temperature: float) -> np.ndarray:
    """Return which predictions have a confidence above `SURE`, from logits below the largest."""
    sure: np.ndarray = calib.softmax(-below / temperature).max(axis=1) > SURE
    return sure


def root_steps(below: np.ndarray, temperatures: Sequence[float]) -> np.ndarray:
    """Return roots of logits below the largest in 255 steps.

    The runner-up goes a step up or down where rounding would change who is very sure at one of
    these temperatures: pages count them.
    """
    # by roots the steps are finest near the largest logit, where they count most
    steps = np.round(255 * np.sqrt(np.minimum(below / DEEPEST, 1)))
    rows, second = np.arange(len(below)), np.argsort(below, axis=1)[:, 1]
    for temperature in temperatures:
        right = very_sure(below, temperature).astype(int)
        for _ in range(3):
            rounded = very_sure(DEEPEST * (steps / 255) ** 2, temperature)
            # 0 where rounding changed nothing, else a step to the right side
            steps[rows, second] += right - rounded
    return steps
