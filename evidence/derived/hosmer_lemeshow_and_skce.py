"""Two tests of calibration that one chapter derives: of the bins, and of the whole vector."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.spatial.distance import cdist, pdist

from calib import CalibrationTest, check, equal_mass, top_label
from calib.resampling import p_value_of_draws


def hosmer_lemeshow_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: Any = top_label,
    bins: Any = None,
    n_fitted: int = 0,
) -> CalibrationTest:
    r"""Hosmer-Lemeshow test: are the gaps of the bins larger than chance makes them?

    .. math:: \chi^2 = \sum_b \frac{n_b \, (\mathrm{acc}(B_b) - \mathrm{conf}(B_b))^2}
       {\mathrm{conf}(B_b) (1 - \mathrm{conf}(B_b))}

    Scores are those of a `view`, in ten bins of equal mass by default. `n_fitted` is taken off the
    number of non-empty bins to give the degrees of freedom: 0 on data that the model has not seen,
    2 on those that a logistic regression was fitted to. The `statistic` of the `CalibrationTest` is
    infinite where scores of 0 or 1 were wrong. Hosmer & Lemeshow (1980).

    Examples
    --------
    >>> from calib import equal_width
    >>> test = hosmer_lemeshow_test([1, 0, 1, 0], [0.5, 0.5, 0.8, 0.8], bins=equal_width(2))
    >>> round(test.statistic, 3), round(test.p_value, 3)
    (1.125, 0.57)
    """
    score, hit = view(y_true, y_prob)
    binned = (equal_mass(10) if bins is None else bins)(np.minimum(score, 1), hit)
    full = binned.weight > 0
    freedom = int(full.sum()) - n_fitted
    conf, square = binned.mean_score[full], binned.gap_sum[full] ** 2
    variance = binned.weight[full] * conf * (1 - conf)
    # without variance a gap is impossible, and no gap is none
    impossible = np.where(square > 0, np.inf, 0.0)
    statistic = float(
        np.divide(square, variance, out=impossible, where=variance > 0).sum()
    )
    method = f"Hosmer-Lemeshow chi squared, {freedom} degrees of freedom"
    return CalibrationTest(statistic, float(stats.chi2.sf(statistic, freedom)), method)


def skce_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    bandwidth: float | None = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | int,
) -> CalibrationTest:
    r"""Test calibration in the strong sense with the squared kernel calibration error, one-sided.

    With e the one-hot label less the probabilities, the `statistic` is the mean over all pairs of
    different samples of

    .. math:: h_{ij} = e_i^\top e_j \exp(-\mathrm{TV}(p_i, p_j) / \nu),

    TV being the total variation distance, half the sum of absolute differences. Its expectation is
    zero if and only if the model is calibrated in the strong sense; it may be negative. The
    bandwidth ν is by default the median distance of up to 1000 samples, evenly spaced.

    Each of `n_resamples` draws gives every sample a random sign and takes the mean of sign times
    sign times h, which is what the estimator does under calibration, where h has mean zero given
    either of its samples. B draws take O(n² B) time.

    Widmann, Lindsten & Zachariah (2019), appendix G; Arcones & Giné (1992).

    Examples
    --------
    >>> round(skce_test([1, 0], [[0.2, 0.8], [0.2, 0.8]], bandwidth=1.0, rng=0).statistic, 6)
    -0.32
    >>> from evidence.simulate import LabelNoise
    >>> y, p = LabelNoise(noise=0.3).sample(500, np.random.default_rng(0))
    >>> skce_test(y, p, rng=1).p_value < 0.01
    True
    """
    p = check.probabilities(y_prob).astype(float)
    error = -p
    error[np.arange(len(p)), check.labels(y_true, p.shape[1], n=len(p))] += 1
    if bandwidth is None:
        # half of the city-block distance is the total variation; a thousand samples suffice
        bandwidth = float(np.median(pdist(p[:: -(-len(p) // 1000)], "cityblock"))) / 2
    # one sign a sample and draw, kept for all blocks of rows
    sign = np.random.default_rng(rng).integers(2, size=(len(p), n_resamples)) * 2.0 - 1
    value, null = 0.0, np.zeros(n_resamples)
    # in blocks: the whole matrix of a large set would not fit into memory
    for start in range(0, len(p), 256):
        # rows of the matrix h, whose diagonal is left out
        rows = slice(start, start + 256)
        h = np.exp(-0.5 * cdist(p[rows], p, "cityblock") / bandwidth) * (
            error[rows] @ error.T
        )
        np.fill_diagonal(h[:, start:], 0)
        value += h.sum()
        # the sum over i and j of sign times h times sign, for each draw at once
        null += np.einsum("ib,ib->b", sign[rows], h @ sign)
    pairs = len(p) * (len(p) - 1)
    value, null = float(value / pairs), null / pairs
    p_value = p_value_of_draws(null, value)
    method = f"quadratic SKCE, {n_resamples} draws of random signs, one-sided"
    return CalibrationTest(value, p_value, method, null)
