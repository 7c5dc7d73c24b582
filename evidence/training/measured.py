"""Metrics of a network along its training, and under corruptions. NumPy only."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import calib
from evidence.training.corruptions import CORRUPTIONS, SEVERITIES, corrupt
from evidence.training.datasets import Dataset

LogitsOf = Callable[[Any], np.ndarray]  # of inputs, by one network
SHIFT_IMAGES = 2000
CURVE_METRICS = (
    "accuracy nll brier ece mce classwise_ece ace tace psce ks_error".split()
)
SHIFT_METRICS = ("accuracy", "nll", "brier", "ece", "ks_error")


def metrics_as_text(
    y: np.ndarray, p: np.ndarray, names: Sequence[str]
) -> dict[str, str]:
    return {name: f"{getattr(calib, name)(y, p):.6g}" for name in names}


def curve_row(
    step: int, epoch: float, split: str, logits: np.ndarray, y: np.ndarray
) -> dict[str, Any]:
    """The row of a curve: metrics of the training or the test examples after some steps."""
    # in double precision, as the tables of the book are
    p = calib.softmax(logits.astype(float))
    place = {"step": step, "epoch": f"{epoch:.3f}", "split": split}
    return place | metrics_as_text(y, p, CURVE_METRICS)


def metrics_under_shift(logits_of: LogitsOf, data: Dataset) -> list[dict[str, Any]]:
    """Metrics on the first test images, clean and corrupted, as they are and temperature-scaled."""
    temperature = calib.TemperatureScaling().fit(
        logits_of(data.calibration.x).astype(float), data.calibration.y
    )
    # the same images for every network and corruption: differences are paired
    x, y = np.asarray(data.test.x[:SHIFT_IMAGES]), data.test.y[:SHIFT_IMAGES]
    cases = [("clean", "clean", 0)]
    for name, (_, group) in CORRUPTIONS.items():
        cases += [(name, group, severity) for severity in SEVERITIES]
    rows = []
    for name, group, severity in cases:
        images = x if name == "clean" else corrupt(x, name, severity)
        z = logits_of(images).astype(float)
        case = {"corruption": name, "group": group, "severity": severity}
        predicted = {
            "none": calib.softmax(z),
            "temperature": temperature.predict_proba(z),
        }
        for calibrator, p in predicted.items():
            rows.append(
                case | {"calibrator": calibrator} | metrics_as_text(y, p, SHIFT_METRICS)
            )
    return rows
