"""The numbers of a report, each with its interval or its chance level, or both."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import gammaln, stdtrit, xlog1py, xlogy
from scipy.stats import rankdata

from calib.accumulator import Accumulator
from calib.bands import error_if_calibrated
from calib.bins import equal_width
from calib.metrics import METRICS
from calib.selective import risk_coverage

NORMAL_95 = 1.959963984540054  # quantile of the normal distribution at 0.975
N_RESAMPLES = 1000
N_CHANCE = 20  # calibrated draws whose mean is the chance level of an error of pairs
CALIBRATED = 0.05  # p-value from which an error may be chance alone
ECE_INTERVAL = (
    "1.96 bootstrap standard errors up, and down to the end of the basic bootstrap or, if that is "
    "within chance, by as much as chance exceeds once in twenty times"
)
KEPT = 0.9  # coverage whose risk stands among the first numbers


def mean_with_interval(values: Any, clusters: Any = None) -> dict[str, Any]:
    """Mean with its 95 % normal interval; of m clusters, from the sums of each, Student's of m - 1.

    Clusters are numbers from 0. Returned are ``value``, ``low`` and ``high``.

    Examples
    --------
    >>> found = mean_with_interval(np.array([0.0, 1.0] * 50))
    >>> found["value"], round(found["low"], 2)
    (0.5, 0.4)
    """
    values = np.asarray(values, float)
    n, mean = len(values), float(np.mean(values))
    if not np.isfinite(mean):
        return {"value": mean}
    deviation = values - mean
    if clusters is not None:
        deviation = np.bincount(clusters, deviation)
    m = len(deviation)
    if m < 2:
        return {"value": mean}
    quantile = NORMAL_95 if clusters is None else stdtrit(m - 1, 0.975)
    half = float(quantile * (deviation @ deviation * m / (m - 1)) ** 0.5 / n)
    return {"value": mean, "low": mean - half, "high": mean + half}


def mean_at(values: Any, y: Any, frequencies: Any = None, clusters: Any = None) -> dict[str, Any]:
    """Mean where the classes come as often as `frequencies` says, with its interval.

    It is the mean of each class's own mean; what varies are the samples around the mean of their
    class, each of which counts by the new over the old frequency of its class.

    Examples
    --------
    >>> values, y = np.array([1.0, 1.0, 1.0, 5.0]), np.array([0, 0, 0, 1])
    >>> mean_at(values, y, np.array([0.5, 0.5]))["value"]
    3.0
    """
    if frequencies is None:
        return mean_with_interval(values, clusters)
    count = np.bincount(y, minlength=len(frequencies))
    own = np.bincount(y, values, len(frequencies)) / count
    weight = frequencies / count * len(y)
    return mean_with_interval(frequencies @ own + weight[y] * (values - own[y]), clusters)


def skill_with_interval(score: Any, hit: Any, clusters: Any = None) -> dict[str, Any]:
    r"""Skill of a confidence: what its Brier score gains on that of a constant, the accuracy.

    With the Brier score B and the accuracy a it is :math:`1 - B / a (1 - a)`, zero for somebody who
    always says the accuracy, and one for somebody who knows which answers are right. The interval
    is that of its linearisation (delta method).

    Examples
    --------
    >>> skill_with_interval(np.full(4, 0.5), np.array([0, 1, 0, 1]))["value"]
    0.0
    """
    square, a = (score - hit) ** 2, float(np.mean(hit))
    of_constant = a * (1 - a)
    if of_constant == 0:
        return {"value": float("nan")}
    ratio = float(square.mean()) / of_constant
    linear = (ratio * (1 - 2 * a) * (hit - a) - square) / of_constant
    return mean_with_interval(1 + linear, clusters)


def auroc_with_interval(score: Any, hit: Any, clusters: Any = None) -> dict[str, Any]:
    """How often a right answer has more confidence than a wrong one; a tie counts one half.

    The interval is that of the means of the placements: the share of wrong answers below each right
    one, and of right answers above each wrong one (DeLong, DeLong & Clarke-Pearson 1988).

    Examples
    --------
    >>> auroc_with_interval(np.array([0.9, 0.6, 0.6, 0.2]), np.array([1, 1, 0, 0]))["value"]
    0.875
    """
    number = np.bincount(hit, minlength=2)
    if not number.all():
        return {"value": float("nan")}
    below = rankdata(score)
    for side in (0, 1):
        below[hit == side] -= rankdata(score[hit == side])
    share = np.where(hit == 1, below / number[0], 1 - below / number[1])
    value = share[hit == 1].mean()
    found = mean_with_interval(value + (share - value) * len(hit) / number[hit], clusters)
    ends = {"low": max(found["low"], 0.0), "high": min(found["high"], 1.0)}
    return {"value": float(value)} | ends


def share_with_interval(hits: Any, clusters: Any = None) -> dict[str, Any]:
    """Share of hits with its 95 % interval, Wilson's (1927) where samples stand alone.

    Examples
    --------
    >>> found = share_with_interval(np.ones(20))
    >>> round(found["low"], 3), found["high"]
    (0.839, 1.0)
    """
    if clusters is not None:
        return mean_with_interval(hits, clusters)
    n, share = len(hits), float(np.mean(hits))
    square = NORMAL_95**2 / n
    centre = (share + square / 2) / (1 + square)
    half = NORMAL_95 * (share * (1 - share) / n + square / (4 * n)) ** 0.5 / (1 + square)
    return {"value": share, "low": max(0.0, centre - half), "high": min(1.0, centre + half)}


def ece_with_interval(
    score: np.ndarray,
    hit: np.ndarray,
    clusters: Any = None,
    *,
    rng: np.random.Generator,
    n_resamples: int = N_RESAMPLES,
) -> dict[str, Any]:
    """ECE with its interval and its chance level.

    `ECE_INTERVAL` in a few words. It ends 1.96 standard errors above the ECE. It begins where the
    basic bootstrap interval does, if that is above what chance shows: the ECE of hits drawn from
    the scores or, of clusters, of gaps whose sign is drawn for each. Otherwise it begins at the ECE
    less what chance exceeds once in twenty times, but not below zero: an ECE cannot exceed the true
    one by more than the ECE of the noise. This is zero exactly where the test of calibration does
    not reject. See Davison & Hinkley (1997), section 5.2, for the basic interval, and Bröcker &
    Smith (2007) for the test.

    Whole clusters, numbers from 0, are resampled. ``chance`` is the mean ECE of a calibrated model
    with these scores, ``chance_high`` what it exceeds once in twenty times.
    """
    bins = equal_width(15)(score, hit)
    place, gap = bins.assign(score), hit - score
    own = np.arange(len(score)) if clusters is None else clusters
    m = int(own.max()) + 1
    sums = csr_array((gap, (own, place)), (m, bins.edges.size - 1))
    size = np.bincount(own, minlength=m).astype(float)
    value = np.abs(bins.gap_sum).sum() / len(score)

    def resampled() -> Any:
        times = np.bincount(rng.integers(m, size=m), minlength=m).astype(float)
        return np.abs(times @ sums).sum() / (times @ size)

    def calibrated() -> Any:
        if clusters is not None:
            signs = rng.integers(0, 2, m) * 2.0 - 1
            return np.abs(signs @ sums).sum() / len(score)
        drawn = (rng.random(len(score)) < score) - score
        return np.abs(np.bincount(place, drawn, sums.shape[1])).sum() / len(score)

    null = np.array([calibrated() for _ in range(n_resamples)])
    p_value = float((1 + np.sum(null >= value)) / (1 + n_resamples))
    drawn = np.array([resampled() for _ in range(n_resamples)])
    chance_high = np.quantile(null, 1 - CALIBRATED)
    low = 2 * value - np.quantile(drawn, 0.975)
    if low <= chance_high:
        low = max(value - chance_high, 0.0)
    high = value + NORMAL_95 * drawn.std(ddof=1)
    chance = null.mean() if clusters is not None else error_if_calibrated(score)
    return {
        "value": float(value),
        "low": float(low),
        "high": float(high),
        "chance": float(chance),
        "chance_high": float(chance_high),
        "p_value": p_value,
    }


def classwise_with_chance(sums: Accumulator) -> dict[str, Any]:
    """Classwise ECE beside that of a calibrated model with these probabilities.

    The hits of a bin are taken for binomial, whose mean absolute deviation De Moivre knew. It has
    no interval: the chapter shows by simulation that none of the usual ones keeps its promise.
    """
    count, score = sums.class_bins
    chance = mean_deviation(count, score).sum() / (sums.n * sums.n_classes)
    return {"value": sums.compute()["classwise ECE"], "chance": float(chance)}


def mean_deviation(count: Any, mean: Any) -> np.ndarray:
    """Mean absolute deviation of binomial numbers of hits from their mean, of `count` trials each.

    De Moivre (1730); Diaconis & Zabell (1991).

    Examples
    --------
    >>> mean_deviation(np.array([2.0]), np.array([1.0]))
    array([0.5])
    """
    n = np.maximum(count, 1)
    p = np.clip(mean / n, 0, 1)
    k = np.minimum(np.floor(n * p) + 1, n)
    log_mass = (
        gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k, -p)
    )
    return np.where(count > 0, 2 * k * (1 - p) * np.exp(log_mass), 0.0)


def kept_risk(
    score: np.ndarray, hit: np.ndarray, clusters: Any = None, coverage: Any = KEPT
) -> dict[str, Any]:
    """Share of errors among the surest answers, with its 95 % interval.

    Which answers are kept varies with the sample as well: an error above the threshold counts as
    much as it exceeds r, the share of errors near the threshold. Answers that tie with the least
    sure one that is kept are kept by lot.
    """
    n = len(score)
    risk = risk_coverage(hit, score).risk_at(coverage)
    surest = np.argsort(-score, kind="stable")
    last = int(np.ceil(coverage * n))
    near = surest[max(0, last - n // 20) : last + n // 20]
    r = 1 - hit[near].mean() if len(near) else 0.0
    influence = np.where(np.isin(np.arange(n), surest[:last]), (1 - hit - r) / coverage, 0.0)
    spread = mean_with_interval(influence, clusters)
    if "low" not in spread:
        return {"value": risk}
    half = spread["high"] - spread["value"]
    return {"value": risk, "low": max(0.0, risk - half), "high": min(1.0, risk + half)}


def mean_label_ece(score: Any, hit: Any, labels: Any) -> dict[str, Any]:
    """Mean over the labels of the ECE of each, beside that of a calibrated model."""
    own = [(score[labels == label], hit[labels == label]) for label in np.unique(labels)]
    ece = METRICS["ece"].function
    return {
        "value": float(np.mean([ece(h, s) for s, h in own])),
        "chance": float(np.mean([error_if_calibrated(s) for s, _ in own])),
    }


def answers(score: Any, hit: Any, task: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the confidence of each answer, and whether it is right; of a label, yes or no."""
    if task != "labels":
        return score, hit
    return np.maximum(score, 1 - score), ((score >= 0.5) == (hit == 1)).astype(int)


def first_numbers(
    losses: Any,
    sums: Accumulator,
    clusters: Any = None,
    *,
    rng: np.random.Generator,
    task: str = "classes",
    labels: Any = None,
    cost: Any = None,
) -> dict[str, Any]:
    """Return the six numbers that come first, of a model's losses sample by sample.

    `sums` are of the same probabilities. `labels` says which label a question is about, where a
    sample may have several. `cost`, the mean cost of the decisions, takes the place of the errors
    among the surest. By name there is ``value``, and where they are known ``low``, ``high`` and
    ``chance``.
    """
    score, hit = losses.score, losses.hit
    sure, right = answers(score, hit, task)
    found = {
        "share of yes" if task == "labels" else "accuracy": share_with_interval(hit, clusters),
        "NLL": mean_with_interval(losses.nll, clusters),
        "Brier": mean_with_interval(losses.brier, clusters),
        "ECE": ece_with_interval(score, hit, clusters, rng=rng),
    }
    if task == "pairs":
        found["skill"] = skill_with_interval(score, hit, clusters)
    elif labels is not None:
        found["mean ECE of a label"] = mean_label_ece(score, hit, labels)
    else:
        found["classwise ECE"] = classwise_with_chance(sums)
    if cost is not None:
        return found | {"mean cost": cost}
    return found | {"errors among the surest 90 %": kept_risk(sure, right, clusters)}


def other_numbers(
    outputs: Any, clusters: Any = None, *, rng: np.random.Generator, progress: Any = lambda _: None
) -> dict[str, Any]:
    """Return the metrics that are folded away: values, and chance levels where they are quick."""
    score, hit = outputs.pairs
    y, p = (outputs.y, outputs.prob) if outputs.task == "classes" else (hit, None)
    found = {
        "mean confidence": mean_with_interval(score, clusters),
        "confidence less accuracy": mean_with_interval(score - hit, clusters),
    }
    if outputs.task == "classes":
        found["top-1 Brier"] = mean_with_interval((score - hit) ** 2, clusters)
    sure, right = answers(score, hit, outputs.task)
    found["AUROC"] = auroc_with_interval(sure, right, clusters)
    for name in OTHERS_OF_PAIRS:
        metric = METRICS[name].function
        drawn = [metric(rng.random(len(score)) < score, score) for _ in range(N_CHANCE)]
        found[METRICS[name].title] = {"value": metric(hit, score), "chance": float(np.mean(drawn))}
    for name in OTHERS_OF_VECTORS if p is not None else ():
        progress(METRICS[name].title)
        found[METRICS[name].title] = {"value": METRICS[name].function(y, p)}
    found["AURC"] = {"value": METRICS["aurc"].function(right, sure)}
    return found


OTHERS_OF_PAIRS = (
    "ks_error",
    "smooth_ece",
    "debiased_ece",
    "sweep_ece",
    "rmsce",
    "mce",
    "kde_ece",
    "psce",
)
OTHERS_OF_VECTORS = ("ace", "tace", "classwise_ks")


def numbered(clusters: Any) -> Any:
    """Return the clusters as numbers from 0; None where there are none."""
    return None if clusters is None else np.unique(clusters, return_inverse=True)[1]
