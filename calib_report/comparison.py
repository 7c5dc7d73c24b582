"""Recalibration maps against none, and two models, on the same samples."""

import copy
import dataclasses
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import calib
from calib import METRICS, Calibrator, ConvergenceError, OneVsRest, PlattScaling
from calib_report.losses import (
    NO_PURPOSE,
    HeldOut,
    Losses,
    Purpose,
    names_of,
    numbered,
    rows_kept,
    unchanged,
)
from calib_report.measure import (
    FEWEST_SAMPLES,
    OTHERS_OF_PAIRS,
    OTHERS_OF_VECTORS,
    Number,
    mean_at,
    mean_with_interval,
)
from calib_report.outputs import ModelOutputs
from calib_report.sums import Accumulator

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
    k = n_classes if task == "classes" else 1
    few, each = k <= MOST_CLASSES, k <= MOST_CLASSES or n >= FEWEST_SAMPLES * k
    one = calib.TemperatureScaling(no_optimum="raise")
    platt = OneVsRest(PlattScaling())
    splines = calib.RankWise(calib.SplineCalibration())
    binned = ("scaling-binning", OneVsRest(calib.ScalingBinning(PlattScaling())), 15 * k, few)
    binnings = [
        ("histogram binning", OneVsRest(calib.HistogramBinning()), 15 * k, each),
        ("isotonic regression", OneVsRest(calib.IsotonicCalibration()), n, each),
    ]
    matrix = k <= MOST_FOR_A_MATRIX
    of_classes = [
        ("temperature scaling", one, 1, True),
        ("vector scaling", calib.VectorScaling(), 2 * k, few),
        ("splines, rank by rank", splines, 6 * k, few),
        binned,
        ("structured matrix scaling", calib.StructuredMatrixScaling(), k * (k + 1), matrix),
        *binnings,
    ]
    of_one = [("one factor on the log odds", one, 1, True), ("Platt scaling", platt, 2, True)]
    tried: list[Any] = of_classes if task == "classes" else [*of_one, binned, *binnings]
    return [Candidate(*told) for *told, worth_it in tried if worth_it]


def n_folds(outputs: ModelOutputs) -> int:
    """Return into how many folds the samples are split: five, or two where the file is large."""
    return 5 if outputs.known.size < NUMBERS_OF_A_LARGE_FILE else 2


def folds(outputs: ModelOutputs, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the rows of each fold; a cluster is never split."""
    clusters, k = outputs.clusters, n_folds(outputs)
    k = k if clusters is None else min(k, len(np.unique(clusters)))
    return calib.folds(len(outputs), k, rng, clusters=clusters)


def held_out(
    calibrator: Calibrator,
    outputs: ModelOutputs,
    rng: np.random.Generator,
    purpose: Purpose = NO_PURPOSE,
) -> HeldOut:
    """Return what a map, of the calibration set or cross-validated, does to other samples."""
    logits, y, sums = outputs.as_logits(outputs.floor), outputs.y, Accumulator()
    own, task = rows_kept(outputs), outputs.task
    kept, place = np.empty((len(own), outputs.n_classes), np.float32), np.full(len(y), -1)
    place[own] = np.arange(len(own))

    def told(rows: np.ndarray, p: np.ndarray) -> Losses:
        sums.update_checked(y[rows], p)
        inside = place[rows] >= 0
        kept[place[rows[inside]]] = p[inside]
        return Losses.of(y[rows], p, outputs.floor, task=task, purpose=purpose)

    if outputs.calibration is not None:
        fitted = fitted_to(calibrator, outputs.calibration, outputs.floor)
        losses = told(np.arange(len(y)), fitted.predict_proba(logits))
    else:
        parts = folds(outputs, rng)
        # of classes that a fold lacks: held-out samples are the judge
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            held = calib.held_out(calibrator, logits, y, parts)
            found = [told(*fold) for fold in zip(parts, held, strict=True)]
        losses = Losses.joined(found, np.argsort(np.concatenate(parts)))
    return HeldOut(losses, sums, kept, task, numbered(outputs.clusters))


def fitted_to(calibrator: Calibrator, outputs: ModelOutputs, floor: float) -> Any:
    """Return a copy of a map, fitted to outputs."""
    fitted: Any = copy.deepcopy(calibrator)
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return fitted.fit(outputs.as_logits(floor), outputs.y)


def compare(
    outputs: ModelOutputs,
    *,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
    purpose: Purpose = NO_PURPOSE,
    own: HeldOut | None = None,
) -> tuple[list[dict[str, Any]], dict[str, HeldOut]]:
    """Compare recalibration maps with none, sample by sample: a table, and what each map did.

    A probability of zero, whose NLL is infinite, counts as the `floor` of the outputs, before and
    after a map. A row of the table holds ``failed`` where a map could not be fitted.
    """
    held = {"none": unchanged(outputs, purpose) if own is None else own}
    tried = candidates(len(outputs), outputs.n_classes, outputs.task)
    failed = {}
    for candidate in tried:
        progress(f"fitting {candidate.name}")
        rng = np.random.default_rng(seed)
        try:
            held[candidate.name] = held_out(candidate.calibrator, outputs, rng, purpose)
        except (ConvergenceError, ValueError) as error:
            failed[candidate.name] = {"name": candidate.name, "failed": str(error)}
    before, clusters = held["none"].losses, held["none"].clusters
    lowest = min((one.losses.nll for one in held.values()), key=np.mean)

    def row(name: str, n_parameters: int) -> dict[str, Any]:
        after = held[name].losses
        found = {
            "name": name,
            "n_parameters": n_parameters,
            "nll": float(after.nll.mean()),
            "brier": float(after.brier.mean()),
            "ece": METRICS["ece"].of_checked()(held[name].pairs),
            "accuracy": float(after.hit.mean()),
            "nll_change": _change(after.nll, before.nll, clusters),
            "brier_change": _change(after.brier, before.brier, clusters),
            "nll_from_best": _change(after.nll, lowest, clusters),
        }
        if purpose.costs is not None:
            cost = mean_at(after.decision_cost(purpose), outputs.y, purpose.new, clusters)
            found["cost"] = cost["value"]
        return found

    table = [row("none", 0)]
    table += [failed.get(one.name) or row(one.name, one.n_parameters) for one in tried]
    return table, held


def _change(after: np.ndarray, before: np.ndarray, clusters: Any) -> dict[str, Any]:
    found = mean_with_interval(after - before, clusters)
    return {"difference": found.pop("value"), **found}


def compare_two(
    first: ModelOutputs,
    second: ModelOutputs,
    *,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Number]:
    """Return the paired differences of two models on the same samples, second less first.

    Samples are matched by their ids where both have them, else they are in the same order. Means of
    losses have the interval of a mean of paired differences; other metrics the basic bootstrap
    interval, of whole clusters where there are. A probability of zero counts, in the NLL of both,
    as the smaller of their floors.
    """
    second = _matched(first, second)
    clusters = numbered(first.clusters)
    floor = min(first.floor, second.floor)
    columns = []
    for one in (first, second):
        losses = Losses.of(one.y, one.prob, floor, task=one.task)
        gap = losses.score - losses.hit
        columns.append((losses.hit, losses.score, gap, losses.nll, losses.brier, gap**2))
    found = {}
    for name, a, b in zip(MEANS, *columns, strict=True):
        values = {"first": float(a.mean()), "second": float(b.mean())}
        found[name] = values | _change(b, a, clusters)
    classes = first.task == "classes"
    (y, p), (z, q) = ((o.y, o.prob if classes else o.prob[:, 1]) for o in (first, second))
    more: dict[str, Any] = {"y_true_b": y, "clusters": clusters, "n_resamples": N_RESAMPLES}
    for name in RESAMPLED:
        metric = METRICS[name]
        if metric.of == "pairs" or (classes and p.size <= MOST_NUMBERS):
            progress(metric.title)
            change = calib.paired_difference(metric.function, z, q, p, rng=seed, **more)
            found[metric.title] = {
                "first": float(metric.function(y, p)),
                "second": float(metric.function(z, q)),
                "difference": change.value,
                "low": change.low,
                "high": change.high,
            }
    return found


def _matched(first: ModelOutputs, second: ModelOutputs) -> ModelOutputs:
    """Return the second outputs in the order of the first, samples and classes."""
    if first.task != second.task or len(first) != len(second):
        raise ValueError(
            f"{len(first)} rows of {first.task} and {len(second)} of {second.task} cannot be paired"
        )
    if first.ids is not None and second.ids is not None:
        place = {str(name): row for row, name in enumerate(second.ids)}
        if len(place) < len(second) or {str(name) for name in first.ids} != set(place):
            raise ValueError("ids: the two do not hold the same samples, each once")
        second = second.take(np.array([place[str(name)] for name in first.ids]))
    if first.task == "classes" and first.n_classes == second.n_classes:
        second = _with_classes(second, names_of(first))
    if first.task != "pairs" and not np.array_equal(first.y, second.y):
        raise ValueError(
            "the labels of the two are not the same, so they cannot be paired; if the samples are, "
            "in another order, say which column names them: --ids NAME"
        )
    return second


def _with_classes(outputs: ModelOutputs, names: list[str]) -> ModelOutputs:
    """Return outputs with their classes in the order of `names`, where they have the same."""
    own = names_of(outputs)
    if own == names or sorted(own) != sorted(names):
        return outputs
    order = np.array([own.index(name) for name in names])
    y, scores = np.argsort(order)[outputs.y], outputs.known[:, order]
    more: dict[str, Any] = {outputs.kind: scores}
    return dataclasses.replace(outputs, y=y, class_names=names, **more)
