"""Recalibration maps against none, and which one to use; two models on the same samples."""

import copy
import dataclasses
import warnings
from typing import Any, NamedTuple

import numpy as np

import calib
from calib import METRICS, Calibrator, ConvergenceError, OneVsRest, PlattScaling
from calib_report import measure
from calib_report.contract import refused
from calib_report.measure import Found, HeldOut, Rng, unchanged
from calib_report.outputs import ModelOutputs
from calib_report.words import TEXTS

MOST_CLASSES = 100  # beyond, maps whose fit grows with their number are left out
MOST_FOR_A_MATRIX = 20
NUMBERS_OF_A_LARGE_FILE = 10_000_000  # numbers in a file from which two folds do instead of five
SMALL = 1000  # samples, or clusters, below which one temperature may be worth a try
N_RESAMPLES = 200  # of two models
MOST_NUMBERS = 2_000_000  # of probabilities, for errors of the whole vector of two models
MEANS = ("accuracy", "mean confidence", "confidence less accuracy", "NLL", "Brier", "top-1 Brier")
RESAMPLED = ("ece", "classwise_ece", *measure.OTHERS_OF_PAIRS, *measure.OTHERS_OF_VECTORS, "aurc")


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
    few, each = k <= MOST_CLASSES, k <= MOST_CLASSES or n >= measure.FEWEST_SAMPLES * k
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
    # of classes that a fold lacks: held-out samples are the judge
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        if outputs.calibration is not None:
            rows = [np.arange(len(outputs))]
            held: Any = [fitted_to(calibrator, outputs).predict_proba(outputs.z)]
        else:
            rows = folds(outputs, rng)
            held = calib.held_out(calibrator, outputs.z, outputs.y, rows)
        return measure.of_parts(outputs, zip(rows, held, strict=True), costs)


def fitted_to(calibrator: Calibrator, outputs: ModelOutputs) -> Any:
    """Return a map as fitted to the calibration set, or to all samples where there is none."""
    fitted: Any = copy.deepcopy(calibrator)
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return fitted.fit(*outputs.to_fit)


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
    before = held["none"]
    lowest = min((one.nll for one in held.values()), key=np.mean)
    for row in [row for row in table if "failed" not in row]:
        after = held[row["name"]]
        row |= {
            "nll": float(after.nll.mean()),
            "brier": float(after.brier.mean()),
            "ece": METRICS["ece"].of_checked()(after.pairs),
            "accuracy": float(after.hit.mean()),
            "nll_change": _change(after.nll, before.nll, before.clusters),
            "brier_change": _change(after.brier, before.brier, before.clusters),
            "nll_from_best": _change(after.nll, lowest, before.clusters),
            "one_mistake": one_mistake(before, after, outputs.floor),
        }
        if costs is not None:
            row["cost"] = float(after.cost.mean())
    return table, held


def one_mistake(before: HeldOut, after: HeldOut, floor: float) -> float:
    """Return what one more mistake, where a map is surest, would add to its change of NLL."""
    own, doubt = (np.maximum(1 - one.answers.score, floor) for one in (before, after))
    return max(float(np.log(own / doubt).max()) / len(doubt), 0.0)


def _change(after: np.ndarray, before: np.ndarray, clusters: Any) -> Found:
    found = measure.mean_with_interval(after - before, clusters)
    return {"difference": found.pop("value"), **found}


def recommend(comparison: list[Found], outputs: ModelOutputs, p_value: float = 1.0) -> Found:
    """Choose a map, or none, from a comparison: its ``name``, the ``reason``, and ``confirmed``.

    A map is worth having if the interval of its change in NLL lies below zero. Of those, the one
    with the fewest parameters is chosen whose paired difference from the best has an interval that
    holds zero. Of fewer than a thousand samples, which may hold no mistake of those that cost a map
    most, it has to lie below zero with one more, where the map is surest. Where there is no such
    map, but a test of calibration that rejects, `p_value`, the map of one number is chosen, unless
    its loss is higher.
    """
    n, what = len(outputs), "samples"
    if outputs.clusters is not None:
        n, what = len(np.unique(outputs.clusters)), "clusters"
    none, chosen, confirmed = {"name": "none"}, comparison[1], True
    clear = [row for row in comparison[1:] if row.get("nll_change", {}).get("high", 0) < 0]
    after_one = [row["nll_change"]["high"] + row.get("one_mistake", 0.0) for row in clear]
    better = [r for r, high in zip(clear, after_one, strict=True) if n >= SMALL or high < 0]
    gain = -chosen.get("nll_change", {}).get("difference", np.inf)
    told: Found = {"n": n, "what": what, "p": p_value, "gain": gain}
    if n < measure.FEWEST_SAMPLES:
        chosen, case = none, "few"
    elif len(np.unique(outputs.y)) < 2:
        chosen, case = none, "one_class"
    elif better:
        best = min(better, key=lambda row: row["nll"])
        close = [row for row in better if row["nll_from_best"]["low"] <= 0] or [best]
        chosen = min(close, key=lambda row: row["n_parameters"])
        change = chosen["nll_change"]
        told |= {"gain": -change["difference"], "low": -change["high"], "high": -change["low"]}
        told |= {"best": best["name"], "nll": best["nll"]}
        case = "clear" if chosen is best else "close"
    elif n >= SMALL or p_value > measure.CALIBRATED or gain <= 0:
        chosen, case = none, "undone" if clear else "chance"
    else:
        confirmed, case = False, "unconfirmed"
    reason = TEXTS["reason"][case].format(least=measure.FEWEST_SAMPLES, **told)
    return {"name": chosen["name"], "reason": reason, "confirmed": confirmed}


def recommended_map(outputs: ModelOutputs, name: str) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        if candidate.name == name:
            return fitted_to(candidate.calibrator, outputs)
    return None


def compare_two(first: ModelOutputs, second: ModelOutputs, *, seed: int = 0) -> Found:
    """Return the paired differences of two models on the same samples, second less first.

    Samples are matched by their ids where both have them, else they are in the same order. Means of
    losses have the interval of a mean of paired differences; other metrics that of
    `calib.paired_difference`, of whole clusters where there are, or none where none is known to
    keep its promise. A probability of zero counts, in the NLL of both,
    as the smaller of their floors.
    """
    second = _matched(first, second)
    clusters = measure.numbered(first.clusters)
    floor = min(first.floor, second.floor)
    columns, found = [], {}
    for one in (first, second):
        own = HeldOut.of(one.y, one.prob, floor, one.task)
        columns.append((own.hit, own.score, own.gap, own.nll, own.brier, own.gap**2))
    for name, a, b in zip(MEANS, *columns, strict=True):
        means = {"first": float(a.mean()), "second": float(b.mean())}
        found[name] = means | _change(b, a, clusters)
    classes = first.task == "classes"
    (y, p), (z, q) = ((o.y, o.prob if classes else o.prob[:, 1]) for o in (first, second))
    more: Found = {"y_true_b": y, "clusters": clusters, "n_resamples": N_RESAMPLES}
    for name in RESAMPLED:
        metric = METRICS[name]
        if metric.of == "pairs" or (classes and p.size <= MOST_NUMBERS):
            means = {"first": float(metric.function(y, p)), "second": float(metric.function(z, q))}
            found[metric.title] = means | {"difference": means["second"] - means["first"]}
            if metric.kind == "mean" or metric.norm == "l1":
                change = calib.paired_difference(metric.function, z, q, p, rng=seed, **more)
                ends = {"difference": change.value, "low": change.low, "high": change.high}
                found[metric.title] |= ends
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
    own, names = second.names, first.names
    if first.task == "classes" and own != names and sorted(own) == sorted(names):
        order = np.array([own.index(name) for name in names])
        scores: Found = {second.kind: second.known[:, order]}
        y = np.argsort(order)[second.y]
        second = dataclasses.replace(second, y=y, class_names=names, **scores)
    if first.task != "pairs" and not np.array_equal(first.y, second.y):
        raise refused("other_labels")
    return second
