"""Probabilities out of fold are those of a map that was fitted to the other rows."""

import numpy as np
import pytest
from draws import uneven_weights
from networks import network

import calib
from calib.maps.out_of_fold import out_of_fold, recalibrated_folds


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


def binned_by_halves(seed):
    """NLL, ECE and chance level after maps of the other half: of both, of each, of new samples."""
    rng = np.random.default_rng(seed)
    score, chance = rng.random((2, 6000))
    y, z = (chance < score).astype(int), np.log(np.stack([1 - score, score], axis=1))
    first, second = calib.folds(4000, 2, rng)
    binned = calib.OneVsRest(calib.HistogramBinning())
    of_first, of_second = calib.held_out(binned, z[:4000], y[:4000], [first, second])
    new = binned.fit(z[first], y[first]).predict_proba(z[4000:])

    def of(y, p):
        s = p[:, 1]
        return calib.nll(y, p.clip(1e-9)), calib.ece(y, s), calib.error_if_calibrated(s)

    both = of(y[[*first, *second]], np.concatenate([of_first, of_second]))
    apart = np.mean([of(y[first], of_first), of(y[second], of_second)], axis=0)
    return both, apart, of(y[4000:], new)


def test_the_calibration_error_of_all_folds_together_is_too_small():
    found = np.array([binned_by_halves(seed) for seed in range(40)])
    both, apart, new = found.mean(axis=0)
    error = (found[:, 1] - found[:, 2]).std(axis=0) / np.sqrt(len(found))
    # the mean of the halves is what the map of one half does to other samples
    assert (np.abs(apart - new) < 3 * error)[1:].all(), (apart, new, error)
    assert both[0] == pytest.approx(apart[0])
    assert both[1] / both[2] < 1.25 < 1.3 < apart[1] / apart[2]


def test_weights_are_those_of_the_rows_that_a_map_is_fitted_to():
    z, y = network(120, 3)
    weight, fold_rows = uneven_weights(120), [np.arange(40), np.arange(40, 120)]
    scaling = calib.TemperatureScaling()
    for rows, p in zip(
        fold_rows, out_of_fold(scaling, z, y, weight, fold_rows), strict=True
    ):
        others = np.setdiff1d(np.arange(120), rows)
        scaling.fit(z[others], y[others], sample_weight=weight[others])
        np.testing.assert_allclose(p, scaling.predict_proba(z[rows]))


@pytest.mark.parametrize(
    ("folds", "message"),
    [
        (3, "folds: 3, expected the rows of each fold"),
        ([], "folds: none"),
        ([[0], [9]], "folds: row 0 is 9"),
        ([[0, 1], range(6)], "folds: fold 1 leaves none of 6 rows to fit to"),
    ],
)
def test_folds_beside_which_nothing_can_be_fitted_are_refused(folds, message):
    z, y = network(6, 2)
    with pytest.raises((TypeError, ValueError), match=message):
        list(calib.held_out(calib.TemperatureScaling(), z, y, folds))


def test_without_a_map_folds_are_recalibrated_by_a_temperature():
    z, y = network(60, 3)
    first = recalibrated_folds(None, z, y, 2, rng=0)
    second = recalibrated_folds(calib.TemperatureScaling(), z, y, 2, rng=0)
    for (rows, p), (same_rows, same_p) in zip(first[2], second[2], strict=True):
        assert (rows == same_rows).all() and (p == same_p).all()


@pytest.mark.parametrize("n_folds", [1, 7])
def test_there_are_two_folds_or_more_and_none_is_empty(n_folds):
    z, y = network(6, 2)
    with pytest.raises(ValueError, match=f"n_folds: {n_folds}"):
        recalibrated_folds(None, z, y, n_folds, rng=0)
