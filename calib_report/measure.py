"""The numbers of the outputs as they are, each with its interval or its chance level, or both."""

from typing import Any, cast

import numpy as np
from scipy.special import gammaln, stdtrit, xlog1py, xlogy

from calib import METRICS, Pairs, Vectors, bootstrap, ece, error_if_calibrated, wilson_interval
from calib_report.losses import HeldOut, names_of
from calib_report.outputs import ModelOutputs

Number = dict[str, Any]  # value, and where they are known low, high, chance
NORMAL_95 = 1.959963984540054  # quantile of the normal distribution at 0.975
N_RESAMPLES = 1000
N_CHANCE = 20  # calibrated draws whose mean is the chance level of an error of pairs
CALIBRATED = 0.05  # p-value from which an error may be chance alone
KEPT = 0.9  # coverage whose risk stands among the first numbers
FEW = 10  # samples of a bin below which it says little
FEWEST_SAMPLES = 100  # samples, or clusters, below which no map is recommended
OF_BIN = ("from", "to", "samples", "confidence", "accuracy", "part_of_ece", "says_little")
OF_CLASS = ("class", "samples", "frequency", "mean_probability", "one_vs_rest_ece")
OTHERS_OF_PAIRS = (
    *("ks_error", "smooth_ece", "debiased_ece", "sweep_ece", "rmsce", "mce", "kde_ece", "psce"),
)
OTHERS_OF_VECTORS = ("ace", "tace", "classwise_ks")


def measure(
    outputs: ModelOutputs, own: HeldOut, rng: np.random.Generator, cost: Number | None = None
) -> dict[str, Any]:
    """Measure the outputs as they are, `own`; `cost` is the mean cost of their decisions."""
    score, hit, n = own.losses.score, own.losses.hit, len(outputs)
    m = None if own.clusters is None else int(own.clusters.max()) + 1
    return {
        "n": n,
        "n_classes": outputs.n_classes,
        "task": own.task,
        "kind": outputs.kind,
        "clusters": m,
        "calibration_n": 0 if outputs.calibration is None else len(outputs.calibration),
        "mean_confidence": float(score.mean()),
        "hit_rate": float(hit.mean()),
        "gap": mean_with_interval(score - hit, own.clusters),
        "floor": None if outputs.kind == "logits" else outputs.floor,
        "before": numbers_as_they_are(outputs, own, rng, cost),
        "bins": bin_table(own),
        "classes": worst_classes(names_of(outputs), own.by_class) if own.task == "classes" else [],
        "looks_wrong": next((n for n in outputs.notes if n.startswith("The labels ")), None),
        "too_few": (m or n) < FEWEST_SAMPLES or len(np.unique(outputs.y)) < 2,
    }


def mean_with_interval(values: Any, clusters: Any = None) -> Number:
    """Mean with its 95 % normal interval; of m clusters Student's, of their sums."""
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


def skill_with_interval(score: Any, hit: Any, clusters: Any = None) -> Number:
    """Brier skill, 1 - B / a (1 - a) with the accuracy a, and the interval of its linearisation."""
    square, a = (score - hit) ** 2, float(np.mean(hit))
    if (of_constant := a * (1 - a)) == 0:
        return {"value": float("nan")}
    ratio = float(square.mean()) / of_constant
    linear = (ratio * (1 - 2 * a) * (hit - a) - square) / of_constant
    return mean_with_interval(1 + linear, clusters)


def auroc_with_interval(score: Any, hit: Any, clusters: Any = None) -> Number:
    """AUROC, with the interval of its placements (DeLong, DeLong & Clarke-Pearson 1988)."""
    hit = np.asarray(hit, int)
    number = np.bincount(hit, minlength=2)
    if not number.all():
        return {"value": float("nan")}
    below = ranks(score)
    for side in (0, 1):
        below[hit == side] -= ranks(score[hit == side])
    share = np.where(hit == 1, below / number[0], 1 - below / number[1])
    value = share[hit == 1].mean()
    found = mean_with_interval(value + (share - value) * len(hit) / number[hit], clusters)
    ends = {"low": max(found["low"], 0.0), "high": min(found["high"], 1.0)}
    return {"value": float(value)} | ends


def ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks of numbers from 1, those of ties their mean."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def share_with_interval(hits: Any, clusters: Any = None) -> Number:
    """Share of hits with its 95 % interval, Wilson's (1927) where samples stand alone."""
    if clusters is not None:
        return mean_with_interval(hits, clusters)
    low, high = wilson_interval(float(np.sum(hits)), len(hits))
    return {"value": float(np.mean(hits)), "low": low, "high": high}


def ece_with_interval(own: HeldOut, *, rng: np.random.Generator) -> Number:
    """ECE with the interval of `calib.bootstrap`, its chance level and test of calibration."""
    score, clusters, pairs = own.losses.score, own.clusters, cast(Any, own.pairs)
    found = bootstrap(ece, pairs, score, n_resamples=N_RESAMPLES, clusters=clusters, rng=rng)
    null = np.asarray(found.null)
    chance = null.mean() if clusters is not None else error_if_calibrated(score)
    p_value = (1 + np.sum(null >= found.value)) / (1 + N_RESAMPLES)
    told = {"value": found.value, "low": found.low, "high": found.high, "chance": float(chance)}
    above = float(np.quantile(null, 1 - CALIBRATED))
    return told | {"chance_high": above, "p_value": float(p_value)}


def classwise_with_chance(by_class: np.ndarray) -> Number:
    """Classwise ECE beside that of a calibrated model; no interval of it keeps its promise."""
    count, score, gap = by_class
    sums = {"value": np.abs(gap).sum(), "chance": mean_deviation(count, score).sum()}
    return {name: float(total / count.sum()) for name, total in sums.items()}


def mean_deviation(count: Any, mean: Any) -> np.ndarray:
    """Mean absolute deviation of binomial hits (De Moivre 1730; Diaconis & Zabell 1991)."""
    n = np.maximum(count, 1)
    p = np.clip(mean / n, 0, 1)
    k = np.minimum(np.floor(n * p) + 1, n)
    log_mass = (
        gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k, -p)
    )
    return np.where(count > 0, 2 * k * (1 - p) * np.exp(log_mass), 0.0)


def kept_risk(own: HeldOut) -> Number:
    """Share of errors among the surest answers; which are kept varies with the sample as well.

    An error above the threshold counts as much as it exceeds r, the share of errors near it.
    """
    score, hit, _ = own.answers
    n, risk = len(score), own.curve.risk_at(KEPT)
    surest = np.argsort(-score, kind="stable")
    last = int(np.ceil(KEPT * n))
    near = surest[max(0, last - n // 20) : last + n // 20]
    r = 1 - hit[near].mean() if len(near) else 0.0
    influence = np.where(np.isin(np.arange(n), surest[:last]), (1 - hit - r) / KEPT, 0.0)
    spread = mean_with_interval(influence, own.clusters)
    if "low" not in spread:
        return {"value": risk}
    half = spread["high"] - spread["value"]
    return {"value": risk, "low": max(0.0, risk - half), "high": min(1.0, risk + half)}


def mean_label_ece(score: Any, hit: Any, labels: Any) -> Number:
    """Mean over the labels of the ECE of each, beside that of a calibrated model."""
    own = [(score[labels == label], hit[labels == label]) for label in np.unique(labels)]
    return {
        "value": float(np.mean([ece(h, s) for s, h in own])),
        "chance": float(np.mean([error_if_calibrated(s) for s, _ in own])),
    }


def first_numbers(
    own: HeldOut, *, rng: np.random.Generator, labels: Any = None, cost: Number | None = None
) -> dict[str, Number]:
    """Return the six numbers that come first; the mean cost of decisions, where known, is one."""
    losses, clusters, task = own.losses, own.clusters, own.task
    score, hit = losses.score, losses.hit
    found = {
        "share of yes" if task == "labels" else "accuracy": share_with_interval(hit, clusters),
        "NLL": mean_with_interval(losses.nll, clusters),
        "Brier": mean_with_interval(losses.brier, clusters),
        "ECE": ece_with_interval(own, rng=rng),
    }
    if task == "pairs":
        found["skill"] = skill_with_interval(score, hit, clusters)
    elif task == "labels":
        found["mean ECE of a label"] = mean_label_ece(score, hit, labels)
    else:
        found["classwise ECE"] = classwise_with_chance(own.by_class)
    if cost is not None:
        return found | {"mean cost": cost}
    return found | {"errors among the surest 90 %": kept_risk(own)}


def numbers_as_they_are(
    outputs: ModelOutputs, own: HeldOut, rng: np.random.Generator, cost: Number | None = None
) -> dict[str, Number]:
    """Return the first numbers of outputs as they are; zeros make their NLL infinite."""
    found = first_numbers(own, rng=rng, labels=outputs.groups.get("label"), cost=cost)
    return found | {"NLL": {"value": np.inf}} if len(rows_of_zeros(outputs)) else found


def rows_of_zeros(outputs: ModelOutputs) -> np.ndarray:
    """Return the rows whose true class has probability zero, so that the NLL is infinite."""
    return np.flatnonzero(outputs.prob[np.arange(len(outputs)), outputs.y] == 0)


def other_numbers(
    outputs: ModelOutputs, own: HeldOut, rng: np.random.Generator
) -> dict[str, Number]:
    """Return the metrics that are folded away: values, and chance levels where they are quick."""
    clusters, score, hit = own.clusters, own.losses.score, own.losses.hit
    found = {
        "mean confidence": mean_with_interval(score, clusters),
        "confidence less accuracy": mean_with_interval(score - hit, clusters),
    }
    if own.task == "classes":
        found["top-1 Brier"] = mean_with_interval((score - hit) ** 2, clusters)
    sure, right, _ = own.answers
    found["AUROC"] = auroc_with_interval(sure, right, clusters)
    n = len(score)
    for name in OTHERS_OF_PAIRS:
        metric = METRICS[name].of_checked()
        drawn = [metric(Pairs(score, rng.random(n) < score)) for _ in range(N_CHANCE)]
        value = metric(own.pairs)
        found[METRICS[name].title] = {"value": value, "chance": float(np.mean(drawn))}
    for name in OTHERS_OF_VECTORS if own.task == "classes" else ():
        value = METRICS[name].of_checked()(Vectors(outputs.y, outputs.prob))
        found[METRICS[name].title] = {"value": value}
    return found | {"AURC": {"value": METRICS["aurc"].of_checked()(own.answers)}}


def bin_table(own: HeldOut) -> list[dict[str, Any]]:
    """Return the bins that hold samples."""
    bins, n = own.bins, len(own.losses.score)
    part, few = abs(bins.gap_sum) / n, bins.count < FEW
    columns = (bins.edges[:-1], bins.edges[1:], bins.count, bins.mean_score, bins.mean_hit)
    rows = zip(*(column.tolist() for column in (*columns, part, few)), strict=True)
    table = [dict(zip(OF_BIN, row, strict=True)) for row in rows]
    return [row for row in table if row["samples"]]


def worst_classes(names: list[str], by_class: np.ndarray) -> list[dict[str, Any]]:
    """Return each class's frequency, mean probability and error, worst error first."""
    count, score, gap = by_class
    n, samples = count[0].sum(), np.rint((score + gap).sum(axis=1))
    shares = (samples / n, score.sum(axis=1) / n, np.abs(gap).sum(axis=1) / n)
    columns = (column.tolist() for column in (samples.astype(int), *shares))
    table = [dict(zip(OF_CLASS, row, strict=True)) for row in zip(names, *columns, strict=True)]
    return sorted(table, key=lambda row: -float(row["one_vs_rest_ece"]))
