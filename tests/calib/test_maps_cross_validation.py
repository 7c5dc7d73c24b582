"""Maps judged out of their fold: by hand, parts that add up, an error not overestimated."""

import networks
import numpy as np
import pytest
from networks import network

import calib
from calib import (
    MatrixScaling,
    TemperatureScaling,
    nll,
)


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


def drawn(n, factor, seed, k=4):
    rng = np.random.default_rng(seed)
    z = 1.5 * rng.standard_normal((n, k))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return factor * z, y


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("factor", [0.6, 1.0, 2.0])
def test_the_error_of_vectors_is_on_average_at_most_the_true_one(norm, factor):
    order = {"l1": 1, "l2": 2}[norm]
    z, _ = drawn(100_000, factor, 0)
    gap = calib.softmax(z) - calib.softmax(z / factor)
    truth = np.linalg.norm(gap, order, axis=1).mean()
    results = [
        calib.vector_error(*drawn(1000, factor, seed), norm=norm)
        for seed in range(1, 21)
    ]
    errors = np.array([result.error for result in results])
    noise = errors.std(ddof=1) / np.sqrt(len(errors))
    assert errors.mean() <= truth + 3 * noise
    assert errors.mean() >= truth - 0.02 - 3 * noise if factor != 1 else True
    assert (
        0.5
        < errors.std(ddof=1) / np.mean([result.standard_error for result in results])
        < 2
    )


def test_folds_that_see_their_own_labels_would_overestimate(monkeypatch):
    """What the bound above catches: a map that is judged where it was fitted."""
    from calib.maps import cross_validation

    def cheating(calibrator, logits, y, folds):
        fitted = calibrator.fit(logits, y)
        return iter([fitted.predict_proba(logits[rows]) for rows in folds])

    def errors():
        rich = calib.OneVsRest(calib.HistogramBinning(n_bins=40))
        return [
            calib.vector_error(*drawn(400, 1.0, seed), rich).error for seed in range(10)
        ]

    assert np.mean(errors()) < 0.03
    monkeypatch.setattr(cross_validation, "held_out", cheating)
    assert np.mean(errors()) > 0.1


def test_folds_know_nothing_of_the_labels_of_others():
    """Folds with their share of each class would: a map then knows the frequency of the others."""
    errors = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        p = rng.beta(5, 2, size=300)
        y = (rng.random(300) < p).astype(int)
        z = np.log(np.column_stack([1 - p, p]))
        errors.append(calib.vector_error(z, y, calib.VectorScaling()).error)
    assert np.mean(errors) < 2 * np.std(errors) / np.sqrt(len(errors))


def test_too_sure_and_too_modest_are_told_apart():
    sharp = calib.vector_error(*drawn(4000, 2.0, 0))
    blunt = calib.vector_error(*drawn(4000, 0.5, 0))
    assert sharp.overconfident > 0.95 * sharp.error > 0
    assert blunt.underconfident > 0.95 * blunt.error > 0
    assert sharp.error == sharp.overconfident + sharp.underconfident


def test_an_unknown_norm_is_named():
    with pytest.raises(ValueError, match="norm: 'l3'"):
        calib.vector_error(*drawn(50, 1.0, 0), norm="l3")
