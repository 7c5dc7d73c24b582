"""What outputs, or a map of them, say of each sample, and the numbers of it with intervals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy.special import expit, ndtri

import calib
from calib import METRICS, Pairs, ece, equal_width, error_if_calibrated
from calib_report.doubting.suspicion import suspicion
from calib_report.limits import FEWEST_SAMPLES, KEPT, TITLE_OF_KEPT
from calib_report.measuring.estimates import (
    auroc_with_interval,
    cluster_numbers,
    is_of_equal_values,
    loss_with_interval,
    mean_deviation,
    mean_with_interval,
    share_with_interval,
    skill_with_interval,
    steady_mean,
)
from calib_report.model_outputs import ModelOutputs, pairs_of
from calib_report.schema import (
    BinRow,
    ClassRow,
    Measured,
    Number,
    Numbers,
)

Rng = np.random.Generator
N_BINS = equal_width().n_bins  # as the library's metrics have by default
N_RESAMPLES = 1000
MANY = 200_000  # samples from which fewer draws do: their spread is a fraction of a per mille
N_RESAMPLES_OF_MANY = 200
N_CHANCE = 20  # calibrated draws whose mean is the chance level of an error of pairs
N_CHANCE_OF_MANY = 4
CALIBRATED = 0.05  # p-value from which an error may be chance alone
# standard deviations that chance exceeds once in twenty times
ONE_SIDED_95 = float(ndtri(0.95))
FEW = 10  # samples of a bin below which it says little
# of ranges of the confidence
ENDS = np.append(expit(np.arange(-4, 16.25, 0.25)), np.inf)
POSSIBLE = 1e-30  # probability from which a zero that a map makes of it is the map's
OTHERS_OF_PAIRS = (
    "ks_error smooth_ece debiased_ece sweep_ece rmsce mce kde_ece psce".split()
)
AUROC_OF_ANSWERS = "AUROC of the confidence"
OTHERS_OF_VECTORS = ["ace", "tace", "classwise_ks"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a map says of each sample, (n,), that it was not fitted on, and sums by class.

    Attributes
    ----------
    nll, score, hit : ndarray, shape (n,)
    brier : ndarray, shape (n,)
        Summed over classes; of a yes-or-no question (score - hit) squared.
    cost : ndarray, shape (n,), or None
        Of the cheapest decision by the probabilities, where costs are known.
    by_class : ndarray, shape (3, K, 15), or None
        As :func:`class_sums` returns it.
    event, happened : ndarray, shape (n,), or None
        Of two classes: the probability of the second, and whether it was that.
    n_zeros : int
        Samples of which the map gives a class the probability 0 that the outputs hold possible.
    clusters : ndarray of int, shape (n,), or None
        From 0.
    labels : ndarray, shape (n,), or None
        Of several labels a sample: which label a question is of.
    """

    nll: np.ndarray
    brier: np.ndarray
    score: np.ndarray
    hit: np.ndarray
    cost: Any = None
    by_class: Any = None
    task: str = "classes"
    clusters: np.ndarray | None = None
    labels: np.ndarray | None = None
    event: Any = None
    happened: Any = None
    n_zeros: int = 0

    @classmethod
    def of(
        cls,
        y: Any,
        p: Any,
        floor: float = 0.0,
        task: str = "classes",
        costs: Any = None,
    ) -> "Outcome":
        """Return what probabilities, (n, K), say, of which none is below `floor` in the NLL."""
        of_label = p[np.arange(len(y)), y].astype(float)
        score, right = pairs_of(y, p, task)
        # as numbers, of which differences are taken
        hit = right.astype(np.intp)
        with np.errstate(divide="ignore"):
            # an infinite loss stays infinite unless the outputs have a floor
            nll = -np.log(np.maximum(of_label, floor))
        brier = (score - hit) ** 2
        if task == "classes":
            # |p - e|^2 = p.p - 2 p_y + 1, without an array of one-hot labels
            brier = np.einsum("nk,nk->n", p, p, dtype=float) - 2 * of_label + 1
        outcome = cls(nll, brier, score, hit, by_class=class_sums(y, p), task=task)
        if costs is not None:
            outcome = replace(outcome, cost=costs[y, (p @ costs).argmin(axis=1)])
        return outcome.with_event(y, p) if p.shape[1] == 2 else outcome

    def with_event(self, y: np.ndarray, p: np.ndarray) -> "Outcome":
        """Return this with the event of two classes: the second, which clinics ask about."""
        happened = (y == 1).astype(np.intp)
        return replace(self, event=p[:, 1].astype(float), happened=happened)

    @property
    def n_clusters(self) -> int | None:
        return None if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def excess(self) -> np.ndarray:
        """Confidence less hit: by how much an answer is too sure."""
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


def outcome_as_is(outputs: ModelOutputs, costs: np.ndarray | None = None) -> Outcome:
    """Return the outputs as they are: a probability of zero counts as their `floor` in the NLL."""
    return outcome_of_parts(
        outputs, [(np.arange(len(outputs)), outputs.prob)], costs, outputs.floor
    )


def outcome_of_parts(
    outputs: ModelOutputs,
    parts: Iterable[tuple[np.ndarray, np.ndarray]],
    costs: Any = None,
    floor: float = 0.0,
) -> Outcome:
    """Return what probabilities say that come in parts of rows, which together are all samples."""
    pieces, rows_of_pieces = list[Outcome](), list[np.ndarray]()
    for rows, p in parts:
        rows_of_pieces.append(rows)
        piece = Outcome.of(outputs.y[rows], p, floor, outputs.task, costs)
        n_zeros = _n_zeros_made(p, outputs.prob, rows)
        pieces.append(replace(piece, n_zeros=n_zeros))
    # folds come in any order: back to that of the samples
    order = np.argsort(np.concatenate(rows_of_pieces))
    return replace(
        _of_all_pieces(pieces, order),
        clusters=cluster_numbers(outputs.clusters),
        labels=outputs.groups.get("label"),
    )


def _n_zeros_made(p: np.ndarray, before: np.ndarray, rows: np.ndarray) -> int:
    """Return of how many rows a map makes a zero of what was possible before."""
    # few rows have a zero, so only these are compared entry by entry
    with_zeros = np.flatnonzero(p.min(axis=1) == 0)
    was_possible = before[rows[with_zeros]] > POSSIBLE
    return int((was_possible & (p[with_zeros] == 0)).any(axis=1).sum())


OF_SAMPLES = ("nll", "brier", "score", "hit", "cost", "event", "happened")


def _of_all_pieces(pieces: Sequence[Outcome], order: np.ndarray) -> Outcome:
    """Return parts as one, in the order of the samples."""
    first = pieces[0]
    columns: dict[str, Any] = {}
    # what the first part lacks, such as costs, all of them lack
    for name in OF_SAMPLES:
        if getattr(first, name) is not None:
            parts = [getattr(piece, name) for piece in pieces]
            columns[name] = np.concatenate(parts)[order]
    return replace(
        first,
        **columns,
        by_class=sum(piece.by_class for piece in pieces),
        n_zeros=sum(piece.n_zeros for piece in pieces),
    )


def class_sums(y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return numbers, sums of scores and of gaps in fifteen bins of each class, (3, K, 15)."""
    n, k = p.shape
    hits, mass = np.bincount(y, minlength=k), p.sum(axis=0, dtype=float)
    entries = equal_width(N_BINS).of_classes(p)
    gap = (y[entries.row] == entries.label) - entries.score
    sums = [
        entries.sums(None, np.full(k, n)),
        entries.sums(entries.score, mass),
        entries.sums(gap, hits - mass),
    ]
    return entries.first_bin_apart(np.array(sums))


def rows_of(columns: Mapping[str, Any]) -> list[Any]:
    """Return the rows of columns by name, dicts of plain numbers; who calls says of which type."""
    lists = (c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values())
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def measured(outputs: ModelOutputs, outcome: Outcome, rng: Rng) -> Measured:
    """Return the fields of a report that hold the numbers of outputs as they are."""
    finding, calibration = suspicion(outputs), outputs.calibration
    return {
        "n": len(outputs),
        "n_classes": outputs.n_classes,
        "task": outcome.task,
        "kind": outputs.kind,
        "clusters": outcome.n_clusters,
        "calibration_n": 0 if calibration is None else len(calibration),
        "mean_confidence": float(outcome.score.mean()),
        "hit_rate": float(outcome.hit.mean()),
        "gap": mean_with_interval(outcome.excess, outcome.clusters),
        # of logits no logarithm is taken, so that none needs a floor
        "floor": None if outputs.kind == "logits" else outputs.floor,
        "before": numbers_as_they_are(outputs, outcome, rng),
        "bins": bin_table(outcome),
        "classes": worst_classes(outputs.names, outcome),
        "looks_wrong": None if finding is None else finding.sentence,
        "too_few": _says_too_little(outputs, outcome),
    }


def _says_too_little(outputs: ModelOutputs, outcome: Outcome) -> bool:
    """Tell whether samples are few, or all of one class, which no map can be fitted to."""
    n_units = outcome.n_clusters or len(outputs)
    return n_units < FEWEST_SAMPLES or len(np.unique(outputs.y)) < 2


def ece_with_interval(outcome: Outcome, *, rng: Rng) -> Number:
    """ECE with the interval of `calib.bootstrap`, its chance level and test of calibration."""
    score, clusters = outcome.score, outcome.clusters
    pairs = cast(Any, outcome.pairs)  # checked, as a metric takes them
    # of many samples fewer draws do
    draws = N_RESAMPLES if len(score) < MANY else N_RESAMPLES_OF_MANY
    estimate = calib.bootstrap(
        ece, pairs, score, n_resamples=draws, clusters=clusters, rng=rng
    )
    null = np.asarray(estimate.null)
    # of samples that stand alone the chance level is known exactly
    chance = null.mean() if clusters is not None else error_if_calibrated(score)
    # one is added on both sides: a p-value of zero would promise too much
    p_value = (1 + np.sum(null >= estimate.value)) / (1 + len(null))
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "chance": float(chance),
        "chance_high": float(np.quantile(null, 1 - CALIBRATED)),
        "p_value": float(p_value),
    }


def classwise_with_chance(by_class: np.ndarray) -> Number:
    """Classwise ECE beside that of a calibrated model; no interval of it keeps its promise.

    ``chance_high`` is what a calibrated model exceeds once in twenty times at most: of two classes
    the same gaps count twice, and of more they hang together less.
    """
    count, score, gap = by_class
    n = count.sum()
    chance = mean_deviation(count, score)
    # an empty bin has no share, and counts nothing
    share = np.divide(score, count, out=np.zeros(score.shape), where=count > 0)
    variance = np.maximum(count * share * (1 - share) - chance**2, 0)
    # twice the variance: of two classes each gap stands in both
    beyond = ONE_SIDED_95 * np.sqrt(2 * variance.sum())
    return {
        "value": float(np.abs(gap).sum() / n),
        "chance": float(chance.sum() / n),
        "chance_high": float((chance.sum() + beyond) / n),
    }


def kept_risk(outcome: Outcome) -> Number:
    """Share of errors among the surest answers; which are kept varies with the sample as well.

    An error above the threshold counts as much as it exceeds r, the share of errors near it.
    """
    score, hit, _ = outcome.answers
    n, risk = len(score), outcome.curve.risk_at(KEPT)
    order = np.argsort(-score, kind="stable")
    last = int(np.ceil(KEPT * n))
    surest = order[:last]
    # a twentieth on each side tells the share of errors at the threshold
    near = order[max(0, last - n // 20) : last + n // 20]
    r = 1 - hit[near].mean() if len(near) else 0.0
    influence = np.zeros(n)
    influence[surest] = (1 - hit[surest] - r) / KEPT
    spread = mean_with_interval(influence, outcome.clusters)
    if is_of_equal_values(spread) or risk in (0.0, 1.0):
        clusters = None if outcome.clusters is None else outcome.clusters[surest]
        return share_with_interval(1 - hit[surest], clusters)
    half = spread["high"] - spread["value"]
    return {"value": risk, "low": max(0.0, risk - half), "high": min(1.0, risk + half)}


def mean_label_ece(score: Any, hit: Any, labels: Any) -> Number:
    """Mean over the labels of the ECE of each, beside that of a calibrated model."""
    errors, chances = [], []
    for label in np.unique(labels):
        rows = labels == label
        errors.append(ece(hit[rows], score[rows]))
        chances.append(error_if_calibrated(score[rows]))
    return {"value": float(np.mean(errors)), "chance": float(np.mean(chances))}


def first_numbers(outcome: Outcome, *, rng: Rng) -> Numbers:
    """Return the six numbers that come first; the mean cost of decisions, where known, is one."""
    share = "share of yes" if outcome.task == "labels" else "accuracy"
    numbers = {
        share: share_with_interval(outcome.hit, outcome.clusters),
        "NLL": loss_with_interval(outcome.nll, outcome.clusters),
        "Brier": loss_with_interval(outcome.brier, outcome.clusters),
        "ECE": ece_with_interval(outcome, rng=rng),
        **_number_of_task(outcome),
    }
    if outcome.cost is not None:
        return numbers | {
            "mean cost": mean_with_interval(outcome.cost, outcome.clusters)
        }
    return numbers | {TITLE_OF_KEPT: kept_risk(outcome)}


def _number_of_task(outcome: Outcome) -> Numbers:
    """Return the number that only one kind of question has, by its name."""
    if outcome.task == "pairs":
        return {
            "skill": skill_with_interval(outcome.score, outcome.hit, outcome.clusters)
        }
    if outcome.task == "labels":
        return {
            "mean ECE of a label": mean_label_ece(
                outcome.score, outcome.hit, outcome.labels
            )
        }
    return {"classwise ECE": classwise_with_chance(outcome.by_class)}


def numbers_as_they_are(outputs: ModelOutputs, outcome: Outcome, rng: Rng) -> Numbers:
    """Return the first numbers of outputs as they are; zeros make their NLL infinite."""
    numbers = first_numbers(outcome, rng=rng)
    if len(rows_of_zeros(outputs)):
        numbers["NLL"] = {"value": np.inf}
    return numbers


def rows_of_zeros(outputs: ModelOutputs) -> np.ndarray:
    """Return the rows whose true class has probability zero, so that the NLL is infinite."""
    return np.flatnonzero(outputs.prob[np.arange(len(outputs)), outputs.y] == 0)


def other_numbers(outputs: ModelOutputs, outcome: Outcome, rng: Rng) -> Numbers:
    """Return the metrics that are folded away: values, and chance levels where they are quick."""
    numbers = {
        "mean confidence": steady_mean(outcome.score, outcome.clusters),
        "confidence less accuracy": steady_mean(outcome.excess, outcome.clusters),
    }
    if outcome.task == "classes":
        numbers["top-1 Brier"] = loss_with_interval(outcome.excess**2, outcome.clusters)
    if outcome.task != "pairs":  # whose event is that the answer is right
        sure, right, _ = outcome.answers
        numbers[AUROC_OF_ANSWERS] = auroc_with_interval(sure, right, outcome.clusters)
    for name in OTHERS_OF_PAIRS:
        numbers[METRICS[name].title] = error_with_chance(name, outcome, rng)
    if outcome.task == "classes":
        numbers |= _errors_of_vectors(outputs)
    return numbers | {"AURC": {"value": METRICS["aurc"].of_checked()(outcome.answers)}}


def _errors_of_vectors(outputs: ModelOutputs) -> Numbers:
    """Return the errors that need the whole vector of probabilities, by their titles."""
    vectors = calib.Vectors(outputs.y, outputs.prob)
    metrics = [METRICS[name] for name in OTHERS_OF_VECTORS]
    return {metric.title: {"value": metric.of_checked()(vectors)} for metric in metrics}


def error_with_chance(name: str, outcome: Outcome, rng: Rng) -> Number:
    """Return an error of pairs beside that of calibrated draws of their hits.

    ``chance_high`` is what these exceed once in twenty times, if they are normal.
    """
    metric, score = METRICS[name].of_checked(), outcome.score
    n = len(score)
    n_draws = N_CHANCE if n < MANY else N_CHANCE_OF_MANY
    drawn = [metric(Pairs(score, rng.random(n) < score)) for _ in range(n_draws)]
    chance = float(np.mean(drawn))
    high = chance + ONE_SIDED_95 * float(np.std(drawn, ddof=1))
    return {"value": metric(outcome.pairs), "chance": chance, "chance_high": high}


def confidences(p: np.ndarray) -> dict[str, Any]:
    """Return the mean confidence and how many lie in each range, to be saved with a map."""
    top = p.max(axis=1).astype(float)
    counts = np.bincount(np.searchsorted(ENDS, top), minlength=len(ENDS))
    return {"mean": float(top.mean()), "counts": counts.tolist()}


def bin_table(outcome: Outcome) -> list[BinRow]:
    """Return the ranges of the score that hold samples."""
    bins = outcome.bins
    columns = {
        "from": bins.edges[:-1],
        "to": bins.edges[1:],
        "samples": bins.count,
        "confidence": bins.mean_score,
        "accuracy": bins.mean_hit,
        "part_of_ece": abs(bins.gap_sum) / len(outcome.score),
        "says_little": bins.count < FEW,
    }
    return [row for row in rows_of(columns) if row["samples"]]


def worst_classes(names: list[str], outcome: Outcome) -> list[ClassRow]:
    """Return each class's frequency, mean probability and error, worst error first."""
    if outcome.task != "classes":
        return []
    count, score, gap = outcome.by_class
    n, samples = count[0].sum(), np.rint((score + gap).sum(axis=1))
    columns = {
        "class": names,
        "samples": samples.astype(int),
        "frequency": samples / n,
        "mean_probability": score.sum(axis=1) / n,
        "one_vs_rest_ece": np.abs(gap).sum(axis=1) / n,
    }
    return sorted(rows_of(columns), key=lambda row: -float(row["one_vs_rest_ece"]))
