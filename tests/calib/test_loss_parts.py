"""Parts of a loss: they add up, a temperature moves one, parameters cost what they should."""

import networks
import numpy as np
import pytest

import calib


def test_the_parts_of_the_nll_add_up_and_a_temperature_moves_one():
    z, y = networks.network(2000, 4)
    terms, sharper = calib.refine_parts(z, y), calib.refine_parts(3 * z, y)
    assert terms.nll == pytest.approx(calib.nll(y, calib.softmax(z)))
    assert terms.calibration + terms.refinement == pytest.approx(terms.nll)
    assert sharper.refinement == pytest.approx(terms.refinement, abs=1e-6)
    assert sharper.calibration > terms.calibration > 0
    richer = calib.refine_parts(z, y, calib.VectorScaling())
    assert richer.refinement < terms.refinement  # classes are wrong by different scales
    rows = calib.folds(len(y), 5, 0)
    calibrated = calib.held_out(calib.TemperatureScaling(), z, y, rows)
    loss = sum(
        calib.nll(y[r], p) * len(r) for r, p in zip(rows, calibrated, strict=True)
    ) / len(y)
    assert terms.refinement == pytest.approx(loss)


def test_the_parts_show_what_the_parameters_of_a_map_cost():
    """Of calibrated samples k parameters cost k / 2n nats; stratified folds hide two thirds."""
    rng = np.random.default_rng(0)
    costs = []
    for _ in range(60):
        z = 0.3 * rng.standard_normal((300, 3))
        y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
        costs.append(
            -calib.refine_parts(z, y, calib.VectorScaling(), rng=rng).calibration
        )
    assert np.mean(costs) == pytest.approx(5 / (2 * 240), rel=0.35)


def test_the_map_is_a_temperature_and_the_folds_are_five_unless_others_are_asked_for():
    z, y = networks.network(60, 4)
    options = {"n_folds": 5, "rng": 0}
    parts = calib.refine_parts(z, y)
    assert parts == calib.refine_parts(z, y, calib.TemperatureScaling(), **options)
    for name, value in {"n_folds": 2, "rng": 1}.items():
        assert parts != calib.refine_parts(z, y, **options | {name: value})
    for n_folds in (1, 61):
        with pytest.raises(ValueError, match=f"n_folds: {n_folds}"):
            calib.refine_parts(z, y, n_folds=n_folds)
