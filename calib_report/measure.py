"""The numbers of outputs, each with its interval or its chance level, or both."""

from typing import Any, cast

import numpy as np
from scipy.special import gammaln, stdtr, stdtrit, xlog1py, xlogy

from calib import METRICS, Pairs, Vectors, bootstrap, ece, error_if_calibrated, wilson_interval
from calib_report.losses import Found, HeldOut, Rng, names_of, numbered, rows_of
from calib_report.outputs import ModelOutputs

NORMAL_95 = 1.959963984540054  # quantile of the normal distribution at 0.975
N_RESAMPLES = 1000
N_CHANCE = 20  # calibrated draws whose mean is the chance level of an error of pairs
CALIBRATED = 0.05  # p-value from which an error may be chance alone
KEPT = 0.9  # coverage whose risk stands among the first numbers
FEW = 10  # samples of a bin below which it says little
MOST_PERIODS = 12
FEWEST_SAMPLES = 100  # samples, or clusters, below which no map is recommended
OTHERS_OF_PAIRS = "ks_error smooth_ece debiased_ece sweep_ece rmsce mce kde_ece psce".split()
OTHERS_OF_VECTORS = ["ace", "tace", "classwise_ks"]


def measure(outputs: ModelOutputs, own: HeldOut, rng: Rng) -> Found:
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
        "gap": mean_with_interval(own.gap, own.clusters),
        "floor": None if outputs.kind == "logits" else outputs.floor,
        "before": numbers_as_they_are(outputs, own, rng),
        "bins": bin_table(own),
        "classes": worst_classes(names_of(outputs), own.by_class) if own.task == "classes" else [],
        "looks_wrong": next((n for n in outputs.notes if n.startswith("The labels ")), None),
        "too_few": (m or n) < FEWEST_SAMPLES or len(np.unique(outputs.y)) < 2,
    }


def mean_with_interval(values: Any, clusters: Any = None) -> Found:
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


def skill_with_interval(score: Any, hit: Any, clusters: Any = None) -> Found:
    """Brier skill, 1 - B / a (1 - a) with the accuracy a, and the interval of its linearisation."""
    square, a = (score - hit) ** 2, float(np.mean(hit))
    if (of_constant := a * (1 - a)) == 0:
        return {"value": float("nan")}
    ratio = float(square.mean()) / of_constant
    linear = (ratio * (1 - 2 * a) * (hit - a) - square) / of_constant
    return mean_with_interval(1 + linear, clusters)


def auroc_with_interval(score: Any, hit: Any, clusters: Any = None) -> Found:
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


def share_with_interval(hits: Any, clusters: Any = None) -> Found:
    """Share of hits with its 95 % interval, Wilson's (1927) where samples stand alone."""
    if clusters is not None:
        return mean_with_interval(hits, clusters)
    low, high = wilson_interval(float(np.sum(hits)), len(hits))
    return {"value": float(np.mean(hits)), "low": low, "high": high}


def ece_with_interval(own: HeldOut, *, rng: Rng) -> Found:
    """ECE with the interval of `calib.bootstrap`, its chance level and test of calibration."""
    score, clusters, pairs = own.losses.score, own.clusters, cast(Any, own.pairs)
    found = bootstrap(ece, pairs, score, n_resamples=N_RESAMPLES, clusters=clusters, rng=rng)
    null = np.asarray(found.null)
    chance = null.mean() if clusters is not None else error_if_calibrated(score)
    p_value = (1 + np.sum(null >= found.value)) / (1 + N_RESAMPLES)
    told = {"value": found.value, "low": found.low, "high": found.high, "chance": float(chance)}
    above = float(np.quantile(null, 1 - CALIBRATED))
    return told | {"chance_high": above, "p_value": float(p_value)}


def classwise_with_chance(by_class: np.ndarray) -> Found:
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


def kept_risk(own: HeldOut) -> Found:
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


def mean_label_ece(score: Any, hit: Any, labels: Any) -> Found:
    """Mean over the labels of the ECE of each, beside that of a calibrated model."""
    own = [(score[labels == label], hit[labels == label]) for label in np.unique(labels)]
    return {
        "value": float(np.mean([ece(h, s) for s, h in own])),
        "chance": float(np.mean([error_if_calibrated(s) for s, _ in own])),
    }


def first_numbers(own: HeldOut, *, rng: Rng) -> Found:
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
        found["mean ECE of a label"] = mean_label_ece(score, hit, own.labels)
    else:
        found["classwise ECE"] = classwise_with_chance(own.by_class)
    if losses.cost is not None:
        return found | {"mean cost": mean_with_interval(losses.cost, clusters)}
    return found | {"errors among the surest 90 %": kept_risk(own)}


def numbers_as_they_are(outputs: ModelOutputs, own: HeldOut, rng: Rng) -> Found:
    """Return the first numbers of outputs as they are; zeros make their NLL infinite."""
    found = first_numbers(own, rng=rng)
    return found | {"NLL": {"value": np.inf}} if len(rows_of_zeros(outputs)) else found


def rows_of_zeros(outputs: ModelOutputs) -> np.ndarray:
    """Return the rows whose true class has probability zero, so that the NLL is infinite."""
    return np.flatnonzero(outputs.prob[np.arange(len(outputs)), outputs.y] == 0)


def other_numbers(outputs: ModelOutputs, own: HeldOut, rng: Rng) -> Found:
    """Return the metrics that are folded away: values, and chance levels where they are quick."""
    clusters, score, hit = own.clusters, own.losses.score, own.losses.hit
    means = {"mean confidence": score, "confidence less accuracy": score - hit}
    if own.task == "classes":
        means["top-1 Brier"] = (score - hit) ** 2
    found = {name: mean_with_interval(values, clusters) for name, values in means.items()}
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


def bin_table(own: HeldOut) -> list[Found]:
    bins = own.bins
    columns = {
        "from": bins.edges[:-1],
        "to": bins.edges[1:],
        "samples": bins.count,
        "confidence": bins.mean_score,
        "accuracy": bins.mean_hit,
        "part_of_ece": abs(bins.gap_sum) / len(own.losses.score),
        "says_little": bins.count < FEW,
    }
    return [row for row in rows_of(columns) if row["samples"]]


def worst_classes(names: list[str], by_class: np.ndarray) -> list[Found]:
    """Return each class's frequency, mean probability and error, worst error first."""
    count, score, gap = by_class
    n, samples = count[0].sum(), np.rint((score + gap).sum(axis=1))
    columns = {
        "class": names,
        "samples": samples.astype(int),
        "frequency": samples / n,
        "mean_probability": score.sum(axis=1) / n,
        "one_vs_rest_ece": np.abs(gap).sum(axis=1) / n,
    }
    return sorted(rows_of(columns), key=lambda row: -float(row["one_vs_rest_ece"]))


def times(values: np.ndarray, name: str) -> np.ndarray:
    """Return moments as numbers: what stands there as a number, or the seconds of a date."""
    for kind in (float, "datetime64[s]"):
        try:
            found = values.astype(str).astype(kind).astype(float)
        except ValueError:
            continue
        if np.isfinite(found).all():
            return found
    raise ValueError(f"time: {name!r} holds no numbers and no dates such as 2026-11-23T14:00")


def time_table(name: str, values: np.ndarray, before: HeldOut, after: HeldOut) -> Found:
    """Return confidence less accuracy in up to a dozen moments, or periods of as many samples."""
    moment = times(values, name)
    different, place = np.unique(moment, return_inverse=True)
    if len(different) > MOST_PERIODS:
        share = np.cumsum(np.bincount(place)) / len(moment)
        place = np.ceil(MOST_PERIODS * share - 1e-9)[place]
    gaps, periods = {"before": before.gap, "after": after.gap}, []
    for period in np.unique(place):
        inside = np.flatnonzero(place == period)
        of_clusters = None if before.clusters is None else numbered(before.clusters[inside])
        ends = moment[inside].argmin(), moment[inside].argmax()
        row: Found = {n: str(values[inside[k]]) for n, k in zip(("from", "to"), ends, strict=True)}
        row |= {"samples": len(inside), "accuracy": float(before.losses.hit[inside].mean())}
        row |= {w: mean_with_interval(gap[inside], of_clusters) for w, gap in gaps.items()}
        periods.append(row)
    trends = {f"trend_{when}": trend(moment, gap, before.clusters) for when, gap in gaps.items()}
    return {"column": name, "periods": periods, **trends}


def trend(moment: np.ndarray, gap: np.ndarray, clusters: np.ndarray | None = None) -> Found:
    """Return by how much gaps rise from the first moment to the last, by rank: least squares.

    Its interval allows for unequal variances (White 1980), of whole clusters where there are.
    """
    n = len(gap)
    rank = (ranks(moment) - (n + 1) / 2) / max(n - 1, 1)
    if not rank.any():
        return {"value": 0.0, "p_value": 1.0}
    slope = float(rank @ gap / (rank @ rank))
    rest = gap - gap.mean() - slope * rank
    found = mean_with_interval(slope + n * rank * rest / (rank @ rank), clusters)
    freedom = np.inf if clusters is None else max(clusters.max(), 1)
    error = (found.get("high", np.inf) - slope) / stdtrit(freedom, 0.975)
    p_value = 2 * stdtr(freedom, -abs(slope) / error) if error > 0 else float(slope == 0)
    return found | {"value": slope, "p_value": float(p_value)}
