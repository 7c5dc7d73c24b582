"""Each metric once, with its kind: what intervals, tests, reports and studies read."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

from calib import errors, scores, selective


@dataclass(frozen=True)
class Metric:
    """A metric and what is known of it.

    `of_pairs` tells whether it reads nothing but the scores and hits of a view, the top label by
    default; others read the whole vector. `weights_repeat` tells whether an integer weight counts
    as a repetition of the sample: not where the samples are counted, for a bandwidth or a largest
    number of bins. No value is negative or above `largest`.
    """

    function: Callable[..., float]
    title: str
    of_pairs: bool
    weights_repeat: bool = True
    largest: float = 1.0


of_pairs, of_vectors = partial(Metric, of_pairs=True), partial(Metric, of_pairs=False)

METRICS = {
    metric.function.__name__: metric
    for metric in (
        of_pairs(scores.accuracy, "accuracy"),
        of_vectors(scores.nll, "NLL", largest=inf),
        of_vectors(scores.brier, "Brier", largest=2.0),
        of_vectors(errors.classwise_ece, "classwise ECE"),
        of_vectors(errors.ace, "ACE"),
        of_vectors(errors.tace, "TACE, threshold 0.01"),
        of_vectors(errors.classwise_ks, "classwise KS"),
        of_vectors(errors.classwise_psce, "classwise PSCE"),
        of_pairs(errors.ece, "ECE, 15 bins"),
        of_pairs(errors.sweep_ece, "ECE, monotone sweep", weights_repeat=False),
        of_pairs(errors.debiased_ece, "debiased l2 error"),
        of_pairs(errors.rmsce, "RMSCE"),
        of_pairs(errors.mce, "MCE"),
        of_pairs(errors.ks_error, "KS"),
        of_pairs(errors.kde_ece, "KDE-ECE", weights_repeat=False),
        of_pairs(errors.smooth_ece, "smooth ECE"),
        of_pairs(errors.psce, "PSCE"),
        of_pairs(scores.top1_brier, "top-1 Brier"),
        of_pairs(selective.aurc, "AURC"),
        of_pairs(selective.excess_aurc, "excess AURC"),
        of_pairs(errors.calibration_error, "calibration error"),
    )
}
_OF_PAIRS = {metric.function for metric in METRICS.values() if metric.of_pairs}


def reads_pairs(function: Callable[..., float]) -> bool:
    """Tell whether a metric reads nothing but the scores and hits of a view.

    A metric whose options ``functools.partial`` has set is of the kind of that metric; one that is
    not of `calib` counts as reading whole vectors.
    """
    return unwrapped(function)[0] in _OF_PAIRS


def unwrapped(function: Callable[..., float]) -> tuple[Callable[..., float], dict[str, Any]]:
    """Return a metric without the options that ``functools.partial`` has set, and these options."""
    if isinstance(function, partial) and not function.args:
        return function.func, function.keywords
    return function, {}
