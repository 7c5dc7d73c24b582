"""Every map keeps scikit-learn's contract and gives the same answer however its samples come."""

import inspect
from contextlib import suppress

import numpy as np
import pytest
from maps import (
    LOGIT_MAPS,
    PROBABILITY_MAPS,
    SCORE_MAPS,
    VIEW_MAPS,
    Y,
    Z,
    data_of,
    outputs,
)
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.metrics import r2_score
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

import calib
from calib import HistogramBinning, OneVsRest, TemperatureScaling
from calib.maps.base import BINS, FLOOR, Learned, LogitCalibrator, ScoreCalibrator
from calib.maps.base import clone as own_clone

P, RNG = calib.softmax(Z), np.random.default_rng(1)


CALIBRATORS = SCORE_MAPS + LOGIT_MAPS


FREE = [calib.VectorScaling(), calib.MatrixScaling()]


every = pytest.mark.parametrize("calibrator", CALIBRATORS, ids=repr)


def test_no_map_is_left_out():
    classes = filter(inspect.isclass, (getattr(calib, name) for name in calib.__all__))
    maps = {
        c.__name__ for c in classes if issubclass(c, ScoreCalibrator | LogitCalibrator)
    }
    instances = {type(c).__name__ for c in CALIBRATORS}
    assert instances == maps, "tests/parts/maps.py has an instance of each"


@every
class TestEstimator:
    def test_scikit_learn_knows_what_it_is_and_whether_it_is_fitted(self, calibrator):
        of_a_score, fresh = calibrator in SCORE_MAPS, clone(calibrator)
        assert is_classifier(fresh) != of_a_score and is_regressor(fresh) == of_a_score
        before = repr(fresh.get_params())
        with pytest.raises(ValueError, match="not fitted"):
            check_is_fitted(fresh)
        with pytest.raises(calib.NotFittedError, match="call fit first"):
            outputs(fresh, data_of(calibrator)[0])
        x, y = data_of(calibrator)
        assert fresh.fit(x[:99], y[:99]).fit(x, y) is fresh
        check_is_fitted(fresh)
        assert repr(fresh.get_params()) == before == repr(own_clone(fresh).get_params())
        assert not any(name.endswith("_") for name in vars(own_clone(fresh)))
        # a fit before leaves nothing
        expected = outputs(clone(calibrator).fit(x, y), x)
        np.testing.assert_array_equal(outputs(fresh, x), expected)
        one_by_one = np.concatenate([outputs(fresh, x[i : i + 1]) for i in range(20)])
        np.testing.assert_allclose(one_by_one, expected[:20], rtol=1e-12)

    def test_in_cross_validation_and_at_the_end_of_a_pipeline(self, calibrator):
        x, y = data_of(calibrator)
        scores = cross_val_score(calibrator, x, y, cv=3)
        assert np.isfinite(scores).all()
        if calibrator in SCORE_MAPS:  # folds of a regression are consecutive
            refitted = clone(calibrator).fit(x[134:], y[134:])
            assert scores[0] == pytest.approx(refitted.score(x[:134], y[:134]))
        method = "predict_proba" if calibrator in PROBABILITY_MAPS else "predict"
        assert len(cross_val_predict(calibrator, x, y, cv=3, method=method)) == len(x)
        square = FunctionTransformer(np.square)
        pipeline = make_pipeline(square, clone(calibrator)).fit(x, y)
        expected = clone(calibrator).fit(x**2, y)
        np.testing.assert_array_equal(pipeline.predict(x), expected.predict(x**2))
        assert pipeline.score(x, y) == expected.score(x**2, y)


def masked(value=-np.inf, dtype=np.float64):
    """Return logits with a third of the entries masked, but never the label's."""
    z, hidden = np.array(Z, dtype), RNG.random(Z.shape) < 0.3
    hidden[np.arange(len(Y)), Y] = False
    z[hidden] = value
    return z, hidden


@pytest.mark.parametrize("calibrator", LOGIT_MAPS, ids=repr)
class TestLogits:
    @pytest.mark.filterwarnings("ignore:.*no calibration sample is of class")
    def test_labels_are_numbers_of_columns(self, calibrator):
        fitted = clone(calibrator).fit(Z, Y)
        np.testing.assert_array_equal(fitted.classes_, [0, 1, 2])
        for w in (None, np.arange(400) % 3):
            expected = np.average(fitted.predict(Z) == Y, weights=w)
            assert fitted.score(Z, Y, w) == pytest.approx(expected)
        if fitted.keeps_accuracy:
            np.testing.assert_array_equal(fitted.predict(Z), Z.argmax(axis=1))
        assert len(clone(calibrator).fit(Z[Y < 2], Y[Y < 2]).classes_) == 3
        for label in (3, -1, 0.5):
            with pytest.raises(
                ValueError, match=r"y: row 0 is .*expected an integer from 0 to 2"
            ):
                clone(calibrator).fit(Z, np.append(label, Y[1:]))
        with pytest.raises(
            ValueError, match=r"y: an array of type <U3.*\[names\.index\(v\)"
        ):
            clone(calibrator).fit(Z, np.array(["cat", "dog", "eel"])[Y])

    def test_other_logits_are_refused(self, calibrator):
        with pytest.raises(ValueError, match="logits: 2 columns, expected 3 as in fit"):
            outputs(clone(calibrator).fit(Z, Y), Z[:, :2])
        for digits in (9, 3):
            with pytest.raises(
                ValueError, match=r"these are probabilities.*calib\.as_logits"
            ):
                clone(calibrator).fit(P.round(digits), Y)
        fresh, z = clone(calibrator), np.array(Z)
        z[7, Y[7]] = -np.inf
        with pytest.raises(
            ValueError, match=f"y: row 7 is class {Y[7]}, which logits mask"
        ):
            fresh.fit(z, Y)
        with pytest.raises(calib.NotFittedError):
            fresh.predict(Z)


@pytest.mark.parametrize("calibrator", PROBABILITY_MAPS, ids=repr)
class TestVectors:
    def test_rows_sum_to_one_in_the_order_of_the_classes(self, calibrator):
        fitted, order = clone(calibrator).fit(Z, Y), np.array([2, 0, 1])
        p = fitted.predict_proba(Z)
        assert p.shape == Z.shape and p.min() >= 0
        np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-12)
        np.testing.assert_array_equal(fitted.predict(Z), p.argmax(axis=1))
        permuted = clone(calibrator).fit(Z[:, order], np.argsort(order)[Y])
        np.testing.assert_allclose(
            permuted.predict_proba(Z[:, order]), p[:, order], atol=1e-6
        )

    @pytest.mark.parametrize("bits", [16, 32, 64])
    def test_what_is_masked_stays_at_zero(self, calibrator, bits):
        for value in (-np.inf, np.finfo(f"float{bits}").min)[: 2 if bits > 16 else 1]:
            z, hidden = masked(value, f"float{bits}")
            p = clone(calibrator).fit(z, Y).predict_proba(z)
            assert (p[hidden] == 0).all()
            np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("calibrator", VIEW_MAPS, ids=repr)
def test_maps_of_a_view_give_scores_also_of_masked_logits(calibrator):
    assert clone(calibrator).fit(Z, Y).keeps_accuracy and not hasattr(
        calibrator, "predict_proba"
    )
    with pytest.raises(
        TypeError, match=r"calibrator: .*expected a ProbabilityCalibrator"
    ):
        calib.CrossValidated(calibrator, {"calibrator": [calib.BBQ()]}).fit(Z, Y)
    z, _ = masked()
    score = clone(calibrator).fit(z, Y).predict_score(z)
    assert ((score >= 0) & (score <= 1)).all()


@pytest.mark.parametrize("calibrator", SCORE_MAPS, ids=repr)
def test_scores_are_probabilities_whose_skill_is_that_of_scikit_learn(calibrator):
    score, hit = data_of(calibrator)
    fitted, weight = clone(calibrator).fit(score, hit), np.arange(1, len(hit) + 1)
    curve = fitted.predict(np.linspace(0, 1, 101))
    assert curve.shape == (101,) and curve.min() >= 0 and curve.max() <= 1
    for w in (None, weight):
        expected = r2_score(hit.astype(float), fitted.predict(score), sample_weight=w)
        assert fitted.score(score, hit, w) == pytest.approx(expected)
    with pytest.raises(ValueError, match="hit: all are 1"):
        fitted.score(score[:3], [1, 1, 1])
    with pytest.raises(ValueError, match=r"score: row 1 is 1\.5"):
        clone(calibrator).fit([0.1, 1.5], [0, 1])
    with pytest.raises(
        ValueError, match=r"shape \(400, 3\).*OneVsRest\(...\) of it maps"
    ):
        clone(calibrator).fit(P, Y)


@pytest.mark.parametrize(
    "calibrator",
    [
        *PROBABILITY_MAPS[:5:4],
        *FREE,
        calib.DirichletCalibration(),
        OneVsRest(HistogramBinning()),
    ],
    ids=repr,
)
def test_a_class_that_is_always_masked_might_as_well_not_be_there(calibrator):
    wide = np.column_stack([Z, np.full(len(Y), -np.inf)])
    narrow = clone(calibrator).fit(Z, Y).predict_proba(Z)
    p = clone(calibrator).fit(wide, Y).predict_proba(wide)
    np.testing.assert_allclose(p[:, :3], narrow, atol=1e-6)


def test_the_repr_shows_what_differs_from_the_defaults_and_what_was_learned():
    assert repr(TemperatureScaling()) == "TemperatureScaling()"
    assert repr(TemperatureScaling(tol=0.1)) == "TemperatureScaling(tol=0.1)"
    scaling = TemperatureScaling().fit(
        [[4.0, 0.0]] * 5, [0, 0, 0, 1, 1], [1, 1, 1, 1, 0]
    )
    text = f"n=4, temperature_=3.641, gradient_norm_={scaling.gradient_norm_:.4g}, n_iter_="
    assert text in repr(scaling)
    fitted = OneVsRest(HistogramBinning(n_bins=4)).fit(2 * np.eye(3), [0, 1, 2])
    assert repr(fitted) == (
        "OneVsRest(calibrator=HistogramBinning(n_bins=4)) fitted: n=3, temperature_=1, "
        "maps_=3 x HistogramBinning"
    )
    assert "edges_=array(5,), values_=[" in repr(fitted.maps_[0])


def test_a_map_of_one_s_own_needs_its_fields_and_two_methods():
    class Power(ScoreCalibrator):
        exponent: int = 1

        def _fit(self, score, hit, weight):
            self.exponent_ = self.exponent + 1

        def _predict(self, score):
            return score**self.exponent_

    assert repr(Power(2)) == "Power(exponent=2)" and Power().get_params() == {
        "exponent": 1
    }
    fitted = OneVsRest(Power()).fit(2 * np.eye(3), [0, 1, 2])
    assert fitted.predict_proba(np.zeros((1, 3))) == pytest.approx(1 / 3)


def test_parameters_of_a_nested_map_are_set_last_and_unknown_ones_named():
    first, second = HistogramBinning(), HistogramBinning()
    OneVsRest(first).set_params(calibrator__n_bins=5, calibrator=second)
    assert (first.n_bins, second.n_bins) == (15, 5)
    assert OneVsRest(second).get_params()["calibrator__n_bins"] == 5
    with pytest.raises(
        ValueError, match="tolerance: not a parameter of TemperatureScaling"
    ):
        TemperatureScaling().set_params(tolerance=1)


@every
def test_a_fit_that_fails_leaves_the_map_as_it_was(calibrator, monkeypatch):
    x, y = data_of(calibrator)
    fitted = clone(calibrator).fit(x, y)
    before = outputs(fitted, x)
    kind = type(fitted)
    fit = kind._fit

    def fail(self, *arguments):
        fit(self, *arguments)
        raise calib.ConvergenceError("stopped", 1.0)

    monkeypatch.setattr(kind, "_fit", fail)
    with pytest.raises(calib.ConvergenceError):
        fitted.fit(x[:100], y[:100])
    np.testing.assert_array_equal(outputs(fitted, x), before)
    fresh = clone(calibrator)
    with pytest.raises(calib.ConvergenceError):
        fresh.fit(x, y)
    with pytest.raises(calib.NotFittedError):
        outputs(fresh, x)


@pytest.mark.parametrize(
    ("learned", "numbers", "refusal"),
    [
        (Learned(), [1.0, np.inf], "a number is not finite"),
        (Learned(), [-1.0, 0.0], None),
        (Learned(finite=False), [1.0, np.inf], None),
        (Learned(finite=False), [1.0, np.nan], "expected numbers, or null"),
        (Learned(finite=False), [-np.inf, 1.0], "expected numbers, or null"),
        (Learned(positive=True), [1e-9], None),
        (Learned(positive=True), [1.0, 0.0], "expected numbers above 0"),
        (Learned(low=0, high=1), [0.0, 1.0], None),
        (Learned(low=0, high=1), [0.5, 1.1], "expected numbers from 0 to 1"),
        (Learned(low=0, high=1), [-0.1, 0.5], "expected numbers from 0 to 1"),
        (Learned(rising=True), [0.1, 0.1, 0.2], None),
        (Learned(rising=True), [0.1, 0.2, 0.1], "expected numbers that rise"),
        (FLOOR, 0.0, None),
        (FLOOR, 0.5, None),
        (FLOOR, -0.01, "expected numbers from 0 to 0.5"),
        (FLOOR, 0.51, "expected numbers from 0 to 0.5"),
        (BINS["edges_"], [0.0, 0.5, 0.5, 1.0], None),
        (BINS["edges_"], [0.0, 1.01], "expected numbers from 0 to 1"),
        (BINS["edges_"], [-0.01, 1.0], "expected numbers from 0 to 1"),
        (BINS["edges_"], [0.0, 0.6, 0.5], "expected numbers that rise"),
        (BINS["values_"], [1.0, 0.0], None),
        (BINS["values_"], [0.5, 1.01], "expected numbers from 0 to 1"),
        (BINS["values_"], [0.5, -0.01], "expected numbers from 0 to 1"),
    ],
)
def test_what_a_fit_leaves_says_which_numbers_it_refuses(learned, numbers, refusal):
    told = learned.refusal(np.array(numbers))
    assert told == refusal or (refusal and told.startswith(refusal))


@pytest.mark.parametrize(
    "calibrator",
    [
        calib.TemperatureScaling(),
        calib.VectorScaling(),
        calib.MatrixScaling(),
        calib.DirichletCalibration(),
        calib.CrossValidated(calib.MatrixScaling(), {"lam": [0.0]}, n_folds=2),
    ],
)
def test_a_warning_points_at_the_line_that_called_the_library(calibrator):
    """No sample of the third class, and no temperature that is best."""
    z = np.array([[1.0, 0.0, -1.0], [0.0, 1.0, -1.0]] * 10)
    with pytest.warns(UserWarning) as caught, suppress(calib.ConvergenceError):
        calibrator.fit(z, [0, 1] * 10)
    assert {warning.filename for warning in caught} == {__file__}
