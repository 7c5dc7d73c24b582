"""Recalibration maps against none, and two models, on the same samples."""

import copy
import dataclasses
import warnings
from typing import Any, NamedTuple

import numpy as np

import calib
from calib import METRICS, Calibrator, ConvergenceError, OneVsRest, PlattScaling
from calib_report.contract import refused
from calib_report.losses import Found, HeldOut, Losses, Rng, names_of, numbered, of_parts, unchanged
from calib_report.measure import (
    FEWEST_SAMPLES,
    OTHERS_OF_PAIRS,
    OTHERS_OF_VECTORS,
    mean_with_interval,
)
from calib_report.outputs import ModelOutputs

MOST_CLASSES = 100  # beyond, maps whose fit grows with their number are left out
MOST_FOR_A_MATRIX = 20
NUMBERS_OF_A_LARGE_FILE = 10_000_000  # numbers in a file from which two folds do instead of five
N_RESAMPLES = 200  # of two models
MOST_NUMBERS = 2_000_000  # of probabilities, for errors of the whole vector of two models
MEANS = ("accuracy", "mean confidence", "confidence less accuracy", "NLL", "Brier", "top-1 Brier")
RESAMPLED = ("ece", "classwise_ece", *OTHERS_OF_PAIRS, *OTHERS_OF_VECTORS, "aurc")


class Candidate(NamedTuple):
    """One recalibration map that the report tries, with its number of parameters."""

    name: str
    calibrator: Calibrator
    n_parameters: int


def candidates(n: int, n_classes: int, task: str = "classes") -> list[Candidate]:
    """Return the maps worth trying with n calibration samples of K classes, simplest first.

    Maps whose fit grows with K are left out beyond `MOST_CLASSES`; those of one class at a time
    stay where there are a hundred samples a class, as the table of advice asks for. A yes-or-no
    question has one score, and gets maps of one score, which mirror it for the other.

    Examples
    --------
    >>> [candidate.name for candidate in candidates(5000, 1000)]
    ['temperature scaling']
    >>> [candidate.name for candidate in candidates(500_000, 1000)]
    ['temperature scaling', 'histogram binning', 'isotonic regression']
    """
    classes = task == "classes"
    k = n_classes if classes else 1
    few, each = k <= MOST_CLASSES, k <= MOST_CLASSES or n >= FEWEST_SAMPLES * k
    structured, small = calib.StructuredMatrixScaling(), classes and k <= MOST_FOR_A_MATRIX
    splines, binned = calib.RankWise(calib.SplineCalibration()), calib.HistogramBinning()
    one, platt = calib.TemperatureScaling(no_optimum="raise"), PlattScaling()
    tried: list[Any] = [
        ("temperature scaling" if classes else "one factor on the log odds", one, 1, True),
        ("Platt scaling", OneVsRest(platt), 2, not classes),
        ("vector scaling", calib.VectorScaling(), 2 * k, classes and few),
        ("splines, rank by rank", splines, 6 * k, classes and few),
        ("scaling-binning", OneVsRest(calib.ScalingBinning(platt)), binned.n_bins * k, few),
        ("structured matrix scaling", structured, k * (k + 1), small),
        ("histogram binning", OneVsRest(binned), binned.n_bins * k, each),
        ("isotonic regression", OneVsRest(calib.IsotonicCalibration()), n, each),
    ]
    return [Candidate(*told) for *told, worth_it in tried if worth_it]


def n_folds(outputs: ModelOutputs) -> int:
    """Return into how many folds the samples are split: five, or two where the file is large."""
    most = 5 if outputs.known.size < NUMBERS_OF_A_LARGE_FILE else 2
    return most if outputs.clusters is None else min(most, len(np.unique(outputs.clusters)))


def folds(outputs: ModelOutputs, rng: Rng) -> list[np.ndarray]:
    """Return the rows of each fold; a cluster is never split."""
    return calib.folds(len(outputs), n_folds(outputs), rng, clusters=outputs.clusters)


def held_out(calibrator: Calibrator, outputs: ModelOutputs, rng: Rng, costs: Any = None) -> HeldOut:
    """Return what a map, of the calibration set or cross-validated, does to other samples."""
    logits, y = outputs.as_logits(outputs.floor), outputs.y
    if outputs.calibration is not None:
        fitted = fitted_to(calibrator, outputs.calibration, outputs.floor)
        return of_parts(outputs, [(np.arange(len(y)), fitted.predict_proba(logits))], costs)
    rows = folds(outputs, rng)
    # of classes that a fold lacks: held-out samples are the judge
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        held = calib.held_out(calibrator, logits, y, rows)
        return of_parts(outputs, zip(rows, held, strict=True), costs)


def fitted_to(calibrator: Calibrator, outputs: ModelOutputs, floor: float) -> Any:
    fitted: Any = copy.deepcopy(calibrator)
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return fitted.fit(outputs.as_logits(floor), outputs.y)


def compare(
    outputs: ModelOutputs, *, seed: int = 0, costs: Any = None, own: HeldOut | None = None
) -> tuple[list[Found], dict[str, HeldOut]]:
    """Compare recalibration maps with none, sample by sample: a table, and what each map did.

    A probability of zero, whose NLL is infinite, counts as the `floor` of the outputs, before and
    after a map. A row of the table holds ``failed`` where a map could not be fitted.
    """
    held = {"none": unchanged(outputs, costs) if own is None else own}
    table: list[Found] = [{"name": "none", "n_parameters": 0}]
    for name, calibrator, n_parameters in candidates(len(outputs), outputs.n_classes, outputs.task):
        try:
            held[name] = held_out(calibrator, outputs, np.random.default_rng(seed), costs)
            table.append({"name": name, "n_parameters": n_parameters})
        except (ConvergenceError, ValueError) as error:
            table.append({"name": name, "failed": str(error)})
    before, clusters = held["none"].losses, held["none"].clusters
    lowest = min((one.losses.nll for one in held.values()), key=np.mean)
    for row in [row for row in table if "failed" not in row]:
        after = held[row["name"]].losses
        row |= {
            "nll": float(after.nll.mean()),
            "brier": float(after.brier.mean()),
            "ece": METRICS["ece"].of_checked()(held[row["name"]].pairs),
            "accuracy": float(after.hit.mean()),
            "nll_change": _change(after.nll, before.nll, clusters),
            "brier_change": _change(after.brier, before.brier, clusters),
            "nll_from_best": _change(after.nll, lowest, clusters),
            "one_mistake": one_mistake(held["none"], held[row["name"]], outputs.floor),
        }
        if costs is not None:
            row["cost"] = float(after.cost.mean())
    return table, held


def one_mistake(before: HeldOut, after: HeldOut, floor: float) -> float:
    """Return what one more mistake, where a map is surest, would add to its change of NLL."""
    own, doubt = (np.maximum(1 - one.answers.score, floor) for one in (before, after))
    return max(float(np.log(own / doubt).max()) / len(doubt), 0.0)


def _change(after: np.ndarray, before: np.ndarray, clusters: Any) -> Found:
    found = mean_with_interval(after - before, clusters)
    return {"difference": found.pop("value"), **found}


def compare_two(first: ModelOutputs, second: ModelOutputs, *, seed: int = 0) -> Found:
    """Return the paired differences of two models on the same samples, second less first.

    Samples are matched by their ids where both have them, else they are in the same order. Means of
    losses have the interval of a mean of paired differences; other metrics the basic bootstrap
    interval, of whole clusters where there are. A probability of zero counts, in the NLL of both,
    as the smaller of their floors.
    """
    second = _matched(first, second)
    clusters = numbered(first.clusters)
    floor = min(first.floor, second.floor)
    columns, found = [], {}
    for one in (first, second):
        losses = Losses.of(one.y, one.prob, floor, task=one.task)
        gap = losses.score - losses.hit
        columns.append((losses.hit, losses.score, gap, losses.nll, losses.brier, gap**2))
    for name, a, b in zip(MEANS, *columns, strict=True):
        means = {"first": float(a.mean()), "second": float(b.mean())}
        found[name] = means | _change(b, a, clusters)
    classes = first.task == "classes"
    (y, p), (z, q) = ((o.y, o.prob if classes else o.prob[:, 1]) for o in (first, second))
    more: Found = {"y_true_b": y, "clusters": clusters, "n_resamples": N_RESAMPLES}
    for name in RESAMPLED:
        metric = METRICS[name]
        if metric.of == "pairs" or (classes and p.size <= MOST_NUMBERS):
            change = calib.paired_difference(metric.function, z, q, p, rng=seed, **more)
            means = {"first": float(metric.function(y, p)), "second": float(metric.function(z, q))}
            ends = {"low": change.low, "high": change.high}
            found[metric.title] = means | {"difference": change.value} | ends
    return found


def _matched(first: ModelOutputs, second: ModelOutputs) -> ModelOutputs:
    """Return the second outputs in the order of the first, samples and classes."""
    if first.task != second.task or len(first) != len(second):
        told = {"rows": len(first), "task": first.task, "n": len(second), "of": second.task}
        raise refused("unpaired", **told)
    if first.ids is not None and second.ids is not None:
        place = {str(name): row for row, name in enumerate(second.ids)}
        if len(place) < len(second) or {str(name) for name in first.ids} != set(place):
            raise refused("other_samples")
        second = second.take(np.array([place[str(name)] for name in first.ids]))
    own, names = names_of(second), names_of(first)
    if first.task == "classes" and own != names and sorted(own) == sorted(names):
        order = np.array([own.index(name) for name in names])
        scores: Found = {second.kind: second.known[:, order]}
        y = np.argsort(order)[second.y]
        second = dataclasses.replace(second, y=y, class_names=names, **scores)
    if first.task != "pairs" and not np.array_equal(first.y, second.y):
        raise refused("other_labels")
    return second
