"""Maps of logits: their optima by independent optimisers, and what is said where there is none."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from maps import Y, Z
from networks import network
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax
from sklearn.base import clone

import calib
from calib import (
    ConvergenceError,
    MatrixScaling,
    TemperatureScaling,
    VectorScaling,
    nll,
    softmax,
)
from calib.maps.of_logits import mixture_weights

FREE = [
    VectorScaling(),
    MatrixScaling(),
    VectorScaling(bias=False),
    MatrixScaling(bias=False, lam=0.3),
    MatrixScaling(lam=0.1, mu=0.2),
    calib.DirichletCalibration(lam=0.1, mu=0.2),
]


free = pytest.mark.parametrize("calibrator", FREE, ids=repr)


def drawn(n, k, rng, temperature):
    """Logits whose best temperature is `temperature`, and labels drawn from them."""
    z = 2 * rng.standard_normal((n, k))
    y = (rng.random((n, 1)) > softmax(z).cumsum(axis=1)).sum(axis=1).clip(max=k - 1)
    return temperature * z, y


def loss(z, y):
    return -log_softmax(z, axis=1)[np.arange(len(y)), y].mean()


class TestTemperature:
    @pytest.mark.parametrize("temperature", [1e-307, 1e-40, 1e-9])
    @pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
    def test_a_temperature_near_zero_gives_all_to_the_largest(self, kind, temperature):
        """And a tie half to each, without an overflow on the way."""
        scaling = TemperatureScaling().fit([[1.0, 0.0, -1.0]] * 4, [0, 0, 1, 2])
        scaling.temperature_ = temperature
        z = np.array([[3e4, 0.0, -3e4], [2.0, 2.0, -5.0]], kind)
        expected = [[1, 0, 0], [0.5, 0.5, 0]]
        with np.errstate(over="raise", invalid="raise"):
            p = scaling.predict_proba(z)
        np.testing.assert_array_equal(p, expected)

    def test_hand_worked(self):
        """Logit gap g, right in a share a of the rows: sigmoid(g / T) = a."""
        scaling = TemperatureScaling().fit([[np.log(9), 0.0]] * 10, [0] * 7 + [1] * 3)
        assert scaling.temperature_ == pytest.approx(
            np.log(9) / np.log(7 / 3), rel=1e-12
        )
        p = scaling.predict_proba([[np.log(9), 0.0]])
        assert p[0, 0] == pytest.approx(0.7, rel=1e-12)

    @pytest.mark.parametrize(("n", "k"), [(30, 2), (2000, 10), (25_000, 5)])
    def test_independent_optimiser(self, n, k):
        z, y = drawn(n, k, np.random.default_rng(k), temperature=1.7)
        scaling = TemperatureScaling().fit(z, y)
        options = {"xtol": 1e-12}
        best = minimize_scalar(
            lambda t: loss(z / np.exp(t), y), (-1, 0, 2), options=options
        )
        assert scaling.temperature_ == pytest.approx(np.exp(best.x), rel=1e-6)
        assert scaling.gradient_norm_ < 1e-6

    def test_units(self):
        z, y = network(500, 3)
        expected = TemperatureScaling().fit(z, y).temperature_
        for scale in [1e-3, 1e3]:
            temperature = TemperatureScaling().fit(scale * z, y).temperature_
            assert temperature == pytest.approx(scale * expected, rel=1e-9)

    @pytest.mark.parametrize("dtype", ["float16", "float32"])
    def test_coarse_types_give_the_float64_answer(self, dtype):
        z, y = network(3000, 10, dtype=dtype)
        narrow, wide = (TemperatureScaling().fit(a, y) for a in (z, z.astype(float)))
        assert narrow.temperature_ == pytest.approx(wide.temperature_, rel=1e-12)
        for rows in (z, (z + 1000).astype(np.float32)):
            temperature, expected = (
                narrow.predict_proba(rows),
                wide.predict_proba(rows.astype(float)),
            )
            np.testing.assert_allclose(temperature, expected, atol=1e-6)
            assert temperature.dtype == np.float32

    def test_many_rows_in_float32_first_and_weights_of_zero_left_out(self):
        """The rough estimate does not change the answer, only the path to it."""
        z, y = network(21_000, 2)
        quick = TemperatureScaling().fit(z, y)
        unscaled, _, _ = TemperatureScaling()._solve(z, y, None, 1.0, 1e-9, np.float64)
        assert quick.temperature_ == pytest.approx(1 / unscaled, rel=1e-9)
        weight = np.tile([0.0, 1.0], 10_500)  # zero in every row of the thinned samples
        temperature = TemperatureScaling(tol=1e-9).fit(z, y, weight).temperature_
        alone = TemperatureScaling(tol=1e-9).fit(z[1::2], y[1::2]).temperature_
        assert temperature == pytest.approx(alone, rel=1e-12)

    @pytest.mark.parametrize(
        ("z", "y", "reason"),
        [
            ([[1.0, 0.0], [0.0, 2.0]], [0, 1], "classified correctly"),
            ([[1.0, 0.0], [3.0, 2.0]], [0, 0], "classified correctly"),
            ([[1.0, 0.0], [0.0, 2.0]], [1, 0], "goes to infinity"),
            (
                [[0.3, 0.1], [0.7, 0.2], [0.3, 0.1], [0.7, 0.2]],
                [0, 0, 1, 1],
                "goes to infinity",
            ),
            ([[1.0, 1.0], [2.0, 2.0]], [0, 1], "every row are equal"),
        ],
    )
    def test_no_finite_temperature_says_why_and_takes_a_bound(self, z, y, reason):
        with pytest.warns(
            UserWarning, match=rf"{reason}.*is taken; no_optimum='raise'"
        ):
            bounded = TemperatureScaling().fit(z, y)
        gap = np.median(np.ptp(z, axis=1))
        bound = {"classified correctly": 0.05 * gap, "goes to infinity": 20 * gap}.get(
            reason, 1
        )
        assert bounded.temperature_ == pytest.approx(bound)
        np.testing.assert_array_equal(bounded.predict(z), np.argmax(z, axis=1))
        with pytest.raises(
            ConvergenceError, match=rf"{reason}.*gradient norm"
        ) as error:
            TemperatureScaling(no_optimum="raise").fit(z, y)
        assert np.isfinite(error.value.gradient_norm)
        with pytest.raises(ConvergenceError, match="no minimum of the NLL found"):
            TemperatureScaling(max_iter=1).fit(*network(300, 3))

    @given(
        st.lists(
            st.tuples(
                st.lists(st.floats(-50, 50), min_size=3, max_size=3), st.integers(0, 2)
            ),
            min_size=1,
            max_size=8,
        )
    )
    @settings(deadline=None, max_examples=80)
    def test_any_tiny_set_gives_a_finite_temperature_or_says_why(self, rows):
        z, y = np.array([z for z, _ in rows]), np.array([y for _, y in rows])
        try:
            scaling = TemperatureScaling(no_optimum="raise").fit(z, y)
        except (ConvergenceError, ValueError) as error:
            assert str(error)
            return
        best = loss(z / scaling.temperature_, y)
        for factor in [0.9, 1.1]:
            assert best <= loss(z / (factor * scaling.temperature_), y) + 1e-9


def objective(calibrator, x, y, coef, intercept):
    """Mean NLL plus Kull's penalties, written out."""
    k = x.shape[1]
    lam, mu = getattr(calibrator, "lam", 0), getattr(calibrator, "mu", 0)
    off_diagonal = sum(
        coef[i, j] ** 2 for i, j in product(range(k), repeat=2) if i != j
    )
    penalty = lam * off_diagonal / (k * (k - 1)) + mu * np.mean(intercept**2)
    return loss(x @ coef.T + intercept, y) + penalty


class TestFreeMaps:
    @free
    def test_independent_optimiser(self, calibrator):
        """Over all parameters by BFGS with numerical differences."""
        (z, y), k = network(400, 3), 3
        fitted = clone(calibrator).fit(z, y)
        x = (
            log_softmax(z, axis=1)
            if isinstance(calibrator, calib.DirichletCalibration)
            else z
        )
        diagonal = isinstance(calibrator, VectorScaling)
        n_coef = k if diagonal else k * k

        def unpack(v):
            coef = np.diag(v[:k]) if diagonal else v[:n_coef].reshape(k, k)
            return coef, (v[n_coef:] if calibrator.bias else np.zeros(k))

        start = np.concatenate(
            [np.ones(k) if diagonal else np.eye(k).ravel(), np.zeros(k)]
        )
        best = minimize(
            lambda v: objective(fitted, x, y, *unpack(v)),
            start if calibrator.bias else start[:n_coef],
            method="BFGS",
            options={"gtol": 1e-9, "maxiter": 1000},
            jac="3-point",
        )
        coef, intercept = unpack(best.x)
        ours = np.diag(fitted.coef_) if diagonal else fitted.coef_
        # a row added to every row of W changes nothing: ours has off-diagonal means of zero
        if getattr(fitted, "lam", 1) == 0:
            coef = coef - (coef.sum(axis=0) - np.diag(coef)) / 2
        np.testing.assert_allclose(ours, coef, atol=1e-6)
        np.testing.assert_allclose(
            fitted.intercept_, intercept - intercept.mean(), atol=1e-6
        )
        assert fitted.gradient_norm_ < 1e-8

    def test_the_family_is_nested(self):
        """More parameters, lower NLL on the calibration set; strong penalties leave a diagonal."""
        z, y = network(600, 4, seed=3)
        vector = VectorScaling(bias=False).fit(z, y)
        family = [TemperatureScaling(), vector, VectorScaling(), MatrixScaling()]
        losses = [nll(y, c.fit(z, y).predict_proba(z)) for c in family]
        assert losses == sorted(losses, reverse=True)
        fitted = MatrixScaling(lam=1e6, mu=1e6).fit(z, y)
        np.testing.assert_allclose(fitted.coef_, np.diag(vector.coef_), atol=1e-4)

    @pytest.mark.parametrize(
        "calibrator",
        [
            TemperatureScaling(),
            calib.DirichletCalibration(lam=0.1),
            calib.EnsembleTemperatureScaling(),
        ],
        ids=repr,
    )
    def test_what_softmax_does_not_see_changes_nothing(self, calibrator):
        z, y = network(500, 4)
        shifted = z + 50 * np.random.default_rng(3).standard_normal((500, 1))
        of_p = calib.as_logits(softmax(z), floor=1e-99)
        expected, *same = (
            clone(calibrator).fit(x, y).predict_proba(x) for x in (z, shifted, of_p)
        )
        for p in same:
            np.testing.assert_allclose(p, expected, atol=1e-6)

    @pytest.mark.parametrize("calibrator", FREE[:3], ids=repr)
    def test_separable_sets_say_why_and_a_penalty_makes_them_no_problem(
        self, calibrator
    ):
        z, y = np.array([[2.0, 0, 0], [0, 2, 0], [0, 0, 2], [3, 0, 1]]), [0, 1, 2, 0]
        with pytest.raises(
            ConvergenceError, match="classifies the whole calibration set"
        ):
            clone(calibrator).fit(z, y)
        fitted = MatrixScaling(lam=0.1, mu=0.1).fit(z, y)
        assert np.isfinite(fitted.coef_).all() and fitted.gradient_norm_ < 1e-8
        with pytest.raises(ConvergenceError, match="1 Newton steps"):
            clone(calibrator).set_params(max_iter=1, tol=1e-12).fit(*network(300, 3))

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore:.*no calibration sample is of class")
    @pytest.mark.parametrize(
        "calibrator",
        [*FREE, VectorScaling(shrink=True), calib.EnsembleTemperatureScaling()],
        ids=repr,
    )
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

    @pytest.mark.parametrize(
        "calibrator", [*FREE[:2], MatrixScaling(lam=0.1)], ids=repr
    )
    def test_an_absent_class_without_a_best_offset_is_told(self, calibrator):
        z, y = network(300, 4)
        weight = (y < 3).astype(float)
        with pytest.warns(
            UserWarning, match="no calibration sample is of class 3, so no finite"
        ):
            fitted = clone(calibrator).fit(z, y, sample_weight=weight)
        assert fitted.predict_proba(z)[:, 3].max() < 0.02
        with pytest.warns(UserWarning, match="of class 1 and 2 more"):
            clone(calibrator).fit(
                np.hstack([z, z[:, :1]]), np.where(y == 1, 0, y).clip(max=2)
            )
        z[:, 3] = -np.inf  # a class that no sample could be of is not told
        fitted = clone(calibrator).fit(z[y < 3], y[y < 3])
        assert (fitted.predict_proba(z)[:, 3] == 0).all()


def departures(x, y, w):
    """Means, and variances of scales and offsets over the classes, written out."""
    p, k = softmax(x), x.shape[1]
    middle, above, below = np.zeros(k), np.zeros(2), np.zeros(2)
    for j in range(k):
        known = [w[i] * p[i, j] * (1 - p[i, j]) for i in range(len(x))]
        middle[j] = sum(known * x[:, j]) / sum(known)
        off = w * ((y == j) - p[:, j])
        for at, feature in enumerate([x[:, j] - middle[j], np.ones(len(x))]):
            information = sum(known * feature**2)
            above[at] += sum(off * feature) ** 2 - information
            below[at] += information**2
    return middle, np.maximum(above / below, 1e-6)


class TestShrunken:
    @pytest.mark.parametrize("bias", [True, False])
    def test_independent_optimiser(self, bias):
        """The penalised NLL as the docstring writes it, by BFGS; weights count as Kish's n."""
        z, y = network(150, 3)
        w = np.random.default_rng(1).uniform(0.5, 2, len(y))
        fitted = VectorScaling(bias, shrink=True).fit(z, y, sample_weight=10 * w)
        t = TemperatureScaling().fit(z, y, sample_weight=w).temperature_
        w *= w.sum() / np.sum(w**2)
        x, n = z / t, w.sum()
        middle, (scales, offsets) = departures(x, y, w)
        middle = middle if bias else 0 * middle

        def penalised(v):
            a, c = v[1:4], v[4:] if bias else np.zeros(3)
            log_p = log_softmax(v[0] * x + a * (x - middle) + c, axis=1)
            far = np.sum(c**2) / offsets + np.sum(a**2) / scales
            return -w @ log_p[np.arange(len(y)), y] / n + far / (2 * n)

        options = {"gtol": 1e-9, "maxiter": 1000}
        start = np.eye(7 if bias else 4)[0]
        v = minimize(penalised, start, method="BFGS", options=options, jac="3-point").x
        a, c = v[1:4], v[4:] if bias else np.zeros(3)
        np.testing.assert_allclose(fitted.coef_, (v[0] + a) / t, atol=1e-6)
        offset = c - a * middle
        np.testing.assert_allclose(fitted.intercept_, offset - offset.mean(), atol=1e-6)

    def test_where_classes_seem_alike_it_is_temperature_scaling_to_four_digits(self):
        rng = np.random.default_rng(0)
        z = 2 * rng.standard_normal((300, 3))
        y = (z / 1.5 + rng.gumbel(size=z.shape)).argmax(axis=1)
        plain = TemperatureScaling().fit(z, y)
        _, variances = departures(z / plain.temperature_, y, np.ones(300))
        assert max(variances) <= 1e-6
        shrunken = VectorScaling(shrink=True).fit(z, y).predict_proba(z)
        np.testing.assert_allclose(shrunken, plain.predict_proba(z), atol=1e-5)

    def test_nothing_seen_of_a_class_leaves_it_finite_without_a_warning(self):
        z, y = network(60, 50)
        assert len(np.unique(y)) < 40
        fitted = VectorScaling(shrink=True).fit(z, y)
        assert np.abs(fitted.intercept_).max() < 3
        with pytest.raises(ConvergenceError, match="classified correctly"):
            VectorScaling(shrink=True).fit(z, z.argmax(axis=1))

    @pytest.mark.parametrize(
        ("offset", "scale", "gained"),
        [(0.6, 0, 0.015), (0.0, 0.2, 0.15), (0, 0, -0.002)],
    )
    def test_it_gains_where_classes_differ_and_loses_nothing_elsewhere(
        self, offset, scale, gained
    ):
        """Of 200 classes five samples each, judged by the true probabilities."""
        rng = np.random.default_rng(3)
        true = 3 * rng.standard_normal((4000, 200))
        off = (
            np.exp(scale * rng.standard_normal(200)),
            offset * rng.standard_normal(200),
        )
        z, q, n = 1.5 * true * off[0] + off[1], softmax(true), 1000
        y = (q[:n].cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(max=199)

        def expected(fitted):
            return -np.mean(np.sum(q * np.log(fitted.predict_proba(z)), axis=1)[n:])

        one, shrunken = (
            expected(scaling.fit(z[:n], y))
            for scaling in (TemperatureScaling(), VectorScaling(shrink=True))
        )
        assert one - shrunken > gained


class TestEnsemble:
    def test_weights_are_the_best_on_the_simplex(self):
        rng = np.random.default_rng(0)
        z, y = network(2000, 5)
        y = np.where(rng.random(2000) < 0.2, rng.integers(0, 5, 2000), y)
        fitted = calib.EnsembleTemperatureScaling().fit(z, y)
        assert fitted.weights_.sum() == pytest.approx(1) and fitted.weights_.min() >= 0
        members = [softmax(z / fitted.temperature_), softmax(z), np.full(z.shape, 0.2)]
        best = nll(y, fitted.predict_proba(z))
        # never worse than the temperature alone
        assert best <= nll(y, members[0]) + 1e-9
        for w in rng.dirichlet(fitted.weights_ * 500 + 1e-3, 200):
            assert (
                nll(y, sum(a * p for a, p in zip(w, members, strict=True)))
                >= best - 1e-12
            )

    @pytest.mark.parametrize("n", [20, 1000, 5000])
    @pytest.mark.parametrize("tiny", [1e-6, 1e-20])
    def test_a_sample_that_only_the_uniform_component_expects(self, n, tiny):
        likelihood = np.repeat([[0.9], [0.95], [0.5]], n, axis=1)
        likelihood[:2, 0] = tiny, tiny**2
        mixture, _, _ = mixture_weights(
            likelihood, np.full(n, 1 / n), tol=1e-8, max_iter=50
        )
        # where the derivative of the log-likelihood is zero
        uniform = 0.95 / (0.45 * n)
        np.testing.assert_allclose(mixture, [0, 1 - uniform, uniform], atol=1e-5)


class TestStructured:
    def test_independent_optimiser(self):
        """The objective written out: each kind of parameter has its own penalty."""
        z, y = network(150, 3)
        fitted = calib.StructuredMatrixScaling(strength=2.0).fit(z, y)
        temperature = TemperatureScaling().fit(z, y).temperature_
        x = np.log(150 / 151 * softmax(z / temperature) + 1 / 151 / 3)

        def value(v):
            coef, intercept = v[:9].reshape(3, 3), v[9:]
            diagonal = np.sum((np.diag(coef) - 1) ** 2)
            off_diagonal = np.sum((coef - np.diag(np.diag(coef))) ** 2)
            penalty = (
                2.0 * 3 / 150 * (intercept @ intercept + diagonal + 2 * off_diagonal)
            )
            return loss(x @ coef.T + intercept, y) + penalty

        start = np.append(np.eye(3), np.zeros(3))
        best = minimize(
            value, start, method="BFGS", options={"gtol": 1e-9}, jac="3-point"
        ).x
        np.testing.assert_allclose(fitted.coef_.ravel(), best[:9], atol=1e-5)
        np.testing.assert_allclose(fitted.intercept_, best[9:], atol=1e-5)

    @pytest.mark.parametrize("shift", [0, 1])
    def test_finite_on_any_set(self, shift):
        """All right or all wrong: there is no temperature, and the network's own is kept."""
        z = np.repeat(3 * np.eye(3), 4, axis=0)
        y = (z.argmax(axis=1) + shift) % 3
        fitted = calib.StructuredMatrixScaling().fit(z, y)
        assert fitted.temperature_ == 1 and np.isfinite(fitted.coef_).all()
        assert nll(y, fitted.predict_proba(z)) < nll(y, softmax(z))


def test_a_small_temperature_takes_the_least_float32():
    """The one that warned of an overflow, and then called finite input infinite."""
    z = (Z * 0.2).astype(np.float32)
    z[:, 2] = np.where(Y == 2, z[:, 2], np.finfo(np.float32).min)
    fitted = TemperatureScaling().fit(z, Y)
    assert fitted.temperature_ < 1 and np.isfinite(fitted.predict_proba(z)).all()


def test_a_temperature_changes_no_predicted_class_of_neighbouring_float32():
    z = np.array([[1, np.nextafter(np.float32(1), np.float32(2))]], np.float32)
    fitted = TemperatureScaling().fit([[4.0, 0.0]] * 4, [0, 0, 0, 1])
    assert fitted.predict(z) == [1]
    fitted.temperature_ = 1e-50  # which float32 rounds to zero
    np.testing.assert_array_equal(
        fitted.predict_proba(np.float32([[1, 2], [3, 3]])), [[0, 1], [0.5, 0.5]]
    )


def test_the_bound_of_a_temperature_follows_the_weights():
    z, y = np.array([[4.0, 0.0, 1.0], [3.0, 0.0, -2.0]]), [0, 0]
    with pytest.warns(UserWarning, match="classified correctly"):
        weighted = calib.TemperatureScaling().fit(z, y, [2, 1])
    with pytest.warns(UserWarning, match="classified correctly"):
        repeated = calib.TemperatureScaling().fit(z[[0, 0, 1]], [0, 0, 0])
    assert weighted.temperature_ == repeated.temperature_


@pytest.mark.parametrize("margin", [1e2, 1e4, 1e8])
def test_a_temperature_is_found_where_every_probability_is_one(margin):
    """Two of three right: the probability of the first class is 2/3, at margin / T = log 2."""
    z = margin * np.array([[1.0, 0.0]] * 3)
    fitted = calib.TemperatureScaling().fit(z, [0, 0, 1])
    assert fitted.temperature_ == pytest.approx(margin / np.log(2))
