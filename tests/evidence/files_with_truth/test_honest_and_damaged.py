"""Simulated files have the truth that they say, and each damage is what its name says."""

import numpy as np
import pytest

import calib
from evidence.files_with_truth import honest_and_damaged as files

CALIBRATED = [
    name
    for name in files.HONEST
    if name.startswith(("calibrated", "weak")) and "too sure" not in name
]


@pytest.mark.parametrize("name", CALIBRATED)
def test_a_calibrated_file_is_calibrated(name):
    y, p = files.HONEST[name](np.random.default_rng(0), 100_000)
    assert p[:, 1].mean() == pytest.approx(y.mean(), abs=0.002)
    assert calib.ece(y, p[:, 1]) < 0.006


def test_a_temperature_is_found_again():
    rng = np.random.default_rng(1)
    for y, p in (
        files.weak(rng, 50_000, 2.0, 3.0),
        files.classes(rng, 50_000, 4, 2.0, 3.0),
    ):
        scaling = calib.TemperatureScaling().fit(calib.as_logits(p), y)
        assert scaling.temperature_ == pytest.approx(3, rel=0.05)


def test_two_normal_classes_have_their_auroc():
    y, p = files.weak(np.random.default_rng(3), 4000, 0.54)
    pairs = p[y == 1, 1][:, None] > p[y == 0, 1]
    assert pairs.mean() == pytest.approx(0.65, abs=0.02)


Y, P = (
    np.array([0, 1, 2]),
    np.array([[0.5, 0.3, 0.2], [0.1, 0.7, 0.2], [0.2, 0.2, 0.6]]),
)


def test_rows_keep_their_numbers_and_lose_their_labels():
    rng = np.random.default_rng(4)
    y, p = files.one_row_off(Y, P, rng)
    assert y.tolist() == [2, 0, 1] and p is P
    y, p = files.shuffled(Y, P, rng)
    assert sorted(y) == [0, 1, 2] and p is P


def test_turned_round_the_most_probable_class_is_the_least():
    y, p = files.turned_round(Y, P, np.random.default_rng(5))
    assert y is Y and p.argmin(axis=1).tolist() == P.argmax(axis=1).tolist()
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_of_permuted_columns_none_stays():
    rng, orders = np.random.default_rng(6), set()
    for _ in range(50):
        _, p = files.columns_permuted(Y, P, rng)
        order = [
            np.flatnonzero((P == column[:, None]).all(axis=0))[0] for column in p.T
        ]
        assert sorted(order) == [0, 1, 2] and not (order == np.arange(3)).any()
        orders.add(tuple(order))
    assert len(orders) == 2


def test_alarms_are_counted_by_world():
    rng = np.random.default_rng(7)
    count = files.false_alarms(22, rng, lambda y, p: p.shape[1] == 2)
    assert count[0] == dict.fromkeys(files.HONEST, 2)
    assert count[1].total() == 2 * 7  # seven worlds have two classes
    damaged, passed = files.missed_alarms(8, rng, lambda y, p: True)
    assert damaged == dict.fromkeys(files.DAMAGES, 2) and passed.total() == 0
