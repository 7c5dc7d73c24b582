"""Folds have all rows and even shares; draws are as frequent as is said, clusters are whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resampled import rng

import calib
from calib.resampling import (
    calibrated_outcomes,
    check_resampling,
    cluster_signs,
    p_value_of_draws,
    resample,
)


@given(st.integers(1, 60), st.integers(1, 6), st.integers(0, 9), st.booleans())
def test_folds_are_parts_with_even_classes(n, k, seed, shuffled):
    k, y = min(k, n), rng(seed).integers(3, size=n)
    for folds in (
        calib.folds(y, k, seed if shuffled else None),
        calib.folds(n, k, seed),
    ):
        assert sorted(np.concatenate(folds)) == list(range(n))
        assert np.ptp([len(rows) for rows in folds]) <= 1
    for label in range(3):
        counts = [(y[rows] == label).sum() for rows in calib.folds(y, k, seed)]
        assert np.ptp(counts) <= 1
    clusters = y * 7
    k = min(k, len(np.unique(y)))
    folds = calib.folds(n, k, seed, clusters=clusters)
    assert sorted(np.concatenate(folds)) == list(range(n))
    assert sum(len(np.unique(clusters[rows])) for rows in folds) == len(
        np.unique(clusters)
    )


CLUSTER = np.repeat([0, 1, 2], [2, 3, 5])


def test_outcomes_of_a_calibrated_model_are_as_frequent_as_is_said():
    p = np.array([[0.2, 0.5, 0.3], [0.05, 0.05, 0.9]])
    draws, hits = calibrated_outcomes(p, rng(0)), calibrated_outcomes(p[:, 1], rng(1))
    labels = np.array([draws() for _ in range(4000)])
    for k in range(3):
        np.testing.assert_allclose((labels == k).mean(axis=0), p[:, k], atol=0.032)
    frequency = np.mean([hits() for _ in range(4000)], axis=0)
    np.testing.assert_allclose(frequency, p[:, 1], atol=0.032)  # four standard errors


def test_samples_of_a_cluster_share_their_chance_and_their_sign():
    hits = calibrated_outcomes(np.full(10, 0.5), rng(0), CLUSTER)
    for drawn in (*(hits() for _ in range(50)), cluster_signs(CLUSTER, rng(1))):
        each = [set(drawn[CLUSTER == j]) for j in range(3)]
        assert all(len(values) == 1 for values in each)


def test_clusters_are_drawn_whole():
    counts = resample(
        lambda rows: np.bincount(rows, minlength=10), 10, 60, CLUSTER, rng(0)
    )
    for j in range(3):
        members = counts[:, CLUSTER == j]
        assert (members == members[:, :1]).all() and np.ptp(members[:, 0]) > 0
    # three clusters each time, of two to five samples
    n_drawn = [sum(row[CLUSTER == j][0] for j in range(3)) for row in counts]
    assert set(n_drawn) == {3}


@pytest.mark.parametrize(("value", "beyond"), [(0.0, 3), (0.3, 2), (0.31, 1), (1.0, 0)])
def test_a_p_value_counts_draws_as_large_as_the_value_but_for_the_order_of_a_sum(
    value, beyond
):
    null = np.array([0.1, 0.3, 0.5])
    for rounded in (value, np.nextafter(value, 2)):
        assert p_value_of_draws(null, rounded) == (1 + beyond) / (1 + 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": 3, "k": 4}, "k: 4"),
        ({"y": [0, 1, 1], "k": 0}, "k: 0"),
        ({"y": 10**9, "k": 2}, "y: 1000000000"),
        ({"y": 4, "k": 3, "clusters": [0, 0, 7, 7]}, "k: 3"),
        ({"y": 4, "k": 2, "clusters": [0, 1]}, "clusters: "),
    ],
)
def test_folds_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        calib.folds(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 0.95, "basic"), "n_resamples: 1"),
        ((10**12, 0.95, "basic"), "n_resamples: 10"),
        ((2, 95, "basic"), "confidence_level: 95"),
        ((2, 0.95, "wilson"), "method: 'wilson'"),
    ],
)
def test_resampling_that_cannot_be_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        check_resampling(*arguments)
    check_resampling(2, 0.95, "wilson", "wilson")


def test_signs_of_clusters_are_plus_and_minus_one_alike():
    signs = cluster_signs(np.arange(10_000), rng(0))
    assert set(signs) == {-1.0, 1.0} and abs(signs.mean()) < 0.04


def test_without_a_generator_classes_go_to_the_folds_in_turn_and_a_number_in_blocks():
    labels = [0, 1, 0, 0, 1, 0]
    rows_of_labels = [rows.tolist() for rows in calib.folds(labels, 2)]
    assert rows_of_labels == [[0, 3, 1], [2, 5, 4]]
    assert [rows.tolist() for rows in calib.folds(5, 2)] == [[0, 1, 2], [3, 4]]
    in_turn = calib.folds(6, 2, clusters=["a", "a", "b", "b", "c", "c"])
    assert [rows.tolist() for rows in in_turn] == [[0, 1, 4, 5], [2, 3]]
