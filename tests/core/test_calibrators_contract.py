"""Every calibrator keeps scikit-learn's contract; its class says what it can do."""

import inspect
import subprocess
import sys

import numpy as np
import pytest
from maps import LOGIT_MAPS, PROBABILITY_MAPS, SCORE_MAPS, VIEW_MAPS
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.metrics import r2_score
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

import calib
from calib.maps.base import LogitCalibrator, ScoreCalibrator
from calib.maps.saved import _class_of

RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((400, 3))
Y = (Z + 1.5 * RNG.gumbel(size=Z.shape)).argmax(axis=1)
NAMES = np.array(["cat", "dog", "eel"])
P = calib.softmax(Z)
SCORE, HIT = P[:, 1].astype(float), Y == 1
CALIBRATORS = SCORE_MAPS + LOGIT_MAPS
every = pytest.mark.parametrize("calibrator", CALIBRATORS, ids=repr)
every_of_logits = pytest.mark.parametrize("calibrator", LOGIT_MAPS, ids=repr)
every_of_a_score = pytest.mark.parametrize("calibrator", SCORE_MAPS, ids=repr)
every_vector = pytest.mark.parametrize("calibrator", PROBABILITY_MAPS, ids=repr)


def data_of(calibrator):
    return (SCORE, HIT) if calibrator in SCORE_MAPS else (Z, Y)


def outputs(fitted, x):
    """Return what a fitted map makes of x, by its own method."""
    for method in ("predict_proba", "predict_score", "predict"):
        if hasattr(fitted, method):
            return getattr(fitted, method)(x)


def test_no_map_is_left_out():
    classes = filter(inspect.isclass, (getattr(calib, name) for name in calib.__all__))
    maps = {c.__name__ for c in classes if issubclass(c, ScoreCalibrator | LogitCalibrator)}
    assert {type(c).__name__ for c in CALIBRATORS} == maps
    assert all(_class_of(name) is getattr(calib, name) for name in maps)


def test_calib_does_not_import_scikit_learn():
    fit = (
        "import sys, numpy as np, calib;"
        "calib.OneVsRest(calib.PlattScaling()).fit(np.eye(3) * 3, [0, 1, 1]);"
        "sys.exit('sklearn' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", fit], check=True)


@every
class TestEstimator:
    def test_scikit_learn_knows_what_it_is(self, calibrator):
        of_a_score = calibrator in SCORE_MAPS
        assert is_classifier(calibrator) != of_a_score
        assert is_regressor(calibrator) == of_a_score

    def test_fit_returns_the_calibrator_and_leaves_its_parameters(self, calibrator):
        fresh = clone(calibrator)
        before = repr(fresh.get_params())
        assert fresh.fit(*data_of(calibrator)) is fresh
        assert repr(fresh.get_params()) == before

    def test_fitted_or_not(self, calibrator):
        fresh = clone(calibrator)
        with pytest.raises(ValueError, match="not fitted"):
            check_is_fitted(fresh)
        with pytest.raises(calib.NotFittedError, match="call fit first"):
            outputs(fresh, data_of(calibrator)[0])
        check_is_fitted(fresh.fit(*data_of(calibrator)))

    def test_a_second_fit_forgets_the_first(self, calibrator):
        x, y = data_of(calibrator)
        twice = clone(calibrator).fit(x[:200], y[:200]).fit(x, y)
        np.testing.assert_array_equal(outputs(twice, x), outputs(clone(calibrator).fit(x, y), x))

    def test_order_of_the_samples(self, calibrator):
        x, y = data_of(calibrator)
        if isinstance(calibrator, calib.CrossValidated):
            pytest.skip("its folds follow the order of the samples")
        order = np.random.default_rng(1).permutation(len(y))
        shuffled = clone(calibrator).fit(x[order], y[order])
        expected = outputs(clone(calibrator).fit(x, y), x)
        np.testing.assert_allclose(outputs(shuffled, x), expected, atol=1e-6)

    def test_weights_are_repetitions(self, calibrator):
        x, y = data_of(calibrator)
        if isinstance(calibrator, calib.CrossValidated):
            pytest.skip("repetitions of a sample fall into different folds")
        times = np.random.default_rng(2).integers(0, 3, len(y))
        weighted = clone(calibrator).fit(x, y, sample_weight=times)
        repeated = clone(calibrator).fit(x.repeat(times, axis=0), y.repeat(times))
        np.testing.assert_allclose(outputs(weighted, x), outputs(repeated, x), atol=1e-6)
        assert weighted.score(x, y, times) == pytest.approx(
            repeated.score(x.repeat(times, axis=0), y.repeat(times)), abs=1e-6
        )

    def test_lists_serve_as_arrays(self, calibrator):
        x, y = data_of(calibrator)
        fitted = clone(calibrator).fit(x.tolist(), y.tolist())
        np.testing.assert_array_equal(outputs(fitted, x), outputs(clone(calibrator).fit(x, y), x))

    def test_rows_are_mapped_one_by_one(self, calibrator):
        x, y = data_of(calibrator)
        fitted = clone(calibrator).fit(x, y)
        one_by_one = np.concatenate([outputs(fitted, x[i : i + 1]) for i in range(20)])
        np.testing.assert_allclose(outputs(fitted, x[:20]), one_by_one, rtol=1e-12)

    def test_cross_validation(self, calibrator):
        x, y = data_of(calibrator)
        found = cross_val_score(calibrator, x, y, cv=3)
        assert np.isfinite(found).all()
        fold = slice(0, 134) if calibrator in SCORE_MAPS else None
        if fold:  # folds of a regression are consecutive
            rest = clone(calibrator).fit(x[134:], y[134:])
            assert found[0] == pytest.approx(rest.score(x[fold], y[fold]))
        method = "predict_proba" if calibrator in PROBABILITY_MAPS else "predict"
        assert len(cross_val_predict(calibrator, x, y, cv=3, method=method)) == len(x)

    def test_at_the_end_of_a_pipeline(self, calibrator):
        x, y = data_of(calibrator)
        square = FunctionTransformer(np.square)
        pipeline = make_pipeline(square, clone(calibrator)).fit(x, y)
        expected = clone(calibrator).fit(x**2, y)
        np.testing.assert_array_equal(pipeline.predict(x), expected.predict(x**2))
        assert pipeline.score(x, y) == expected.score(x**2, y)


@every_of_logits
class TestClasses:
    def test_numbers_are_columns(self, calibrator):
        fitted = clone(calibrator).fit(Z, Y)
        np.testing.assert_array_equal(fitted.classes_, [0, 1, 2])
        assert fitted.score(Z, Y) == np.mean(fitted.predict(Z) == Y)

    @pytest.mark.filterwarnings("ignore:.*no calibration sample is of class")
    def test_a_column_without_a_label(self, calibrator):
        seen = Y < 2
        fitted = clone(calibrator).fit(Z[seen], Y[seen])
        assert len(fitted.classes_) == 3

    @pytest.mark.parametrize("label", [3, -1, 0.5])
    def test_numbers_that_are_no_columns(self, calibrator, label):
        with pytest.raises(ValueError, match=r"y: row 0 is .*expected an integer from 0 to 2"):
            clone(calibrator).fit(Z, np.append(label, Y[1:]))

    def test_names_are_refused_with_the_way_to_numbers(self, calibrator):
        with pytest.raises(ValueError, match=r"y: an array of type <U3.*\[names\.index\(v\)"):
            clone(calibrator).fit(Z, NAMES[Y])

    def test_other_columns_than_in_fit(self, calibrator):
        with pytest.raises(ValueError, match="logits: 2 columns, expected 3 as in fit"):
            outputs(clone(calibrator).fit(Z, Y), Z[:, :2])

    @pytest.mark.parametrize("digits", [9, 3])
    def test_probabilities_are_no_logits(self, calibrator, digits):
        with pytest.raises(ValueError, match=r"logits: these are probabilities.*calib\.as_logits"):
            clone(calibrator).fit(P.round(digits), Y)

    def test_a_failed_fit_leaves_it_unfitted(self, calibrator):
        fresh = clone(calibrator)
        with pytest.raises(ValueError, match="y: "):
            fresh.fit(Z, Y[:-1])
        with pytest.raises(calib.NotFittedError):
            fresh.predict(Z)


@every_vector
class TestVectors:
    def test_rows_sum_to_one_and_hold_the_predicted_class(self, calibrator):
        fitted = clone(calibrator).fit(Z, Y)
        p = fitted.predict_proba(Z)
        assert p.shape == Z.shape and p.min() >= 0
        np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-12)
        np.testing.assert_array_equal(fitted.predict(Z), p.argmax(axis=1))

    def test_what_keeps_accuracy_does(self, calibrator):
        fitted = clone(calibrator).fit(Z, Y)
        if fitted.keeps_accuracy:
            np.testing.assert_array_equal(fitted.predict(Z), Z.argmax(axis=1))

    def test_order_of_the_classes(self, calibrator):
        order = np.array([2, 0, 1])
        fitted = clone(calibrator).fit(Z, Y).predict_proba(Z)
        permuted = clone(calibrator).fit(Z[:, order], np.argsort(order)[Y])
        np.testing.assert_allclose(permuted.predict_proba(Z[:, order]), fitted[:, order], atol=1e-6)


@pytest.mark.parametrize("calibrator", VIEW_MAPS, ids=repr)
class TestViews:
    def test_the_predicted_classes_stay(self, calibrator):
        fitted = clone(calibrator).fit(Z, Y)
        np.testing.assert_array_equal(fitted.predict(Z), Z.argmax(axis=1))

    def test_there_is_no_vector_to_ask_for(self, calibrator):
        assert not hasattr(calibrator, "predict_proba")
        with pytest.raises(TypeError, match=r"calibrator: .*expected a ProbabilityCalibrator"):
            calib.CrossValidated(calibrator, {"calibrator": [calib.BBQ()]}).fit(Z, Y)


@every_of_a_score
class TestScores:
    def test_in_the_unit_interval(self, calibrator):
        fitted = clone(calibrator).fit(SCORE, HIT)
        found = fitted.predict(np.linspace(0, 1, 101))
        assert found.shape == (101,) and found.min() >= 0 and found.max() <= 1

    def test_the_skill_score_is_that_of_scikit_learn(self, calibrator):
        fitted, weight = clone(calibrator).fit(SCORE, HIT), np.arange(1, len(HIT) + 1)
        for w in (None, weight):
            expected = r2_score(HIT.astype(float), fitted.predict(SCORE), sample_weight=w)
            assert fitted.score(SCORE, HIT, w) == pytest.approx(expected)
        with pytest.raises(ValueError, match="hit: all are 1"):
            fitted.score(SCORE[:3], [1, 1, 1])


def test_a_search_for_the_number_of_bins_in_a_pipeline():
    """The chosen number has the lowest held-out NLL, counted by hand."""
    pipeline = make_pipeline(
        FunctionTransformer(np.cbrt), calib.OneVsRest(calib.HistogramBinning())
    )
    numbers = [2, 5, 10, 200]
    grid = {"onevsrest__calibrator__n_bins": numbers}
    search = GridSearchCV(pipeline, grid, scoring="neg_log_loss", cv=4).fit(Z, Y)
    losses = np.zeros(4)
    for train, test in StratifiedKFold(4).split(Z, Y):
        for i, n_bins in enumerate(numbers):
            binning = calib.OneVsRest(calib.HistogramBinning(n_bins))
            p = binning.fit(np.cbrt(Z[train]), Y[train]).predict_proba(np.cbrt(Z[test]))
            losses[i] += calib.nll(Y[test], p) / 4
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], -losses)
    assert search.best_params_ == {"onevsrest__calibrator__n_bins": numbers[np.argmin(losses)]}


def test_a_search_for_the_number_of_bins_of_one_score():
    search = GridSearchCV(calib.HistogramBinning(), {"n_bins": [1, 8, 300]}, cv=4)
    assert search.fit(SCORE, HIT).best_params_ == {"n_bins": 8}
