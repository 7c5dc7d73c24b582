"""A metric and the samples that it judges: how they are drawn, which interval suits them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from inspect import signature
from typing import Any

import numpy as np
import scipy

from calib import check
from calib.bins import NORMS, Binning, DrawnMetric, EqualWidth, assign, group
from calib.check import Pairs, Vectors
from calib.registry import Metric, MetricFunction, Options, metric_of, unwrapped
from calib.resampling import (
    NoIntervalError,
    Statistic,
    calibrated_outcomes,
    cluster_signs,
    resample,
    times_drawn,
)
from calib.split_errors import Gaps
from calib.views import top_label, view_pairs

# methods that are for metrics of some kinds only
TAILORED: dict[str, tuple[str, ...]] = {
    "corrected": ("error", "errors of classes"),
    "wilson": ("share",),
}
SUITED_TO = {  # in words
    "corrected": "errors of calibration",
    "wilson": "the share of hits, accuracy",
}


def sampled_metric(
    metric: MetricFunction, y_true: Any, y_prob: Any, options: Options
) -> SampledFunction:
    """Return a metric, less the options that it carries, with samples and all options."""
    function, carried = unwrapped(metric)
    options = carried | options
    if options.pop("sample_weight", None) is not None:
        raise ValueError("sample_weight: not defined for resampled data, expected none")
    entry = metric_of(function)
    if entry is None:
        if isinstance(y_true, Pairs | Vectors):
            kind = type(y_true).__name__
            raise TypeError(
                f"y_true: {kind}, which metrics of calib take; expected arrays"
            )
        return SampledFunction(function, y_true, y_prob, options)
    return SampledMetric(entry, y_true, y_prob, options)


class SampledFunction:
    """A function of a user's, and the samples that it judges; nothing is known of it."""

    entry: Metric | None = None  # in `METRICS`
    kind: str | None = None  # what chance does to it, see `Metric`
    smooth = True  # whether chance moves it to both sides alike, as far as is known
    splits = False  # whether it is a sum of gaps, whose signs may be chosen and measured apart
    skewed = False  # whether it is one gap or sum, the largest, which chance lets jump upwards

    def __init__(
        self, function: MetricFunction, y_true: Any, y_prob: Any, options: Options
    ):
        self.function, self.options = function, options
        self.outcome, self.predicted = np.atleast_1d(y_true), np.atleast_1d(y_prob)
        self.n = len(self.outcome)
        if len(self.predicted) != self.n:
            raise ValueError(
                f"y_prob: {len(self.predicted)} rows, expected {self.n} as in y_true"
            )

    @property
    def gaps(self) -> Gaps:
        """The gaps that make up an error, in its bins, where it `splits`."""
        raise NotImplementedError

    @property
    def is_square(self) -> bool:
        """Whether the interval is that of the root of the metric."""
        return self.entry is not None and self.entry.square

    def suited(self, cluster: np.ndarray | None) -> str:
        """Return the method of the interval that keeps its promise."""
        return "basic"

    def refuse_unsuited(self, method: str) -> None:
        """Refuse a method that is for metrics of another kind."""
        if method in TAILORED and self.kind not in TAILORED[method]:
            raise ValueError(
                f"method: {method!r} is for {SUITED_TO[method]}, not {name_of(self.function)}"
            )

    def suited_to_difference(self, method: str | None) -> str:
        """Return the method of a difference; refuse a metric that none is known to suit."""
        chosen = method or ("split" if self.splits else "basic")
        suits = self.splits or (self.smooth if method is None else chosen != "split")
        if suits:
            return chosen
        raise NoIntervalError(
            f"metric: no interval of a difference of {name_of(self.function)} is known to keep its "
            "promise; nll, brier and ece have one, and method='basic' promises nothing"
        )

    def value(self) -> float:
        """Return the metric of the samples themselves."""
        return value_of(self.function, self.outcome, self.predicted, self.options)

    def statistic_of_rows(self) -> Statistic:
        """Return the metric as a function of the rows drawn."""
        function, options, n = self.function, self.options, self.n
        p, y = self.predicted, self.outcome
        if "sample_weight" in signature(function).parameters:
            # no probability is copied
            return lambda rows: function(
                y, p, sample_weight=times_drawn(rows, n), **options
            )
        return lambda rows: function(y[rows], p[rows], **options)

    def statistic_if_calibrated(
        self, rng: np.random.Generator, cluster: np.ndarray | None = None
    ) -> Callable[[], float]:
        """Return the metric as a function that draws hits, or labels, from the predictions."""
        function, options, p = self.function, self.options, self.predicted
        if p.ndim == 1:
            p = view_pairs(self.outcome, p, top_label).score
        else:
            p = check.probabilities(p)
        draw = calibrated_outcomes(p, rng, cluster)
        return lambda: function(draw(), p, **options)

    def null_and_resampled(
        self, n_resamples: int, cluster: np.ndarray | None, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return an error of calibrated draws, and of samples or clusters drawn again."""
        raise NotImplementedError

    def same_as(self, other: SampledFunction) -> bool:
        """Whether two models say the same of all samples, so that nothing can tell them apart."""
        same = self.predicted.shape == other.predicted.shape
        same = same and np.array_equal(self.predicted, other.predicted)
        return same and np.array_equal(self.outcome, other.outcome)

    def refuse_undefined(self, drawn: np.ndarray) -> None:
        """Refuse draws that are not a number: what the others say is not of the same samples."""
        n_undefined = int(np.isnan(drawn).sum())
        if n_undefined:
            share = f"is not a number for {n_undefined} of {len(drawn)} draws"
            name = name_of(self.function)
            raise NoIntervalError(
                f"metric: {name} {share}, expected one that every draw has"
            )


class SampledMetric(SampledFunction):
    """A metric of calib, which checks the samples once, and what is known of it."""

    entry: Metric

    def __init__(self, entry: Metric, y_true: Any, y_prob: Any, options: Options):
        self.entry, self.kind = entry, entry.kind
        self.formula = entry.formula_with(**options)
        self.checked = entry.checked_input(y_true, y_prob, options)
        check.refuse_weights(self.checked)
        if isinstance(self.checked, Pairs):
            predicted, outcome, _ = self.checked
        else:
            outcome, predicted, _ = self.checked
        super().__init__(entry.function, outcome, predicted, options)
        self.in_bins = entry.in_bins(options)
        norm = self.in_bins[1] if self.in_bins else None
        self.smooth = entry.smooth
        self.splits = norm == "l1"
        self.skewed = entry.cumulative or norm == "max"

    @property
    def gaps(self) -> Gaps:
        # as `splits` says
        assert isinstance(self.checked, Pairs) and self.in_bins is not None
        return Gaps.of(self.checked, self.in_bins[0])

    def suited(self, cluster: np.ndarray | None) -> str:
        if self.kind == "share" and cluster is None:
            return "wilson"
        return "basic" if self.smooth else "corrected"

    def value(self) -> float:
        return _defined(self.formula(self.checked), self.function)

    @cached_property
    def value_of_draw(self) -> DrawnMetric | None:
        """The metric of a draw of outcomes or rows, None where it is no function of sums."""
        return self.entry.prepare(self.predicted, self.options)

    def statistic_of_rows(self) -> Statistic:
        value_of_draw, n = self.value_of_draw, self.n
        of_pairs = isinstance(self.checked, Pairs)
        p, y = self.predicted, self.outcome
        if value_of_draw:
            values = y - p if of_pairs else y
            return lambda rows: value_of_draw(values, times_drawn(rows, n))
        order = np.argsort(p) if of_pairs else slice(None)  # sorted once for all draws
        p, y = p[order], y[order]
        return lambda rows: self.formula(self.joined(p, y, times_drawn(rows, n)[order]))

    def statistic_if_calibrated(
        self, rng: np.random.Generator, cluster: np.ndarray | None = None
    ) -> Callable[[], float]:
        value_of_draw, p = self.value_of_draw, self.predicted
        draw, ones = calibrated_outcomes(p, rng, cluster), np.ones(self.n)
        if not value_of_draw:
            return lambda: self.formula(self.joined(p, draw()))
        if not isinstance(self.checked, Pairs):
            return lambda: value_of_draw(draw(), ones)
        if cluster is None:
            return lambda: value_of_draw(draw() - p, ones)
        gap = self.outcome - p
        return lambda: value_of_draw(gap * cluster_signs(cluster, rng), ones)

    def null_and_resampled(
        self, n_resamples: int, cluster: np.ndarray | None, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        if self.in_bins and isinstance(self.checked, Pairs):
            return _draws_in_bins(
                self.checked, *self.in_bins, cluster, n_resamples, rng
            )
        calibrated = self.statistic_if_calibrated(rng, cluster)
        null = np.array([calibrated() for _ in range(n_resamples)])
        resampled = resample(
            self.statistic_of_rows(), self.n, n_resamples, cluster, rng
        )
        self.refuse_undefined(null)
        self.refuse_undefined(resampled)
        return null, resampled

    def joined(
        self,
        predicted: np.ndarray,
        outcome: np.ndarray,
        weight: np.ndarray | None = None,
    ) -> Pairs | Vectors:
        """Return `Pairs`, or `Vectors`, that the formula takes."""
        if isinstance(self.checked, Pairs):
            return Pairs(predicted, outcome, weight)
        return Vectors(outcome, predicted, weight)


def _draws_in_bins(
    pairs: Pairs,
    bins: Binning,
    norm: str,
    cluster: np.ndarray | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return an error of calibrated draws, and of clusters drawn again, in the bins of all."""
    score, hit, _ = pairs
    n, binned = len(score), group(bins, EqualWidth(), pairs)
    bin_of, n_bins = assign(score, binned.edges, binned.closed), len(binned.count)
    unit = np.arange(n) if cluster is None else cluster
    m = int(unit.max()) + 1

    def sums_of_units(values: np.ndarray) -> Any:
        return scipy.sparse.csr_array((values, (unit, bin_of)), (m, n_bins)).T

    # each cluster is summed once: a draw is then a product of a sparse (n_bins, m) and m counts
    gaps, counts = sums_of_units(hit - score), sums_of_units(np.ones(n))
    size, error = counts.sum(axis=0), NORMS[norm]

    def calibrated() -> float:
        if cluster is not None:
            # hits of a cluster hang together: its gaps keep or change sign
            return error(gaps @ (rng.integers(0, 2, m) * 2.0 - 1), binned.weight)
        gap = (rng.random(n) < score) - score
        return error(np.bincount(bin_of, gap, n_bins), binned.weight)

    def resampled() -> float:
        # no product of BLAS, whose threads would wait for the next one
        times = times_drawn(rng.integers(m, size=m, dtype=np.intp), m)
        # the weighted mean takes no more of the counts than their sum
        whole = (times * size).sum() if norm == "l1" else counts @ times
        return error(gaps @ times, whole)

    null = np.array([calibrated() for _ in range(n_resamples)])
    return null, np.array([resampled() for _ in range(n_resamples)])


def value_of(
    function: MetricFunction, y_true: Any, y_prob: Any, options: Options
) -> float:
    """Return the metric of the samples themselves."""
    if not callable(function):
        raise TypeError(f"metric: {function!r}, expected a metric such as calib.ece")
    return _defined(function(y_true, y_prob, **options), function)


def _defined(value: float, function: MetricFunction) -> float:
    """Return the value of a metric, which must be a number."""
    if np.isnan(value):
        raise NoIntervalError(
            f"metric: {name_of(function)} is not a number for these samples"
        )
    return float(value)


def name_of(function: MetricFunction) -> str:
    """Return what an error calls a metric."""
    return getattr(function, "__name__", "the metric")
