"""What every calibrator shares: its parameters, its state of being fitted, and its errors."""

import inspect
from dataclasses import dataclass

import numpy as np

from calib.checks import (
    check_count,
    check_flag,
    check_labels,
    check_logits,
    check_nonnegative,
    check_pairs,
    check_positive,
    check_scores,
    check_weights,
)


class NotFittedError(ValueError, AttributeError):
    """A calibrator was used before it was fitted."""


class ConvergenceError(RuntimeError):
    """The calibration objective has no finite optimum, or the solver did not reach it.

    Attributes
    ----------
    gradient_norm : float
        Norm of the gradient where the solver stopped.
    """

    def __init__(self, message, gradient_norm):
        super().__init__(message, gradient_norm)
        self.gradient_norm = gradient_norm

    def __str__(self):
        return f"{self.args[0]} (gradient norm {self.gradient_norm:.3g})"


class Calibrator:
    """Base of all calibrators: scikit-learn's contract, without scikit-learn.

    ``__init__`` only stores its arguments, `fit` learns the attributes that end in ``_`` and
    returns the calibrator, so that ``sklearn.base.clone`` and grid searches work.

    Examples
    --------
    >>> from calib import HistogramBinning, OneVsRest
    >>> isinstance(OneVsRest(HistogramBinning()), Calibrator)
    True
    >>> OneVsRest(HistogramBinning()).set_params(calibrator__n_bins=10)
    OneVsRest(calibrator=HistogramBinning(n_bins=10))
    """

    @classmethod
    def _parameters(cls):
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def _check_parameters(self):
        for name in self._parameters():
            if name in PARAMETER_CHECKS:
                PARAMETER_CHECKS[name](getattr(self, name), name)

    def get_params(self, deep=True):
        """Return the parameters by name; with `deep`, those of nested calibrators as well."""
        params = {name: getattr(self, name) for name in self._parameters()}
        if deep:
            for name, value in list(params.items()):
                if isinstance(value, Calibrator):
                    nested = value.get_params()
                    params |= {f"{name}__{key}": inner for key, inner in nested.items()}
        return params

    def set_params(self, **params):
        """Set parameters by name, ``outer__inner`` for those of a nested calibrator."""
        for name, value in params.items():
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

    def __repr__(self):
        defaults = inspect.signature(type(self).__init__).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _check_fitted(self):
        if not any(name.endswith("_") and not name.startswith("_") for name in vars(self)):
            raise NotFittedError(f"{type(self).__name__} is not fitted: call fit first")


class ScoreCalibrator(Calibrator):
    """Base of the maps of one score: ``fit(score, hit)``, ``predict(score)``."""

    def predict(self, score):
        """Return the calibrated score of each score.

        Parameters
        ----------
        score : array_like, shape (n,)
            Scores in [0, 1].

        Returns
        -------
        ndarray of float64, shape (n,)

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError
            Where a score is not in [0, 1].
        """
        self._check_fitted()
        return self._predict(check_scores(score))


class LogitCalibrator(Calibrator):
    """Base of the maps of logits: ``fit(logits, y)``, ``predict_proba(logits)``."""

    keeps_accuracy = False

    def accuracy_effect(self, logits=None, y=None):
        """Say what the fitted map does to the predicted classes.

        Parameters
        ----------
        logits : array_like, shape (n, K), optional
            Logits to count on; not needed where the map cannot change a predicted class.
        y : array_like of int, shape (n,), optional
            Labels.

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
        z = check_logits(logits)
        y = check_labels(y, z.shape[1], n=len(z), name="y")
        before = z.argmax(axis=1)
        after = self.predict_proba(z).argmax(axis=1)
        return AccuracyEffect(
            by_construction=False,
            n=len(y),
            changed=int(np.sum(before != after)),
            gained=int(np.sum((before != y) & (after == y))),
            lost=int(np.sum((before == y) & (after != y))),
        )


@dataclass(frozen=True)
class AccuracyEffect:
    """What a map does to the predicted classes of n samples.

    Attributes
    ----------
    by_construction : bool
        The map cannot change a predicted class; nothing was counted.
    n, changed, gained, lost : int
        Samples; predicted classes that change; wrong ones that become right; right ones that
        become wrong.
    """

    by_construction: bool
    n: int = 0
    changed: int = 0
    gained: int = 0
    lost: int = 0

    def __str__(self):
        if self.by_construction:
            return "unchanged by construction"
        change = (self.gained - self.lost) / self.n
        return (
            f"{self.changed} of {self.n} predicted classes change: {self.gained} become right, "
            f"{self.lost} become wrong, accuracy {change:+.2%}"
        )


def clone(calibrator):
    """Return an unfitted copy with the same parameters."""
    params = calibrator.get_params(deep=False)
    copies = {k: clone(v) if isinstance(v, Calibrator) else v for k, v in params.items()}
    return type(calibrator)(**copies)


def check_calibration_pairs(score, hit, sample_weight):
    """Return scores, hits and weights (None where equal), without the samples of weight zero."""
    score, hit = check_pairs(score, hit)
    weight = check_weights(sample_weight, len(score))
    if weight is None or weight.all():
        return score, hit, weight
    kept = weight > 0
    return score[kept], hit[kept], weight[kept]


def check_floor(floor, name):
    """Check that results can stay in [floor, 1 - floor]."""
    if not check_nonnegative(floor, name) < 0.5:
        raise ValueError(f"{name}: {floor!r}, expected a number from 0 to less than 1/2")


def check_columns(logits, n_classes):
    """Check that logits have a column for each class that a map was fitted to."""
    if logits.shape[1] != n_classes:
        raise ValueError(f"logits: {logits.shape[1]} columns, expected {n_classes} as in fit")


def check_nested(calibrator, kind):
    """Check that a calibrator that another one fits is of a kind."""
    if not isinstance(calibrator, kind):
        raise TypeError(f"calibrator: {calibrator!r}, expected a {kind.__name__}")


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


def group_by_score(score, hit, weight):
    """Return the distinct scores in rising order, and the weights of their samples and hits."""
    if weight is None:
        distinct, total = np.unique(score, return_counts=True)
        hits = np.bincount(np.searchsorted(distinct, score[hit]), minlength=len(distinct))
        return distinct, total.astype(float), hits.astype(float)
    distinct, tie = np.unique(score, return_inverse=True)
    return distinct, np.bincount(tie, weight), np.bincount(tie, weight * hit)


def check_calibration_set(logits, y, sample_weight):
    """Return logits, labels and weights (None where equal); refuse probabilities as logits."""
    z = check_logits(logits)
    if z.min() >= 0 and np.abs(z.sum(axis=1, dtype=np.float64) - 1).max() <= 1e-4:
        raise ValueError(
            "logits: every row is non-negative and sums to one, as probabilities do; "
            "pass calib.logits(y_prob) where only probabilities are known"
        )
    y = check_labels(y, z.shape[1], n=len(z), name="y")
    return z, y, check_weights(sample_weight, len(z))
