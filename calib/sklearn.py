"""A scikit-learn classifier and a map of its logits, as one classifier. It needs scikit-learn."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import column_or_1d, get_tags, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    has_fit_parameter,
)

from calib import as_logits, floor_of
from calib.constants import SMALLEST_PROBABILITY

ROWS_LOOKED_AT = 1000  # to see whether the largest logit is that of the prediction


class CalibratedModel(ClassifierMixin, BaseEstimator):
    """A classifier whose logits go through a map that is fitted on samples it has not seen.

    A classifier is fitted on each fold's rest and gives the fold's logits; the map is fitted to
    the logits of all folds, then the classifier to all samples. One that is to stay as it is comes
    as ``sklearn.frozen.FrozenEstimator(classifier)``, and the samples are the calibration set.
    Logits are its ``decision_function``, of two classes (-d/2, d/2); where it has none, the
    logarithm of ``predict_proba``, in which zeros count as half of the smallest probability that
    the samples had: see :func:`calib.floor_of`.

    Parameters
    ----------
    estimator : scikit-learn classifier
        What is fitted, as copies.
    calibrator : map of whole vectors
        What is fitted to its logits, as a copy, such as :class:`calib.TemperatureScaling`.
    cv : int or scikit-learn splitter
        Folds of the samples; a number is of stratified folds.

    Attributes
    ----------
    estimator_, calibrator_ : the fitted classifier and the fitted map
    classes_ : ndarray, shape (K,)
        The classes, in the order of the columns.
    floor_ : float
        What probabilities below it count as, so that their logarithm is finite.

    Notes
    -----
    Source: Platt (1999), section 2.2, for the folds.

    Examples
    --------
    >>> from calib import CalibratedModel, TemperatureScaling
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_classification(1000, n_redundant=10, random_state=0)
    >>> model = CalibratedModel(GaussianNB(), TemperatureScaling()).fit(X, y)
    >>> round(model.calibrator_.temperature_, 1)
    5.8
    """

    def __init__(self, estimator: Any, calibrator: Any, cv: Any = 5) -> None:
        self.estimator = estimator
        self.calibrator = calibrator
        self.cv = cv

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the map, and the classifier where it is not frozen; return the model.

        `X` is whatever the classifier takes, `y` has the labels, numbers or names, shape (n,), and
        `sample_weight` weights for both. A TypeError says that `calibrator` maps no vectors; a
        ValueError what is wrong with labels, weights, folds or the classifier's columns.
        """
        if not hasattr(self.calibrator, "predict_proba"):
            raise TypeError(
                f"calibrator: {self.calibrator!r}, expected a map of whole vectors"
            )
        if y is None:
            raise ValueError(
                "CalibratedModel requires y to be passed, but the target y is None"
            )
        X, y = indexable(X, y)
        y, weight = _checked_labels(y), sample_weight
        if weight is not None:
            weight = _check_sample_weight(
                weight, X, dtype=float, ensure_non_negative=True
            )
        self.estimator_: Any = clone(self.estimator)
        outputs = self._outputs_to_fit(X, y, weight)
        self.classes_: np.ndarray = self.estimator_.classes_
        # of decision values no logarithm is taken
        of_probabilities = _method(self.estimator_) == "predict_proba"
        floor = floor_of(outputs) if of_probabilities else SMALLEST_PROBABILITY
        self.floor_: float = floor
        z = _logits(outputs, self.estimator_, floor)
        _refuse_other_columns(self.estimator_, X[:: max(1, len(y) // ROWS_LOOKED_AT)])
        columns = self._columns(y)
        calibrator = clone(self.calibrator)
        self.calibrator_: Any = calibrator.fit(z, columns, sample_weight=weight)
        self._take_features()
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the calibrated probabilities, shape (n, K), columns as in `classes_`."""
        check_is_fitted(self)
        return self.calibrator_.predict_proba(
            _logits(_outputs(self.estimator_, X), self, self.floor_)
        )

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of the largest calibrated probability, shape (n,)."""
        column = self.predict_proba(X).argmax(axis=1)
        return self.classes_[column]

    def _outputs_to_fit(self, X: Any, y: Any, weight: Any) -> np.ndarray:
        """Fit the classifier unless it is frozen; return outputs to fit the map to."""
        # fitted already, so that all of X may fit the map
        if isinstance(self.estimator, FrozenEstimator):
            return _outputs(self.estimator_, X)
        outputs = self._held_out(X, y, weight)
        self.estimator_.fit(X, y, **self._weights(weight))
        return outputs

    def _columns(self, y: np.ndarray) -> np.ndarray:
        """Return the column of the outputs that each label has."""
        unknown = np.setdiff1d(y, self.classes_).tolist()
        if unknown:
            raise ValueError(
                f"y: {unknown[0]!r} is none of the classes of the fitted classifier"
            )
        column = {label: k for k, label in enumerate(self.classes_.tolist())}
        return np.array([column[label] for label in y.tolist()])

    def _take_features(self) -> None:
        """Name the features that the classifier was fitted to."""
        # scikit-learn compares them with what predict is given
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def _held_out(self, X: Any, y: Any, weight: Any) -> np.ndarray:
        """Return the outputs for each sample of a classifier that has not seen it."""
        if isinstance(self.cv, str):
            expected = "a number or a splitter; a fitted one comes as FrozenEstimator(classifier)"
            raise ValueError(f"cv: {self.cv!r}, expected {expected}")
        splits = list(check_cv(self.cv, y, classifier=True).split(X, y))
        for train, _ in splits:
            if len(missing := np.setdiff1d(y, y[train])):
                reason = f"class {missing[0]!s} is only in one fold, expected it in at least two"
                raise ValueError(f"y: {reason}")
        how: Any = {"cv": splits, "method": _method(self.estimator)}
        return cross_val_predict(
            self.estimator, X, y, params=self._weights(weight), **how
        )

    def _weights(self, weight: Any) -> dict[str, Any]:
        if weight is not None and not has_fit_parameter(
            self.estimator, "sample_weight"
        ):
            raise ValueError(
                f"sample_weight: {self.estimator!r} takes none, expected none"
            )
        return {} if weight is None else {"sample_weight": weight}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags


def _checked_labels(y: Any) -> np.ndarray:
    """Return labels of at least two classes, shape (n,)."""
    check_classification_targets(y)
    y = np.asarray(column_or_1d(y, warn=True))
    if len(np.unique(y)) < 2:
        raise ValueError("y: one class, expected samples of at least two classes")
    return y


def _method(estimator: Any) -> str:
    for name in ("decision_function", "predict_proba"):
        if hasattr(estimator, name):
            return name
    raise ValueError(
        f"estimator: {estimator!r} has no decision_function and no predict_proba"
    )


def _outputs(estimator: Any, X: Any) -> np.ndarray:
    return getattr(estimator, _method(estimator))(X)


def _logits(
    outputs: Any, fitted: Any, floor: float = SMALLEST_PROBABILITY
) -> np.ndarray:
    """Return the outputs of a classifier as logits, a column a class."""
    k, estimator = len(fitted.classes_), getattr(fitted, "estimator_", fitted)
    if np.ndim(outputs) == 1:
        # the softmax of these two is the logistic function of the decision value
        outputs = np.column_stack([-outputs / 2, outputs / 2])
    if np.shape(outputs)[1:] != (k,):
        shape = f"outputs of shape {np.shape(outputs)} for {k} classes"
        raise ValueError(f"estimator: {shape}, expected a column a class")
    return (
        outputs
        if _method(estimator) == "decision_function"
        else as_logits(outputs, floor=floor)
    )


def _refuse_other_columns(estimator: Any, X: Any) -> None:
    """Refuse a classifier whose columns are pairs of classes, of which three make three."""
    if len(estimator.classes_) < 3 or _method(estimator) == "predict_proba":
        return
    largest = estimator.classes_[
        _logits(_outputs(estimator, X), estimator).argmax(axis=1)
    ]
    if (agree := np.mean(largest == estimator.predict(X))) < 0.5:
        raise ValueError(
            f"estimator: the largest logit is that of the predicted class in {agree:.0%} of the "
            'rows, expected a column a class (as by decision_function_shape="ovr")'
        )
