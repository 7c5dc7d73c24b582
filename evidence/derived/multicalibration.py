"""Multicalibration: scores that are patched until no group has a gap at any level."""

import numpy as np
from numpy.typing import ArrayLike

from calib import Calibrator, ConvergenceError, check


class Multicalibration(Calibrator):
    r"""Patch scores until no group has a gap at any level of the score.

    A cell is a group at one of `n_bins` levels of the score. While a cell of the share m of all
    samples has a gap g of mean hit and mean score with :math:`m g^2 > \alpha^2`, g is added to its
    scores. Each patch lowers the mean squared error by :math:`m g^2`, so at most
    :math:`1 / \alpha^2` patches are needed, however many groups there are.

    After `fit`, `alpha_` is what was taken for it, `patches_` of shape (P, 3) are group, level and
    what was added, in their order, and `n_groups_` is the number of groups.

    Hébert-Johnson, Kim, Reingold & Rothblum (2018), algorithm 1; Hoeffding (1963), theorem 2.

    Parameters
    ----------
    alpha : float, optional
        Root of the largest :math:`m g^2` that may be left, between 0 and 1. By default
        :math:`\sqrt{\ln(2 C / 0.05) / (2 n)}` for C cells and n samples: calibrated scores are then
        left alone in 95 % of all samples or more, by Hoeffding's inequality in each cell.
    n_bins : int
        Number of levels, of equal width.

    Examples
    --------
    >>> score, group = np.full(200, 0.5), np.arange(200) % 2 == 0
    >>> fitted = Multicalibration().fit(score, group, np.column_stack([group, ~group]))
    >>> fitted.predict([0.5, 0.5], np.eye(2, dtype=bool))
    array([1., 0.])
    """

    def __init__(self, alpha: float | None = None, n_bins: int = 10) -> None:
        self.alpha = alpha
        self.n_bins = n_bins

    def fit(
        self, score: ArrayLike, hit: ArrayLike, groups: np.ndarray
    ) -> "Multicalibration":
        """Find the patches; groups, bool of shape (n, G), may overlap."""
        s, h, _ = check.pairs(score, hit)
        self.n_groups_ = groups.shape[1]
        chance = np.log(2 * self.n_groups_ * self.n_bins / 0.05) / (2 * len(s))
        self.alpha_ = float(chance**0.5) if self.alpha is None else self.alpha
        weight = np.full(len(s), 1 / len(s))
        # a sample counts in each of its groups: one entry a membership
        sample, group = np.nonzero(groups)
        # a score that rounds above one belongs to the last level
        n_cells, s = self.n_groups_ * self.n_bins, np.minimum(s, 1)
        patches: list[list[float]] = []
        # each patch lowers the squared error by alpha squared at least, and it is one at most
        for _ in range(int(1 / self.alpha_**2) + 1):
            cell = group * self.n_bins + self._level(s)[sample]
            mass = np.bincount(cell, weight[sample], n_cells)
            gap_sum = np.bincount(cell, (weight * (h - s))[sample], n_cells)
            size = np.divide(gap_sum**2, mass, where=mass > 0, out=np.zeros(n_cells))
            worst = int(size.argmax())
            if size[worst] <= self.alpha_**2:
                self.patches_ = np.array(patches).reshape(-1, 3)
                return self
            patches.append([*divmod(worst, self.n_bins), gap_sum[worst] / mass[worst]])
            s = self._patched(s, groups, *patches[-1])
        raise ConvergenceError(
            "Multicalibration: more patches than can be", size[worst]
        )

    def predict(self, score: ArrayLike, groups: np.ndarray) -> np.ndarray:
        """Return the patched score of each sample, shape (n,)."""
        self._check_fitted()
        s = np.minimum(score, 1)
        for patch in self.patches_:
            s = self._patched(s, groups, *patch)
        return s

    def _level(self, score: np.ndarray) -> np.ndarray:
        # a score of one belongs to the last level
        return np.minimum((score * self.n_bins).astype(int), self.n_bins - 1)

    def _patched(
        self,
        score: np.ndarray,
        groups: np.ndarray,
        group: float,
        level: float,
        gap: float,
    ) -> np.ndarray:
        cell = groups[:, int(group)] & (self._level(score) == level)
        return np.where(cell, np.clip(score + gap, 0, 1), score)
