"""A scikit-learn classifier with a map of its logits, against scikit-learn's own."""

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

import calib
from calib import OneVsRest, PlattScaling, TemperatureScaling
from calib.sklearn import CalibratedModel

NAMES = np.array(["ant", "bee", "cow"])
PLATT, OVO = OneVsRest(PlattScaling()), SVC(decision_function_shape="ovo")
COUNTING_PLATT = OneVsRest(PlattScaling(frequency_weights=True))


def data(n_classes, n=900):
    how = {"n_informative": 6, "n_redundant": 8, "flip_y": 0.2, "random_state": 0}
    X, y = make_classification(n, n_classes=n_classes, **how)
    return X, NAMES[y]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB()], ids=repr)
@pytest.mark.parametrize("frozen", [False, True])
def test_temperature_scaling_is_that_of_scikit_learn(estimator, n_classes, frozen):
    """With two classes and one decision value d, its logits are (-d, d), ours (-d/2, d/2)."""
    pytest.importorskip("sklearn", "1.8")  # has temperature scaling
    X, y = data(n_classes)
    if frozen:
        estimator = FrozenEstimator(estimator.fit(X[:400], y[:400]))
    ours = CalibratedModel(estimator, TemperatureScaling(), cv=4).fit(X, y)
    theirs = CalibratedClassifierCV(
        estimator, method="temperature", cv=4, ensemble=False
    )
    theirs.fit(X, y)
    # zeros of naive Bayes count as 1e-16 here
    np.testing.assert_allclose(
        ours.predict_proba(X), theirs.predict_proba(X), atol=2e-5
    )
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_a_calibration_set_without_a_class_keeps_its_column():
    X, y = data(3)
    is_no_bee = y != "bee"
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    ours = CalibratedModel(frozen, TemperatureScaling()).fit(X[is_no_bee], y[is_no_bee])
    z, columns = calib.as_logits(frozen.predict_proba(X)), np.searchsorted(NAMES, y)
    expected = (
        TemperatureScaling().fit(z[is_no_bee], columns[is_no_bee]).predict_proba(z)
    )
    np.testing.assert_array_equal(ours.predict_proba(X), expected)


def test_weights_reach_the_classifier_and_the_map():
    X, y = data(2)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    frozen, platt = (
        FrozenEstimator(GaussianNB().fit(X, y)),
        PlattScaling(frequency_weights=True),
    )
    ours = CalibratedModel(frozen, OneVsRest(platt)).fit(X, y, sample_weight=weight)
    repeated = CalibratedModel(frozen, PLATT).fit(
        X.repeat(weight, axis=0), y.repeat(weight)
    )
    np.testing.assert_allclose(
        ours.predict_proba(X), repeated.predict_proba(X), atol=1e-8
    )
    ours = CalibratedModel(GaussianNB(), PLATT).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(
        ours.estimator_.var_, GaussianNB().fit(X, y, weight).var_
    )
    with pytest.raises(ValueError, match="sample_weight: KNeighborsClassifier"):
        CalibratedModel(KNeighborsClassifier(), PLATT).fit(X, y, sample_weight=weight)


@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB()], ids=repr)
def test_sparse_features_are_taken_where_the_classifier_takes_them(estimator):
    model = CalibratedModel(estimator, TemperatureScaling())
    takes = get_tags(estimator).input_tags.sparse
    assert get_tags(model).input_tags.sparse == takes
    X, y = data(2, 90)
    if takes:
        p = model.fit(csr_array(X), y).predict_proba(csr_array(X))
        np.testing.assert_allclose(p, model.fit(X, y).predict_proba(X), rtol=1e-4)


@pytest.mark.parametrize("calibrator", [TemperatureScaling(), PLATT], ids=repr)
def test_votes_of_neighbours_are_not_made_worse(calibrator):
    """With zeros as 1e-12 the NLL was 0.584, and 0.451 as it was with zeros as 0.005."""
    how = {"n_informative": 6, "flip_y": 0.15, "random_state": 0}
    X, y = make_classification(4000, 20, **how)
    neighbours = KNeighborsClassifier(10)
    model = CalibratedModel(neighbours, calibrator).fit(X[:2000], y[:2000])
    assert model.floor_ == 0.05
    raw = neighbours.fit(X[:2000], y[:2000]).predict_proba(X[2000:])
    floored = calib.softmax(calib.as_logits(raw, floor=0.05))
    p = model.predict_proba(X[2000:])
    assert calib.nll(y[2000:], p) < calib.nll(y[2000:], floored)
    assert calib.ece(y[2000:], p) < calib.ece(y[2000:], raw)


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (
            CalibratedModel(GaussianNB(), PlattScaling()),
            TypeError,
            "calibrator: .*whole vectors",
        ),
        (
            CalibratedModel(GaussianNB(), PLATT, cv="prefit"),
            ValueError,
            "cv: 'prefit'.*Frozen",
        ),
        (CalibratedModel(OVO, PLATT), ValueError, "a column a class"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(model, error, message):
    with pytest.raises(error, match=message):
        model.fit(*data(3))


@pytest.mark.slow
# its own
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:TemperatureScaling. .*is taken")
# scikit-learn takes weights for repetitions, so that the map is told that they are
@pytest.mark.parametrize("calibrator", [TemperatureScaling(), COUNTING_PLATT], ids=repr)
def test_it_is_an_estimator(calibrator):
    outcomes = check_estimator(
        CalibratedModel(LogisticRegression(), calibrator, cv=3), on_skip=None
    )
    assert {
        outcome["check_name"] for outcome in outcomes if outcome["status"] != "passed"
    } <= {"check_array_api_input"}


def test_without_scikit_learn_its_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "calib.sklearn", None)
    with pytest.raises(ImportError, match=r"neural-calibration\[sklearn\]"):
        _ = calib.CalibratedModel
    with pytest.raises(AttributeError, match="no attribute 'Calibrated'"):
        _ = calib.Calibrated
