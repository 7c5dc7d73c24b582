"""Of questions with two answers: how probable the event is said to be, and how frequent it is.

The event is the second class, a confident answer that is right, or a label that is there.
"""

import numpy as np
from scipy.special import expit

from calib import PlattScaling
from calib.constants import TINY
from calib_report.measuring.estimates import (
    auroc_with_interval,
    interval_of,
    mean_probability,
    mean_with_interval_if_varied,
    share_with_interval,
)
from calib_report.measuring.outcome import Outcome
from calib_report.schema import Basis, Event, Number, Numbers

SMALLEST = 1e-12  # probability of which log odds are taken; of 1 less it as well
STEPS = 50  # of Newton's method, for one number
MEANING = {
    "mean probability": "How probable the event is said to be, on average.",
    "frequency": "How often it is so.",
    "mean probability less frequency": "Above zero the event is said to be too probable.",
    "AUROC": "Of two samples, one with the event: how often it has the higher probability.",
    "calibration slope": "Below 1 the log odds are too far apart, as of a model that learnt its "
    "training data by heart; above 1 too close.",
    "calibration intercept": "What the log odds lack in the mean (calibration in the large): below "
    "zero the event is said to be too probable.",
}


def event_numbers(outcome: Outcome) -> Numbers:
    """Return the numbers of an event, each with its interval; those that are undefined are left.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(4000)
    >>> y = (rng.random(4000) < p).astype(int)
    >>> numbers = event_numbers(Outcome.of(y, np.column_stack([1 - p, p])))
    >>> [name for name, number in numbers.items() if number["low"] < 1 < number["high"]]
    ['calibration slope']
    """
    p, happened = outcome.event_probability, outcome.happened
    if p is None or happened is None:
        raise ValueError("an event is one of two classes")
    clusters = outcome.clusters
    numbers = {
        "mean probability": mean_probability(p, clusters),
        "frequency": share_with_interval(happened, clusters),
        "mean probability less frequency": mean_with_interval_if_varied(
            p - happened, clusters
        ),
        "AUROC": auroc_with_interval(p, happened, clusters),
        **calibration_line(p, happened, clusters),
    }
    return {
        name: number for name, number in numbers.items() if np.isfinite(number["value"])
    }


def event_of_classes(report: Basis) -> Event | None:
    """Return the numbers of the event that two classes are about; None of other questions."""
    return report["event"] if report["task"] == "classes" else None


def excess_of_event(report: Basis) -> Number:
    """Return by how much an event is said to be too probable; zero where there is no event."""
    event = event_of_classes(report)
    if event is None:
        return {"value": 0.0}
    return event["before"]["mean probability less frequency"]


def calibration_line(
    p: np.ndarray, happened: np.ndarray, clusters: np.ndarray | None = None
) -> Numbers:
    """Return slope and intercept of the log odds of an event against those that are said.

    The slope is that of a logistic regression on the log odds; the intercept is that of one whose
    slope is 1 (Cox 1958, Two further applications of a model for binary regression). Both have
    Wald's interval, of clusters from the sums of their scores. Where the event, or the order of the
    probabilities, leaves none, the result is empty.
    """
    p = np.clip(p, SMALLEST, 1 - SMALLEST)
    odds = np.log(p / (1 - p))
    if not has_slope(odds, happened):
        return {}
    line = PlattScaling(smooth_targets=False).fit(p, happened)
    slope, offset = float(line.coef_), float(line.intercept_)
    design = np.column_stack([odds, np.ones(len(odds))])
    error_of_slope = standard_errors(
        design, happened, expit(slope * odds + offset), clusters
    )[0]
    intercept = intercept_of(odds, happened)
    ones = np.ones((len(odds), 1))
    error_of_intercept = standard_errors(
        ones, happened, expit(odds + intercept), clusters
    )[0]
    return {
        "calibration slope": with_interval(slope, error_of_slope, clusters),
        "calibration intercept": with_interval(intercept, error_of_intercept, clusters),
    }


def has_slope(score: np.ndarray, happened: np.ndarray) -> bool:
    """Tell whether one slope is best: none where nothing varies, or a score parts the events."""
    if len(np.unique(happened)) < 2 or np.ptp(score) == 0:
        return False
    high, low = score[happened == 1], score[happened == 0]
    return bool(low.min() < high.max() and high.min() < low.max())


def intercept_of(odds: np.ndarray, happened: np.ndarray) -> float:
    """Return what added to all log odds gives the event its frequency, by Newton's method.

    `calib.log_odds_shift` finds about the same of sums, where the samples are not kept.
    """
    intercept = 0.0
    for _ in range(STEPS):
        p = expit(odds + intercept)
        step = float((happened - p).sum() / max((p * (1 - p)).sum(), TINY))
        intercept += np.clip(step, -2.0, 2.0)
        if abs(step) < 1e-12:
            break
    return float(intercept)


def standard_errors(
    design: np.ndarray, happened: np.ndarray, p: np.ndarray, clusters: np.ndarray | None
) -> np.ndarray:
    """Return standard errors of the coefficients of a logistic regression."""
    inverse = np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))
    if clusters is None:
        return np.sqrt(np.diag(inverse))
    scores = design * (happened - p)[:, None]
    sums = np.array([np.bincount(clusters, column) for column in scores.T])
    m = sums.shape[1]
    spread = inverse @ (sums @ sums.T) @ inverse * m / max(m - 1, 1)
    return np.sqrt(np.diag(spread))


def with_interval(
    value: float, standard_error: float, clusters: np.ndarray | None
) -> Number:
    """Return a number with its 95 % interval, of m clusters Student's."""
    # of clusters numbered from 0
    freedom = np.inf if clusters is None else max(int(clusters.max()), 1)
    return interval_of(value, standard_error, freedom)
