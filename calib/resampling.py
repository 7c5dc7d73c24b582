"""Intervals from samples drawn again.

Randomness comes from a generator that the caller passes in: the same state gives the same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from calib import errors
from calib.bins import EqualWidth, check_binning, equal_width, rest_in_first_bin
from calib.checks import (
    MOST_RESAMPLES,
    check_choice,
    check_count,
    check_fraction,
    check_labels,
    check_probabilities,
    check_rng,
)
from calib.metrics import reads_pairs, unwrapped
from calib.views import top_label, view_pairs

CLASSWISE_ENTRIES = 1 << 24  # probabilities up to which the classwise ECE is kept as sums


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

    def __str__(self) -> str:
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f})"


def bootstrap(
    metric: Callable[..., float],
    y_true: Any,
    y_prob: Any,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "basic",
    rng: np.random.Generator,
    **options: Any,
) -> "Estimate":
    r"""Confidence interval of a metric, from samples drawn again with replacement.

    With :math:`\hat\theta` the metric, and q the quantiles of the metric over the resamples, the
    basic interval is :math:`2 \hat\theta - q_{1 - a}` to :math:`2 \hat\theta - q_{a}` and the
    percentile interval is :math:`q_{a}` to :math:`q_{1 - a}`. Calibration errors are biased
    upwards, and resampling adds the same bias once more: the basic interval takes it off, the
    percentile interval counts it twice and may even miss the metric itself. Nothing is clipped: a
    low end below zero says that the sample does not rule out a calibrated model. One above zero
    does not rule it out: where the true error is zero, neither interval holds its level, and many
    of the basic ones lie above it. :func:`calib.consistency_test` answers that question.

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
    value = value_of(metric, y_true, y_prob, options)
    statistic = drawn_statistic(metric, y_true, y_prob, options)
    resampled = _resample(statistic, len(y_true), n_resamples, rng)
    refuse_undefined(metric, resampled)
    return _estimate(value, resampled, confidence_level, method, "bootstrap")


def paired_difference(
    metric: Callable[..., float],
    y_true: Any,
    y_prob_a: Any,
    y_prob_b: Any,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "basic",
    rng: np.random.Generator,
    **options: Any,
) -> "Estimate":
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
    value = value_of(metric, y_true, y_prob_a, options)
    value -= value_of(metric, y_true, y_prob_b, options)
    if np.isnan(value):
        raise ValueError(f"metric: {name_of(metric)} is infinite for both, expected one at most")
    first = drawn_statistic(metric, y_true, y_prob_a, options)
    second = drawn_statistic(metric, y_true, y_prob_b, options)
    resampled = _resample(lambda i: first(i) - second(i), len(y_true), n_resamples, rng)
    refuse_undefined(metric, resampled)
    return _estimate(value, resampled, confidence_level, method, "paired bootstrap")


def value_of(
    metric: Callable[..., float], y_true: Any, y_prob: Any, options: dict[str, Any]
) -> float:
    if not callable(metric):
        raise TypeError(f"metric: {metric!r}, expected a metric such as calib.ece")
    if len(y_true) != len(y_prob):
        raise ValueError(f"y_prob: {len(y_prob)} rows, expected {len(y_true)} as in y_true")
    value = float(metric(y_true, y_prob, **options))
    if np.isnan(value):
        raise ValueError(f"metric: {name_of(metric)} is not a number for these samples")
    return value


def refuse_undefined(metric: Callable[..., float], drawn: np.ndarray) -> None:
    """Refuse draws that are not a number: what the others say is not of the same samples."""
    n_undefined = int(np.isnan(drawn).sum())
    if n_undefined:
        raise ValueError(
            f"metric: {name_of(metric)} is not a number for {n_undefined} of {len(drawn)} draws, "
            "expected one that every draw of the samples has"
        )


def drawn_statistic(
    metric: Callable[..., float], y_true: Any, y_prob: Any, options: dict[str, Any]
) -> Callable[..., Any]:
    """Return the metric as a function of the indices of the samples drawn."""
    metric, options = plain(metric, options)
    if reads_pairs(metric):
        score, hit, _ = view_pairs(y_true, y_prob, options.get("view", top_label))
        if (sums := summed(metric, score, options)) is not None:
            gap = hit - score
            return lambda drawn, sums=sums: sums(gap * (times := _times(drawn)), times)
        options = options | {"view": as_they_are}
        order = np.argsort(score)
        y_true, y_prob = hit[order], score[order]
    elif metric is errors.classwise_ece and np.size(y_prob) <= CLASSWISE_ENTRIES:
        y, sums = classwise(y_true, y_prob, options)
        return lambda drawn: sums(y, _times(drawn))
    else:
        y_true, y_prob = np.asarray(y_true), np.asarray(y_prob)
        order = None
    if "sample_weight" not in signature(metric).parameters:
        return lambda drawn: metric(y_true[drawn], y_prob[drawn], **options)

    def weighted(drawn: np.ndarray) -> float:
        times = _times(drawn)
        times = times if order is None else times[order]
        return metric(y_true, y_prob, sample_weight=times, **options)

    return weighted


def summed(
    metric: Callable[..., float], score: np.ndarray, options: dict[str, Any]
) -> Callable[..., Any] | None:
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


class Sums(NamedTuple):
    """What the norms read of bins: sums of gaps and of weights, here of the bins with samples."""

    gap_sum: np.ndarray
    weight: np.ndarray


def _binned(score: np.ndarray, bins: EqualWidth, norm: str) -> Callable[..., Any]:
    binned = bins(score, np.zeros(len(score)))
    order = np.argsort(binned.assign(score), kind="stable")
    first = np.append(0, np.cumsum(binned.count)[:-1])[binned.count > 0]

    def total(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values[order], first)

    def statistic(gap: np.ndarray, weight: np.ndarray) -> float:
        # of the weights, the weighted mean takes no more than their sum
        return errors.NORMS[norm](Sums(total(gap), weight if norm == "l1" else total(weight)))

    return statistic


def _cumulative(score: np.ndarray) -> Callable[..., Any]:
    order, last_of_ties = errors.rising_scores(score)

    def statistic(gap: np.ndarray, weight: np.ndarray) -> float:
        return float(errors.largest_sum(gap, order, last_of_ties) / weight.sum())

    return statistic


def classwise(
    y_true: Any, y_prob: Any, options: dict[str, Any]
) -> tuple[np.ndarray, Callable[..., Any]]:
    """Return the labels, and the classwise ECE as a function of labels and weights."""
    p = check_probabilities(y_prob)
    y = check_labels(y_true, p.shape[1], n=len(p))
    n_bins = options.get("n_bins", 15)
    gaps = errors.class_gaps(p, equal_width(n_bins, options.get("closed", "right")))

    def statistic(labels: np.ndarray, weight: np.ndarray) -> float:
        return errors.classwise_norm(rest_in_first_bin(gaps(labels, weight)), weight.sum())

    return y, statistic


def as_they_are(y_true: Any, y_prob: Any) -> tuple[np.ndarray, np.ndarray]:
    """View of pairs that a view has returned."""
    return y_prob, y_true


def plain(metric: Callable[..., float], options: dict[str, Any]) -> tuple[Any, ...]:
    """Return a metric without the options it carries, and all options but the weights, of none."""
    metric, carried = unwrapped(metric)
    options = carried | options
    if options.get("sample_weight") is not None:
        raise ValueError("sample_weight: not defined for resampled data, expected none")
    return metric, {name: value for name, value in options.items() if name != "sample_weight"}


def _times(drawn: np.ndarray) -> np.ndarray:
    """Count how often each of n samples is among n drawn."""
    return np.bincount(drawn, minlength=len(drawn))


def _resample(
    statistic: Callable[..., Any], n: int, n_resamples: int, rng: np.random.Generator
) -> np.ndarray:
    check_rng(rng)
    check_count(n_resamples, "n_resamples", low=2, high=MOST_RESAMPLES)
    return np.array([statistic(rng.integers(n, size=n, dtype=np.intp)) for _ in range(n_resamples)])


def _estimate(
    value: float, resampled: np.ndarray, confidence_level: float, method: str, name: str
) -> "Estimate":
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


def name_of(metric: Callable[..., float]) -> str:
    return getattr(metric, "__name__", "the metric")
