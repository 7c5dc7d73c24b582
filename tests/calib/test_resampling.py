"""Folds have all rows, and even shares."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from resampled import rng

import calib


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
