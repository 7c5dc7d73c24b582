"""The study: its table and its notes."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from book.evidence import Outputs, Predictions, study
from book.evidence.study import run_study
from calib import (
    IsotonicCalibration,
    TemperatureScaling,
    TopLabel,
    classwise_ece,
    ece,
    ks_error,
    nll,
    softmax,
)


def network(seed, n=300, k=4):
    rng = np.random.default_rng(seed)
    z = 2 * rng.standard_normal((2 * n, k))
    y = (z + 1.5 * rng.gumbel(size=z.shape)).argmax(axis=1)
    return z[:n], y[:n], z[n:], y[n:]


CALIBRATORS = {"none": None, "temperature": TemperatureScaling()}
METRICS = {"ECE": partial(ece, n_bins=10), "NLL": nll}
run = partial(run_study, progress=False, n_jobs=1)


def test_values_by_hand():
    table = run({"a": network(0), "b": network(1)}, CALIBRATORS, METRICS)
    assert list(table.columns) == study.COLUMNS
    assert len(table) == 8 and not table.duplicated(["prediction", "calibrator", "metric"]).any()
    z, y, test_z, test_y = network(1)
    p = TemperatureScaling().fit(z, y).predict_proba(test_z)
    rows = table.set_index(["prediction", "calibrator", "metric"])
    assert rows.loc[("b", "temperature", "ECE"), "value"] == ece(test_y, p, n_bins=10)
    assert rows.loc[("b", "none", "NLL"), "value"] == nll(test_y, softmax(test_z))
    assert (rows["note"] == "").all()


def test_no_calibration_set_is_named():
    z, y, *_ = network(0)
    held = Predictions("a", "logits", None, Outputs(y, order="test", logits=z))
    with pytest.raises(ValueError, match="'a' has no calibration set"):
        run({"a": held}, CALIBRATORS, METRICS)


def test_two_processes_give_the_same_table_and_the_order_does_not_count():
    both = {"a": network(0), "b": network(1)}
    one = run(both, CALIBRATORS, METRICS, sizes=(100, None))
    two = run(dict(reversed(both.items())), CALIBRATORS, METRICS, sizes=(100, None), n_jobs=2)
    keys = ["prediction", "calibrator", "n", "metric"]
    pd.testing.assert_frame_equal(
        *(table.sort_values(keys, ignore_index=True) for table in (one, two))
    )


class Own:
    """Temperature scaling of someone's own, and what else `tail` says."""

    def __init__(self, tail=None):
        self.tail = tail

    def fit(self, logits, y):
        self.map = TemperatureScaling().fit(logits, y)
        return self

    def predict_proba(self, logits):
        return self.map.predict_proba(logits) if self.tail is None else self.tail(self, logits)


def in_place(own, logits):
    logits /= own.map.temperature_
    return softmax(logits)


def more_columns(own, logits):
    return np.column_stack([softmax(logits), np.zeros(len(logits))])


def exits(own, logits):
    raise SystemExit(3)


def values(table, calibrator):
    return table[table.calibrator == calibrator]["value"].tolist()


def test_a_map_that_changes_what_it_is_given_changes_nothing_else():
    maps = {"own": Own(in_place), "plain": Own(), "none": None}
    table = run({"a": network(0)}, maps, METRICS, sizes=(100, 200, None))
    np.testing.assert_allclose(values(table, "own"), values(table, "plain"), rtol=1e-9)
    assert values(table, "none") == values(run({"a": network(0)}, CALIBRATORS, METRICS), "none")


def test_as_many_columns_as_classes():
    z, y, test_z, test_y = network(0)
    table = run(
        {"a": (z, y, test_z[test_y < 3], test_y[test_y < 3])}, {"own": Own(more_columns)}, METRICS
    )
    assert table["value"].isna().all()
    assert table["note"].str.contains(r"predict_proba: shape \(\d+, 5\), expected").all()


def of_labels(seed, task, n=400):
    rng = np.random.default_rng(seed)
    s = rng.random(n)
    y = (rng.random(n) < s**2).astype(int)
    return Outputs(y, probabilities=np.column_stack([1 - s, s]), task=task)


def test_maps_keep_the_task_of_the_outputs():
    test = of_labels(1, "labels")
    maps = {"temperature": TemperatureScaling(), "top": TopLabel(IsotonicCalibration())}
    table = run({"a": (of_labels(0, "labels"), test)}, maps, {"ECE": ece}).set_index("calibrator")
    p = TemperatureScaling().fit(of_labels(0, "labels").as_logits(), of_labels(0, "labels").y)
    of_label = ece(test.y, p.predict_proba(test.as_logits())[:, 1])
    assert table.loc["temperature", "value"] == of_label
    assert "task 'labels'" in table.loc["top", "note"]
    table = run({"a": network(0)}, {"top": maps["top"]}, {"KS": ks_error, "cwECE": classwise_ece})
    rows = table.set_index("metric")
    z, y, test_z, test_y = network(0)
    score, hit = TopLabel(IsotonicCalibration()).fit(z, y).predict_pairs(test_z, test_y)
    assert rows.loc["KS", "value"] == ks_error(hit, score)
    assert np.isnan(rows.loc["cwECE", "value"]) and "y_prob" in rows.loc["cwECE", "note"]


def raises(y_true, y_prob):
    return 1 / 0


def undefined(y_true, y_prob):
    return np.nan


def test_what_a_metric_or_a_map_raises_is_a_note():
    metrics = {"raises": raises, "undefined": undefined, "NLL": nll}
    table = run({"a": network(0)}, {"none": None}, metrics)
    notes = table.set_index("metric")["note"]
    assert notes["raises"] == "ZeroDivisionError: division by zero"
    assert "undefined is not a number" in notes["undefined"] and notes["NLL"] == ""
    table = run({"a": network(0)}, {"own": Own(exits), "none": None}, METRICS)
    assert table["note"].tolist() == ["SystemExit: 3"] * 2 + [""] * 2
