"""The numbers of outputs, or of a map of them, with their intervals and levels of chance."""

# Mirrored by the answer desk, book/assets/desk/measure.js: change both.

from typing import Any, cast

import numpy as np
from scipy.special import ndtri

import calib
from calib import METRICS, Pairs, Vectors, ece, error_if_calibrated
from calib_report.doubting.suspicion import suspicion
from calib_report.limits import (
    FEWEST_SAMPLES,
    MANY,
    MOST_NUMBERS,
    SHARE_KEPT,
    SIGNIFICANCE_LEVEL,
    TITLE_OF_KEPT,
)
from calib_report.measuring.estimates import (
    auroc_with_interval,
    is_of_equal_values,
    loss_with_interval,
    mean_deviation,
    mean_with_interval,
    mean_with_interval_if_varied,
    share_by_wilson,
    share_with_interval,
    skill_with_interval,
)
from calib_report.measuring.outcome import Outcome
from calib_report.measuring.tables import bin_table, class_table
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import LackOfSamples, Measurement, Number, Numbers

N_RESAMPLES = 1000
N_RESAMPLES_OF_MANY = 200
# Labels drawn as a calibrated model would have them: the mean of their errors is the chance level
# of an error without an interval. One more draw exceeds the largest of 19, or the fifth of 99, in
# exactly one case of twenty; a large file takes the 19, which cost a fifth.
N_DRAWS = 99
N_DRAWS_OF_MANY = 19
ONE_IN_IS_NEAR = 20  # one in so many samples on each side is near a threshold
# standard deviations that chance exceeds once in twenty times
ONE_SIDED_95 = float(ndtri(0.95))
OTHERS_OF_PAIRS = (
    "ks_error smooth_ece debiased_ece sweep_ece rmsce mce kde_ece psce".split()
)
AUROC_OF_ANSWERS = "AUROC of the confidence"
OTHERS_OF_VECTORS = ["ace", "tace", "classwise_ks"]


def measure(
    outputs: ModelOutputs, outcome: Outcome, rng: np.random.Generator
) -> Measurement:
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
        "excess": mean_with_interval(outcome.excess, outcome.clusters),
        # of logits no logarithm is taken, so that none needs a floor
        "floor": None if outputs.kind == "logits" else outputs.floor,
        "before": numbers_as_they_are(outputs, outcome, rng),
        "bins": bin_table(outcome),
        "classes": class_table(outputs.names, outcome),
        "looks_wrong": None if finding is None else finding.sentence,
        "lack_of_samples": lack_of_samples(outputs),
    }


def lack_of_samples(outputs: ModelOutputs) -> LackOfSamples | None:
    """Return why no map can be fitted: samples are few, or all of one class; None where it can."""
    if outputs.n_units < FEWEST_SAMPLES:
        return "few"
    return "one_class" if len(np.unique(outputs.y)) < 2 else None


def ece_with_interval(outcome: Outcome, *, rng: np.random.Generator) -> Number:
    """ECE with the interval of `calib.bootstrap`, its chance level and test of calibration."""
    score, clusters = outcome.score, outcome.clusters
    # of many samples fewer draws do
    draws = N_RESAMPLES if len(score) < MANY else N_RESAMPLES_OF_MANY
    estimate = calib.bootstrap(
        ece, outcome.pairs, score, n_resamples=draws, clusters=clusters, rng=rng
    )
    null = np.asarray(estimate.null)
    # of samples that stand alone the chance level is known exactly
    chance = null.mean() if clusters is not None else error_if_calibrated(score)
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "chance": float(chance),
        "chance_high": level_of_chance(null),
        "p_value": cast(float, estimate.p_value),
    }


def classwise_with_chance(outcome: Outcome) -> Number:
    """Classwise ECE beside that of a calibrated model; no interval of it keeps its promise.

    ``chance_high`` is what a calibrated model exceeds once in twenty times at most: of two classes
    the same gaps count twice, and of more they hang together less.
    """
    count, score, _ = outcome.by_class
    n = count.sum()
    chance = mean_deviation(count, score)
    # an empty bin has no share, and counts nothing
    share = np.divide(score, count, out=np.zeros(score.shape), where=count > 0)
    variance = np.maximum(count * share * (1 - share) - chance**2, 0)
    # twice the variance: of two classes each gap stands in both
    beyond = ONE_SIDED_95 * np.sqrt(2 * variance.sum())
    return {
        "value": float(outcome.class_errors.mean()),
        "chance": float(chance.sum() / n),
        "chance_high": float((chance.sum() + beyond) / n),
    }


def kept_risk(outcome: Outcome) -> Number:
    """Share of errors among the surest answers; which are kept varies with the sample as well.

    An error above the threshold counts as much as it exceeds r, the share of errors near it.
    Answers of one score are kept by lot, so that the order of the rows says nothing.
    """
    score, hit, _ = outcome.answer_pairs
    n, risk = len(score), outcome.curve.risk_at(SHARE_KEPT)
    n_kept = int(np.ceil(SHARE_KEPT * n))
    # on both sides of the threshold, where the share of errors is asked
    near = slice(max(0, n_kept - n // ONE_IN_IS_NEAR), n_kept + n // ONE_IN_IS_NEAR)
    r, kept = _share_of_mistakes_at(near, score, hit), _chance_to_be_kept(score, n_kept)
    influence = kept * (1 - hit - r) / SHARE_KEPT
    spread = mean_with_interval(influence, outcome.clusters)
    if is_of_equal_values(spread) or risk in (0.0, 1.0):
        if outcome.clusters is not None:
            n_kept = len(np.unique(outcome.clusters[kept > 0]))
        return share_by_wilson(risk, n_kept)
    half = spread["high"] - spread["value"]
    return {"value": risk, "low": max(0.0, risk - half), "high": min(1.0, risk + half)}


def _share_of_mistakes_at(ranks: slice, score: np.ndarray, hit: np.ndarray) -> float:
    """Return the share of mistakes at some ranks, the surest first; of ties their mean."""
    _, tie, count = np.unique(-score, return_inverse=True, return_counts=True)
    of_tie = np.bincount(tie, 1 - hit) / count
    at_ranks = np.repeat(of_tie, count)[ranks]
    return float(at_ranks.mean()) if len(at_ranks) else 0.0


def _chance_to_be_kept(score: np.ndarray, n_kept: int) -> np.ndarray:
    """Return the chance of each answer to be among so many of the surest, ties by lot."""
    _, tie, count = np.unique(-score, return_inverse=True, return_counts=True)
    first = np.cumsum(count) - count
    return np.clip((n_kept - first) / count, 0, 1)[tie]


def mean_label_ece(score: Any, hit: Any, labels: Any) -> Number:
    """Mean over the labels of the ECE of each, beside that of a calibrated model."""
    errors, chances = [], []
    for label in np.unique(labels):
        rows = labels == label
        errors.append(ece(hit[rows], score[rows]))
        chances.append(error_if_calibrated(score[rows]))
    return {"value": float(np.mean(errors)), "chance": float(np.mean(chances))}


def first_numbers(outcome: Outcome, *, rng: np.random.Generator) -> Numbers:
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
                outcome.score, outcome.hit, outcome.label_of_question
            )
        }
    if outcome.clusters is not None:
        # chance's formula is of samples that stand alone, and sums by class know no clusters
        return {"classwise ECE": {"value": float(outcome.class_errors.mean())}}
    return {"classwise ECE": classwise_with_chance(outcome)}


def numbers_as_they_are(
    outputs: ModelOutputs, outcome: Outcome, rng: np.random.Generator
) -> Numbers:
    """Return the first numbers of outputs as they are; zeros make their NLL infinite."""
    numbers = first_numbers(outcome, rng=rng)
    if len(rows_of_zeros(outputs)):
        numbers["NLL"] = {"value": np.inf}
    if outcome.task == "classes" and outcome.clusters is not None:
        numbers["classwise ECE"] |= _classwise_chance_of_clusters(outputs, outcome, rng)
    return numbers


def _classwise_chance_of_clusters(
    outputs: ModelOutputs, outcome: Outcome, rng: np.random.Generator
) -> Any:
    """Return the levels of chance of a classwise ECE of clusters; none of very many numbers."""
    if outputs.prob.size > MOST_NUMBERS:
        return {}
    vectors = calib.Vectors(outputs.y, outputs.prob)
    # a stream of its own, so that later steps draw what they draw without clusters
    (rng,) = rng.spawn(1)
    beside = _error_beside_draws(
        "classwise_ece", vectors, outputs.prob, outcome.clusters, rng
    )
    return {"chance": beside["chance"], "chance_high": beside["chance_high"]}


def rows_of_zeros(outputs: ModelOutputs) -> np.ndarray:
    """Return the rows whose true class has probability zero, so that the NLL is infinite."""
    return np.flatnonzero(outputs.prob[np.arange(len(outputs)), outputs.y] == 0)


def other_numbers(
    outputs: ModelOutputs, outcome: Outcome, rng: np.random.Generator
) -> Numbers:
    """Return the metrics that are folded away: values, and chance levels where they are quick."""
    numbers = {
        "mean confidence": mean_with_interval_if_varied(
            outcome.score, outcome.clusters
        ),
        "confidence less accuracy": mean_with_interval_if_varied(
            outcome.excess, outcome.clusters
        ),
    }
    if outcome.task == "classes":
        numbers["top-1 Brier"] = loss_with_interval(outcome.excess**2, outcome.clusters)
    if outcome.task != "pairs":  # whose event is that the answer is right
        sure, right, _ = outcome.answer_pairs
        numbers[AUROC_OF_ANSWERS] = auroc_with_interval(sure, right, outcome.clusters)
    for name in OTHERS_OF_PAIRS:
        numbers[METRICS[name].title] = error_with_chance(name, outcome, rng)
    if outcome.task == "classes":
        numbers |= _errors_of_vectors(outputs)
    return numbers | {
        "AURC": {"value": METRICS["aurc"].formula_with()(outcome.answer_pairs)}
    }


def _errors_of_vectors(outputs: ModelOutputs) -> Numbers:
    """Return the errors that need the whole vector of probabilities, by their titles."""
    vectors = calib.Vectors(outputs.y, outputs.prob)
    metrics = [METRICS[name] for name in OTHERS_OF_VECTORS]
    return {
        metric.title: {"value": metric.formula_with()(vectors)} for metric in metrics
    }


def error_with_chance(name: str, outcome: Outcome, rng: np.random.Generator) -> Number:
    """Return an error of pairs beside that of calibrated draws of their hits."""
    return _error_beside_draws(
        name, outcome.pairs, outcome.score, outcome.clusters, rng
    )


def _error_beside_draws(
    name: str,
    checked: Pairs | Vectors,
    predicted: np.ndarray,
    clusters: np.ndarray | None,
    rng: np.random.Generator,
) -> Number:
    """Return an error beside that of calibrated draws, in which a cluster hangs together."""
    test = calib.consistency_test(
        METRICS[name].function,
        checked,
        predicted,
        n_resamples=N_DRAWS if len(predicted) < MANY else N_DRAWS_OF_MANY,
        clusters=clusters,
        rng=rng,
    )
    null = np.asarray(test.null)
    return {
        "value": test.statistic,
        "chance": float(null.mean()),
        "chance_high": level_of_chance(null),
    }


def level_of_chance(null: np.ndarray) -> float:
    """Return what an error of a calibrated model exceeds in one of twenty cases at most."""
    # of B draws and one more each is as likely to be any of the B + 1 in order, whatever their law
    rank = int(SIGNIFICANCE_LEVEL * (len(null) + 1))
    return float(np.sort(null)[-rank])
