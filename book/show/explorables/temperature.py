"""Reliability, NLL and ECE at a temperature that the reader sets."""

import numpy as np

import calib
from book.show import stills
from book.show.explorables.element import Contents, explorable, in_base64
from book.show.explorables.logits import DEEPEST, root_steps


@explorable
def temperature_slider(
    logits: np.ndarray, y: np.ndarray, temperature: float, task: str = "which"
) -> Contents:
    """Reliability diagram, NLL and ECE at any temperature.

    `task` is what is asked: "which" temperature is best, how many answers it leaves "sure", or what
    "tooMuch" of it does.
    """
    logits, y = np.asarray(logits, dtype=float), np.asarray(y)
    below = logits.max(axis=1, keepdims=True) - logits
    # a label's logit that is cut would make the NLL of the page too small
    if (worst := below[np.arange(len(y)), y].max()) > DEEPEST:
        raise ValueError(
            f"logits: that of a label is {worst:.0f} below the largest, over {DEEPEST}"
        )
    data = {
        "logits": in_base64(root_steps(below, [1, round(float(temperature), 2)]), "u1"),
        "deepest": DEEPEST,
        "labels": y.tolist(),
        "temperature": round(float(temperature), 2),
        "task": task,
    }
    return data, stills.reliability_diagrams(
        all=calib.top_label(y, calib.softmax(logits))
    )
