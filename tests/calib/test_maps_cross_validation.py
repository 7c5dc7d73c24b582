"""Parameters chosen out of fold: by hand, and with weights."""

import numpy as np
import pytest
from draws import uneven_weights
from networks import network

import calib
from calib import (
    MatrixScaling,
    TemperatureScaling,
    nll,
)
from calib.maps.cross_validation import ODIR_GRID


class TestCrossValidated:
    def test_held_out_nll_by_hand(self):
        z, y = network(200, 3)
        grid = {"lam": [0.0, 1.0, 100.0], "mu": [0.1, 1.0]}
        tuned = calib.CrossValidated(MatrixScaling(), grid, n_folds=4).fit(z, y)
        folds = [np.sort(rows) for rows in calib.folds(y, 4)]
        for params, tuned_nll in zip(tuned.combinations, tuned.nll_, strict=True):
            p = np.empty_like(z)
            calibrated = calib.held_out(MatrixScaling(**params), z, y, folds)
            for rows, ours in zip(folds, calibrated, strict=True):
                other_rows = np.setdiff1d(np.arange(200), rows)
                p[rows] = (
                    MatrixScaling(**params)
                    .fit(z[other_rows], y[other_rows])
                    .predict_proba(z[rows])
                )
                np.testing.assert_array_equal(ours, p[rows])
            assert tuned_nll == pytest.approx(nll(y, p))
        best = min(range(6), key=lambda i: tuned.nll_[i])
        assert tuned.best_params_ == tuned.combinations[best]
        whole = MatrixScaling(**tuned.best_params_).fit(z, y)
        np.testing.assert_array_equal(tuned.predict_proba(z), whole.predict_proba(z))
        assert (
            calib.CrossValidated(TemperatureScaling(), {"tol": [1e-7]})
            .fit(z, y)
            .keeps_accuracy
        )
        grid = {"calibrator__n_bins": [2, 8, 200]}
        binned = calib.CrossValidated(
            calib.OneVsRest(calib.HistogramBinning()), grid
        ).fit(*network(600, 3))
        assert (
            binned.best_params_ == {"calibrator__n_bins": 8}
            and not binned.keeps_accuracy
        )

    def test_samples_of_weight_zero_are_in_no_fold(self):
        """Where the weights of a class's samples vanish, a fold of them would have no weight."""
        z, y = network(200, 3)
        weights = np.random.default_rng(1).integers(0, 3, 200)
        weights[calib.folds(y, 2)[0]] = 0
        grid, calibrated = {"lam": [0.0, 1.0]}, weights > 0
        tuned = calib.CrossValidated(MatrixScaling(), grid, 2).fit(
            z, y, sample_weight=weights
        )
        alone = calib.CrossValidated(MatrixScaling(), grid, 2)
        alone.fit(z[calibrated], y[calibrated], sample_weight=weights[calibrated])
        np.testing.assert_array_equal(tuned.nll_, alone.nll_)
        with pytest.raises(ValueError, match=r"^n_folds: 5, expected"):
            calib.CrossValidated(MatrixScaling(), grid).fit(
                z, y, sample_weight=np.arange(200) < 4
            )

    def test_the_chosen_map_is_fitted_with_the_weights(self):
        (z, y), weight = network(200, 3), uneven_weights(200)
        tuned = calib.CrossValidated(TemperatureScaling(), {"tol": [1e-7]}, 2)
        whole = TemperatureScaling(tol=1e-7).fit(z, y, sample_weight=weight)
        tuned.fit(z, y, sample_weight=weight)
        assert tuned.map_.temperature_ == whole.temperature_
        assert tuned.fit(z, y).map_.temperature_ != whole.temperature_

    @pytest.mark.parametrize("grid", [3, [0.1, 1.0], {"lam": 0.1}, {"lam": []}])
    def test_a_grid_without_values_is_refused(self, grid):
        tuned = calib.CrossValidated(MatrixScaling(), grid)
        with pytest.raises(ValueError, match=r"^grid: .*expected a list of values"):
            tuned.fit(*network(20, 3))


def test_the_default_grid_is_of_powers_of_ten_and_takes_181_fits():
    lam, mu = ODIR_GRID["lam"], ODIR_GRID["mu"]
    np.testing.assert_allclose(np.log10(lam), np.arange(-2, 4))
    np.testing.assert_allclose(np.log10(mu), np.arange(-4, 2))
    n_folds = calib.CrossValidated(calib.DirichletCalibration()).n_folds
    assert len(lam) * len(mu) * n_folds + 1 == 181
