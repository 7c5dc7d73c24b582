"""Softmax regression by Newton's method with conjugate gradients: vector, matrix, Dirichlet maps.

The parameters form a matrix with one row a class: its weights, then its bias. The mean NLL is
convex in them. Products with its Hessian need no Hessian: two products with the features.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from calib.maps.newton import Solution, newton

GRAM_ROWS = 400  # rows that are enough for a preconditioner
LEAST_CURVATURE = 1e-100  # where all probabilities are zero or one a preconditioner has none
Product = Callable[[np.ndarray], np.ndarray]


class OwnLogit:
    """Features of vector scaling: each class sees its own logit, and a constant if `bias`."""

    def __init__(self, z: np.ndarray, bias: bool) -> None:
        self.x = z
        self.bias = bias

    def forward(self, parameters: np.ndarray) -> np.ndarray:
        """Return the new logits, shape (n, K)."""
        u = self.x * parameters[:, 0]
        return u + parameters[:, 1] if self.bias else u

    def adjoint(self, residual: np.ndarray) -> np.ndarray:
        """Return the derivatives by the parameters, given those by the new logits."""
        rows = [_column_products(residual, self.x)]
        return np.column_stack([*rows, residual.sum(axis=0)] if self.bias else rows)

    def gram(self, weight: np.ndarray) -> np.ndarray:
        """Return each class's weighted Gram matrix of its features, shape (K, d, d)."""
        weighted = weight * self.x
        xx, x, one = _column_products(weighted, self.x), weighted.sum(axis=0), weight.sum(axis=0)
        block = np.array([[xx, x], [x, one]]) if self.bias else xx[None, None]
        return np.moveaxis(block, -1, 0)


def _column_products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("nk,nk->k", a, b)


class AllLogits:
    """Features of matrix scaling: each class sees all logits, and a constant if `bias`."""

    def __init__(self, z: np.ndarray, bias: bool) -> None:
        self.x = np.column_stack([z, np.ones(len(z))]) if bias else z

    def forward(self, parameters: np.ndarray) -> np.ndarray:
        """Return the new logits, shape (n, K)."""
        return self.x @ parameters.T

    def adjoint(self, residual: np.ndarray) -> np.ndarray:
        """Return the derivatives by the parameters, given those by the new logits."""
        return residual.T @ self.x

    def gram(self, weight: np.ndarray) -> np.ndarray:
        """Return each class's weighted Gram matrix of its features, from its heaviest rows."""
        return np.array([self._gram(column) for column in weight.T])

    def _gram(self, weight: np.ndarray) -> np.ndarray:
        x = self.x
        if len(x) > GRAM_ROWS:
            heaviest = np.argpartition(weight, -GRAM_ROWS)[-GRAM_ROWS:]
            x, weight = x[heaviest], weight[heaviest]
        return (x.T * weight) @ x


Features = OwnLogit | AllLogits


class Units:
    """Features less their means, over their standard deviations: what the solver works in.

    Logits that lie far from zero, or on different scales, would otherwise leave the optimum
    undetermined within the solver's tolerance. Means are only taken off, `centred`, where the
    offset that makes up for it is not penalised. A class has `n_weights`: one, of its own logit, or
    K.
    """

    def __init__(self, x: np.ndarray, n_weights: int, centred: bool) -> None:
        mean = x.mean(axis=0) if centred else np.zeros(x.shape[1])
        spread = np.sqrt(np.mean((x - mean) ** 2, axis=0))
        self.of_x = mean, np.where(spread > 0, spread, 1.0)
        of_weights = (a[:, None] if n_weights == 1 else a for a in self.of_x)
        self.mean, self.scale = of_weights
        self.n_weights = n_weights

    def of_features(self, x: np.ndarray) -> np.ndarray:
        """Return the features in these units."""
        return (x - self.of_x[0]) / self.of_x[1]

    def of_parameters(self, parameters: np.ndarray) -> np.ndarray:
        """Return the parameters that do to the features in these units what others do to x."""
        coef, rest = self._parted(parameters)
        shift = (coef * self.mean).sum(axis=1, keepdims=True)
        rest = rest + shift - shift.mean()  # the same for all classes changes nothing
        return np.concatenate([coef * self.scale, rest], axis=1)

    def undone(self, parameters: np.ndarray) -> np.ndarray:
        """Return what :meth:`of_parameters` was given."""
        coef, rest = self._parted(parameters)
        coef = coef / self.scale
        rest = rest - (coef * self.mean).sum(axis=1, keepdims=True)
        return np.concatenate([coef, rest], axis=1)

    def of_penalty(self, penalty: np.ndarray) -> np.ndarray:
        """Return the penalties of the parameters in these units."""
        coef, rest = self._parted(penalty)
        return np.concatenate([coef / self.scale**2, rest], axis=1)

    def _parted(self, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return weights and biases; there may be no biases."""
        return parameters[:, : self.n_weights], parameters[:, self.n_weights :]


@dataclass(frozen=True)
class PenalisedNLL:
    """The objective of :func:`fit_softmax_regression`, as Newton's method asks for it."""

    features: Features
    y: np.ndarray
    weight: np.ndarray
    penalty: np.ndarray
    centre: np.ndarray | float
    masked: np.ndarray | None

    def __call__(self, flat: np.ndarray) -> tuple[float, np.ndarray, Callable[[], np.ndarray]]:
        """Return the value, the gradient and a function that computes the Newton step."""
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
        return value, gradient, lambda: self.newton_step(p, gradient)

    def newton_step(self, p: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Return minus the inverse Hessian times the gradient."""
        inverse = np.linalg.inv(self.hessian_blocks(p))

        def precondition(r: np.ndarray) -> np.ndarray:
            return (inverse @ r.reshape(*self.penalty.shape, 1)).ravel()

        return _newton_step(lambda r: self.hessian_product(p, r), precondition, gradient)

    def hessian_product(self, p: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """Return the Hessian times a direction, shape (K d,)."""
        direction = direction.reshape(self.penalty.shape).astype(p.dtype, copy=False)
        s = self.features.forward(direction)
        s -= np.vecdot(p, s)[:, None]
        s *= p
        s *= self.weight[:, None]
        return (self.features.adjoint(s) + self.penalty * direction).ravel()

    def hessian_blocks(self, p: np.ndarray) -> np.ndarray:
        """Return each class's own block of the Hessian, shape (K, d, d), made invertible."""
        blocks = self.features.gram(self.weight[:, None] * p * (1 - p))
        diagonal = np.einsum("kii->ki", blocks)
        diagonal += self.penalty + 1e-9 * diagonal.max() + LEAST_CURVATURE
        return blocks


class StiffNLL(PenalisedNLL):
    """The objective with a penalty of every parameter, where quick steps are good steps.

    Penalties add to the diagonal of the Hessian, which therefore serves as the preconditioner. Its
    products are taken in float32, in half the time: they only choose the step. Value and gradient,
    which decide where to stop, are float64.
    """

    def newton_step(self, p: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Return minus the inverse Hessian times the gradient."""
        single = np.float32
        curvature = (self.weight[:, None] * p * (1 - p)).T @ self.features.x**2
        diagonal = (curvature + self.penalty).ravel()
        weight, penalty = self.weight.astype(single), self.penalty.astype(single)
        x = AllLogits(self.features.x.astype(single), bias=False)
        quick = replace(self, features=x, weight=weight, penalty=penalty)
        p = p.astype(single)
        return _newton_step(lambda r: quick.hessian_product(p, r), lambda r: r / diagonal, gradient)


def fit_softmax_regression(
    features: Features,
    y: np.ndarray,
    weight: np.ndarray,
    start: np.ndarray,
    penalty: np.ndarray,
    *,
    centre: np.ndarray | float = 0.0,
    masked: np.ndarray | None = None,
    objective: type[PenalisedNLL] = PenalisedNLL,
    tol: float,
    max_iter: int,
    name: str,
) -> tuple[np.ndarray, Solution]:
    """Minimise the mean NLL plus half the penalty-weighted sum of squares of parameters - centre.

    Parameters, start, penalty and centre have the shape (K, d); the weights, shape (n,), are
    positive and sum to one; classes that are masked, shape (n, K), have probability zero. The
    objective is PenalisedNLL, or StiffNLL where no penalty is zero.
    """
    solution = newton(
        objective(features, y, weight, penalty, centre, masked),
        start.ravel(),
        tol=tol,
        max_iter=max_iter,
        no_minimum_below=-np.inf if penalty.any() else np.log(2) * weight.min(),
        name=name,
    )
    return solution.x.reshape(start.shape), solution


def _newton_step(product: Product, precondition: Product, gradient: np.ndarray) -> np.ndarray:
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
