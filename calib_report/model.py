"""A scikit-learn classifier and a map of its logits, as one classifier. It needs scikit-learn."""

import warnings
from contextlib import suppress
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import column_or_1d, get_tags, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    has_fit_parameter,
)

from calib import as_logits
from calib_report.adapters import several_targets

METHODS = ("decision_function", "predict_proba")
ROWS_LOOKED_AT = 1000  # about, to see whether the columns are those of the classes
LEAST_AGREEMENT = 0.5  # share of the rows whose largest logit is that of the prediction
WARNING = (
    "{} is fitted already, and a copy of it is fitted anew to these samples; as "
    "FrozenEstimator(estimator), of sklearn.frozen, it stays as it is, and they are the "
    "calibration set"
)


class CalibratedModel(ClassifierMixin, BaseEstimator):
    """A classifier whose logits go through a map that is fitted on samples it has not seen.

    An unfitted classifier is fitted on each fold's rest and gives the fold's logits; the map is
    fitted to the logits of all folds, then the classifier to all samples. A fitted classifier is
    given as ``sklearn.frozen.FrozenEstimator(classifier)``: it stays as it is, and the samples
    given to `fit` are the calibration set. One that is fitted and not frozen is fitted anew, with
    a warning.

    The logits are the classifier's ``decision_function``, of two classes (-d/2, d/2); where it has
    none, the logarithm of ``predict_proba``.

    Parameters
    ----------
    estimator : scikit-learn classifier
        What is fitted, as copies.
    calibrator : ProbabilityCalibrator
        What is fitted to its logits, as a copy, such as :class:`calib.TemperatureScaling` or
        ``OneVsRest(IsotonicCalibration())``.
    cv : int or scikit-learn splitter
        Folds of the samples, which an unfitted classifier needs; a number is of stratified folds.

    Attributes
    ----------
    estimator_ : scikit-learn classifier
        The fitted classifier.
    calibrator_ : ProbabilityCalibrator
        The fitted map.
    classes_ : ndarray, shape (K,)
        The classes of `estimator_`.

    References
    ----------
    Platt (1999), section 2.2, for the folds.

    Examples
    --------
    >>> from calib import TemperatureScaling
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_classification(1000, n_redundant=10, random_state=0)
    >>> model = CalibratedModel(GaussianNB(), TemperatureScaling()).fit(X, y)
    >>> round(model.calibrator_.temperature_, 1)
    5.6
    """

    def __init__(self, estimator: Any, calibrator: Any, cv: Any = 5) -> None:
        self.estimator = estimator
        self.calibrator = calibrator
        self.cv = cv

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Fit the map, and the classifier where it is not fitted; return the model.

        Parameters
        ----------
        X : array_like, shape (n, d)
            Whatever the classifier takes.
        y : array_like, shape (n,)
            Labels, numbers or names.
        sample_weight : array_like, shape (n,), optional
            Weights, for the classifier and for the map.
        groups : array_like, shape (n,), optional
            Group of each sample, for a splitter such as ``GroupKFold``.

        Raises
        ------
        TypeError
            Where `calibrator` does not map logits to whole probability vectors.
        ValueError
            Where labels or weights are not what they should be, a class is missing in a fold's
            rest, or the classifier takes no weights or gives no column of logits for each class.
        ConvergenceError
            Where no map of the kind is best for these logits.
        """
        if not hasattr(self.calibrator, "predict_proba"):
            raise TypeError(f"calibrator: {self.calibrator!r}, expected a map of whole vectors")
        if y is None:
            raise ValueError("CalibratedModel requires y to be passed, but the target y is None")
        X, y, groups = indexable(X, y, groups)
        check_classification_targets(y)
        y = np.asarray(column_or_1d(y, warn=True))
        if len(np.unique(y)) < 2:
            raise ValueError("y: one class, expected samples of at least two classes")
        weight = sample_weight
        if weight is not None:
            weight = _check_sample_weight(weight, X, dtype=float, ensure_non_negative=True)
        self.estimator_ = clone(self.estimator)
        if isinstance(self.estimator, FrozenEstimator):
            z = _logits(_outputs(self.estimator_, X), self.estimator_)
        else:
            _warn_where_fitted(self.estimator)
            if isinstance(self.cv, str):
                raise ValueError(
                    f"cv: {self.cv!r}, expected a number or a splitter; a fitted classifier is "
                    "given as FrozenEstimator(classifier), of sklearn.frozen"
                )
            outputs = self._held_out(X, y, weight, groups)
            self.estimator_.fit(X, y, **self._weights(weight))
            z = _logits(outputs, self.estimator_)
        _refuse_other_columns(self.estimator_, X[:: max(1, len(y) // ROWS_LOOKED_AT)])
        self.classes_ = self.estimator_.classes_
        self.calibrator_ = clone(self.calibrator).fit(z, self._columns(y), sample_weight=weight)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
            elif hasattr(self, name):
                delattr(self, name)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the calibrated probabilities, shape (n, K), columns as in `classes_`."""
        check_is_fitted(self)
        z = _logits(_outputs(self.estimator_, X), self.estimator_)
        return self.calibrator_.predict_proba(z)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of the largest calibrated probability, shape (n,)."""
        column = self.predict_proba(X).argmax(axis=1)
        return self.classes_[column]

    def _held_out(self, X: Any, y: Any, weight: Any, groups: Any) -> np.ndarray:
        """Return the outputs for each sample of a classifier that has not seen it."""
        splits = list(check_cv(self.cv, y, classifier=True).split(X, y, groups))
        for train, _ in splits:
            if len(missing := np.setdiff1d(y, y[train])):
                raise ValueError(
                    f"y: class {missing[0]!s} is only in one fold, expected it in at least two"
                )
        how: Any = {"cv": splits, "method": _method(self.estimator)}
        return cross_val_predict(self.estimator, X, y, params=self._weights(weight), **how)

    def _weights(self, weight: Any) -> dict[str, Any]:
        if weight is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(f"sample_weight: {self.estimator!r} takes none, expected none")
        return {} if weight is None else {"sample_weight": weight}

    def _columns(self, y: Any) -> np.ndarray:
        if unknown := np.setdiff1d(y, self.classes_).tolist():
            raise ValueError(f"y: {unknown[0]!r} is none of the classes of the fitted classifier")
        order = np.argsort(self.classes_)
        return order[np.searchsorted(self.classes_, y, sorter=order)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags


def _method(estimator: Any) -> str:
    method = next((name for name in METHODS if hasattr(estimator, name)), None)
    if method is None:
        raise ValueError(f"estimator: {estimator!r} has none of {' and '.join(METHODS)}")
    return method


def _outputs(estimator: Any, X: Any) -> np.ndarray:
    outputs = getattr(estimator, _method(estimator))(X)
    if isinstance(outputs, list):
        raise ValueError(f"estimator: {several_targets(estimator)}")
    return outputs


def _warn_where_fitted(estimator: Any) -> None:
    """Warn of a classifier that was fitted before, and is now fitted anew."""
    with suppress(NotFittedError):
        if get_tags(estimator).requires_fit:
            check_is_fitted(estimator)
            warnings.warn(WARNING.format(type(estimator).__name__), stacklevel=3)


def _refuse_other_columns(estimator: Any, X: Any) -> None:
    """Refuse a classifier whose largest logit is not that of its prediction, ties left aside."""
    if len(estimator.classes_) < 3 or _method(estimator) == "predict_proba":
        return
    largest = estimator.classes_[_logits(_outputs(estimator, X), estimator).argmax(axis=1)]
    if (agree := np.mean(largest == estimator.predict(X))) < LEAST_AGREEMENT:
        raise ValueError(
            f"estimator: the largest logit is that of the predicted class in {agree:.0%} of the "
            'rows, expected a column a class (as by decision_function_shape="ovr")'
        )


def _logits(outputs: Any, estimator: Any) -> np.ndarray:
    """Return the outputs of a classifier as logits, a column a class."""
    k = len(estimator.classes_)
    if outputs.ndim == 1:
        outputs = np.column_stack([-outputs / 2, outputs / 2])
    if outputs.shape[1] != k:
        told = f"{outputs.shape[1]} columns of logits for {k} classes, expected a column a class"
        raise ValueError(f"estimator: {told}")
    return outputs if _method(estimator) == "decision_function" else as_logits(outputs)
