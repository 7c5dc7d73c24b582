"""Example predictions, to try the commands with: an overconfident model of four fruits."""

from collections.abc import Iterator

import numpy as np

FRUITS = ["apple", "cherry", "grape", "pear"]  # classes of the example predictions


def example_lines(n: int = 3000) -> Iterator[str]:
    """Yield the lines of a table of logits: Gaussian classes in a plane, around a circle."""
    rng, k = np.random.default_rng(4), len(FRUITS)
    angle = 2 * np.pi * np.arange(k) / k
    means = 1.5 * np.column_stack([np.cos(angle), np.sin(angle)])
    y = rng.integers(k, size=n)
    # a factor of 1 would be calibrated
    logits = 1.9 * ((means[y] + rng.normal(size=(n, 2))) @ means.T)
    orchard = rng.choice(["north", "south", "west"], n)
    yield ",".join(["label", "orchard", *(f"logit_{name}" for name in FRUITS)])
    for row in range(n):
        scores = map("{:.4f}".format, logits[row])
        yield ",".join([FRUITS[y[row]], orchard[row], *scores])
