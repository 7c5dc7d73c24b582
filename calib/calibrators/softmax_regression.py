"""Softmax regression by Newton's method with conjugate gradients: vector, matrix, Dirichlet maps.

The parameters form a matrix with one row a class: its weights, then its bias. The mean NLL is
convex in them. Products with its Hessian need no Hessian: two products with the features.
"""

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from calib.calibrators.solvers import newton

GRAM_ROWS = 400  # rows that are enough for a preconditioner
TINY = 1e-100  # keeps a preconditioner invertible where all probabilities are zero or one


class OwnLogit:
    """Features of vector scaling: each class sees its own logit, and a constant if `bias`."""

    def __init__(self, z, bias):
        self.z = z
        self.bias = bias

    def forward(self, parameters):
        """Return the new logits, shape (n, K)."""
        u = self.z * parameters[:, 0]
        return u + parameters[:, 1] if self.bias else u

    def adjoint(self, residual):
        """Return the derivatives by the parameters, given those by the new logits."""
        rows = [np.vecdot(residual, self.z, axis=0)]
        return np.column_stack([*rows, residual.sum(axis=0)] if self.bias else rows)

    def gram(self, weight):
        """Return each class's weighted Gram matrix of its features, shape (K, d, d)."""
        zz, z, one = (np.vecdot(weight, self.z**power, axis=0) for power in (2, 1, 0))
        block = np.array([[zz, z], [z, one]]) if self.bias else zz[None, None]
        return np.moveaxis(block, -1, 0)


class AllLogits:
    """Features of matrix scaling: each class sees all logits, and a constant if `bias`."""

    def __init__(self, z, bias):
        self.x = np.column_stack([z, np.ones(len(z))]) if bias else z

    def forward(self, parameters):
        """Return the new logits, shape (n, K)."""
        return self.x @ parameters.T

    def adjoint(self, residual):
        """Return the derivatives by the parameters, given those by the new logits."""
        return residual.T @ self.x

    def gram(self, weight):
        """Return each class's weighted Gram matrix of its features, from its heaviest rows."""
        return np.array([self._gram(column) for column in weight.T])

    def _gram(self, weight):
        x = self.x
        if len(x) > GRAM_ROWS:
            heaviest = np.argpartition(weight, -GRAM_ROWS)[-GRAM_ROWS:]
            x, weight = x[heaviest], weight[heaviest]
        return (x.T * weight) @ x


def fit_softmax_regression(features, y, weight, start, penalty, *, tol, max_iter, name):
    """Minimise the mean NLL plus half the penalty-weighted sum of squared parameters.

    Parameters
    ----------
    features : OwnLogit or AllLogits
    y : ndarray of int, shape (n,)
    weight : ndarray, shape (n,)
        Positive weights that sum to one.
    start : ndarray, shape (K, d)
    penalty : ndarray, shape (K, d)
        Penalty of each parameter, zero or positive.
    tol, max_iter, name
        See :func:`calib.calibrators.solvers.newton`.

    Returns
    -------
    parameters : ndarray, shape (K, d)
    solution : Solution

    Raises
    ------
    ConvergenceError
        Where the solver fails, or without penalty the classes can be separated.
    """
    shape = start.shape
    rows = np.arange(len(y))

    def objective(flat):
        parameters = flat.reshape(shape)
        u = features.forward(parameters)
        u -= u.max(axis=1, keepdims=True)
        true = u[rows, y]
        p = np.exp(u, out=u)
        norm = p.sum(axis=1)
        p /= norm[:, None]
        value = weight @ (np.log(norm) - true) + np.sum(penalty * parameters**2) / 2
        residual = p * weight[:, None]
        residual[rows, y] -= weight
        gradient = features.adjoint(residual) + penalty * parameters

        def hessian_product(direction):
            direction = direction.reshape(shape)
            s = features.forward(direction)
            s -= np.vecdot(p, s)[:, None]
            s *= p
            s *= weight[:, None]
            return (features.adjoint(s) + penalty * direction).ravel()

        def step():
            blocks = features.gram(weight[:, None] * p * (1 - p))
            diagonal = np.einsum("kii->ki", blocks)
            diagonal += penalty + 1e-9 * diagonal.max() + TINY
            inverse = np.linalg.inv(blocks)

            def precondition(r):
                return np.matvec(inverse, r.reshape(shape)).ravel()

            size = (flat.size, flat.size)
            return -cg(
                LinearOperator(size, hessian_product, dtype=float),
                gradient.ravel(),
                rtol=min(0.1, np.sqrt(np.linalg.norm(gradient))),
                M=LinearOperator(size, precondition, dtype=float),
                maxiter=200,
            )[0]

        return value, gradient.ravel(), step

    solution = newton(
        objective,
        start.ravel(),
        tol=tol,
        max_iter=max_iter,
        no_minimum_below=-np.inf if penalty.any() else np.log(2) * weight.min(),
        name=name,
    )
    return solution.x.reshape(shape), solution
