"""``calib demo``: example predictions of an overconfident model of four fruits."""

import argparse
from collections.abc import Iterator

import numpy as np

from calib_report.commands.printing import say
from calib_report.files.saving import output_path, write_together

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


def run(arguments: argparse.Namespace) -> None:
    """Write logits of an overconfident model of four fruits, with labels and orchards."""
    output = output_path(arguments.output, ".csv")
    write_together({output: "\n".join([*example_lines(), ""]).encode()})
    more = f"{arguments.output} --groups orchard -o report.html"
    say(f"wrote {arguments.output}; now: calib report {more}")
