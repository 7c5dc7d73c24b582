"""Newton's method for convex objectives, and the objective of vector, matrix and Dirichlet maps.

The parameters of a softmax regression form a matrix with one row a class: its weights, then its
bias. Conjugate gradients find the Newton step without the Hessian, by products with the features.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calib.maps.base import Array, ConvergenceError

Product = Callable[[Array], Array]
Step = Callable[[float], Array]  # of a damping, what the Hessian's diagonal gets more
Objective = Callable[[Array], tuple[float, Array, Step]]
MANY_HALVINGS = 3  # of a step: the Hessian says little of what lies that far away
MOST_HALVINGS = 40  # beyond which a step moves no parameter by more than rounding does
# share of the fall which the slope promises that a step must bring (Armijo)
FALL = 1e-4
ROUNDING_OF_VALUES = 1e-14  # share of a value below which two of them do not differ
# share of the largest curvature by which all others are larger, so that blocks have an inverse
LIFT = 1e-9
LEAST_DAMPING = 1e-12
GRAM_ROWS = 400  # rows that are enough for a preconditioner
# with fewer, an inverse of d x d takes longer than the steps that it saves
ROWS_A_FEATURE = 10
MOST_OF_BLOCKS = 50_000_000  # numbers, of 8 bytes
# where all probabilities are zero or one a preconditioner has none
LEAST_CURVATURE = 1e-100


@dataclass(frozen=True)
class Solution:
    """Where Newton's method stopped: the point, the value and gradient norm there, the steps."""

    x: Array
    value: float
    gradient_norm: float
    n_iter: int


def newton(
    objective: Objective,
    start: Array,
    calibrator: Any,
    *,
    no_minimum_below: float = -np.inf,
) -> Solution:
    """Minimise a convex function until the norm of its gradient is at most ``calibrator.tol``.

    ``objective(x)`` returns value, gradient and a function that returns the Newton step, damped as
    Levenberg and Marquardt do where the step before had to be halved many times. A value below
    `no_minimum_below` is reached only where there is no minimum: a mean NLL below log(2) / n says
    that every sample is classified correctly, and larger parameters lower it further.
    """
    name, x = type(calibrator).__name__, np.asarray(start, dtype=float)
    value, gradient, step = objective(x)
    damping = 0.0
    for n_iter in range(calibrator.max_iter + 1):
        norm = float(np.linalg.norm(gradient))
        if value < no_minimum_below:
            raise ConvergenceError(
                f"{name}: a map of this form classifies the whole calibration set correctly, so "
                "the NLL falls as its parameters grow; use more data or a penalty",
                norm,
            )
        if norm <= calibrator.tol:
            return Solution(x, value, norm, n_iter)
        if n_iter == calibrator.max_iter:
            break
        direction = step(damping)
        slope = gradient @ direction
        for halvings in range(MOST_HALVINGS):
            trial = x + direction / 2**halvings
            new = objective(trial)
            fall = FALL * slope / 2**halvings
            if new[0] <= value + fall + ROUNDING_OF_VALUES * abs(value):
                break
        else:
            break
        damping = _damping(damping, halvings, norm / float(np.linalg.norm(direction)))
        x, (value, gradient, step) = trial, new
    raise ConvergenceError(f"{name}: no minimum found in {n_iter} Newton steps", norm)


def _damping(last: float, halvings: int, least: float) -> float:
    """Return the damping of the next step; `least` is what would not lengthen this one.

    Where samples are nearly sure the Hessian is nearly zero, and a step goes much too far.
    """
    if halvings >= MANY_HALVINGS:
        return max(4 * last, least * 2 ** (halvings / 2))
    if halvings > 0:
        return last
    return last / 4 if last > LEAST_DAMPING else 0.0


class OwnLogit:
    """Features of vector scaling: each class sees its own logit, and a constant if `bias`."""

    def __init__(self, z: Array, bias: bool) -> None:
        self.x: Array = z
        self.bias: bool = bias

    def forward(self, parameters: Array) -> Array:
        u = self.x * parameters[:, 0]
        return u + parameters[:, 1] if self.bias else u

    def adjoint(self, residual: Array) -> Array:
        rows = [np.einsum("nk,nk->k", residual, self.x)]
        return np.column_stack([*rows, residual.sum(axis=0)] if self.bias else rows)

    def gram(self, weight: Array) -> Array:
        weighted = weight * self.x
        xx = np.einsum("nk,nk->k", weighted, self.x)
        x, one = weighted.sum(axis=0), weight.sum(axis=0)
        block = np.array([[xx, x], [x, one]]) if self.bias else xx[None, None]
        return np.moveaxis(block, -1, 0)


class CommonLogit(OwnLogit):
    """Those of a scale of all classes, last, and what each class has besides, of centred logits.

    The last row of the parameters is the common scale, and a zero beside it where there are
    offsets.
    """

    def __init__(self, z: Array, mean: Array, bias: bool) -> None:
        super().__init__(z - mean, bias)
        self.z: Array = z

    def forward(self, parameters: Array) -> Array:
        return super().forward(parameters[:-1]) + parameters[-1, 0] * self.z

    def adjoint(self, residual: Array) -> Array:
        rows = super().adjoint(residual)
        common = np.zeros(rows.shape[1])
        common[0] = np.vdot(residual, self.z)
        return np.vstack([rows, common])

    def gram(self, weight: Array) -> Array:
        blocks = super().gram(weight)
        common = np.zeros(blocks.shape[1:])
        common[0, 0] = np.vdot(weight, self.z**2)
        return np.concatenate([blocks, common[None]])


class AllLogits:
    """Features of matrix scaling: each class sees all logits, and a constant if `bias`.

    `forward` gives the new logits, shape (n, K), `adjoint` the derivatives by the parameters from
    those by the new logits, `gram` each class's weighted Gram matrix, shape (K, d, d).
    """

    def __init__(self, z: Array, bias: bool) -> None:
        self.x: Array = np.column_stack([z, np.ones(len(z))]) if bias else z

    def forward(self, parameters: Array) -> Array:
        return self.x @ parameters.T

    def adjoint(self, residual: Array) -> Array:
        return residual.T @ self.x

    def gram(self, weight: Array) -> Array:
        blocks = []
        for w in weight.T:
            x = self.x
            if len(x) > GRAM_ROWS:
                heaviest = np.argpartition(w, -GRAM_ROWS)[-GRAM_ROWS:]
                x, w = x[heaviest], w[heaviest]
            blocks.append((x.T * w) @ x)
        return np.array(blocks)

    @property
    def blocks_pay(self) -> bool:
        """Whether the inverses of K matrices fit into memory and save more than they take."""
        n, d = self.x.shape
        return n >= ROWS_A_FEATURE * d and d**3 <= MOST_OF_BLOCKS


def in_units(x: Array, weights: Array, centred: bool) -> tuple[Array, Array, Array]:
    """Return the features less their means, over their standard deviations, and these two.

    Logits far from zero, or on different scales, would otherwise leave the optimum undetermined
    within the solver's tolerance. Means are only taken off, `centred`, where the offset that makes
    up for it is not penalised. Of the two a class's weights, of its own logit or of all, have one.
    """
    mean = x.mean(axis=0) if centred else np.zeros(x.shape[1])
    spread = np.sqrt(np.mean((x - mean) ** 2, axis=0))
    scale = np.where(spread > 0, spread, 1.0)
    turned = (mean[:, None], scale[:, None]) if weights.shape[1] == 1 else (mean, scale)
    return (x - mean) / scale, *turned


@dataclass(frozen=True)
class PenalisedNLL:
    """The mean NLL plus half the penalty-weighted sum of squares of parameters - centre, (K, d).

    The weights, shape (n,), are positive and sum to one; `masked`, (n, K), has probability zero.
    """

    features: OwnLogit | AllLogits
    y: Array
    weight: Array
    penalty: Array
    centre: Array | float = 0.0
    masked: Array | None = None

    def __call__(self, flat: Array) -> tuple[float, Array, Step]:
        parameters, rows = flat.reshape(self.penalty.shape), np.arange(len(self.y))
        u = self.features.forward(parameters)
        if self.masked is not None:
            u[self.masked] = -np.inf
        u -= u.max(axis=1, keepdims=True)
        true = u[rows, self.y]
        p = np.exp(u, out=u)
        norm = p.sum(axis=1)
        p /= norm[:, None]
        nll = self.weight @ (np.log(norm) - true)
        residual = p * self.weight[:, None]
        residual[rows, self.y] -= self.weight
        shift = parameters - self.centre
        gradient = (self.features.adjoint(residual) + self.penalty * shift).ravel()
        value = nll + np.sum(self.penalty * shift**2) / 2
        return value, gradient, lambda damping: self.newton_step(p, gradient, damping)

    def newton_step(self, p: Array, gradient: Array, damping: float) -> Array:
        precondition = self._preconditioner(self.weight[:, None] * p * (1 - p), damping)

        def product(r: Array) -> Array:
            return self.hessian_product(p, r) + damping * r

        return _newton_step(product, precondition, gradient)

    def _preconditioner(self, curvature: Array, damping: float) -> Product:
        """Return the product with the inverse of each class's own block of the Hessian.

        Where the blocks are dear, only their diagonals are inverted.
        """
        features, shape = self.features, self.penalty.shape
        if isinstance(features, AllLogits) and not features.blocks_pay:
            diagonal = curvature.T @ features.x**2
            diagonal += self._lift(diagonal, damping)
            return lambda r: r / diagonal.ravel()
        blocks = features.gram(curvature)
        # a view of the blocks, which are lifted with it
        diagonal = np.einsum("kii->ki", blocks)
        diagonal += self._lift(diagonal, damping)
        inverse = np.linalg.inv(blocks)
        return lambda r: (inverse @ r.reshape(*shape, 1)).ravel()

    def _lift(self, diagonal: Array, damping: float) -> Array:
        """Return what the diagonal of the Hessian gets more than its curvature."""
        return self.penalty + damping + LIFT * diagonal.max() + LEAST_CURVATURE

    def hessian_product(self, p: Array, direction: Array) -> Array:
        direction = direction.reshape(self.penalty.shape).astype(p.dtype, copy=False)
        s = self.features.forward(direction)
        s -= np.vecdot(p, s)[:, None]
        s *= p
        s *= self.weight[:, None]
        return (self.features.adjoint(s) + self.penalty * direction).ravel()


class StiffNLL(PenalisedNLL):
    """The objective with a penalty of every parameter, where quick steps are good steps.

    The diagonal of the Hessian, to which penalties add, serves as the preconditioner. Its products
    are float32, in half the time: they only choose the step. Value and gradient are float64.
    """

    def newton_step(self, p: Array, gradient: Array, damping: float) -> Array:
        single = np.float32
        curvature = (self.weight[:, None] * p * (1 - p)).T @ self.features.x**2
        diagonal = (curvature + self.penalty + damping).ravel()
        weight, penalty = self.weight.astype(single), self.penalty.astype(single)
        x = AllLogits(self.features.x.astype(single), bias=False)
        quick = replace(
            self, features=x, weight=weight, penalty=penalty + single(damping)
        )
        p = p.astype(single)
        return _newton_step(
            lambda r: quick.hessian_product(p, r), lambda r: r / diagonal, gradient
        )


def _newton_step(product: Product, precondition: Product, gradient: Array) -> Array:
    """Return minus the inverse Hessian times the gradient, by conjugate gradients."""
    from scipy.sparse.linalg import LinearOperator, cg

    size = (gradient.size, gradient.size)
    return -cg(
        LinearOperator(size, product, dtype=float),
        gradient,
        rtol=min(0.1, np.sqrt(np.linalg.norm(gradient))),
        M=LinearOperator(size, precondition, dtype=float),
        maxiter=200,
    )[0]
