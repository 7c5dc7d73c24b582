"""A scikit-learn classifier with a map of its logits, against scikit-learn's; its contract."""

import warnings

import numpy as np
import pandas
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GroupKFold,
    LeaveOneOut,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.multiclass import OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

import calib
import calib_report
from calib import OneVsRest, PlattScaling, StructuredMatrixScaling, TemperatureScaling
from calib_report.model import CalibratedModel

NAMES = np.array(["ant", "bee", "cow"])


def data(n_classes, n=900):
    X, y = make_classification(
        n, n_informative=6, n_redundant=8, n_classes=n_classes, flip_y=0.2, random_state=0
    )
    return X, NAMES[y]


def by_scikit_learn(estimator, X, y):
    pytest.importorskip("sklearn", "1.8")  # has temperature scaling
    peer = CalibratedClassifierCV(estimator, method="temperature", cv=4, ensemble=False).fit(X, y)
    return peer, 1 / peer.calibrated_classifiers_[0].calibrators[0].beta_


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "estimator", [LogisticRegression(), GaussianNB(), RidgeClassifier()], ids=repr
)
def test_temperature_scaling_is_that_of_scikit_learn(estimator, n_classes):
    """With two classes and one decision value d, its logits are (-d, d), ours (-d/2, d/2)."""
    X, y = data(n_classes)
    peer, temperature = by_scikit_learn(estimator, X, y)
    ours = CalibratedModel(estimator, TemperatureScaling(), cv=4).fit(X, y)
    one_value = n_classes == 2 and hasattr(estimator, "decision_function")
    expected = temperature / (2 if one_value else 1)
    assert ours.calibrator_.temperature_ == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-5)
    np.testing.assert_array_equal(ours.classes_, peer.classes_)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))


def test_a_fitted_classifier_stays_as_it_is():
    X, y = data(3)
    fitted = GaussianNB().fit(X[:400], y[:400])
    frozen = FrozenEstimator(fitted)
    ours = CalibratedModel(frozen, TemperatureScaling()).fit(X[400:], y[400:])
    peer, temperature = by_scikit_learn(frozen, X[400:], y[400:])
    assert ours.estimator_.estimator is fitted
    assert ours.calibrator_.temperature_ == pytest.approx(temperature, rel=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-5)


def test_a_fitted_classifier_is_not_fitted_anew_without_a_word():
    X, y = data(3, 300)
    fitted = LogisticRegression().fit(X, y)
    with pytest.warns(UserWarning, match="LogisticRegression is fitted already.*FrozenEstimator"):
        CalibratedModel(fitted, TemperatureScaling()).fit(X, y)
    with pytest.raises(ValueError, match=r"cv: 'prefit', .*FrozenEstimator"):
        CalibratedModel(LogisticRegression(), TemperatureScaling(), cv="prefit").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in (GaussianNB(), FrozenEstimator(fitted)):
            ours = CalibratedModel(model, TemperatureScaling()).fit(X, y)
            ours.fit(X, y)
        pipe = make_pipeline(StandardScaler(), LogisticRegression())
        CalibratedModel(pipe, TemperatureScaling()).fit(X, y)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RandomForestClassifier(3), "list of outputs, one a target.*MultiOutputClassifier"),
        (OutputCodeClassifier(GaussianNB()), "has none of decision_function and predict_proba"),
    ],
)
def test_outputs_that_are_none_of_one_target_are_named(model, message):
    X, y = data(3, 100)
    targets = np.column_stack([y, y[::-1]]) if "target" in message else y
    model.fit(X, targets)
    with pytest.raises(ValueError, match=message):
        CalibratedModel(FrozenEstimator(model), TemperatureScaling()).fit(X, y)
    if "target" in message:
        with pytest.raises(ValueError, match=message):
            calib_report.read(model, X=X, y=targets)


def test_a_calibration_set_without_a_class():
    X, y = data(3)
    seen = y != "bee"
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    ours = CalibratedModel(frozen, TemperatureScaling()).fit(X[seen], y[seen])
    assert list(ours.classes_) == ["ant", "bee", "cow"]
    assert ours.predict_proba(X).shape == (len(X), 3)
    less = FrozenEstimator(GaussianNB().fit(X[seen], y[seen]))
    with pytest.raises(ValueError, match="y: 'bee' is none of the classes of the fitted"):
        CalibratedModel(less, TemperatureScaling()).fit(X, y)


@pytest.mark.parametrize("splitter", [StratifiedKFold(3), GroupKFold(3)], ids=repr)
def test_the_logits_are_held_out(splitter):
    X, y = data(3, 300)
    groups = np.arange(300) // 10 if isinstance(splitter, GroupKFold) else None
    ours = CalibratedModel(GaussianNB(), TemperatureScaling(), cv=splitter)
    ours.fit(X, y, groups=groups)
    method = {"groups": groups, "cv": splitter, "method": "predict_proba"}
    held_out = cross_val_predict(GaussianNB(), X, y, **method)
    expected = TemperatureScaling().fit(calib.as_logits(held_out), np.searchsorted(NAMES, y))
    assert ours.calibrator_.temperature_ == expected.temperature_


PLATT = OneVsRest(PlattScaling())


def test_weights_reach_the_classifier_and_the_map():
    X, y = data(2)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    ours = CalibratedModel(frozen, PLATT).fit(X, y, sample_weight=weight)
    repeated = CalibratedModel(frozen, PLATT).fit(X.repeat(weight, axis=0), y.repeat(weight))
    np.testing.assert_allclose(ours.predict_proba(X), repeated.predict_proba(X), atol=1e-8)
    ours = CalibratedModel(GaussianNB(), PLATT).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(ours.estimator_.var_, GaussianNB().fit(X, y, weight).var_)
    with pytest.raises(ValueError, match="sample_weight: KNeighborsClassifier"):
        CalibratedModel(KNeighborsClassifier(), PLATT).fit(X, y, sample_weight=weight)
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        CalibratedModel(GaussianNB(), PLATT).fit(X, y, sample_weight=-weight)


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (CalibratedModel(GaussianNB(), PlattScaling()), TypeError, "expected a map of whole"),
        (CalibratedModel(GaussianNB(), calib.TopLabel(PlattScaling())), TypeError, "expected a"),
        (CalibratedModel(GaussianNB(), None), TypeError, "calibrator: None"),
        (CalibratedModel(SVC(decision_function_shape="ovo"), PLATT), ValueError, "6 columns of"),
        (CalibratedModel(GaussianNB(), PLATT, cv=GroupKFold(2)), ValueError, "'groups' parameter"),
        (CalibratedModel(GaussianNB(), PLATT, cv=LeaveOneOut()), ValueError, "class 9 is only"),
    ],
)
def test_what_cannot_be_is_named(model, error, message):
    X, y = make_classification(200, n_informative=6, n_classes=4, random_state=0)
    y[0] = 9 if "9" in message else y[0]
    with pytest.raises(error, match=message):
        model.fit(X, y)


def test_votes_of_three_pairs_are_no_logits_of_three_classes():
    X, y = data(3, 300)
    votes = SVC(decision_function_shape="ovo")
    frozen = FrozenEstimator(SVC(decision_function_shape="ovo").fit(X, y))
    for estimator in (votes, frozen):
        with pytest.raises(ValueError, match="estimator: the largest logit is that of the pred"):
            CalibratedModel(estimator, PLATT).fit(X, y)
    ours = CalibratedModel(SVC(), PLATT).fit(X, y)
    assert ours.score(X, y) > 0.8


class InOrder(ClassifierMixin, BaseEstimator):
    """Naive Bayes that lists its classes in any order."""

    def __init__(self, order):
        self.order = order

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_[self.order]
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)[:, self.order]


@pytest.mark.parametrize("order", [[1, 0, 2], [1, 2, 0]])
def test_classes_may_stand_in_any_order(order):
    X, y = data(3)
    plain, other = (
        CalibratedModel(FrozenEstimator(model.fit(X, y)), calib.VectorScaling()).fit(X, y)
        for model in (GaussianNB(), InOrder(order))
    )
    np.testing.assert_array_equal(other.classes_, plain.classes_[order])
    np.testing.assert_allclose(other.predict_proba(X), plain.predict_proba(X)[:, order], atol=1e-6)
    np.testing.assert_array_equal(other.predict(X), plain.predict(X))


def test_names_of_features_are_those_of_the_last_fit():
    X, y = data(3, 300)
    frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    ours = CalibratedModel(GaussianNB(), TemperatureScaling()).fit(frame, y)
    assert list(ours.feature_names_in_) == list(frame.columns)
    assert not hasattr(ours.fit(X, y), "feature_names_in_")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")  # its own
@pytest.mark.filterwarnings("ignore:TemperatureScaling. .*is taken")
@pytest.mark.parametrize("calibrator", [StructuredMatrixScaling(), TemperatureScaling()], ids=repr)
def test_contract_of_scikit_learn(calibrator):
    """No check fails, though the sets of many checks are separable."""
    model = CalibratedModel(LogisticRegression(), calibrator, cv=3)
    outcomes = check_estimator(model, on_skip=None)
    assert len(outcomes) > 50
    skipped = {o["check_name"] for o in outcomes if o["status"] != "passed"}
    assert skipped <= {"check_array_api_input"}  # of a mode that scikit-learn has off by default
