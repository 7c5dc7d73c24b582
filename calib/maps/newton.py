"""Newton's method for convex objectives, with a line search and an error where it fails."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calib.maps.base import ConvergenceError

Objective = Callable[[np.ndarray], tuple[float, np.ndarray, Callable[[], np.ndarray]]]


@dataclass(frozen=True)
class Solution:
    """Where Newton's method stopped: the point, the value and gradient norm there, the steps."""

    x: np.ndarray
    value: float
    gradient_norm: float
    n_iter: int


def newton(
    objective: Objective,
    start: np.ndarray,
    *,
    tol: float,
    max_iter: int,
    name: str,
    no_minimum_below: float = -np.inf,
) -> Solution:
    """Minimise a convex function until the norm of its gradient is at most `tol`.

    ``objective(x)`` returns value, gradient and ``step``, a function that returns the Newton step,
    minus the inverse Hessian times the gradient. A value below `no_minimum_below` is reached only
    where there is no minimum: a mean NLL below log(2) / n says that every sample is classified
    correctly, and larger parameters lower it further.

    Examples
    --------
    >>> def objective(x):
    ...     return np.sum(np.cosh(x - 1)), np.sinh(x - 1), lambda: -np.tanh(x - 1)
    >>> newton(objective, np.zeros(1), tol=1e-8, max_iter=20, name="cosh").x.round(6)
    array([1.])
    """
    x = np.asarray(start, dtype=float)
    value, gradient, step = objective(x)
    for n_iter in range(max_iter + 1):
        norm = np.linalg.norm(gradient)
        if value < no_minimum_below:
            raise ConvergenceError(
                f"{name}: a map of this form classifies the whole calibration set correctly, so "
                "the NLL falls as its parameters grow; use more data or a penalty",
                float(norm),
            )
        if norm <= tol:
            return Solution(x, value, float(norm), n_iter)
        if n_iter == max_iter:
            break
        direction = step()
        slope = gradient @ direction
        for halvings in range(40):
            trial = x + direction / 2**halvings
            new = objective(trial)
            if new[0] <= value + 1e-4 * slope / 2**halvings + 1e-14 * abs(value):
                break
        else:
            break
        x, (value, gradient, step) = trial, new
    raise ConvergenceError(f"{name}: no minimum found in {n_iter} Newton steps", float(norm))
