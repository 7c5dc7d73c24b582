"""The study: its table and its notes."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import calib
from evidence import Outputs, Predictions, fit_and_measure
from evidence.fit_and_measure import measure_maps


def network(seed, n=300, k=4):
    rng = np.random.default_rng(seed)
    z = 2 * rng.standard_normal((2 * n, k))
    y = (z + 1.5 * rng.gumbel(size=z.shape)).argmax(axis=1)
    return z[:n], y[:n], z[n:], y[n:]


CALIBRATORS = {"none": None, "temperature": calib.TemperatureScaling()}
METRICS = {"ECE": partial(calib.ece, n_bins=10), "NLL": calib.nll}
run = partial(measure_maps, progress=False, n_jobs=1)


def test_values_by_hand():
    table = run({"a": network(0), "b": network(1)}, CALIBRATORS, METRICS)
    assert list(table.columns) == fit_and_measure.COLUMNS_OF_METRICS
    assert (
        len(table) == 8
        and not table.duplicated(["prediction", "calibrator", "metric"]).any()
    )
    z, y, test_z, test_y = network(1)
    p = calib.TemperatureScaling().fit(z, y).predict_proba(test_z)
    rows = table.set_index(["prediction", "calibrator", "metric"])
    assert rows.loc[("b", "temperature", "ECE"), "value"] == calib.ece(
        test_y, p, n_bins=10
    )
    assert rows.loc[("b", "none", "NLL"), "value"] == calib.nll(
        test_y, calib.softmax(test_z)
    )
    assert (rows["note"] == "").all()
    with pytest.raises(ValueError, match="'a' has no calibration set"):
        run(
            {"a": Predictions("a", "logits", None, Outputs(y, logits=z))},
            CALIBRATORS,
            METRICS,
        )


def test_two_processes_give_the_same_table_and_the_order_does_not_count():
    networks = {"a": network(0), "b": network(1)}
    serial = run(networks, CALIBRATORS, METRICS, sizes=(100, None))
    parallel = run(
        dict(reversed(networks.items())),
        CALIBRATORS,
        METRICS,
        sizes=(100, None),
        n_jobs=2,
    )
    keys = ["prediction", "calibrator", "n", "metric"]
    pd.testing.assert_frame_equal(
        *(table.sort_values(keys, ignore_index=True) for table in (serial, parallel))
    )


class Own:
    """Temperature scaling of someone's own, which predicts as `tail` says."""

    def __init__(self, tail):
        self.tail = tail

    def fit(self, logits, y):
        self.temperature_ = calib.TemperatureScaling().fit(logits, y).temperature_
        return self

    def predict_proba(self, logits):
        return self.tail(self, logits)


def in_place(own, logits):
    logits /= own.temperature_
    return calib.softmax(logits)


def exits(own, logits):
    raise SystemExit(3)


def values(table, calibrator):
    return table[table.calibrator == calibrator]["value"].tolist()


def test_a_map_that_changes_what_it_is_given_changes_nothing_else():
    maps = {"own": Own(in_place), "plain": calib.TemperatureScaling(), "none": None}
    table = run({"a": network(0)}, maps, METRICS, sizes=(100, 200, None))
    np.testing.assert_allclose(values(table, "own"), values(table, "plain"), rtol=1e-9)
    assert values(table, "none") == values(
        run({"a": network(0)}, CALIBRATORS, METRICS), "none"
    )


def test_as_many_columns_as_classes():
    wider = Own(
        lambda own, logits: np.column_stack(
            [calib.softmax(logits), np.zeros(len(logits))]
        )
    )
    table = run({"a": network(0)}, {"own": wider}, METRICS)
    assert table["value"].isna().all()
    assert (
        table["note"].str.contains(r"predict_proba: shape \(\d+, 5\), expected").all()
    )


def test_only_pairs_are_known_after_a_map_of_one_score():
    top = {"top": calib.TopLabel(calib.IsotonicCalibration())}
    table = run(
        {"a": network(0)}, top, {"KS": calib.ks_error, "cwECE": calib.classwise_ece}
    )
    rows = table.set_index("metric")
    z, y, test_z, test_y = network(0)
    score, hit = (
        calib.TopLabel(calib.IsotonicCalibration())
        .fit(z, y)
        .predict_pairs(test_z, test_y)
    )
    assert rows.loc["KS", "value"] == calib.ks_error(hit, score)
    assert (
        np.isnan(rows.loc["cwECE", "value"]) and "y_prob" in rows.loc["cwECE", "note"]
    )


def test_what_a_metric_or_a_map_raises_is_a_note():
    metrics = {"raises": lambda y_true, y_prob: 1 / 0, "NLL": calib.nll}
    metrics["undefined"] = lambda y_true, y_prob: np.nan
    notes = run({"a": network(0)}, {"none": None}, metrics).set_index("metric")["note"]
    assert notes["raises"] == "ZeroDivisionError: division by zero"
    assert "is not a number" in notes["undefined"] and notes["NLL"] == ""
    table = run({"a": network(0)}, {"own": Own(exits), "none": None}, METRICS)
    assert table["note"].tolist() == ["SystemExit: 3"] * 2 + [""] * 2
