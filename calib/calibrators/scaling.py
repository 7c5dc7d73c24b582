"""Maps of the logits: temperature, vector and matrix scaling, Dirichlet calibration."""

import numpy as np

from calib.calibrators.base import ConvergenceError, LogitCalibrator, check_calibration_set
from calib.checks import check_logits, row_blocks, softmax

SUBSET = 2000  # rows that are enough for a first estimate of the temperature
FLAT = 1e-12  # standard deviation of the scaled logits below which they say nothing


class TemperatureScaling(LogitCalibrator):
    """Divide the logits by one temperature T > 0, chosen to minimise the mean NLL.

    The NLL is convex in the inverse temperature, so its minimum is unique; Newton's method on
    1/T finds it. T > 1 lowers every confidence, T < 1 raises it, and no predicted class changes.
    Adding a constant to a row of logits changes nothing, so log-probabilities serve as well.

    Parameters
    ----------
    tol : float
        The solver stops where a Newton step changes 1/T by less than this fraction.
    max_iter : int
        Largest number of Newton steps.

    Attributes
    ----------
    temperature_ : float
        The temperature T.
    converged_ : bool
        True after `fit`, which raises an error otherwise.
    gradient_norm_ : float
        Absolute derivative of the mean NLL with respect to log T, in nats.
    n_iter_ : int
        Passes over the whole calibration set.

    References
    ----------
    Guo et al. (2017), section 4.2; Vasilev & D'yakonov (2021), section 4.1.3.

    Examples
    --------
    Two logits that say 0.98, right three times out of four: the confidence becomes 3/4.

    >>> scaling = TemperatureScaling().fit([[4.0, 0.0]] * 4, [0, 0, 0, 1])
    >>> round(scaling.temperature_, 4)
    3.641
    >>> scaling.predict_proba([[4.0, 0.0]]).round(4)
    array([[0.75, 0.25]])
    """

    keeps_accuracy = True

    def __init__(self, tol=1e-7, max_iter=100):
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, logits, y, sample_weight=None):
        """Find the temperature.

        Parameters
        ----------
        logits : array_like, shape (n, K)
            Logits of the calibration set.
        y : array_like of int, shape (n,)
            Labels.
        sample_weight : array_like, shape (n,), optional
            Weights; an integer weight counts as a repetition.

        Returns
        -------
        TemperatureScaling
            Itself.

        Raises
        ------
        ValueError
            Where logits, labels or weights are not what they should be.
        ConvergenceError
            Where no finite positive temperature is best: every row classified correctly, rows of
            equal logits only, or the true class's logit no larger on average than the others'.
        """
        z, y, w = check_calibration_set(logits, y, sample_weight)
        start = 1.0
        if len(z) >= 10 * SUBSET:
            rows = slice(None, None, len(z) // SUBSET)
            start = self._first_estimate(z[rows], y[rows], None if w is None else w[rows])
        inverse, gradient, steps = self._solve(z, y, w, start)
        self.temperature_ = 1 / inverse
        self.gradient_norm_ = abs(inverse * gradient)
        self.n_iter_ = steps
        self.converged_ = True
        return self

    def predict_proba(self, logits):
        """Return softmax(z / T), shape (n, K)."""
        self._check_fitted()
        z = check_logits(logits)
        return softmax(z / z.dtype.type(self.temperature_))

    def _first_estimate(self, z, y, w):
        try:
            return self._solve(z, y, w, 1.0)[0]
        except ConvergenceError:
            return 1.0

    def _solve(self, z, y, w, inverse):
        low, high = 0.0, np.inf
        top, true = z.max(axis=1).astype(float), z[np.arange(len(z)), y].astype(float)
        for step in range(1, self.max_iter + 1):
            gradient, curvature = nll_derivatives(z, top, true, w, inverse)
            if inverse * np.sqrt(curvature) < FLAT and abs(inverse * gradient) < FLAT:
                break
            low, high = (inverse, high) if gradient < 0 else (low, inverse)
            new = inverse - gradient / curvature if curvature > 0 else np.inf
            if abs(new - inverse) <= self.tol * inverse:
                return new, gradient, step
            if not low < new < min(high, 10 * inverse):
                new = 10 * inverse if high == np.inf else (low + high) / 2
            inverse = new
        used = slice(None) if w is None else w > 0
        reason = _why_no_temperature(z[used], top[used], true[used])
        raise ConvergenceError(
            f"TemperatureScaling: {reason}; stopped at T = {1 / inverse:.3g}",
            abs(inverse * gradient),
        )


def nll_derivatives(logits, top, true, weight, inverse_temperature):
    """First and second derivative of the mean NLL with respect to 1/T.

    With p = softmax(z / T), they are the means over samples of E_p[z] - z_y and of Var_p[z].

    Parameters
    ----------
    logits : ndarray, shape (n, K)
    top : ndarray, shape (n,)
        Largest logit of each row.
    true : ndarray, shape (n,)
        Logit of the true class, z_y.
    weight : ndarray, shape (n,), or None
    inverse_temperature : float

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> nll_derivatives(np.array([[2.0, 0.0]]), np.array([2.0]), np.array([2.0]), None, 0.0)
    (-1.0, 1.0)
    """
    mean, variance = np.empty(len(logits)), np.empty(len(logits))
    ones = np.ones(logits.shape[1])
    for start, rows in row_blocks(logits):
        block = slice(start, start + len(rows))
        z = rows - top[block, None]
        p = np.exp(inverse_temperature * z)
        norm = p @ ones
        p *= z
        mean[block] = p @ ones / norm
        p *= z
        variance[block] = p @ ones / norm - mean[block] ** 2
    gradient = np.average(mean - (true - top), weights=weight)
    return float(gradient), float(np.average(variance, weights=weight))


def _why_no_temperature(z, top, true):
    if np.all(z.min(axis=1) == top):
        return "the logits of every row are equal, so the NLL does not depend on T"
    if np.all(true == top):
        return "every row is classified correctly, so the NLL falls as T goes to 0"
    return (
        "the logit of the true class is on average no larger than the mean logit, "
        "so the NLL falls as T goes to infinity"
    )
