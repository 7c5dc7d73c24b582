"""Metrics along the training and under corruptions, of a network that looks at one pixel."""

import numpy as np
import pytest

import calib
from evidence.training import measured
from evidence.training.corruptions import CORRUPTIONS, SEVERITIES, corrupt
from evidence.training.datasets import Dataset, Examples

RNG = np.random.default_rng(8)
X = RNG.integers(0, 256, (60, 1, 8, 8), np.uint8)
Y = (X[:, 0, 3, 3] > RNG.integers(0, 256, 60)).astype(int)


def looks_at_one_pixel(images):
    """Logits of two classes by a pixel, in shares of white."""
    white = images[:, 0, 3, 3] / (255 if images.dtype == np.uint8 else 1)
    return np.column_stack([0 * white, 9 * (white - 0.5)]).astype(np.float32)


@pytest.fixture(scope="module")
def rows():
    data = Dataset(2, None, Examples(X[:30], Y[:30]), Examples(X[30:], Y[30:]))
    return measured.metrics_under_shift(looks_at_one_pixel, data)


def test_each_corruption_and_severity_has_two_rows_and_the_clean_images_too(rows):
    cases = [(row["corruption"], row["severity"], row["calibrator"]) for row in rows]
    expected = [("clean", 0)]
    expected += [(name, severity) for name in CORRUPTIONS for severity in SEVERITIES]
    maps = ("none", "temperature")
    assert cases == [(*case, name) for case in expected for name in maps]
    groups = {row["corruption"]: row["group"] for row in rows}
    assert groups == {"clean": "clean", **{n: g for n, (_, g) in CORRUPTIONS.items()}}


@pytest.mark.parametrize(("name", "severity"), [("clean", 0), ("noise", 5)])
def test_a_metric_under_shift_is_that_of_the_corrupted_test_images(
    rows, name, severity
):
    x, y = X[30:], Y[30:]
    logits = looks_at_one_pixel(corrupt(x, name, severity) if severity else x)
    z, fitted_to = logits.astype(float), looks_at_one_pixel(X[:30]).astype(float)
    temperature = calib.TemperatureScaling().fit(fitted_to, Y[:30])
    expected = {"none": calib.softmax(z), "temperature": temperature.predict_proba(z)}
    for row in rows:
        if (row["corruption"], row["severity"]) == (name, severity):
            p = expected[row["calibrator"]]
            assert float(row["nll"]) == pytest.approx(calib.nll(y, p), rel=1e-5)
            assert float(row["accuracy"]) == pytest.approx(
                calib.accuracy(y, p), rel=1e-5
            )
            assert list(row)[4:] == list(measured.SHIFT_METRICS)


def test_only_the_first_images_are_corrupted(monkeypatch):
    monkeypatch.setattr(measured, "SHIFT_IMAGES", 7)
    data = Dataset(2, None, Examples(X[:30], Y[:30]), Examples(X[30:], Y[30:]))
    seen = []

    def logits_of(images):
        seen.append(len(images))
        return looks_at_one_pixel(images)

    measured.metrics_under_shift(logits_of, data)
    assert seen[0] == 30 and set(seen[1:]) == {7}


def test_a_row_of_a_curve_says_where_it_stands_and_has_each_metric():
    logits = looks_at_one_pixel(X)
    row = measured.curve_row(30, 1 / 3, "train", logits, Y)
    assert list(row) == ["step", "epoch", "split", *measured.CURVE_METRICS]
    assert (row["step"], row["epoch"], row["split"]) == (30, "0.333", "train")
    p = calib.softmax(logits.astype(float))
    assert row["ece"] == f"{calib.ece(Y, p):.6g}"
