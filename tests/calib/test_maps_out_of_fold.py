"""Probabilities out of fold are those of a map that was fitted to the other rows."""

import numpy as np
import pytest
from networks import network

import calib


@pytest.mark.parametrize(
    "calibrator",
    [calib.TemperatureScaling(), calib.OneVsRest(calib.HistogramBinning())],
)
def test_each_fold_is_predicted_by_the_map_of_the_other_rows(calibrator):
    z, y = network(300, 3)
    fold_rows = [np.arange(100), np.array([250, 120]), 299]
    predicted = list(calib.held_out(calibrator, z, y, fold_rows))
    assert [len(p) for p in predicted] == [100, 2, 1]
    for rows, p in zip(fold_rows, predicted, strict=True):
        others = np.setdiff1d(np.arange(300), rows)
        fitted = calib.maps.base.clone(calibrator).fit(z[others], y[others])
        np.testing.assert_array_equal(p, fitted.predict_proba(z[np.atleast_1d(rows)]))


def test_a_fold_may_hold_all_samples_of_a_class():
    z, y = network(90, 3)
    first = np.flatnonzero(y == 2)
    (p,) = calib.held_out(calib.TemperatureScaling(), z, y, [first])
    assert p.shape == (len(first), 3)
