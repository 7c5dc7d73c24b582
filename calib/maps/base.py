"""What every map shares: its parameters, its state of being fitted, and its errors."""

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.bins import MOST_BINS

Array = np.ndarray
CheckedWeight = Array | None  # None where all are equal; `Weights` are not checked
C = TypeVar("C", bound="Calibrator")
# methods of a map, of checked arrays: scores and hits, or logits and labels, and their weights
Fit = Callable[[Any, Array, Array, CheckedWeight], None]
Predict = Callable[[Any, Array], Array]
# the maps of calib by name: what can be saved, and loaded again
MAPS: dict[str, type["Calibrator"]] = {}
SHOWN = 4  # numbers that the repr of a fitted map prints; of more it prints the shape


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


def warn_caller(message: str) -> None:
    """Warn at the line that called the library, however deep in it the reason lies."""
    frame, level = inspect.currentframe(), 1
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == "calib":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


@dataclass(frozen=True)
class Learned:
    """Numbers that a fit leaves under a name, and what saved ones must be to be loaded again.

    Attributes
    ----------
    shape : tuple of str or int
        Sizes; a letter is one size throughout a map, K its number of classes. () is a number.
    low, high : float
        The least and the largest that they may be.
    positive, finite, rising : bool
        Whether they must be above zero, may not be infinite, may not fall.
    """

    shape: tuple[str | int, ...] = ()
    low: float = -np.inf
    high: float = np.inf
    positive: bool = False
    finite: bool = True
    rising: bool = False

    def refusal(self, array: Array) -> str | None:
        """Say what is wrong with numbers, None where nothing is."""
        if self.finite and not np.isfinite(array).all():
            return "a number is not finite"
        if not self.finite and not (array > -np.inf).all():
            return "expected numbers, or null for one that is infinite"
        if self.positive and not (array > 0).all():
            return "expected numbers above 0"
        if not ((array >= self.low) & (array <= self.high)).all():
            return f"expected numbers from {self.low:g} to {self.high:g}"
        if self.rising and not (np.diff(array) >= 0).all():
            return "expected numbers that rise"
        return None


@dataclass(frozen=True)
class LearnedMap:
    """A fitted map of some class that a map holds, or one for each class."""

    base_class: type
    each_class: bool = False


NUMBER, FLOOR = Learned(), Learned(low=0, high=0.5)
SOLVER = {"gradient_norm_": NUMBER, "n_iter_": NUMBER}  # what solvers leave
BINS: dict[str, Learned | LearnedMap] = {  # of a map that has one value in each bin
    "edges_": Learned(("m+1",), low=0, high=1, rising=True),
    "values_": Learned(("m",), low=0, high=1),
}


@dataclass_transform(eq_default=False)
class Calibrator:
    """Base of all calibrators: scikit-learn's contract, without scikit-learn.

    To its ``clone``, ``Pipeline`` and ``GridSearchCV`` a map of the logits is a classifier whose
    features are the logits, a map of one score a regression of the hits.

    >>> from calib import HistogramBinning, OneVsRest
    >>> isinstance(OneVsRest(HistogramBinning()), Calibrator)
    True
    >>> OneVsRest(HistogramBinning()).set_params(calibrator__n_bins=10)
    OneVsRest(calibrator=HistogramBinning(n_bins=10))
    """

    # what a class learns, by name
    _learned: ClassVar[dict[str, Learned | LearnedMap]] = {}
    # of checked arrays. A map inside a map: `_fit` where only its numbers are read; one that is
    # kept, and saved, is fitted by `fit` or `_fit_pairs`, which leave its n and its classes
    _fit: ClassVar[Fit]
    # the class of the parameter `calibrator`, where there is one
    _takes: ClassVar["type[Calibrator] | None"] = None
    _n: int | None = None  # samples it was fitted to, of positive weight

    def __init_subclass__(cls) -> None:
        """Make a class a data class, whose fields are the parameters; enter a map of calib."""
        dataclass(repr=False, eq=False)(cls)
        is_base = cls.__name__.startswith("_") or not hasattr(cls, "_fit")
        if cls.__module__.startswith("calib.") and not is_base:
            MAPS[cls.__name__] = cls

    @classmethod
    def _all_learned(cls) -> dict[str, Learned | LearnedMap]:
        """Return what a fitted map holds: what its class and the bases of its class learn."""
        learned: dict[str, Learned | LearnedMap] = {}
        # from the base on, so that a class adds to what its bases learn
        for base in reversed(cls.__mro__):
            learned |= vars(base).get("_learned", {})
        return learned

    @classmethod
    @cache
    def _parameters(cls) -> list[str]:
        return [
            name
            for name in inspect.signature(cls.__init__).parameters
            if name != "self"
        ]

    def _check_parameters(self) -> None:
        if self._takes:
            check_nested(self.calibrator, self._takes)  # type: ignore[attr-defined]
        for name in self._parameters():
            value = getattr(self, name)
            # None, where it is the default, leaves the choice to the map
            optional = value is None and getattr(type(self), name, 0) is None
            if name in PARAMETER_CHECKS and not optional:
                PARAMETER_CHECKS[name](value, name)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with `deep`, those of nested calibrators as well."""
        params = {name: getattr(self, name) for name in self._parameters()}
        for name, value in list(params.items()) if deep else ():
            if isinstance(value, Calibrator):
                # as scikit-learn names parameters of what is nested
                params |= {
                    f"{name}__{key}": inner for key, inner in value.get_params().items()
                }
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; ``outer__inner``, of a nested calibrator, go last."""
        # outer ones first: another calibrator, then what is set in it
        for name, value in sorted(params.items(), key=lambda item: item[0].count("__")):
            outer, _, inner = name.partition("__")
            if outer not in self._parameters():
                parameters = ", ".join(self._parameters()) or "none"
                raise ValueError(
                    f"{name}: not a parameter of {type(self).__name__} ({parameters})"
                )
            if not inner:
                setattr(self, outer, value)
            elif isinstance(nested := getattr(self, outer), Calibrator):
                nested.set_params(**{inner: value})
            else:
                raise ValueError(
                    f"{name}: {outer} is {nested!r}, expected a calibrator"
                )
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        params = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if repr(value) != repr(defaults[name].default)
        ]
        text = f"{type(self).__name__}({', '.join(params)})"
        if self._n is None:
            return text
        names = [name for name in self._all_learned() if name != "classes_"]
        learned = [
            f"n={self._n}",
            *(f"{name}={_shown(getattr(self, name))}" for name in names),
        ]
        return f"{text} fitted: {', '.join(learned)}"

    def __sklearn_is_fitted__(self) -> bool:
        return any(
            name.endswith("_") and not name.startswith("_") for name in vars(self)
        )

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"{type(self).__name__} is not fitted: call fit first")

    def _fit_or_stay(self, *data: Any) -> None:
        """Fit the map; one that was fitted before stays as it was where that fails."""
        before = dict(vars(self))
        try:
            self._fit(*data)
        except Exception:
            vars(self).clear()
            vars(self).update(before)
            raise

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import (
            ClassifierTags,
            InputTags,
            RegressorTags,
            Tags,
            TargetTags,
        )

        of_a_score = isinstance(self, ScoreCalibrator)
        return Tags(
            estimator_type="regressor" if of_a_score else "classifier",
            target_tags=TargetTags(required=True),
            regressor_tags=RegressorTags() if of_a_score else None,
            classifier_tags=None if of_a_score else ClassifierTags(),
            input_tags=InputTags(one_d_array=of_a_score, two_d_array=not of_a_score),
        )


class ScoreCalibrator(Calibrator):
    """Base of the maps of one score: a subclass has ``_fit(score, hit, weight)``, ``_predict``."""

    _predict: ClassVar[Predict]

    def fit(
        self, score: ArrayLike, hit: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the map to a calibration set.

        Parameters
        ----------
        score : array_like, shape (n,)
            Scores in [0, 1]; what exceeds 1 by rounding counts as 1.
        hit : array_like, shape (n,)
            1 where the event happened, else 0.
        sample_weight : array_like, shape (n,), optional
            Weights, of which only the ratios matter; where a map counts samples it takes Kish's
            number, or the sum of weights that are repetitions: `frequency_weights`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Where an argument is not what it should be.
        ConvergenceError
            Where the objective has no finite optimum, or the solver does not reach it.
        """
        return self._fit_pairs(*_calibration_pairs(score, hit, sample_weight))

    def _fit_pairs(self, score: Array, hit: Array, weight: CheckedWeight) -> Self:
        self._check_parameters()
        # sums of float32 probabilities exceed one by rounding
        score = np.minimum(score, 1.0)
        self._fit_or_stay(score, hit, weight)
        self._n = len(score)
        return self

    def predict(self, score: ArrayLike) -> Array:
        """Return the calibrated score of each score, float64 of shape (n,); both in [0, 1]."""
        self._check_fitted()
        return self._predict(check.scores(score))

    def score(
        self, score: ArrayLike, hit: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the Brier skill score: the share of the hits' variance that the map explains.

        This is the R² of the hits: at most 1, and 0 for their mean as the calibrated score of every
        sample. Arguments are as in `fit`; hits that are all equal are refused.
        """
        score, hit, weight = _calibration_pairs(score, hit, sample_weight)
        if hit.all() or not hit.any():
            raise ValueError(
                f"hit: all are {int(hit[0])}, so there is no variance to explain"
            )
        mean = np.average(hit, weights=weight)
        variance = np.average((hit - mean) ** 2, weights=weight)
        error = np.average((hit - self.predict(score)) ** 2, weights=weight)
        return float(1 - error / variance)


class LogitCalibrator(Calibrator):
    """Base of the maps of logits, a column a class: a subclass has ``_fit`` and ``_predicted``.

    `keeps_accuracy` says that the map cannot change a predicted class.
    """

    _learned: ClassVar = {"classes_": Learned(("K",))}
    _predicted: ClassVar[Predict]
    keeps_accuracy: ClassVar[Any] = False  # bool; a property of CrossValidated

    def fit(
        self, logits: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the map to a calibration set.

        Parameters
        ----------
        logits : array_like, shape (n, K)
            Logits of the calibration set; -inf for a class that a row cannot be of. Names of the
            columns of a data frame are not read.
        y : array_like of int, shape (n,)
            Labels: numbers of the columns, from 0 to K - 1, of which some may be absent.
        sample_weight : array_like, shape (n,), optional
            Weights, of which only the ratios matter; where a map counts samples it takes Kish's
            number, or the sum of weights that are repetitions: `frequency_weights`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Where an argument is not what it should be.
        ConvergenceError
            Where the objective has no finite optimum, or the solver does not reach it.
        """
        self._check_parameters()
        z, labels = calibration_set(logits, y)
        z, labels, weight = _without_zero_weights(
            z, labels, check.weights(sample_weight, len(z))
        )
        self._fit_or_stay(z, labels, weight)
        self._n = len(z)
        self.classes_: Array = np.arange(z.shape[1])
        return self

    def predict(self, logits: ArrayLike) -> Array:
        """Return the number of the predicted class of each row, shape (n,)."""
        return self._predicted(self._check_logits(logits))

    def score(
        self, logits: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the accuracy of the predicted classes; arguments are as in `fit`.

        Calibration does not show in it: give a search ``scoring="neg_log_loss"``.
        """
        z = self._check_logits(logits)
        correct = self._predicted(z) == check.labels(y, z.shape[1], n=len(z), name="y")
        return float(np.average(correct, weights=check.weights(sample_weight, len(z))))

    def _check_logits(self, logits: ArrayLike) -> Array:
        self._check_fitted()
        z, n_classes = check.logit_rows(logits), len(self.classes_)
        if z.shape[1] != n_classes:
            raise ValueError(
                f"logits: {z.shape[1]} columns, expected {n_classes} as in fit"
            )
        return z

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")


class ProbabilityCalibrator(LogitCalibrator):
    """Base of the maps of logits to probability vectors: a subclass has ``_predict_proba``."""

    _predict_proba: ClassVar[Predict]

    def predict_proba(self, logits: ArrayLike) -> Array:
        """Return the calibrated probabilities, shape (n, K), whose rows sum to one.

        They are float64; float32 from temperature scaling of float32 and float16 logits. Raised are
        :class:`NotFittedError` before `fit`, and ValueError where the logits are not K columns.
        """
        return self._predict_proba(self._check_logits(logits))

    def _predicted(self, z: Array) -> Array:
        if self.keeps_accuracy:
            # also where float32 makes one number of two probabilities
            return z.argmax(axis=1)
        return self._predict_proba(z).argmax(axis=1)


def clone(calibrator: C) -> C:
    """Return an unfitted copy with the same parameters."""
    params = calibrator.get_params(deep=False)
    # parameters alone: a copy knows nothing of what the other was fitted to
    copies = {
        k: clone(v) if isinstance(v, Calibrator) else v for k, v in params.items()
    }
    return type(calibrator)(**copies)


def calibration_set(logits: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Check logits and labels to fit a map to."""
    z = check.logit_rows(logits)
    check.refuse_probabilities(z, "logits")
    labels = check.labels(y, z.shape[1], n=len(z), name="y")
    masked = np.isneginf(z[np.arange(len(z)), labels])
    if masked.any():  # its NLL would be infinite
        row = int(masked.argmax())
        raise ValueError(
            f"y: row {row} is class {labels[row]}, which logits mask (-inf)"
        )
    return z, labels


def check_nested(calibrator: object, base_class: type[Calibrator]) -> None:
    """Check that a calibrator that another one fits is of a class."""
    if not isinstance(calibrator, base_class):
        way = (
            f"; it maps one score: OneVsRest({calibrator!r}) maps those of all classes"
        )
        way = way if isinstance(calibrator, ScoreCalibrator) else ""
        raise TypeError(
            f"calibrator: {calibrator!r}, expected a {base_class.__name__}{way}"
        )


def _calibration_pairs(
    score: ArrayLike, hit: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Array, Array, CheckedWeight]:
    """Return scores, hits and weights (None where equal), without the samples of weight zero."""
    if getattr(score, "ndim", 1) == 2:
        raise ValueError(
            f"score: shape {np.shape(score)}, expected (n >= 1,); this map is of one score: "
            "OneVsRest(...) of it maps those of all classes"
        )
    return _without_zero_weights(*check.pairs(score, hit, sample_weight))


def _without_zero_weights(
    x: Array, y: Array, weight: CheckedWeight
) -> tuple[Array, Array, CheckedWeight]:
    """Leave out the samples of weight zero."""
    if weight is None or weight.all():
        return x, y, weight
    return x[weight > 0], y[weight > 0], weight[weight > 0]


def _shown(value: Any) -> str:
    """Return what was learned as a short text: numbers to four digits, of many the shape."""
    if isinstance(value, list):
        return f"{len(value)} x {type(value[0]).__name__}"
    if isinstance(value, Calibrator):
        return f"({value!r})"
    if np.ndim(value) == 0:
        return f"{value:.4g}"
    return (
        np.array2string(value, precision=4)
        if value.size <= SHOWN
        else f"array{value.shape}"
    )


def _check_floor(floor: float, name: str) -> None:
    if not check.nonnegative(floor, name) < 0.5:
        raise ValueError(
            f"{name}: {floor!r}, expected a number from 0 to less than 1/2"
        )


# a map's own are checked where it uses them
PARAMETER_CHECKS: dict[str, Callable[..., object]] = {
    **dict.fromkeys(
        ("bias", "smooth_targets", "frequency_weights", "shrink"), check.flag
    ),
    **dict.fromkeys(("lam", "mu"), check.nonnegative),
    "max_iter": check.count,
    "n_bins": partial(check.count, high=MOST_BINS),
    **dict.fromkeys(("strength", "tol"), check.positive),
    "floor": _check_floor,
    "no_optimum": partial(check.choice, choices=("warn", "raise")),
    "runout": partial(check.choice, choices=("natural", "parabolic", "cubic")),
    "strategy": partial(check.choice, choices=("width", "mass")),
    "target": partial(check.choice, choices=("gap", "hits")),
}
