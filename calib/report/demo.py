"""Example predictions, so that every command can be tried without a file of one's own."""

import io
from typing import Any

import numpy as np

from calib.files import write_whole
from calib.report.page import output_path
from calib.simulate import TemperedGaussian

CLASSES = ["apple", "cherry", "grape", "pear"]
SIZE = 3000


def write_demo(path: Any) -> None:
    """Write logits of an overconfident model of four fruits, with labels and orchards."""
    output = output_path(path, ".csv", ".npz")
    rng = np.random.default_rng(4)
    model = TemperedGaussian(n_classes=len(CLASSES), temperature=1.9)
    y, logits = model.sample_logits(SIZE, rng)
    orchard = rng.choice(["north", "south", "west"], SIZE)
    if output.suffix.lower() == ".npz":
        content = io.BytesIO()
        np.savez(content, y=y, logits=logits, classes=CLASSES)
        write_whole(output, content.getvalue())
        return
    rows = zip(y, orchard, logits, strict=True)
    lines = [",".join([CLASSES[k], o, *(f"{z:.4f}" for z in row)]) for k, o, row in rows]
    heading = ",".join(["label", "orchard", *(f"logit_{name}" for name in CLASSES)])
    write_whole(output, "\n".join([heading, *lines, ""]).encode())
