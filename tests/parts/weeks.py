"""Weeks of a model's outputs, and the memory of a gate after them."""

import numpy as np

from calib_report.gating.memory import remember
from calib_report.model_outputs import ModelOutputs


def week(seed, n=500, offset=0.0, **more):
    """Outputs of two classes whose event happens as often as is said, plus an offset."""
    rng = np.random.default_rng(seed)
    p = rng.beta(5, 2, size=n)
    y = rng.random(n) < np.clip(p + offset, 0, 1)
    prob = np.column_stack([1 - p, p])
    return ModelOutputs(
        y.astype(int), probabilities=prob, class_names=["no", "yes"], **more
    )


def after(weeks, **asked):
    memory = None
    for number, outputs in enumerate(weeks):
        memory, _ = remember(
            outputs,
            memory,
            f"week {number}",
            **(asked if memory is None else {"model": asked.get("model", "")}),
        )
    return memory


def write_csv(path, outputs):
    labels = np.array(["no", "yes"])[outputs.y]
    rows = [f"{y},{p:.17g}" for y, p in zip(labels, outputs.prob[:, 1], strict=True)]
    path.write_text("\n".join(["label,p_yes", *rows, ""]))
    return str(path)
