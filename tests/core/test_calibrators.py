"""Temperature, vector and matrix scaling, Dirichlet calibration: definitions and solvers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.base import clone as sklearn_clone

from calib import (
    ConvergenceError,
    HistogramBinning,
    OneVsRest,
    TemperatureScaling,
    as_logits,
    softmax,
)
from calib.maps.base import ScoreCalibrator, clone


def nll(z, y, weight=None):
    return -np.average(log_softmax(z, axis=1)[np.arange(len(y)), y], weights=weight)


def network(n, k, rng, temperature=1.0, dtype=np.float64):
    """Logits whose best temperature is `temperature`, and labels drawn from them."""
    z = 2 * rng.standard_normal((n, k))
    p = softmax(z).cumsum(axis=1)
    y = (rng.random((n, 1)) > p).sum(axis=1).clip(max=k - 1)
    return (temperature * z).astype(dtype), y


class TestTemperature:
    def test_hand_worked(self):
        """Logit gap g, right in a share a of the rows: sigmoid(g / T) = a."""
        z = [[np.log(9), 0.0]] * 10
        scaling = TemperatureScaling().fit(z, [0] * 7 + [1] * 3)
        assert scaling.temperature_ == pytest.approx(np.log(9) / np.log(7 / 3), rel=1e-12)
        assert scaling.predict_proba(z[:1])[0, 0] == pytest.approx(0.7, rel=1e-12)

    @pytest.mark.parametrize(("n", "k"), [(30, 2), (2000, 10), (25_000, 5)])
    def test_independent_optimiser(self, n, k):
        z, y = network(n, k, np.random.default_rng(k), temperature=1.7)
        scaling = TemperatureScaling().fit(z, y)
        best = minimize_scalar(
            lambda log_t: nll(z / np.exp(log_t), y), (-1, 0, 2), options={"xtol": 1e-12}
        )
        assert scaling.temperature_ == pytest.approx(np.exp(best.x), rel=1e-6)
        assert scaling.gradient_norm_ < 1e-6

    def test_recovers_the_truth(self):
        z, y = network(40_000, 4, np.random.default_rng(0), temperature=2.5)
        assert TemperatureScaling().fit(z, y).temperature_ == pytest.approx(2.5, rel=0.03)

    def test_shift_of_a_row_changes_nothing(self):
        rng = np.random.default_rng(1)
        z, y = network(500, 3, rng)
        shifted = z + 100 * rng.standard_normal((500, 1))
        log_p = as_logits(softmax(z), floor=1e-99)
        expected = TemperatureScaling().fit(z, y).temperature_
        assert TemperatureScaling().fit(shifted, y).temperature_ == pytest.approx(expected)
        assert TemperatureScaling().fit(log_p, y).temperature_ == pytest.approx(expected)

    def test_scale_of_the_logits_scales_the_temperature(self):
        z, y = network(500, 3, np.random.default_rng(2))
        expected = TemperatureScaling().fit(z, y).temperature_
        for scale in [1e-3, 1e3]:
            found = TemperatureScaling().fit(scale * z, y).temperature_
            assert found == pytest.approx(scale * expected, rel=1e-9)

    def test_float32_gives_the_float64_answer(self):
        z, y = network(3000, 10, np.random.default_rng(3), dtype=np.float32)
        a = TemperatureScaling().fit(z, y)
        b = TemperatureScaling().fit(z.astype(np.float64), y)
        assert a.temperature_ == pytest.approx(b.temperature_, rel=1e-12)
        wide = b.predict_proba(z.astype(np.float64))
        np.testing.assert_allclose(a.predict_proba(z), wide, atol=1e-6)
        big = (z + np.float32(1000)).astype(np.float32)
        wide = b.predict_proba(big.astype(np.float64))
        np.testing.assert_allclose(a.predict_proba(big), wide, atol=1e-6)

    def test_float16(self):
        z, y = network(3000, 10, np.random.default_rng(3))
        z = z.astype(np.float16)
        a = TemperatureScaling().fit(z, y)
        b = TemperatureScaling().fit(z.astype(np.float64), y)
        assert a.temperature_ == pytest.approx(b.temperature_, rel=1e-12)
        np.testing.assert_allclose(
            a.predict_proba(z), b.predict_proba(z.astype(np.float64)), atol=1e-6
        )

    def test_many_rows_in_float32_first(self):
        """The rough estimate does not change the answer, only the path to it."""
        z, y = network(25_000, 5, np.random.default_rng(7), temperature=1.7)
        quick = TemperatureScaling().fit(z, y)
        plain, _, _ = TemperatureScaling()._solve(z, y, None, 1.0, 1e-9, np.float64)
        assert quick.temperature_ == pytest.approx(1 / plain, rel=1e-9)

    @pytest.mark.parametrize("n", [300, 21_000])
    def test_weights_count_as_repetitions(self, n):
        rng = np.random.default_rng(4)
        z, y = network(n, 3, rng)
        times = rng.integers(0, 4, n)
        weighted = TemperatureScaling().fit(z, y, sample_weight=times)
        repeated = TemperatureScaling().fit(z.repeat(times, axis=0), y.repeat(times))
        assert weighted.temperature_ == pytest.approx(repeated.temperature_, rel=1e-9)

    def test_permuting_classes_changes_nothing(self):
        rng = np.random.default_rng(5)
        z, y = network(400, 5, rng)
        order = rng.permutation(5)
        permuted = TemperatureScaling().fit(z[:, order], np.argsort(order)[y])
        expected = TemperatureScaling().fit(z, y).temperature_
        assert permuted.temperature_ == pytest.approx(expected)

    @pytest.mark.parametrize(
        ("z", "y", "reason"),
        [
            ([[1.0, 0.0], [0.0, 2.0]], [0, 1], "classified correctly"),
            ([[1.0, 0.0], [3.0, 2.0]], [0, 0], "classified correctly"),
            ([[1.0, 0.0], [0.0, 2.0]], [1, 0], "goes to infinity"),
            ([[2.0, 0.0], [2.0, 0.0]], [0, 1], "goes to infinity"),
            ([[0.3, 0.1], [0.7, 0.2], [0.3, 0.1], [0.7, 0.2]], [0, 0, 1, 1], "goes to infinity"),
            ([[1.0, 1.0], [2.0, 2.0]], [0, 1], "every row are equal"),
        ],
    )
    def test_no_finite_temperature_says_why_and_takes_a_bound(self, z, y, reason):
        with pytest.warns(UserWarning, match=rf"{reason}.*is taken; no_optimum='raise'"):
            bounded = TemperatureScaling().fit(z, y)
        gap = np.median(np.ptp(z, axis=1))
        bound = {"classified correctly": 0.05 * gap, "goes to infinity": 20 * gap}.get(reason, 1)
        assert bounded.temperature_ == pytest.approx(bound)
        np.testing.assert_array_equal(bounded.predict(z), np.argmax(z, axis=1))
        with pytest.raises(ConvergenceError, match=reason) as error:
            TemperatureScaling(no_optimum="raise").fit(z, y)
        assert "gradient norm" in str(error.value)
        assert np.isfinite(error.value.gradient_norm)

    def test_too_few_steps_are_not_taken_for_no_temperature(self):
        z, y = network(300, 3, np.random.default_rng(0))
        with pytest.raises(ConvergenceError, match="no minimum of the NLL found"):
            TemperatureScaling(max_iter=1).fit(z, y)

    @given(
        st.lists(
            st.tuples(st.lists(st.floats(-50, 50), min_size=3, max_size=3), st.integers(0, 2)),
            min_size=1,
            max_size=8,
        )
    )
    @settings(deadline=None, max_examples=200)
    def test_any_tiny_set_gives_a_finite_temperature_or_says_why(self, rows):
        z, y = np.array([z for z, _ in rows]), np.array([y for _, y in rows])
        try:
            scaling = TemperatureScaling(no_optimum="raise").fit(z, y)
        except (ConvergenceError, ValueError) as error:
            assert str(error)
            return
        assert 0 < scaling.temperature_ < np.inf
        best = nll(z / scaling.temperature_, y)
        for factor in [0.9, 1.1]:
            assert best <= nll(z / (factor * scaling.temperature_), y) + 1e-9

    def test_one_row_of_many_wrong_is_enough(self):
        z = np.array([[30.0, 0.0]] * 99 + [[20.0, 0.0]])
        y = np.array([0] * 99 + [1])
        assert 0 < TemperatureScaling().fit(z, y).temperature_ < np.inf

    def test_accuracy_is_unchanged_by_construction(self):
        z, y = network(200, 4, np.random.default_rng(6))
        scaling = TemperatureScaling().fit(z, y)
        assert scaling.keeps_accuracy
        assert np.array_equal(scaling.predict_proba(z).argmax(axis=1), z.argmax(axis=1))

    def test_probabilities_are_refused_as_logits(self):
        with pytest.raises(ValueError, match=r"calib\.as_logits"):
            TemperatureScaling().fit([[0.9, 0.1], [0.2, 0.8]], [0, 1])

    def test_use_before_fit_is_refused(self):
        with pytest.raises(ValueError, match="call fit first"):
            TemperatureScaling().predict_proba([[1.0, 0.0]])


class TestContract:
    def test_rows_of_weight_zero_are_left_out_of_many(self):
        z, y = network(20_000, 2, np.random.default_rng(0))
        weight = np.tile([0.0, 1.0], 10_000)  # zero in every row of the thinned samples
        found = TemperatureScaling(tol=1e-9).fit(z, y, weight).temperature_
        alone = TemperatureScaling(tol=1e-9).fit(z[1::2], y[1::2]).temperature_
        assert found == pytest.approx(alone, rel=1e-12)

    @pytest.mark.parametrize("copy", [clone, sklearn_clone])
    def test_clone(self, copy):
        scaling = TemperatureScaling(tol=1e-6).fit([[2.0, 0.0]] * 3, [0, 0, 1])
        copied = copy(scaling)
        assert copied.get_params() == scaling.get_params()
        assert not hasattr(copied, "temperature_")

    def test_repr_shows_what_differs_from_the_defaults(self):
        assert repr(TemperatureScaling()) == "TemperatureScaling()"
        assert repr(TemperatureScaling(tol=0.1)) == "TemperatureScaling(tol=0.1)"

    def test_repr_of_a_fitted_map_shows_what_it_learned(self):
        scaling = TemperatureScaling().fit([[4.0, 0.0]] * 5, [0, 0, 0, 1, 1], [1, 1, 1, 1, 0])
        text = f"n=4, temperature_=3.641, gradient_norm_={scaling.gradient_norm_:.4g}, n_iter_="
        assert text in repr(scaling)
        assert repr(OneVsRest(HistogramBinning()).fit(2 * np.eye(3), [0, 1, 2])).endswith(
            "fitted: n=3, maps_=3 x HistogramBinning"
        )

    def test_a_map_without_parameters_needs_no_init(self):
        class Square(ScoreCalibrator):
            def _fit(self, score, hit, weight):
                self.exponent_ = 2

            def _predict(self, score):
                return score**self.exponent_

        assert repr(Square()) == "Square()"
        assert Square().get_params() == {}
        fitted = OneVsRest(Square()).fit(2 * np.eye(3), [0, 1, 2])
        assert fitted.predict_proba(np.zeros((1, 3))) == pytest.approx(1 / 3)

    def test_parameters_of_a_nested_map_are_set_last(self):
        first, second = HistogramBinning(), HistogramBinning()
        OneVsRest(first).set_params(calibrator__n_bins=5, calibrator=second)
        assert (first.n_bins, second.n_bins) == (15, 5)

    def test_unknown_parameter_is_named(self):
        with pytest.raises(ValueError, match="tolerance: not a parameter of TemperatureScaling"):
            TemperatureScaling().set_params(tolerance=1)


def test_a_map_of_one_score_names_the_way_to_all_classes():
    with pytest.raises(
        ValueError, match=r"shape \(4, 3\).*OneVsRest\(...\) of it maps those of all"
    ):
        HistogramBinning().fit(np.full((4, 3), 1 / 3), [0, 1, 2, 0])
