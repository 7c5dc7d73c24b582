"""Laplace's approximation: counts with normal effects, integrated over these without a sampler."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack
from scipy.special import expit, log_expit

MOST_STEPS, CLOSE, LONGEST_STEP = 100, 1e-4, 3.0  # steps in logits


@dataclass(frozen=True)
class Design:
    """Which cells have which level of the effects that are drawn."""

    indicators: np.ndarray  # shape (cells, levels of all effects): one where it has it
    effect: np.ndarray  # of each column, the place in the list of all effects

    @cached_property
    def pairs(self) -> Any:
        """The products of each two indicators of a cell, sparse: shape (columns ** 2, cells)."""
        products = [
            csr_array(np.outer(row, row).reshape(1, -1)) for row in self.indicators
        ]
        return vstack(products, format="csr").T  # as scipy multiplies from the right

    def scaled(self, spread: np.ndarray) -> np.ndarray:
        """Return the indicators times the standard deviation of their effects."""
        return self.indicators * spread[self.effect]


def design_of(
    codes: dict[str, np.ndarray], effects: tuple[str, ...], n_cells: int
) -> Design:
    """Return the `Design` of cells, given the level of each for every effect that is drawn.

    Examples
    --------
    >>> design_of({"b": np.array([0, 1])}, ("a", "b"), 2).effect.tolist()
    [1, 1]
    """
    columns = [np.eye(max(levels) + 1)[levels] for levels in codes.values()]
    places = [effects.index(name) for name in codes]
    effect = np.repeat(places, [column.shape[1] for column in columns])
    return Design(np.hstack([np.zeros((n_cells, 0)), *columns]), effect.astype(int))


@dataclass(frozen=True)
class Mode:
    """Where effects are likeliest, and what Laplace's approximation makes of it."""

    log_likelihood: np.ndarray  # log p(counts | mu), shape (draws, mu)
    effects: np.ndarray  # standard normal, shape (draws, mu, columns)
    hessian: np.ndarray  # negative, shape (draws, mu, columns, columns)


def mode_of(
    n: np.ndarray, agree: np.ndarray, mu: np.ndarray, design: Design, spread: np.ndarray
) -> Mode:
    """Return the `Mode` of the effects of counts, at each mu.

    The effects are standard normal, times their spreads. Their mode is found by Newton's steps, and
    log p(counts) = log p(counts, mode) - log det(negative Hessian) / 2.

    Parameters
    ----------
    n : array of shape (n_cells,)
        Networks of each cell.
    agree : array of shape (draws, 1, n_cells)
        How many of them agree.
    mu : array
        Mean logits.
    design : Design
    spread : array
        The standard deviation of each effect.

    Raises
    ------
    RuntimeError
        If Newton's steps do not end.
    """
    scaled, columns = design.scaled(spread), spread[design.effect]
    z = np.zeros((len(agree), len(mu), len(columns)))
    for _ in range(MOST_STEPS):
        eta = mu[:, None] + z @ scaled.T
        p = expit(eta)
        # The Hessian sums n p (1 - p) over cells that share two levels. One product with sparse
        # pairs does that for all draws and mu; a loop over them takes ten times as long.
        weight = (n * p * (1 - p)).reshape(-1, len(n))
        hessian = (design.pairs @ weight.T).T.reshape(*z.shape, len(columns))
        hessian = hessian * np.outer(columns, columns) + np.eye(len(columns))
        gradient = (agree - n * p) @ scaled - z
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        longest = np.abs(step @ scaled.T).max(axis=-1, keepdims=True, initial=CLOSE / 2)
        # far steps overshoot near sure coins
        z += step * np.minimum(1, LONGEST_STEP / longest)
        if longest.max() < CLOSE:
            fit = (agree * log_expit(eta) + (n - agree) * log_expit(-eta)).sum(axis=-1)
            fit = fit - (z**2).sum(axis=-1) / 2 - np.linalg.slogdet(hessian)[1] / 2
            return Mode(fit, z, hessian)
    raise RuntimeError(f"no mode of the effects after {MOST_STEPS} steps")
