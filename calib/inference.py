"""How sure is the number: intervals, bands and tests.

Randomness comes from a generator that the caller passes in: the same state gives the same bytes.
"""

from dataclasses import dataclass, field
from inspect import signature

import numpy as np
from scipy import stats
from scipy.signal import fftconvolve
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist, pdist

from calib import errors, scores
from calib.bins import EqualWidth, check_binning, equal_mass, equal_width
from calib.checks import (
    as_array,
    check_choice,
    check_count,
    check_fraction,
    check_labels,
    check_pairs,
    check_positive,
    check_probabilities,
    check_rng,
    check_scores,
)
from calib.views import top_label, view_pairs

OF_PAIRS = (  # metrics that read nothing but the scores and hits of a view
    errors.calibration_error,
    errors.debiased_ece,
    errors.ece,
    errors.kde_ece,
    errors.ks_error,
    errors.mce,
    errors.psce,
    errors.rmsce,
    errors.smooth_ece,
    errors.sweep_ece,
    scores.accuracy,
    scores.top1_brier,
)
CLASSWISE_ENTRIES = 1 << 24  # probabilities up to which the classwise ECE is kept as sums
ROUNDING = 1e-12  # what the order of a sum may change a metric by


@dataclass(frozen=True)
class Estimate:
    """A number with its interval.

    Attributes
    ----------
    value : float
        The metric of the samples themselves.
    low, high : float
        Ends of the confidence interval.
    standard_error : float
        Standard deviation over the resamples.
    confidence_level : float
    n_resamples : int
    method : str
        How it was made.
    resampled : ndarray of float, shape (n_resamples,)
        The metric of each resample.

    Examples
    --------
    >>> print(Estimate(0.0431, 0.0384, 0.0472, 0.0022, 0.95, 1000, "basic bootstrap"))
    0.0431 (0.0384 to 0.0472)
    """

    value: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    n_resamples: int
    method: str
    resampled: np.ndarray | None = field(default=None, repr=False, compare=False)

    def __str__(self):
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f})"


@dataclass(frozen=True)
class CalibrationTest:
    """Outcome of a test of the hypothesis that a model is calibrated.

    Attributes
    ----------
    statistic : float
    p_value : float
        Probability of a statistic at least as extreme if the model is calibrated.
    method : str
        The test, and how its p-value was made.
    null : ndarray of float, or None
        Statistics drawn under the hypothesis, where the test draws any.

    Examples
    --------
    >>> spiegelhalter_test([1, 1, 0], [0.9, 0.6, 0.2]).method
    "Spiegelhalter's z, two-sided"
    """

    statistic: float
    p_value: float
    method: str
    null: np.ndarray | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Band:
    """Where the accuracy of each bin would fall if the model were calibrated.

    Attributes
    ----------
    edges : ndarray of float, shape (M + 1,)
        Edges of the bins.
    count : ndarray of int, shape (M,)
        Number of samples in each bin.
    mean_score, low, high : ndarray of float, shape (M,)
        Mean score, and the ends of the range of the mean hit; NaN in empty bins.
    confidence_level : float
        Probability, at least, that a calibrated bin lies in its range.
    method : str
        How it was made.

    Examples
    --------
    >>> band = consistency_band([0.5] * 100, bins=equal_width(2))
    >>> band.count, band.low
    (array([100,   0]), array([0.4, nan]))
    """

    edges: np.ndarray
    count: np.ndarray
    mean_score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    confidence_level: float
    method: str


def bootstrap(
    metric,
    y_true,
    y_prob,
    *,
    n_resamples=1000,
    confidence_level=0.95,
    method="basic",
    rng,
    **options,
):
    r"""Confidence interval of a metric, from samples drawn again with replacement.

    With :math:`\hat\theta` the metric, and q the quantiles of the metric over the resamples, the
    basic interval is :math:`2 \hat\theta - q_{1 - a}` to :math:`2 \hat\theta - q_{a}` and the
    percentile interval is :math:`q_{a}` to :math:`q_{1 - a}`. Calibration errors are biased
    upwards, and resampling adds the same bias once more: the basic interval takes it off, the
    percentile interval counts it twice and may even miss the metric itself. Nothing is clipped: a
    low end below zero says that the sample does not rule out a calibrated model.

    An infinite metric, such as the NLL where a label has probability zero, has the interval from
    infinity to infinity: what was seen once happens with a positive probability, so that the
    expected loss is infinite too. Its standard error is not a number.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, such as :func:`calib.ece`.
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K) or (n,)
    n_resamples : int
    confidence_level : float
    method : {"basic", "percentile"}
    rng : numpy.random.Generator
    **options
        Passed to the metric.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; the metric raises its own errors.

    Notes
    -----
    Resampling counts how often each sample is drawn. `ece`, `mce`, `rmsce`, `calibration_error`
    with equal-width bins, `classwise_ece` and `ks_error` are then sums of these counts over samples
    that were binned or sorted once. The other metrics of a view are computed from its pairs, and
    all metrics with a `sample_weight` from the counts as weights, without a copy of the
    probabilities. Any other metric is called with the drawn rows. All ways give the same numbers.

    References
    ----------
    Efron & Tibshirani (1993), chapters 12 and 13; Davison & Hinkley (1997), section 5.2.

    Examples
    --------
    >>> from calib import ece
    >>> from calib.simulate import BetaDistorted
    >>> hit, score = BetaDistorted().sample(2000, np.random.default_rng(0))
    >>> estimate = bootstrap(ece, hit, score, rng=np.random.default_rng(1))
    >>> estimate.low < BetaDistorted().true_ece() < estimate.high
    True
    """
    value = _value(metric, y_true, y_prob, options)
    statistic = _drawn_statistic(metric, y_true, y_prob, options)
    resampled = _resample(statistic, len(y_true), n_resamples, rng)
    return _estimate(value, resampled, confidence_level, method, "bootstrap")


def paired_difference(
    metric,
    y_true,
    y_prob_a,
    y_prob_b,
    *,
    n_resamples=1000,
    confidence_level=0.95,
    method="basic",
    rng,
    **options,
):
    """Difference of a metric between two models or maps on the same samples, a less b.

    Both are computed from the same resamples, so that what they have in common cancels: the
    interval is narrower than two intervals of one model each suggest.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``.
    y_true : array_like of int, shape (n,)
        Labels; where the probabilities are 1-D scores, the hits of both.
    y_prob_a, y_prob_b : array_like, shape (n, K) or (n,)
    n_resamples, confidence_level, method, rng, **options
        As in :func:`bootstrap`.

    Returns
    -------
    Estimate
        Of ``metric(y_true, y_prob_a) - metric(y_true, y_prob_b)``.

    Raises
    ------
    ValueError, TypeError
        As in :func:`bootstrap`.

    Examples
    --------
    >>> from calib import ece
    >>> from calib.simulate import TemperedGaussian
    >>> model = TemperedGaussian(temperature=2.0)
    >>> y, before = model.sample(1000, np.random.default_rng(0))
    >>> y, after = model.calibrated().sample(1000, np.random.default_rng(0))
    >>> difference = paired_difference(ece, y, before, after, rng=np.random.default_rng(1))
    >>> difference.low > 0
    True
    """
    value = _value(metric, y_true, y_prob_a, options) - _value(metric, y_true, y_prob_b, options)
    first = _drawn_statistic(metric, y_true, y_prob_a, options)
    second = _drawn_statistic(metric, y_true, y_prob_b, options)
    resampled = _resample(lambda i: first(i) - second(i), len(y_true), n_resamples, rng)
    return _estimate(value, resampled, confidence_level, method, "paired bootstrap")


def consistency_test(metric, y_true, y_prob, *, n_resamples=1000, rng, **options):
    """Test calibration: is the metric larger than a calibrated model with these scores shows?

    Labels are drawn from the predicted probabilities (hits from the scores, for a metric of a
    view), which makes the model calibrated by construction, and the metric is computed anew. The
    predictions stay as they are. With r draws of B at least as large as the metric itself, the
    p-value is (1 + r) / (1 + B), which is valid at any n.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, large where calibration is bad.
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K) or (n,)
    n_resamples : int
        Number B of draws.
    rng : numpy.random.Generator
    **options
        Passed to the metric.

    Returns
    -------
    CalibrationTest
        Its `null` holds the B metrics drawn under calibration.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; the metric raises its own errors.

    References
    ----------
    Vaicenavicius et al. (2019), who also resample the predictions; Bröcker & Smith (2007).

    Examples
    --------
    >>> from calib import ece
    >>> from calib.simulate import LabelNoise
    >>> y, p = LabelNoise(noise=0.2).sample(1000, np.random.default_rng(0))
    >>> consistency_test(ece, y, p, n_resamples=199, rng=np.random.default_rng(1)).p_value
    0.005
    """
    check_rng(rng)
    check_count(n_resamples, "n_resamples")
    value = _value(metric, y_true, y_prob, options)
    drawn = _calibrated_statistic(metric, y_true, y_prob, options, rng)
    null = np.array([drawn() for _ in range(n_resamples)])
    p_value = _share_as_large(null, value)
    method = f"consistency resampling of {_name(metric)}, {n_resamples} draws, one-sided"
    return CalibrationTest(value, p_value, method, null)


def spiegelhalter_test(y_true, y_prob, *, view=top_label):
    r"""Spiegelhalter's z test: is the Brier score what calibrated scores would give?

    .. math:: z = \frac{\sum_i (h_i - s_i)(1 - 2 s_i)}
       {\sqrt{\sum_i (1 - 2 s_i)^2 s_i (1 - s_i)}}

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K) or (n,)
    view : callable
        Which score and which event, see :mod:`calib.views`.

    Returns
    -------
    CalibrationTest
        `statistic` is z; the p-value is two-sided, from the normal distribution.

    Raises
    ------
    ValueError
        Where the data are not what they should be, or every score is 0, 1/2 or 1, which leaves z
        undefined.

    Notes
    -----
    Gaps at s and 1 - s weigh with opposite signs: the test is blind to errors that leave the Brier
    score as expected.

    References
    ----------
    Spiegelhalter (1986).

    Examples
    --------
    >>> test = spiegelhalter_test([1, 1, 0], [0.9, 0.6, 0.2])
    >>> round(test.statistic, 3), round(test.p_value, 3)  # -0.28 / sqrt(0.1248)
    (-0.793, 0.428)
    """
    score, hit, _ = view_pairs(y_true, y_prob, view)
    lean = 1 - 2 * score
    variance = np.sum(lean**2 * score * (1 - score))
    if not variance > 0:
        raise ValueError("y_prob: every score is 0, 1/2 or 1, which leaves the statistic undefined")
    z = float(np.sum((hit - score) * lean) / np.sqrt(variance))
    return CalibrationTest(z, float(2 * stats.norm.sf(abs(z))), "Spiegelhalter's z, two-sided")


def hosmer_lemeshow_test(y_true, y_prob, *, view=top_label, bins=None, n_fitted=0):
    r"""Hosmer-Lemeshow test: are the gaps of the bins larger than chance makes them?

    .. math:: \chi^2 = \sum_b \frac{n_b \, (\mathrm{acc}(B_b) - \mathrm{conf}(B_b))^2}
       {\mathrm{conf}(B_b) (1 - \mathrm{conf}(B_b))}

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K) or (n,)
    view : callable
        Which score and which event, see :mod:`calib.views`.
    bins : callable, optional
        Binning; ``equal_mass(10)`` by default.
    n_fitted : int
        Taken off the number of non-empty bins to give the degrees of freedom: 0 on data that the
        model has not seen, 2 on the data that a logistic regression was fitted to.

    Returns
    -------
    CalibrationTest
        `statistic` is chi squared; infinite where scores of 0 or 1 were wrong. A score above one,
        by rounding, counts as one.

    Raises
    ------
    ValueError
        Where the data are not what they should be, or no degree of freedom is left.

    References
    ----------
    Hosmer & Lemeshow (1980).

    Examples
    --------
    >>> test = hosmer_lemeshow_test([1, 0, 1, 0], [0.5, 0.5, 0.8, 0.8], bins=equal_width(2))
    >>> round(test.statistic, 3), round(test.p_value, 3)
    (1.125, 0.57)
    """
    score, hit, _ = view_pairs(y_true, y_prob, view)
    binned = check_binning(bins, equal_mass(10))(np.minimum(score, 1), hit)
    full = binned.weight > 0
    freedom = int(full.sum()) - check_count(n_fitted, "n_fitted", low=0)
    if freedom < 1:
        raise ValueError(f"n_fitted: {n_fitted}, expected fewer than the {full.sum()} full bins")
    conf, square = binned.mean_score[full], binned.gap_sum[full] ** 2
    variance = binned.weight[full] * conf * (1 - conf)
    wrong = np.where(square > 0, np.inf, 0.0)
    statistic = float(np.divide(square, variance, out=wrong, where=variance > 0).sum())
    method = f"Hosmer-Lemeshow chi squared, {freedom} degrees of freedom"
    return CalibrationTest(statistic, float(stats.chi2.sf(statistic, freedom)), method)


def skce(y_true, y_prob, *, estimator="quadratic", bandwidth=None):
    r"""Squared kernel calibration error, of the whole probability vector.

    With e the one-hot label less the probabilities,

    .. math:: h_{ij} = e_i^\top e_j \exp(-\mathrm{TV}(p_i, p_j) / \nu),

    TV being the total variation distance, half the sum of absolute differences. Its mean over two
    independent samples is zero if and only if the model is calibrated in the strong sense.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, or the scores of pairs: then e = h - s and TV is the distance of the scores,
        which is half of what the two columns 1 - s and s give.
    estimator : {"quadratic", "linear", "biased"}
        Mean of h over all pairs of different samples (unbiased, takes O(n²) time); over samples 1
        and 2, 3 and 4, ... (unbiased, O(n), less exact); over all pairs, i = j included.
    bandwidth : float, optional
        The bandwidth ν; by default the median distance of up to 1000 samples, evenly spaced.

    Returns
    -------
    float
        The two unbiased estimates may be negative.

    Raises
    ------
    ValueError
        Where the data are not what they should be, an unbiased estimate is asked of one sample, or
        the median distance is zero.

    References
    ----------
    Widmann, Lindsten & Zachariah (2019).

    Examples
    --------
    >>> round(skce([1, 0], [0.8, 0.8], bandwidth=1.0), 6)
    -0.16
    """
    check_choice(estimator, "estimator", ("quadratic", "linear", "biased"))
    error, p = _errors(y_true, y_prob)
    width = _bandwidth(p, bandwidth)
    if estimator == "biased":
        total = sum(block.sum() for _, block in _kernel_blocks(error, p, width))
        return float(total / len(p) ** 2)
    if len(p) < 2:
        raise ValueError("y_prob: 1 row, expected at least 2 for an unbiased estimate")
    if estimator == "linear":
        return float(_kernel_of_pairs(error, p, width).mean())
    total = sum(_without_diagonal(*block).sum() for block in _kernel_blocks(error, p, width))
    return float(total / (len(p) * (len(p) - 1)))


def skce_test(y_true, y_prob, *, estimator="quadratic", bandwidth=None, n_resamples=1000, rng=None):
    """Test calibration in the strong sense with the squared kernel calibration error.

    "linear": the mean of h over n/2 independent pairs is compared with a normal distribution of
    the pairs' standard deviation. "quadratic": each draw gives every sample a random sign and takes
    the mean of sign times sign times h, which is what the estimator does under calibration, where
    h has mean zero given either of its samples. Both are one-sided; the quadratic one finds smaller
    errors, and takes O(n² B) time.

    Parameters
    ----------
    y_true, y_prob, bandwidth
        As in :func:`skce`.
    estimator : {"quadratic", "linear"}
    n_resamples : int
        Number B of draws of "quadratic".
    rng : numpy.random.Generator
        Needed by "quadratic".

    Returns
    -------
    CalibrationTest

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; "linear" needs four samples, whose two values differ.

    References
    ----------
    Widmann, Lindsten & Zachariah (2019), lemma 3 and appendix G; Arcones & Giné (1992).

    Examples
    --------
    >>> from calib.simulate import LabelNoise
    >>> y, p = LabelNoise(noise=0.3).sample(500, np.random.default_rng(0))
    >>> skce_test(y, p, rng=np.random.default_rng(1)).p_value < 0.01
    True
    """
    check_choice(estimator, "estimator", ("quadratic", "linear"))
    error, p = _errors(y_true, y_prob)
    width = _bandwidth(p, bandwidth)
    if estimator == "linear":
        h = _kernel_of_pairs(error, p, width)
        if len(h) < 2 or np.ptp(h) == 0:
            raise ValueError(f"y_prob: {len(p)} rows, expected two pairs that differ")
        z = h.mean() / (h.std(ddof=1) / np.sqrt(len(h)))
        method = "linear SKCE over its standard error, normal, one-sided"
        return CalibrationTest(float(z), float(stats.norm.sf(z)), method)
    check_rng(rng)
    check_count(n_resamples, "n_resamples")
    if len(p) < 2:
        raise ValueError("y_prob: 1 row, expected at least 2")
    sign = rng.integers(2, size=(len(p), n_resamples)) * 2.0 - 1
    value, null = 0.0, np.zeros(n_resamples)
    for start, block in _kernel_blocks(error, p, width):
        h = _without_diagonal(start, block)
        value += h.sum()
        null += np.einsum("ib,ib->b", sign[start : start + len(h)], h @ sign)
    pairs = len(p) * (len(p) - 1)
    value, null = float(value / pairs), null / pairs
    method = f"quadratic SKCE, {n_resamples} draws of random signs, one-sided"
    return CalibrationTest(value, _share_as_large(null, value), method, null)


def consistency_band(score, *, bins=None, confidence_level=0.95):
    """Range of each bin's accuracy that a calibrated model with these scores would show.

    If the model is calibrated, the number of hits in a bin is a sum of independent trials with the
    scores as probabilities: a Poisson-binomial variable, whose quantiles are computed exactly.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Scores in [0, 1], for example confidences.
    bins : callable, optional
        Binning, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    confidence_level : float
        Each bin's own level: of M bins, one in twenty is expected outside of a level of 0.95.

    Returns
    -------
    Band

    Raises
    ------
    ValueError
        Where a score is outside [0, 1] or the level is not inside (0, 1).

    References
    ----------
    Bröcker & Smith (2007), who resample; here the distribution is exact.

    Examples
    --------
    >>> band = consistency_band([0.5] * 100, bins=equal_width(1))
    >>> band.low, band.high
    (array([0.4]), array([0.6]))
    """
    check_fraction(confidence_level, "confidence_level")
    score = check_scores(score)
    binned = check_binning(bins, equal_width(15))(score, np.zeros(len(score)))
    in_bin = _split(score, binned)
    tail = (1 - confidence_level) / 2
    low, high = np.array([_poisson_binomial_range(p, tail) for p in in_bin]).T
    return Band(
        binned.edges,
        binned.count,
        binned.mean_score,
        low,
        high,
        confidence_level,
        "exact Poisson-binomial quantiles, each bin by itself",
    )


def error_if_calibrated(score, *, bins=None):
    """Mean ECE that a calibrated model with these scores would show: the bias that bins bring.

    The mean of ``|hits - sum of scores|`` over the Poisson-binomial number of hits, summed over
    bins and divided by n.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Scores in [0, 1].
    bins : callable, optional
        Binning, see :mod:`calib.bins`; ``equal_width(15)`` by default.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where a score is outside [0, 1].

    Examples
    --------
    >>> error_if_calibrated([0.5, 0.5], bins=equal_width(1))
    0.25
    """
    score = check_scores(score)
    binned = check_binning(bins, equal_width(15))(score, np.zeros(len(score)))
    return sum(_mean_deviation(p) for p in _split(score, binned)) / len(score)


def poisson_binomial(prob):
    """Probabilities of 0, 1, ..., n successes in independent trials.

    Parameters
    ----------
    prob : array_like of float, shape (n,)
        Probability of success of each trial; rounding above one counts as one.

    Returns
    -------
    ndarray of float, shape (n + 1,)

    Notes
    -----
    Distributions of pairs of trials are convolved, then pairs of pairs: O(n log² n).

    Examples
    --------
    >>> poisson_binomial([0.5, 0.5])
    array([0.25, 0.5 , 0.25])
    """
    prob = np.minimum(np.asarray(prob, float), 1)
    n = len(prob)
    size = 1 << max(n - 1, 0).bit_length()
    padded = np.zeros(size)
    padded[:n] = prob
    mass = np.column_stack([1 - padded, padded])
    while len(mass) > 1:
        mass = fftconvolve(mass[::2], mass[1::2], axes=1)
    return np.clip(mass[0, : n + 1], 0, None)


def _poisson_binomial_range(prob, tail):
    if len(prob) == 0:
        return np.nan, np.nan
    below = np.cumsum(poisson_binomial(prob))
    return np.searchsorted(below, [tail, 1 - tail]) / len(prob)


def _mean_deviation(prob):
    hits = np.arange(len(prob) + 1)
    return float(poisson_binomial(prob) @ np.abs(hits - np.sum(prob)))


def _split(score, bins):
    """Return the scores of each bin."""
    bin_of = bins.assign(score)
    order = np.argsort(bin_of, kind="stable")
    return np.split(score[order], np.cumsum(bins.count)[:-1])


def _value(metric, y_true, y_prob, options):
    if not callable(metric):
        raise TypeError(f"metric: {metric!r}, expected a metric such as calib.ece")
    if len(y_true) != len(y_prob):
        raise ValueError(f"y_prob: {len(y_prob)} rows, expected {len(y_true)} as in y_true")
    value = float(metric(y_true, y_prob, **options))
    if np.isnan(value):
        raise ValueError(f"metric: {_name(metric)} is not a number for these samples")
    return value


def _drawn_statistic(metric, y_true, y_prob, options):
    """Return the metric as a function of the indices of the samples drawn."""
    options = _without_weights(options)
    if metric in OF_PAIRS:
        score, hit, _ = view_pairs(y_true, y_prob, options.get("view", top_label))
        sums = _summed(metric, score, options)
        if sums is not None:
            gap = hit - score
            return lambda drawn: sums(gap * (times := _times(drawn)), times)
        options = options | {"view": _as_they_are}
        order = np.argsort(score)
        y_true, y_prob = hit[order], score[order]
    elif metric is errors.classwise_ece and np.size(y_prob) <= CLASSWISE_ENTRIES:
        y, sums = _classwise(y_true, y_prob, options)
        return lambda drawn: sums(y, _times(drawn))
    else:
        y_true, y_prob = np.asarray(y_true), np.asarray(y_prob)
        order = None
    if "sample_weight" not in signature(metric).parameters:
        return lambda drawn: metric(y_true[drawn], y_prob[drawn], **options)

    def weighted(drawn):
        times = _times(drawn)
        times = times if order is None else times[order]
        return metric(y_true, y_prob, sample_weight=times, **options)

    return weighted


def _calibrated_statistic(metric, y_true, y_prob, options, rng):
    """Return a function that draws hits or labels from the predictions and computes the metric."""
    options = _without_weights(options)
    if metric in OF_PAIRS:
        score, _, _ = view_pairs(y_true, y_prob, options.get("view", top_label))
        sums = _summed(metric, score, options)
        if sums is not None:
            ones = np.ones(len(score))
            return lambda: sums((rng.random(len(score)) < score) - score, ones)
        options = options | {"view": _as_they_are}
    elif np.ndim(y_prob) == 1:
        score, _ = check_pairs(y_prob, y_true, names=("y_prob", "y_true"))
    else:
        return _statistic_of_labels(metric, y_true, y_prob, options, rng)
    return lambda: metric(rng.random(len(score)) < score, score, **options)


def _statistic_of_labels(metric, y_true, y_prob, options, rng):
    """Return a function that draws labels from the rows and computes the metric."""
    below = np.cumsum(check_probabilities(y_prob), axis=1, dtype=float)[:, :-1]

    def draw():
        return (below < rng.random((len(below), 1))).sum(axis=1)

    if metric is errors.classwise_ece and np.size(y_prob) <= CLASSWISE_ENTRIES:
        _, sums = _classwise(y_true, y_prob, options)
        return lambda: sums(draw(), np.ones(len(below)))
    return lambda: metric(draw(), y_prob, **options)


def _summed(metric, score, options):
    """Return the metric as a function of the gaps and weights of the samples, where it is sums."""
    if metric is errors.ks_error:
        return _cumulative(score)
    if metric is errors.calibration_error:
        bins, norm = check_binning(options.get("bins"), equal_width(15)), options.get("norm", "l1")
    elif metric in (errors.ece, errors.mce, errors.rmsce):
        bins = equal_width(options.get("n_bins", 15), options.get("closed", "right"))
        norm = {errors.ece: "l1", errors.rmsce: "l2", errors.mce: "max"}[metric]
    else:
        return None
    return _binned(score, bins, norm) if isinstance(bins, EqualWidth) else None


def _binned(score, bins, norm):
    binned = bins(score, np.zeros(len(score)))
    order = np.argsort(binned.assign(score), kind="stable")
    first = np.append(0, np.cumsum(binned.count)[:-1])[binned.count > 0]

    def total(values):
        return np.add.reduceat(values[order], first)

    def statistic(gap, weight):
        gap = np.abs(total(gap))
        if norm == "l1":
            return gap.sum() / weight.sum()
        weight = total(weight)
        gap, weight = gap[weight > 0], weight[weight > 0]
        if norm == "max":
            return (gap / weight).max()
        return np.sqrt((gap**2 / weight).sum() / weight.sum())

    return statistic


def _cumulative(score):
    order, last_of_ties = errors.rising_scores(score)

    def statistic(gap, weight):
        return np.abs(np.cumsum(gap[order])[last_of_ties]).max() / weight.sum()

    return statistic


def _classwise(y_true, y_prob, options):
    """Return the labels, and the classwise ECE as a function of labels and weights."""
    p = check_probabilities(y_prob)
    n, n_classes = p.shape
    y = check_labels(y_true, n_classes, n=n)
    n_bins = options.get("n_bins", 15)
    binned = equal_width(n_bins, options.get("closed", "right"))([0.0], [0])
    place = binned.assign(p.astype(float)) + n_bins * np.arange(n_classes)
    sample = np.repeat(np.arange(n), n_classes)
    shape = (n_bins * n_classes, n)
    score_sums = csr_array((p.ravel().astype(float), (place.ravel(), sample)), shape)

    def statistic(labels, weight):
        hits = np.bincount(place[np.arange(n), labels], weight, shape[0])
        return np.abs(hits - score_sums @ weight).sum() / (weight.sum() * n_classes)

    return y, statistic


def _as_they_are(hit, score):
    """View of pairs that a view has returned."""
    return score, hit


def _without_weights(options):
    if options.get("sample_weight") is not None:
        raise ValueError("sample_weight: not defined for resampled data, expected none")
    return {name: value for name, value in options.items() if name != "sample_weight"}


def _times(drawn):
    """Count how often each of n samples is among n drawn."""
    return np.bincount(drawn, minlength=len(drawn))


def _resample(statistic, n, n_resamples, rng):
    check_rng(rng)
    check_count(n_resamples, "n_resamples", low=2)
    return np.array([statistic(rng.integers(n, size=n, dtype=np.intp)) for _ in range(n_resamples)])


def _estimate(value, resampled, confidence_level, method, name):
    check_choice(method, "method", ("basic", "percentile"))
    check_fraction(confidence_level, "confidence_level")
    tail = (1 - confidence_level) / 2
    if np.isfinite(value):
        low, high = np.quantile(resampled, [tail, 1 - tail])
        spread = float(np.std(resampled, ddof=1))
        if method == "basic":
            low, high = 2 * value - high, 2 * value - low
    else:
        low, high, spread = value, value, np.nan
    return Estimate(
        value,
        float(low),
        float(high),
        spread,
        confidence_level,
        len(resampled),
        f"{method} {name}",
        resampled,
    )


def _errors(y_true, y_prob):
    """Return one-hot labels less probabilities, and the probabilities, both with columns."""
    y_prob = as_array(y_prob, "y_prob")
    if y_prob.ndim == 1:
        score, hit = check_pairs(y_prob, y_true, names=("y_prob", "y_true"))
        return (hit - score)[:, None], score[:, None]
    p = check_probabilities(y_prob).astype(float)
    error = -p
    error[np.arange(len(p)), check_labels(y_true, p.shape[1], n=len(p))] += 1
    return error, p


def _distance_scale(p):
    """Total variation distance over the sum of absolute differences of columns."""
    return 1.0 if p.shape[1] == 1 else 0.5


def _bandwidth(p, bandwidth):
    if bandwidth is not None:
        return check_positive(bandwidth, "bandwidth")
    if len(p) < 2:
        return 1.0
    some = p[:: -(-len(p) // 1000)]
    median = _distance_scale(p) * np.median(pdist(some, "cityblock"))
    if median == 0:
        raise ValueError("bandwidth: the median distance of the predictions is 0, give a number")
    return median


def _kernel_of_pairs(error, p, width):
    """Return h of samples 0 and 1, 2 and 3, ..."""
    n = len(p) // 2 * 2
    distance = _distance_scale(p) * np.abs(p[0:n:2] - p[1:n:2]).sum(axis=1)
    return np.exp(-distance / width) * np.einsum("ik,ik->i", error[0:n:2], error[1:n:2])


def _kernel_blocks(error, p, width, rows=256):
    """Yield (first row, rows of the matrix h)."""
    for start in range(0, len(p), rows):
        block = slice(start, start + rows)
        distance = _distance_scale(p) * cdist(p[block], p, "cityblock")
        yield start, np.exp(-distance / width) * (error[block] @ error.T)


def _without_diagonal(start, block):
    own = np.arange(len(block))
    block[own, start + own] = 0
    return block


def _share_as_large(null, value):
    """Return the p-value (1 + r) / (1 + B); draws that rounding alone puts below count in r."""
    return float((1 + np.sum(null >= value - ROUNDING)) / (1 + len(null)))


def _name(metric):
    return getattr(metric, "__name__", "the metric")
