"""Metrics during training and under shift, all of them from `calib`."""

import calib

from .corruptions import CORRUPTIONS, SEVERITIES, corrupt
from .train import logits_of

SHIFT_IMAGES = 2000
CURVE_METRICS = "accuracy nll brier ece mce classwise_ece ace tace psce ks_error".split()
SHIFT_METRICS = ("accuracy", "nll", "brier", "ece", "ks_error")


def metrics(y, p, names):
    return {name: f"{getattr(calib, name)(y, p):.6g}" for name in names}


def curve_watch(rows, data, examples, y):
    """A `watch` for `train` that appends one row for the training and one for the test examples."""

    def watch(model, step, epoch):
        for split, x, labels in (("train", examples.x, y), ("test", data.test.x, data.test.y)):
            p = calib.softmax(logits_of(model, x, data).astype(float))
            rows.append(
                {"step": step, "epoch": f"{epoch:.3f}", "split": split}
                | metrics(labels, p, CURVE_METRICS)
            )

    return watch


def under_shift(model, data):
    """Metrics on the first test images, clean and corrupted, as they are and temperature-scaled."""
    temperature = calib.TemperatureScaling().fit(
        logits_of(model, data.calibration.x, data).astype(float), data.calibration.y
    )
    x, y = data.test.x[:SHIFT_IMAGES], data.test.y[:SHIFT_IMAGES]
    cases = [("clean", "clean", 0)] + [
        (name, group, severity)
        for name, (_, group) in CORRUPTIONS.items()
        for severity in SEVERITIES
    ]
    rows = []
    for name, group, severity in cases:
        images = x if name == "clean" else corrupt(x, name, severity)
        z = logits_of(model, images, data).astype(float)
        case = {"corruption": name, "group": group, "severity": severity}
        found = {"none": calib.softmax(z), "temperature": temperature.predict_proba(z)}
        for calibrator, p in found.items():
            rows.append(case | {"calibrator": calibrator} | metrics(y, p, SHIFT_METRICS))
    return rows
