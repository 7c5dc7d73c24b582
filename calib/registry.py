"""What is known of each metric: `METRICS`, by name, and the decorator that enters one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any, Literal, TypedDict, TypeVar, Unpack

import numpy as np

from calib import check
from calib.bins import (
    Binning,
    DrawnMetric,
    EqualWidth,
    ErrorInBins,
    prepare_binned_draws,
)
from calib.check import Pairs, Vectors
from calib.views import top_label, view_pairs

Options = dict[str, Any]
# of labels, probabilities and options
MetricFunction = Callable[..., float]
F = TypeVar("F", bound=Callable[..., float])
Kind = Literal["error", "errors of classes", "mean", "share"]


@dataclass(frozen=True)
class Metric:
    """A metric and what is known of it.

    Attributes
    ----------
    function : callable
        ``function(y_true, y_prob, *, sample_weight=None, **options) -> float``
    title : str
    formula : callable
        The same of what is checked: ``formula(Pairs or Vectors, **options) -> float``. That of an
        error in bins is an `ErrorInBins`, which says its bins.
    reads : {"pairs", "vectors"}
        Whether it reads nothing but the scores and hits of a view, or the whole vectors.
    weights_repeat : bool
        Whether an integer weight is a repetition: not where the samples themselves are counted.
    largest : float
        No value is above it, and none is negative: intervals end there. It is 1 but of a mean of
        losses, which says its own.
    kind : {"error", "errors of classes", "mean", "share"}
        What chance does to it, which decides its interval: it makes an error of calibration larger,
        and a mean of such errors of all classes most of all. A mean of losses, or what is as smooth
        as one, it moves to both sides, and so it does a share of samples.
    cumulative : bool
        Whether it is the largest of cumulative sums.
    square : bool
        Whether its root, not itself, obeys the triangle inequality.
    prepare_draws : callable, optional
        What `prepare` returns of a metric that is no error in bins.
    """

    function: Callable[..., float]
    title: str
    formula: Callable[..., float]
    reads: Literal["pairs", "vectors"]
    weights_repeat: bool = True
    largest: float = 1.0
    kind: Kind = "error"
    cumulative: bool = False
    square: bool = False
    prepare_draws: Callable[..., DrawnMetric | None] | None = None

    @property
    def name(self) -> str:
        """The name of the public function."""
        return self.function.__name__

    @property
    def smooth(self) -> bool:
        """Whether chance moves it to both sides alike."""
        return self.kind in ("mean", "share")

    @property
    def defaults(self) -> Options:
        """The options of the public function, with their defaults."""
        parameters = signature(self.function).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}

    def checked_input(
        self, y_true: Any, y_prob: Any, options: Options
    ) -> Pairs | Vectors:
        """Return what the formula reads, checked; `y_true` may be that already."""
        if self.reads == "vectors":
            return check.vectors(y_true, y_prob)
        return view_pairs(y_true, y_prob, options.get("view", top_label))

    def in_bins(self, options: Options) -> tuple[Binning, str] | None:
        """Return the binning and the norm of an error in bins; None of any other metric."""
        if not isinstance(self.formula, ErrorInBins):
            return None
        return self.formula.bins_and_norm(**self._options_of_formula(options))

    def prepare(self, predicted: np.ndarray, options: Options) -> DrawnMetric | None:
        """Return the metric of a draw, as a function of its gaps or labels and its weights.

        It takes scores or probabilities that all draws share. Gaps, hits less scores, are what a
        metric of pairs sums; of a metric that is no function of such sums it is None.
        """
        if self.prepare_draws:
            return self.prepare_draws(predicted, **self._options_of_formula(options))
        bins, norm = self.in_bins(options) or (None, "")
        if not isinstance(bins, EqualWidth):
            return None
        return prepare_binned_draws(predicted, bins, norm)

    def formula_with(self, **options: Any) -> Callable[[Pairs | Vectors], float]:
        """Return the metric of :class:`calib.Pairs` or :class:`calib.Vectors`, with options.

        Where samples are counted, the weights of what is checked are repetitions.
        """
        unknown = options.keys() - self.defaults.keys()
        if unknown:
            raise TypeError(f"{min(unknown)}: not an option of {self.name}")
        chosen = self._options_of_formula(options)
        if "frequency_weights" in chosen:
            chosen["frequency_weights"] = True
        return partial(self.formula, **chosen)

    def _options_of_formula(self, options: Options) -> Options:
        """Return the options, with defaults, but for those that the check has read."""
        chosen = self.defaults | options
        for read_before in ("view", "sample_weight"):
            chosen.pop(read_before, None)
        return chosen


METRICS: dict[str, Metric] = {}


class Properties(TypedDict, total=False):
    """What may be known of a metric beside its kind, see `Metric`."""

    weights_repeat: bool
    largest: float
    cumulative: bool
    square: bool
    prepare_draws: Callable[..., DrawnMetric | None] | None


def metric(
    title: str,
    formula: Callable[..., float],
    *,
    reads: Literal["pairs", "vectors"],
    kind: Kind = "error",
    **properties: Unpack[Properties],
) -> Callable[[F], F]:
    """Return a decorator that enters a public function, with further properties of `Metric`."""
    # an interval would end at 1 without a word, below the value
    if kind == "mean" and "largest" not in properties:
        raise TypeError(f"largest: not given, expected the most that {title} can be")

    def enter(function: F) -> F:
        entry = Metric(function, title, formula, reads, kind=kind, **properties)
        METRICS[entry.name] = entry
        return function

    return enter


def unwrapped(
    function: Callable[..., float],
) -> tuple[Callable[..., float], dict[str, Any]]:
    """Return a metric without the options that ``functools.partial`` has set, and these options."""
    if isinstance(function, partial) and not function.args:
        return function.func, function.keywords
    return function, {}


def metric_of(function: Callable[..., float]) -> Metric | None:
    """Return the entry of a metric, whose options may be set; None for one that is not of calib."""
    function, _ = unwrapped(function)
    return next(
        (entry for entry in METRICS.values() if entry.function is function), None
    )


def reads_pairs(function: Callable[..., float]) -> bool:
    """Tell whether a metric of calib reads nothing but the scores and hits of a view."""
    entry = metric_of(function)
    return entry is not None and entry.reads == "pairs"
