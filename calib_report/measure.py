"""What outputs, or a map of them, say of each sample, and the numbers of it with intervals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy.special import expit, gammaln, stdtrit, xlog1py, xlogy

import calib
from calib import METRICS, Pairs, ece, equal_width, error_if_calibrated
from calib_report.outputs import ModelOutputs
from calib_report.suspicion import suspicion

Rng = np.random.Generator
Found = dict[str, Any]  # what report.json holds: values, and where they are known low, high, chance
N_BINS = equal_width().n_bins  # as the library's metrics have by default
NORMAL_95 = 1.959963984540054  # quantile of the normal distribution at 0.975
N_RESAMPLES = 1000
N_CHANCE = 20  # calibrated draws whose mean is the chance level of an error of pairs
CALIBRATED = 0.05  # p-value from which an error may be chance alone
KEPT = 0.9  # coverage whose risk stands among the first numbers
FEW = 10  # samples of a bin below which it says little
ENDS = np.append(expit(np.arange(-4, 16.25, 0.25)), np.inf)  # of ranges of the confidence
FEWEST_SAMPLES = 100  # samples, or clusters, below which no map is recommended
OTHERS_OF_PAIRS = "ks_error smooth_ece debiased_ece sweep_ece rmsce mce kde_ece psce".split()
OTHERS_OF_VECTORS = ["ace", "tace", "classwise_ks"]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What a map says of each sample, (n,), that it was not fitted on, and sums by class."""

    nll: np.ndarray
    brier: np.ndarray  # summed over classes; of a yes-or-no question (score - hit) squared
    score: np.ndarray
    hit: np.ndarray
    cost: Any = None  # of the cheapest decision by the probabilities, where costs are known
    by_class: Any = None  # (3, K, 15), as `class_sums`
    task: str = "classes"
    clusters: np.ndarray | None = None  # numbers from 0
    labels: np.ndarray | None = None  # of questions: which label each is of

    @classmethod
    def of(
        cls, y: Any, p: Any, floor: float = 0.0, task: str = "classes", costs: Any = None
    ) -> "HeldOut":
        """Return what probabilities, (n, K), say, of which none is below `floor` in the NLL."""
        rows = np.arange(len(y))
        true = p[rows, y].astype(float)
        top = p.argmax(axis=1) if task == "classes" else np.ones(len(y), int)
        score, hit = np.minimum(p[rows, top].astype(float), 1), (top == y).astype(np.intp)
        if task == "classes":
            brier = np.einsum("nk,nk->n", p, p, dtype=float) - 2 * true + 1
        else:
            brier = (score - hit) ** 2
        with np.errstate(divide="ignore"):
            nll = -np.log(np.maximum(true, floor))
        cost = None if costs is None else costs[y, (p @ costs).argmin(axis=1)]
        return cls(nll, brier, score, hit, cost, class_sums(y, p), task)

    @property
    def gap(self) -> np.ndarray:
        """Confidence less hit."""
        return self.score - self.hit

    @cached_property
    def pairs(self) -> Pairs:
        """Scores and hits, as metrics take them checked."""
        return Pairs(self.score, self.hit == 1)

    @cached_property
    def bins(self) -> calib.Bins:
        return equal_width(N_BINS).of_checked(self.pairs)

    @cached_property
    def answers(self) -> Pairs:
        """The confidence of each answer, and whether it is right; of a label, yes or no."""
        if self.task != "labels":
            return self.pairs
        score, hit = self.pairs[:2]
        return Pairs(np.maximum(score, 1 - score), (score >= 0.5) == hit)

    @cached_property
    def curve(self) -> calib.RiskCoverage:
        """The share of errors against the share of answers that are kept."""
        answers: Any = self.answers  # checked, as a metric takes them
        return calib.risk_coverage(answers, answers.score)


def unchanged(outputs: ModelOutputs, costs: np.ndarray | None = None) -> HeldOut:
    """Return the outputs as they are, as a map that was never fitted."""
    return of_parts(outputs, [(np.arange(len(outputs)), outputs.prob)], costs)


def of_parts(
    outputs: ModelOutputs, parts: Iterable[tuple[np.ndarray, np.ndarray]], costs: Any = None
) -> HeldOut:
    """Return what probabilities say that come in parts of rows, which together are all samples."""
    found, order = list[HeldOut](), list[np.ndarray]()
    for rows, p in parts:
        order.append(rows)
        found.append(HeldOut.of(outputs.y[rows], p, outputs.floor, outputs.task, costs))
    back = np.argsort(np.concatenate(order))
    names = ("nll", "brier", "score", "hit") + ("cost",) * (costs is not None)
    told: Found = {n: np.concatenate([getattr(part, n) for part in found])[back] for n in names}
    told |= {"by_class": sum(part.by_class for part in found), "task": outputs.task}
    told |= {"clusters": numbered(outputs.clusters), "labels": outputs.groups.get("label")}
    return HeldOut(**told)


def class_sums(y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return numbers, sums of scores and of gaps in fifteen bins of each class, (3, K, 15)."""
    n, k = p.shape
    hits, mass = np.bincount(y, minlength=k), p.sum(axis=0, dtype=float)
    # of many classes nearly all entries lie in the first bin: it is what the others leave
    row, of = np.divmod(np.flatnonzero(p > 0.99 / N_BINS), k)
    score = p[row, of].astype(float)
    place = N_BINS * of + np.searchsorted(np.arange(1, N_BINS) / N_BINS, score)
    values = (None, score, (y[row] == of) - score)
    sums = np.array([np.bincount(place, v, N_BINS * k) for v in values]).reshape(3, k, N_BINS)
    sums[:, :, 0] = np.array([np.full(k, n), mass, hits - mass]) - sums[:, :, 1:].sum(axis=2)
    return sums


def rows_of(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of columns by name, as plain numbers."""
    lists = (c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values())
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def numbered(clusters: Any) -> np.ndarray | None:
    """Return the clusters as numbers from 0; None where there are none."""
    return None if clusters is None else np.unique(clusters, return_inverse=True)[1]


def measure(outputs: ModelOutputs, own: HeldOut, rng: Rng) -> Found:
    score, hit, n = own.score, own.hit, len(outputs)
    m = None if own.clusters is None else int(own.clusters.max()) + 1
    finding = suspicion(outputs)
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
        "classes": worst_classes(outputs.names, own.by_class) if own.task == "classes" else [],
        "looks_wrong": None if finding is None else finding.sentence,
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
    low, high = calib.wilson_interval(float(np.sum(hits)), len(hits))
    return {"value": float(np.mean(hits)), "low": low, "high": high}


def ece_with_interval(own: HeldOut, *, rng: Rng) -> Found:
    """ECE with the interval of `calib.bootstrap`, its chance level and test of calibration."""
    score, clusters, pairs = own.score, own.clusters, cast(Any, own.pairs)
    found = calib.bootstrap(ece, pairs, score, n_resamples=N_RESAMPLES, clusters=clusters, rng=rng)
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
    score, hit, clusters, task = own.score, own.hit, own.clusters, own.task
    found = {
        "share of yes" if task == "labels" else "accuracy": share_with_interval(hit, clusters),
        "NLL": mean_with_interval(own.nll, clusters),
        "Brier": mean_with_interval(own.brier, clusters),
        "ECE": ece_with_interval(own, rng=rng),
    }
    if task == "pairs":
        found["skill"] = skill_with_interval(score, hit, clusters)
    elif task == "labels":
        found["mean ECE of a label"] = mean_label_ece(score, hit, own.labels)
    else:
        found["classwise ECE"] = classwise_with_chance(own.by_class)
    if own.cost is not None:
        return found | {"mean cost": mean_with_interval(own.cost, clusters)}
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
    clusters, score, hit = own.clusters, own.score, own.hit
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
        value = METRICS[name].of_checked()(calib.Vectors(outputs.y, outputs.prob))
        found[METRICS[name].title] = {"value": value}
    return found | {"AURC": {"value": METRICS["aurc"].of_checked()(own.answers)}}


def confidences(p: np.ndarray) -> Found:
    """Return the mean confidence and how many lie in each range, to be saved with a map."""
    top = p.max(axis=1).astype(float)
    counts = np.bincount(np.searchsorted(ENDS, top), minlength=len(ENDS))
    return {"mean": float(top.mean()), "counts": counts.tolist()}


def bin_table(own: HeldOut) -> list[Found]:
    bins = own.bins
    columns = {
        "from": bins.edges[:-1],
        "to": bins.edges[1:],
        "samples": bins.count,
        "confidence": bins.mean_score,
        "accuracy": bins.mean_hit,
        "part_of_ece": abs(bins.gap_sum) / len(own.score),
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
