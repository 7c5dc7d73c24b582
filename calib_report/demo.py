"""Example predictions, so that every command can be tried without a file of one's own."""

from pathlib import Path

import numpy as np

from calib_report.writing import output_path, write_together

CLASSES = ["apple", "cherry", "grape", "pear"]
SIZE = 3000


def write_demo(path: str | Path) -> None:
    """Write logits of an overconfident model of four fruits, with labels and orchards."""
    output = output_path(path, ".csv")
    rng = np.random.default_rng(4)
    angle = 2 * np.pi * np.arange(len(CLASSES)) / len(CLASSES)
    means = 1.5 * np.column_stack([np.cos(angle), np.sin(angle)])  # of Gaussian classes in a plane
    y = rng.integers(len(CLASSES), size=SIZE)
    logits = 1.9 * ((means[y] + rng.normal(size=(SIZE, 2))) @ means.T)  # 1 is calibrated
    orchard = rng.choice(["north", "south", "west"], SIZE)
    rows = zip(y, orchard, logits, strict=True)
    lines = [",".join([CLASSES[k], o, *(f"{z:.4f}" for z in row)]) for k, o, row in rows]
    heading = ",".join(["label", "orchard", *(f"logit_{name}" for name in CLASSES)])
    write_together({output: "\n".join([heading, *lines, ""]).encode()})
