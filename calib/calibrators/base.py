"""What every calibrator shares: its parameters, its state of being fitted, and its errors."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from calib.checks import (
    check_count,
    check_flag,
    check_labels,
    check_logits,
    check_nonnegative,
    check_not_masked,
    check_pairs,
    check_positive,
    check_scores,
    check_weights,
    refuse_probabilities,
)
from calib.docs import documented

NUMBER = ()  # the shape of a learned number
SOLVER = {"gradient_norm_": NUMBER, "n_iter_": NUMBER}  # what solvers leave


class NotFittedError(ValueError, AttributeError):
    """A calibrator was used before it was fitted."""


class ConvergenceError(RuntimeError):
    """The calibration objective has no finite optimum, or the solver did not reach it.

    Attributes
    ----------
    gradient_norm : float
        Norm of the gradient where the solver stopped.
    """

    def __init__(self, message: str, gradient_norm: float) -> None:
        super().__init__(message, gradient_norm)
        self.gradient_norm = gradient_norm

    def __str__(self) -> str:
        return f"{self.args[0]} (gradient norm {self.gradient_norm:.3g})"


class Calibrator:
    """Base of all calibrators: scikit-learn's contract, without scikit-learn.

    ``__init__`` only stores its arguments, `fit` learns the attributes that end in ``_`` and
    returns the calibrator, so that scikit-learn's ``clone``, ``Pipeline``, ``cross_val_score`` and
    ``GridSearchCV`` take it. To them a map of the logits is a classifier whose features are the
    logits, and a map of one score is a regression of the hits on the scores.

    Examples
    --------
    >>> from calib import HistogramBinning, OneVsRest
    >>> isinstance(OneVsRest(HistogramBinning()), Calibrator)
    True
    >>> OneVsRest(HistogramBinning()).set_params(calibrator__n_bins=10)
    OneVsRest(calibrator=HistogramBinning(n_bins=10))
    """

    # What the class learns, and its shape: a letter is the same size wherever it stands in a map.
    _learned: ClassVar[dict[str, Any]] = {}

    @classmethod
    def _learned_shapes(cls) -> dict[str, Any]:
        """Return what a fitted map holds: what its class and the bases of its class learn."""
        own = [vars(base).get("_learned", {}) for base in cls.__mro__]
        return {name: shape for learned in own for name, shape in learned.items()}

    @classmethod
    @cache
    def _parameters(cls) -> list[str]:
        if cls.__init__ is object.__init__:
            return []
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def _check_parameters(self) -> None:
        for name in self._parameters():
            if name in PARAMETER_CHECKS:
                PARAMETER_CHECKS[name](getattr(self, name), name)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with `deep`, those of nested calibrators as well."""
        params = {name: getattr(self, name) for name in self._parameters()}
        if deep:
            for name, value in list(params.items()):
                if isinstance(value, Calibrator):
                    nested = value.get_params()
                    params |= {f"{name}__{key}": inner for key, inner in nested.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; ``outer__inner``, of a nested calibrator, go last."""
        for name, value in sorted(params.items(), key=lambda item: item[0].count("__")):
            outer, _, inner = name.partition("__")
            if outer not in self._parameters():
                known = ", ".join(self._parameters()) or "none"
                raise ValueError(f"{name}: not a parameter of {type(self).__name__} ({known})")
            if inner:
                nested = getattr(self, outer)
                if not isinstance(nested, Calibrator):
                    raise ValueError(f"{name}: {outer} is {nested!r}, expected a calibrator")
                nested.set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_is_fitted__(self) -> bool:
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"{type(self).__name__} is not fitted: call fit first")


class ScoreCalibrator(Calibrator):
    """Base of the maps of one score: ``fit(score, hit)``, ``predict(score)``.

    A subclass has ``_fit(score, hit, sample_weight)``, which learns from checked arrays, and
    ``_predict(score)``.
    """

    _fit: Callable[..., None]
    _predict: Callable[..., np.ndarray]

    def fit(self, score: ArrayLike, hit: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the map to a calibration set.

        Parameters
        ----------
        score : array_like, shape (n,)
            Scores in [0, 1].
        hit : array_like, shape (n,)
            1 where the event happened, else 0.
        sample_weight : array_like, shape (n,), optional
            Weights; an integer weight counts as a repetition.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Where scores, hits or weights are not what they should be.
        ConvergenceError
            Where the objective has no finite optimum, or the solver does not reach it.
        """
        self._check_parameters()
        self._fit(*check_calibration_pairs(score, hit, sample_weight))
        return self

    @documented
    def predict(self, score: ArrayLike) -> np.ndarray:
        """Return the calibrated score of each score.

        Parameters
        ----------
        score : array_like, shape (n,)
            Scores in [0, 1].

        Returns
        -------
        ndarray of float64, shape (n,)

        %(of a fitted map)s
        """
        self._check_fitted()
        return self._predict(check_scores(score))

    @documented
    def score(
        self, score: ArrayLike, hit: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the Brier skill score: the share of the hits' variance that the map explains.

        This is the R² of the hits, ``1 - sum((hit - p)**2) / sum((hit - mean(hit))**2)``. Hits that
        are all equal have none and are refused.

        Parameters
        ----------
        score : array_like, shape (n,)
            Scores in [0, 1].
        hit : array_like, shape (n,)
            1 where the event happened, else 0.
        sample_weight : array_like, shape (n,), optional

        Returns
        -------
        float
            At most 1; 0 for the mean of the hits as the calibrated score of every sample.

        %(of a fitted map)s
        """
        score, hit, weight = check_calibration_pairs(score, hit, sample_weight)
        if hit.all() or not hit.any():
            raise ValueError(f"hit: all are {int(hit[0])}, so there is no variance to explain")
        spread = np.average((hit - np.average(hit, weights=weight)) ** 2, weights=weight)
        return float(1 - np.average((hit - self.predict(score)) ** 2, weights=weight) / spread)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type="regressor",
            target_tags=TargetTags(required=True),
            regressor_tags=RegressorTags(),
            input_tags=InputTags(one_d_array=True, two_d_array=False),
        )


class LogitCalibrator(Calibrator):
    """Base of the maps of logits, a column a class: ``fit(logits, y)``, ``predict(logits)``.

    A subclass has ``_fit(logits, labels, sample_weight)``, which learns from checked arrays, and
    ``_predicted(logits)``, the number of the predicted class of each row.
    """

    _learned: ClassVar = {"classes_": ("K",)}
    _fit: Callable[..., None]
    _predicted: Callable[..., np.ndarray]
    keeps_accuracy: Any = False

    def fit(self, logits: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the map to a calibration set.

        Parameters
        ----------
        logits : array_like, shape (n, K)
            Logits of the calibration set; -inf for a class that a row cannot be of.
        y : array_like of int or str, shape (n,)
            Labels: the numbers of the columns, from 0 to K - 1, of which some may be absent. Or
            names of the classes: then all K must occur, and their alphabetical order is that of
            the columns, as scikit-learn has it. A data frame whose columns bear these names in
            another order is refused, here and by all other methods.
        sample_weight : array_like, shape (n,), optional
            Weights; an integer weight counts as a repetition.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Where logits, labels or weights are not what they should be.
        ConvergenceError
            Where the objective has no finite optimum, or the solver does not reach it.
        """
        self._check_parameters()
        z = check_logits(logits)
        refuse_probabilities(z, "logits")
        labels, classes = check_named_labels(y, z.shape[1], len(z))
        check_order(logits, classes)
        check_not_masked(z, labels)
        self._fit(z, labels, check_weights(sample_weight, len(z)))
        self.classes_ = classes
        return self

    @documented
    def predict(self, logits: ArrayLike) -> np.ndarray:
        """Return the predicted class of each row: a number, or a name where `fit` saw names.

        Parameters
        ----------
        logits : array_like, shape (n, K)

        Returns
        -------
        ndarray, shape (n,)

        %(of a fitted map)s
        """
        column = self._predicted(self._check_logits(logits))
        return self.classes_[column]

    @documented
    def score(
        self, logits: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the accuracy of the predicted classes.

        Parameters
        ----------
        logits : array_like, shape (n, K)
        y : array_like, shape (n,)
            Labels, as in `fit`.
        sample_weight : array_like, shape (n,), optional

        Returns
        -------
        float

        %(of a fitted map)s

        Notes
        -----
        Calibration does not show in it: give a search ``scoring="neg_log_loss"``.
        """
        z = self._check_logits(logits)
        right = self._predicted(z) == self._labels(y, len(z))
        return float(np.average(right, weights=check_weights(sample_weight, len(z))))

    def accuracy_effect(
        self, logits: ArrayLike | None = None, y: ArrayLike | None = None
    ) -> "AccuracyEffect":
        """Say what the fitted map does to the predicted classes.

        Parameters
        ----------
        logits : array_like, shape (n, K), optional
            Logits to count on; not needed where the map cannot change a predicted class.
        y : array_like, shape (n,), optional
            Labels, as in `fit`.

        Returns
        -------
        AccuracyEffect

        Raises
        ------
        ValueError
            Where the map may change the predicted class and no data are given.

        Examples
        --------
        >>> from calib import TemperatureScaling
        >>> z = [[2.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
        >>> print(TemperatureScaling().fit(z, [0, 1, 1]).accuracy_effect())
        unchanged by construction
        """
        self._check_fitted()
        if self.keeps_accuracy:
            return AccuracyEffect(by_construction=True)
        if logits is None or y is None:
            raise ValueError(
                f"logits, y: {type(self).__name__} may change the predicted class, "
                "give data to count on"
            )
        z = self._check_logits(logits)
        y = self._labels(y, len(z))
        before, after = z.argmax(axis=1), self._predicted(z)
        return AccuracyEffect(
            by_construction=False,
            n=len(y),
            changed=int(np.sum(before != after)),
            gained=int(np.sum((before != y) & (after == y))),
            lost=int(np.sum((before == y) & (after != y))),
        )

    def _check_logits(self, logits: Any) -> np.ndarray:
        self._check_fitted()
        z = check_logits(logits)
        if z.shape[1] != len(self.classes_):
            raise ValueError(
                f"logits: {z.shape[1]} columns, expected {len(self.classes_)} as in fit"
            )
        check_order(logits, self.classes_)
        return z

    def _labels(self, y: ArrayLike, n: int) -> np.ndarray:
        """Return the column of each label, of the classes that `fit` saw."""
        if self.classes_.dtype.kind != "U":
            return check_labels(y, len(self.classes_), n=n, name="y")
        names = check_names(y, n)
        columns = np.searchsorted(self.classes_, names).clip(max=len(self.classes_) - 1)
        unknown = np.flatnonzero(self.classes_[columns] != names)
        if len(unknown):
            row = unknown[0]
            raise ValueError(f"y: row {row} is {str(names[row])!r}, expected a class that fit saw")
        return columns

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(),
        )


class ProbabilityCalibrator(LogitCalibrator):
    """Base of the maps of logits to a whole probability vector: ``predict_proba(logits)``.

    A subclass has ``_fit`` and ``_predict_proba(logits)``, for checked arrays.
    """

    _predict_proba: Callable[..., np.ndarray]

    @documented
    def predict_proba(self, logits: ArrayLike) -> np.ndarray:
        """Return the calibrated probabilities.

        Parameters
        ----------
        logits : array_like, shape (n, K)

        Returns
        -------
        ndarray, shape (n, K)
            Rows sum to one. float64; float32 from temperature scaling of float32 and float16
            logits.

        %(of a fitted map)s
        """
        return self._predict_proba(self._check_logits(logits))

    def _predicted(self, z: np.ndarray) -> np.ndarray:
        return self._predict_proba(z).argmax(axis=1)


@dataclass(frozen=True)
class AccuracyEffect:
    """What a map does to the predicted classes of n samples.

    Where the map cannot change a predicted class, `by_construction`, nothing was counted. Else
    `changed` are predicted classes that change, of which `gained` become right and `lost` wrong.
    """

    by_construction: bool
    n: int = 0
    changed: int = 0
    gained: int = 0
    lost: int = 0

    def __str__(self) -> str:
        if self.by_construction:
            return "unchanged by construction"
        change = (self.gained - self.lost) / self.n
        return (
            f"{self.changed} of {self.n} predicted classes change: {self.gained} become right, "
            f"{self.lost} become wrong, accuracy {change:+.2%}"
        )


def clone(calibrator: Any) -> Any:
    """Return an unfitted copy with the same parameters."""
    params = calibrator.get_params(deep=False)
    copies = {k: clone(v) if isinstance(v, Calibrator) else v for k, v in params.items()}
    return type(calibrator)(**copies)


def check_calibration_pairs(
    score: Any, hit: Any, sample_weight: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return scores, hits and weights (None where equal), without the samples of weight zero."""
    if getattr(score, "ndim", 1) == 2:
        raise ValueError(
            f"score: shape {tuple(score.shape)}, expected (n >= 1,); this map is of one score: "
            "OneVsRest(...) of it maps those of all classes"
        )
    score, hit = check_pairs(score, hit)
    weight = check_weights(sample_weight, len(score))
    if weight is None or weight.all():
        return score, hit, weight
    kept = weight > 0
    return score[kept], hit[kept], weight[kept]


def check_floor(floor: float, name: str) -> None:
    """Check that results can stay in [floor, 1 - floor]."""
    if not check_nonnegative(floor, name) < 0.5:
        raise ValueError(f"{name}: {floor!r}, expected a number from 0 to less than 1/2")


def check_nested(calibrator: Any, kind: type[Any]) -> None:
    """Check that a calibrator that another one fits is of a kind."""
    if not isinstance(calibrator, kind):
        way = f"; it maps one score: OneVsRest({calibrator!r}) maps those of all classes"
        way = way if isinstance(calibrator, ScoreCalibrator) else ""
        raise TypeError(f"calibrator: {calibrator!r}, expected a {kind.__name__}{way}")


PARAMETER_CHECKS = {
    "bias": check_flag,
    "floor": check_floor,
    "lam": check_nonnegative,
    "max_iter": check_count,
    "monotone": check_flag,
    "mu": check_nonnegative,
    "n_bins": check_count,
    "smooth_targets": check_flag,
    "strength": check_positive,
    "tol": check_positive,
}


def check_named_labels(y: Any, n_classes: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the column of each label, and the classes of the columns: numbers or names.

    Examples
    --------
    >>> check_named_labels(["dog", "cat"], n_classes=2, n=2)
    (array([1, 0]), array(['cat', 'dog'], dtype='<U3'))
    >>> check_named_labels(["dog", "cat"], n_classes=3, n=2)
    Traceback (most recent call last):
    ValueError: y: 2 names of classes for 3 columns, so it is not known whose is which; give numbers
    """
    try:
        kind = np.asarray(y).dtype.kind
    except Exception as error:  # an object's own __array__ may raise anything
        raise ValueError(f"y: not an array of labels ({error})") from None
    if kind not in "OTU":
        return check_labels(y, n_classes, n=n, name="y"), np.arange(n_classes)
    classes, labels = np.unique(check_names(y, n), return_inverse=True)
    if len(classes) != n_classes:
        raise ValueError(
            f"y: {len(classes)} names of classes for {n_classes} columns, "
            "so it is not known whose is which; give numbers"
        )
    return labels, classes


def check_order(logits: Any, classes: np.ndarray) -> None:
    """Refuse a data frame whose columns are named as the classes, but in another order.

    All names of columns may begin with the same letters, as ``logit_``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> frame = SimpleNamespace(columns=["z_dog", "z_cat"], dtypes=[float, float])
    >>> check_order(frame, np.array(["cat", "dog"]))
    Traceback (most recent call last):
    ValueError: logits: columns z_dog, z_cat, expected the order of the classes: z_cat, z_dog
    """
    if not (hasattr(logits, "columns") and hasattr(logits, "dtypes")):
        return
    columns, expected = ([str(name) for name in names] for names in (logits.columns, classes))
    for name in filter(columns[0].endswith, expected):
        beginning = columns[0].removesuffix(name)
        wanted = [beginning + name for name in expected]
        if columns != wanted and sorted(columns) == sorted(wanted):
            raise ValueError(
                f"logits: columns {', '.join(columns)}, "
                f"expected the order of the classes: {', '.join(wanted)}"
            )


def check_names(y: Any, n: int) -> np.ndarray:
    """Return labels that are names as an array of text, shape (n,)."""
    names = np.asarray(y)
    if names.shape != (n,):
        raise ValueError(f"y: shape {names.shape}, expected ({n},)")
    for row, name in enumerate(names.tolist()):
        if not isinstance(name, str):
            raise ValueError(f"y: row {row} is {name!r}, expected the name of a class")
    return names.astype(str)
