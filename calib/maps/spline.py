"""Spline calibration: the slope of a smooth curve through the cumulative hits.

With t the share of samples up to a score, and h(t) the hits up to there, divided by n, h'(t) is the
share of hits among samples of that score (Gupta et al. 2021, Proposition 4.1).
"""

from typing import ClassVar

import numpy as np

from calib import check
from calib.bins import group_tied
from calib.maps.base import FLOOR, Array, CheckedWeight, Learned, ScoreCalibrator


class SplineCalibration(ScoreCalibrator):
    """Replace each score by the slope of a least-squares cubic spline through cumulative hits.

    The knots are equally spaced in the share of samples. Tied scores get their mean slope. Between
    two scores of the calibration set the result is linear, outside them constant.

    Parameters
    ----------
    n_knots : int
        Number of knots, at least 3; at least 5 for the cubic run-out.
    runout : {"natural", "parabolic", "cubic"}
        No curvature at the ends; constant curvature in the first and last piece; one cubic for the
        first two and the last two pieces.
    target : {"gap", "hits"}
        What the spline is fitted to: cumulative hits minus cumulative scores, whose slope is added
        to the score (the authors' released code), or cumulative hits (the paper's text).
    floor : float, optional
        Results stay in [floor, 1 - floor]. By default 1 / (n + 2), the rule of succession: what was
        not seen in n samples. The paper has none, 0, so that the NLL may be infinite.
    frequency_weights : bool
        Whether weights are numbers of repetitions; of others n is Kish's number.

    Attributes
    ----------
    floor_ : float
        The floor.
    knots_ : ndarray, shape (n_knots,)
        Values of the spline at its knots.
    score_, slope_ : ndarray, shape (m,)
        Distinct scores of the calibration set, and their calibrated scores before clipping.

    References
    ----------
    Gupta et al. (2021), section 4 and appendix C; McKinley & Levine (1998).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.random(20_000)
    >>> spline = SplineCalibration().fit(score, rng.random(20_000) < score**2)
    >>> spline.predict([0.3, 0.7]).round(1)
    array([0.1, 0.5])
    """

    n_knots: int = 6
    runout: str = "natural"
    target: str = "gap"
    floor: float | None = None
    frequency_weights: bool = False
    _learned: ClassVar = {
        "floor_": FLOOR,
        "knots_": Learned(("k",)),
        "score_": Learned(("m",), low=0, high=1, rising=True),
        "slope_": Learned(("m",)),
    }

    def _fit(self, score: Array, hit: Array, weight: CheckedWeight) -> None:
        check.count(
            self.n_knots, "n_knots", low=5 if self.runout == "cubic" else 3, high=1000
        )
        weight = check.sample_counts(weight, self.frequency_weights)
        distinct, total, hits = group_tied(score, hit, weight)
        self.score_: Array = distinct
        self.floor_: float = (
            float(1 / (total.sum() + 2)) if self.floor is None else self.floor
        )
        share, hits = total / total.sum(), hits / total.sum()
        offset = self.score_ if self.target == "gap" else np.zeros(len(self.score_))
        t = np.concatenate([[0.0], np.cumsum(share)])
        curve = np.concatenate([[0.0], np.cumsum(hits - share * offset)])
        basis = spline_basis(t, self.n_knots, self.runout)
        # Trapezoid weights: the sum of squares stands for an integral over the fractile.
        root = np.sqrt((np.diff(t, prepend=0) + np.diff(t, append=1)) / 2)
        self.knots_: Array = np.linalg.lstsq(basis * root[:, None], curve * root)[0]
        # Gupta et al. (2021): the calibrated score is the slope of the cumulative curve
        self.slope_: Array = np.diff(basis @ self.knots_) / share + offset

    def _predict(self, score: Array) -> Array:
        value = np.interp(score, self.score_, self.slope_)
        return np.minimum(np.maximum(value, self.floor_), 1 - self.floor_)


def spline_basis(t: Array, n_knots: int, runout: str = "natural") -> Array:
    """Return the matrix (m, n_knots) that turns values at the knots into those of the spline at t.

    The knots are equally spaced in [0, 1], h apart. At a distance u from the left knot of a piece
    the spline is the straight line between the knots' values plus (-u^3/6h + u^2/2 - hu/3) M_j +
    (u^3/6h - hu/6) M_{j+1}, with second derivatives M. See Gupta et al. (2021), appendix C.
    """
    h = 1 / (n_knots - 1)
    # the last knot is the right end of the last piece
    piece = np.minimum(t / h, n_knots - 2).astype(int)
    u = t - piece * h
    curvature = second_derivatives(n_knots, runout)
    left, right = np.eye(n_knots)[piece], np.eye(n_knots)[piece + 1]
    bend = (-(u**3) / (6 * h) + u**2 / 2 - h * u / 3)[:, None] * curvature[piece]
    bend += (u**3 / (6 * h) - h * u / 6)[:, None] * curvature[piece + 1]
    return left + (u / h)[:, None] * (right - left) + bend


def second_derivatives(n_knots: int, runout: str) -> Array:
    """Return the matrix that turns values at the knots into second derivatives there.

    Inside, M_{j-1} + 4 M_j + M_{j+1} = 6 (y_{j-1} - 2 y_j + y_{j+1}) / h^2, so that the slope is
    continuous. At the ends M_0 = 0 (natural), M_0 = M_1 (parabolic) or M_0 = 2 M_1 - M_2 (cubic).
    See McKinley & Levine (1998), equation 25.
    """
    # what the second derivatives at the first three knots sum to zero with
    end = {"natural": [1, 0, 0], "parabolic": [1, -1, 0], "cubic": [1, -2, 1]}[runout]
    left = np.eye(n_knots) * 4 + np.eye(n_knots, k=1) + np.eye(n_knots, k=-1)
    left[0], left[-1] = 0, 0
    left[0, :3], left[-1, -3:] = end, end[::-1]
    right = np.eye(n_knots, k=1) - 2 * np.eye(n_knots) + np.eye(n_knots, k=-1)
    right[0], right[-1] = 0, 0
    # continuous first derivatives at the inner knots, a row each
    return np.linalg.solve(left, 6 * (n_knots - 1) ** 2 * right)
