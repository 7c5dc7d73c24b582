"""Predictions that the tests share, and all that is public, by its full name."""

from importlib import import_module

import numpy as np
import pytest

import calib

PUBLIC = {
    f"calib.{name}": getattr(calib, name) for name in calib.__all__ if name != "METRICS"
} | {
    f"{module}.{name}": getattr(import_module(module), name)
    for module, names in {
        "calib_report": ["ModelOutputs", "make_report", "read"],
        "evidence.fit_and_measure": ["measure_maps"],
    }.items()
    for name in names
}


def draw(n, n_classes, seed=0, *, sharp=3.0, ties=False, saturated=False):
    """Return labels and probabilities; ties: few distinct values; saturated: many 0 and 1."""
    rng = np.random.default_rng(seed)
    p = calib.softmax(rng.normal(size=(n, n_classes)) * sharp)
    y = np.array([rng.choice(n_classes, p=row) for row in p])
    if ties:
        p = np.round(p * 8) / 8
        p[:, 0] += 1 - p.sum(axis=1)
        bad = p.min(axis=1) < 0
        p[bad] = np.eye(n_classes)[0]
    if saturated:
        p[::2] = np.eye(n_classes)[p[::2].argmax(axis=1)]
    return y, p


def draw_weights(n):
    """Return weights from 0 to 3, the first of them 2."""
    weights = np.random.default_rng(1).integers(0, 4, n)
    weights[0] = 2
    return weights


class Tensor:
    """What a tensor of torch offers to who does not know torch."""

    def __init__(self, values, dtype="torch.float32"):
        self.values, self.dtype, self.shape = (
            np.asarray(values),
            dtype,
            np.shape(values),
        )

    def detach(self):
        return self

    cpu = detach

    def float(self):
        return Tensor(self.values.astype(np.float32))

    def numpy(self):
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values


class Calls:
    """Pickles as a call of the given function."""

    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments

    def __reduce__(self):
        return self.function, self.arguments


CASES = [
    (60, 2, {}),
    (60, 3, {"ties": True}),
    (60, 10, {"saturated": True}),
    (1, 2, {}),
    (1, 5, {"saturated": True}),
    (20, 100, {}),
    (6, 300, {}),
    (60, 4, {"ties": True, "saturated": True}),
]
case = pytest.mark.parametrize(("n", "n_classes", "options"), CASES)
shapes = pytest.mark.parametrize("options", [{}, {"ties": True}, {"saturated": True}])


def drawn_pairs(n, options, seed=0):
    """Return hits and scores of the top label."""
    score, hit = calib.top_label(*draw(n, 3, seed, **options))
    return hit.astype(int), score
