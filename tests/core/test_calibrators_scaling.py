"""Vector and matrix scaling, Dirichlet calibration, ensemble temperature: optima and solvers."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.base import clone

import calib
from calib import (
    ConvergenceError,
    CrossValidated,
    DirichletCalibration,
    EnsembleTemperatureScaling,
    HistogramBinning,
    MatrixScaling,
    OneVsRest,
    StructuredMatrixScaling,
    TemperatureScaling,
    VectorScaling,
    nll,
    softmax,
)
from calib.maps.of_logits import mixture_weights

MAPS = [
    VectorScaling(),
    VectorScaling(bias=False),
    MatrixScaling(),
    MatrixScaling(bias=False, lam=0.3),
    MatrixScaling(lam=0.1, mu=0.2),
    DirichletCalibration(lam=0.1, mu=0.2),
    EnsembleTemperatureScaling(),
]
NO_OPTIMUM = [MAPS[0], MAPS[2]]  # where a class is absent


def network(n, k, seed=0):
    """Logits of a network that is too confident, in some classes more than in others."""
    rng = np.random.default_rng(seed)
    true = 2 * rng.standard_normal((n, k))
    y = (true + rng.gumbel(size=(n, k))).argmax(axis=1)
    noise = 0.3 * rng.standard_normal((n, k))
    return (true + noise) * rng.uniform(1, 2, k) + rng.standard_normal(k), y


def objective(calibrator, x, y, coef, intercept):
    """Mean NLL plus Kull's penalties, written out."""
    k = x.shape[1]
    value = -log_softmax(x @ coef.T + intercept, axis=1)[np.arange(len(y)), y].mean()
    lam, mu = getattr(calibrator, "lam", 0), getattr(calibrator, "mu", 0)
    for row in range(k):
        for column in range(k):
            if row != column:
                value += lam * coef[row, column] ** 2 / (k * (k - 1))
        value += mu * intercept[row] ** 2 / k
    return value


def independent_optimum(calibrator, x, y):
    """Minimise the objective over all parameters by BFGS with numerical differences."""
    k = x.shape[1]
    diagonal = isinstance(calibrator, VectorScaling)
    n_coef = k if diagonal else k * k

    def unpack(v):
        coef = np.diag(v[:k]) if diagonal else v[:n_coef].reshape(k, k)
        return coef, (v[n_coef:] if calibrator.bias else np.zeros(k))

    start = np.concatenate([np.ones(k) if diagonal else np.eye(k).ravel(), np.zeros(k)])
    best = minimize(
        lambda v: objective(calibrator, x, y, *unpack(v)),
        start if calibrator.bias else start[:n_coef],
        method="BFGS",
        options={"gtol": 1e-9, "maxiter": 1000},
        jac="3-point",
    )
    return unpack(best.x)


class TestOptimum:
    @pytest.mark.parametrize("calibrator", MAPS[:-1], ids=repr)
    def test_independent_optimiser(self, calibrator):
        z, y = network(400, 3)
        fitted = clone(calibrator).fit(z, y)
        x = log_softmax(z, axis=1) if isinstance(calibrator, DirichletCalibration) else z
        coef, intercept = independent_optimum(fitted, x, y)
        ours = np.diag(fitted.coef_) if fitted.coef_.ndim == 1 else fitted.coef_
        if getattr(fitted, "lam", 1) == 0:  # a row added to every row of W changes nothing
            for w in [coef, ours]:
                w -= (w.sum(axis=0) - np.diag(w)) / 2
        np.testing.assert_allclose(ours, coef, atol=1e-6)
        np.testing.assert_allclose(fitted.intercept_, intercept - intercept.mean(), atol=1e-6)
        assert fitted.gradient_norm_ < 1e-8

    @pytest.mark.parametrize("calibrator", MAPS[:-1], ids=repr)
    def test_no_nearby_parameters_are_better(self, calibrator):
        z, y = network(1000, 6, seed=1)
        fitted = clone(calibrator).fit(z, y)
        x = log_softmax(z, axis=1) if isinstance(calibrator, DirichletCalibration) else z
        coef = np.diag(fitted.coef_) if fitted.coef_.ndim == 1 else fitted.coef_
        best = objective(fitted, x, y, coef, fitted.intercept_)
        rng = np.random.default_rng(0)
        for _ in range(20):
            noise = 0.01 * rng.standard_normal((6, 6))
            noise = noise * np.eye(6) if fitted.coef_.ndim == 1 else noise
            assert objective(fitted, x, y, coef + noise, fitted.intercept_) >= best

    def test_many_classes(self):
        z, y = network(2000, 40, seed=2)
        for calibrator in [VectorScaling(), MatrixScaling(lam=1.0, mu=1.0)]:
            fitted = calibrator.fit(z, y)
            assert fitted.gradient_norm_ < 1e-8
            assert nll(y, fitted.predict_proba(z)) < nll(y, softmax(z))

    def test_the_family_is_nested(self):
        """More parameters, lower NLL on the calibration set."""
        z, y = network(600, 4, seed=3)
        family = [
            TemperatureScaling(),
            VectorScaling(bias=False),
            VectorScaling(),
            MatrixScaling(),
        ]
        losses = [nll(y, c.fit(z, y).predict_proba(z)) for c in family]
        assert losses == sorted(losses, reverse=True)

    def test_strong_penalties_leave_a_diagonal(self):
        z, y = network(600, 4, seed=3)
        fitted = MatrixScaling(lam=1e6, mu=1e6).fit(z, y)
        vector = VectorScaling(bias=False).fit(z, y)
        np.testing.assert_allclose(fitted.coef_, np.diag(vector.coef_), atol=1e-4)

    def test_lower_penalty_over_fits(self):
        z, y = network(6000, 10, seed=4)
        on_test = {}
        for lam in [0.0, 10.0]:
            fitted = MatrixScaling(lam=lam, mu=lam).fit(z[:500], y[:500])
            on_test[lam] = nll(y[500:], fitted.predict_proba(z[500:]))
        assert on_test[10.0] < on_test[0.0]


class TestInvariance:
    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_weights_count_as_repetitions(self, calibrator):
        z, y = network(400, 3)
        times = np.random.default_rng(1).integers(0, 4, 400)
        weighted = clone(calibrator).fit(z, y, sample_weight=times)
        repeated = clone(calibrator).fit(z.repeat(times, axis=0), y.repeat(times))
        np.testing.assert_allclose(weighted.predict_proba(z), repeated.predict_proba(z), atol=1e-6)

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_float32_gives_the_float64_answer(self, calibrator):
        z, y = network(500, 4)
        z = z.astype(np.float32)
        narrow = clone(calibrator).fit(z, y).predict_proba(z)
        wide = clone(calibrator).fit(z.astype(float), y).predict_proba(z.astype(float))
        np.testing.assert_allclose(narrow, wide, atol=1e-6)

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_permuting_classes(self, calibrator):
        z, y = network(500, 4)
        order = np.array([2, 0, 3, 1])
        expected = clone(calibrator).fit(z, y).predict_proba(z)[:, order]
        permuted = clone(calibrator).fit(z[:, order], np.argsort(order)[y])
        np.testing.assert_allclose(permuted.predict_proba(z[:, order]), expected, atol=1e-6)

    @pytest.mark.parametrize("calibrator", MAPS[-2:], ids=repr)
    def test_shift_of_a_row_changes_nothing(self, calibrator):
        z, y = network(500, 4)
        shifted = z + 50 * np.random.default_rng(3).standard_normal((500, 1))
        a = clone(calibrator).fit(z, y).predict_proba(z)
        b = clone(calibrator).fit(shifted, y).predict_proba(shifted)
        np.testing.assert_allclose(a, b, atol=1e-6)


class TestFailure:
    @pytest.mark.parametrize("calibrator", MAPS[:3], ids=repr)
    def test_separable_sets_say_why(self, calibrator):
        z = np.array([[2.0, 0, 0], [0, 2, 0], [0, 0, 2], [3, 0, 1]])
        with pytest.raises(ConvergenceError, match="classifies the whole calibration set"):
            clone(calibrator).fit(z, [0, 1, 2, 0])

    def test_a_penalty_makes_separable_sets_no_problem_for_the_matrix(self):
        z, y = network(6, 3, seed=5)
        with pytest.raises(ConvergenceError, match="classifies the whole calibration set"):
            MatrixScaling().fit(z, y)
        fitted = MatrixScaling(lam=0.1, mu=0.1).fit(z, y)
        assert np.isfinite(fitted.coef_).all() and fitted.gradient_norm_ < 1e-8

    @pytest.mark.filterwarnings("ignore:.*no calibration sample is of class")
    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_any_small_set_gives_a_finite_map_or_says_why(self, calibrator):
        rng = np.random.default_rng(0)
        for n, k, scale in product([1, 2, 3, 20], [2, 5], [1e-3, 1.0, 1e4]):
            z = scale * rng.standard_normal((n, k))
            for y in [rng.integers(0, k, n), np.zeros(n, int), z.argmax(axis=1)]:
                try:
                    p = clone(calibrator).fit(z, y).predict_proba(z)
                except ConvergenceError as error:
                    assert "NLL" in str(error)
                else:
                    assert np.isfinite(p).all()

    @pytest.mark.parametrize("calibrator", MAPS[:3], ids=repr)
    def test_units_of_the_logits_do_not_matter(self, calibrator):
        z, y = network(300, 3)
        expected = clone(calibrator).fit(z, y).predict_proba(z)
        for scale in [1e-4, 1e4]:
            p = clone(calibrator).fit(scale * z, y).predict_proba(scale * z)
            np.testing.assert_allclose(p, expected, atol=1e-6)

    def test_too_few_steps(self):
        z, y = network(300, 3)
        with pytest.raises(ConvergenceError, match="1 Newton steps"):
            VectorScaling(max_iter=1, tol=1e-12).fit(z, y)

    @pytest.mark.parametrize("calibrator", [m for m in MAPS if m not in NO_OPTIMUM], ids=repr)
    def test_an_absent_class(self, calibrator):
        z, y = network(300, 4)
        z, y = z[y < 3], y[y < 3]
        p = clone(calibrator).fit(z, y).predict_proba(z)
        assert np.isfinite(p).all()

    @pytest.mark.parametrize(
        "calibrator", [*NO_OPTIMUM, MatrixScaling(lam=0.1), DirichletCalibration()], ids=repr
    )
    def test_an_absent_class_without_a_best_offset_is_told(self, calibrator):
        z, y = network(300, 4)
        weight = (y < 3).astype(float)
        with pytest.warns(UserWarning, match="no calibration sample is of class 3, so no finite"):
            fitted = clone(calibrator).fit(z, y, sample_weight=weight)
        assert fitted.predict_proba(z)[:, 3].max() < 0.02
        with pytest.warns(UserWarning, match="of class 1 and 2 more"):
            clone(calibrator).fit(np.hstack([z, z[:, :1]]), np.where(y == 1, 0, y).clip(max=2))

    def test_a_class_that_no_sample_could_be_of_is_not_told(self):
        z, y = network(300, 4)
        z[:, 3] = -np.inf
        fitted = VectorScaling().fit(z[y < 3], y[y < 3])
        assert (fitted.predict_proba(z)[:, 3] == 0).all()

    def test_wrong_number_of_classes(self):
        fitted = VectorScaling().fit(*network(300, 3))
        with pytest.raises(ValueError, match="4 columns, expected 3"):
            fitted.predict_proba(np.zeros((2, 4)))

    def test_negative_penalty(self):
        with pytest.raises(ValueError, match=r"lam: -1\.0"):
            MatrixScaling(lam=-1.0).fit(*network(300, 3))


class TestEnsemble:
    def test_weights_are_the_best_on_the_simplex(self):
        rng = np.random.default_rng(0)
        z, y = network(2000, 5)
        y = np.where(rng.random(2000) < 0.2, rng.integers(0, 5, 2000), y)
        fitted = EnsembleTemperatureScaling().fit(z, y)
        assert fitted.weights_.sum() == pytest.approx(1) and fitted.weights_.min() >= 0
        parts = [softmax(z / fitted.temperature_), softmax(z), np.full(z.shape, 0.2)]
        best = nll(y, fitted.predict_proba(z))
        for w in rng.dirichlet(fitted.weights_ * 500 + 1e-3, 200):
            assert nll(y, sum(a * p for a, p in zip(w, parts, strict=True))) >= best - 1e-12

    def test_never_worse_than_temperature_scaling_on_its_own_set(self):
        for seed in range(3):
            z, y = network(300, 4, seed=seed)
            ensemble = EnsembleTemperatureScaling().fit(z, y)
            plain = TemperatureScaling().fit(z, y)
            assert nll(y, ensemble.predict_proba(z)) <= nll(y, plain.predict_proba(z)) + 1e-9

    def test_the_predicted_classes_stay(self):
        z, y = network(500, 4)
        fitted = EnsembleTemperatureScaling().fit(z, y)
        assert np.array_equal(fitted.predict_proba(z).argmax(axis=1), z.argmax(axis=1))
        assert fitted.keeps_accuracy

    @pytest.mark.parametrize("n", [20, 1000, 5000])
    @pytest.mark.parametrize("tiny", [1e-6, 1e-20])
    def test_a_sample_that_only_the_uniform_component_expects(self, n, tiny):
        likelihood = np.repeat([[0.9], [0.95], [0.5]], n, axis=1)
        likelihood[:2, 0] = tiny, tiny**2
        mixture, _, _ = mixture_weights(likelihood, np.full(n, 1 / n), tol=1e-8, max_iter=50)
        uniform = 0.95 / (0.45 * n)  # where the derivative of the log-likelihood is zero
        np.testing.assert_allclose(mixture, [0, 1 - uniform, uniform], atol=1e-5)

    def test_mixture_on_the_edge_of_the_simplex(self):
        likelihood = np.array([[0.9, 0.8, 0.9], [0.1, 0.2, 0.3], [0.2, 0.1, 0.1]])
        mixture, violation, _ = mixture_weights(likelihood, np.ones(3) / 3, tol=1e-9, max_iter=50)
        np.testing.assert_allclose(mixture, [1, 0, 0], atol=1e-9)
        assert violation <= 1e-9


class TestStructured:
    def test_independent_optimiser(self):
        """The objective written out: each kind of parameter has its own penalty."""
        z, y = network(150, 3)
        fitted = StructuredMatrixScaling(strength=2.0).fit(z, y)
        temperature = TemperatureScaling().fit(z, y).temperature_
        x = np.log(150 / 151 * softmax(z / temperature) + 1 / 151 / 3)

        def objective(v):
            coef, intercept = v[:9].reshape(3, 3), v[9:]
            loss = -log_softmax(x @ coef.T + intercept, axis=1)[np.arange(150), y].mean()
            diagonal = np.sum((np.diag(coef) - 1) ** 2)
            rest = np.sum((coef - np.diag(np.diag(coef))) ** 2)
            return loss + 2.0 * 3 / 150 * (intercept @ intercept + diagonal + 2 * rest)

        start = np.append(np.eye(3), np.zeros(3))
        best = minimize(objective, start, method="BFGS", options={"gtol": 1e-9}, jac="3-point").x
        np.testing.assert_allclose(fitted.coef_.ravel(), best[:9], atol=1e-5)
        np.testing.assert_allclose(fitted.intercept_, best[9:], atol=1e-5)

    def test_a_strong_penalty_leaves_temperature_scaling(self):
        z, y = network(300, 4)
        p = StructuredMatrixScaling(strength=1e9).fit(z, y).predict_proba(z)
        expected = TemperatureScaling().fit(z, y).predict_proba(z)
        np.testing.assert_allclose(p, 300 / 301 * expected + 1 / 301 / 4, atol=1e-6)

    @pytest.mark.parametrize("shift", [0, 1])
    def test_finite_on_any_set(self, shift):
        """All right or all wrong: there is no temperature, and the network's own is kept."""
        z = np.repeat(3 * np.eye(3), 4, axis=0)
        y = (z.argmax(axis=1) + shift) % 3
        fitted = StructuredMatrixScaling().fit(z, y)
        assert fitted.temperature_ == 1 and np.isfinite(fitted.coef_).all()
        assert nll(y, fitted.predict_proba(z)) < nll(y, softmax(z))

    def test_between_a_temperature_and_a_matrix(self):
        """Few samples: no worse than a temperature. Many: as good as the free matrix."""
        z, y = network(26_000, 6, seed=3)
        test = z[20_000:], y[20_000:]
        loss = {}
        for n in (200, 20_000):
            for fit in (TemperatureScaling(), MatrixScaling(), StructuredMatrixScaling()):
                fit.fit(z[:n], y[:n])
                loss[n, type(fit).__name__] = nll(test[1], fit.predict_proba(test[0]))
        assert loss[200, "StructuredMatrixScaling"] < loss[200, "TemperatureScaling"]
        assert loss[200, "StructuredMatrixScaling"] < 0.99 * loss[200, "MatrixScaling"]
        assert loss[20_000, "StructuredMatrixScaling"] < 0.99 * loss[20_000, "TemperatureScaling"]
        assert loss[20_000, "StructuredMatrixScaling"] < 1.01 * loss[20_000, "MatrixScaling"]

    def test_masked_classes(self):
        z, y = network(400, 4)
        z[np.arange(400), (y + 1) % 4] = -np.inf
        p = StructuredMatrixScaling().fit(z, y).predict_proba(z)
        assert (p[np.isneginf(z)] == 0).all()
        np.testing.assert_allclose(p.sum(axis=1), 1)


class TestCrossValidated:
    def test_held_out_nll_by_hand(self):
        z, y = network(200, 3)
        grid = {"lam": [0.0, 1.0, 100.0], "mu": [0.1, 1.0]}
        tuned = CrossValidated(MatrixScaling(), grid, n_folds=4).fit(z, y)
        for params, found in zip(tuned.combinations, tuned.nll_, strict=True):
            p = np.empty_like(z)
            for rows in calib.folds(y, 4):
                rest = np.setdiff1d(np.arange(200), rows)
                fitted = MatrixScaling(**params).fit(z[rest], y[rest])
                p[rows] = fitted.predict_proba(z[rows])
            assert found == pytest.approx(nll(y, p))
        best = min(range(6), key=lambda i: tuned.nll_[i])
        assert tuned.best_params_ == tuned.combinations[best]
        whole = MatrixScaling(**tuned.best_params_).fit(z, y)
        np.testing.assert_array_equal(tuned.predict_proba(z), whole.predict_proba(z))

    def test_samples_of_weight_zero_are_in_no_fold(self):
        """Where the weights of a class's samples vanish, a fold of them would have no weight."""
        z, y = network(200, 3)
        weights = np.random.default_rng(1).integers(0, 3, 200)
        weights[calib.folds(y, 2)[0]] = 0
        grid, held = {"lam": [0.0, 1.0]}, weights > 0
        tuned = CrossValidated(MatrixScaling(), grid, 2).fit(z, y, sample_weight=weights)
        alone = CrossValidated(MatrixScaling(), grid, 2)
        alone.fit(z[held], y[held], sample_weight=weights[held])
        np.testing.assert_array_equal(tuned.nll_, alone.nll_)
        with pytest.raises(ValueError, match=r"^n_folds: 5, expected"):
            CrossValidated(MatrixScaling(), grid).fit(z, y, sample_weight=np.arange(200) < 4)

    def test_a_penalty_is_found_where_the_matrix_over_fits(self):
        z, y = network(4000, 8, seed=4)
        tuned = CrossValidated(MatrixScaling(), n_folds=3).fit(z[:400], y[:400])
        free = MatrixScaling().fit(z[:400], y[:400])
        assert tuned.best_params_["lam"] > 0.01
        loss = {m: nll(y[400:], m.predict_proba(z[400:])) for m in [tuned, free]}
        assert loss[tuned] < loss[free]

    def test_other_maps_and_parameters(self):
        z, y = network(600, 3)
        grid = {"calibrator__n_bins": [2, 8, 200]}
        tuned = CrossValidated(OneVsRest(HistogramBinning()), grid).fit(z, y)
        assert tuned.best_params_ == {"calibrator__n_bins": 8}
        assert clone(tuned).get_params()["calibrator__calibrator__n_bins"] == 15

    def test_accuracy_is_kept_where_the_map_keeps_it(self):
        z, y = network(200, 3)
        grid = {"tol": [1e-7]}
        tuned = CrossValidated(TemperatureScaling(), grid).fit(z, y)
        assert tuned.keeps_accuracy
