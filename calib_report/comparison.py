"""Recalibration maps against none, and which one to use; two models on the same samples."""

import copy
import dataclasses
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy

import calib
from calib import METRICS, Calibrator, ConvergenceError, OneVsRest, PlattScaling
from calib.constants import LARGE_ARRAY
from calib_report import measure
from calib_report.contract import Note, listed
from calib_report.measure import MANY, HeldOut, Rng, unchanged
from calib_report.model_outputs import ModelOutputs
from calib_report.reader import read_either
from calib_report.rows import left_out, overlap
from calib_report.schema import Change, Difference, MapRow, Recommended
from calib_report.values import texts
from calib_report.words import TEXTS

MOST_CLASSES = 100  # beyond, maps whose fit grows with their number are left out
MOST_FOR_A_MATRIX = 20
SMALL = 1000  # samples, or clusters, below which one temperature may be worth a try
# the map that can move one class and leave the others
BY_CLASS = "shrunken vector scaling"
SURELY_OTHER = (
    0.01  # p-value from which frequencies of classes are not those that are said
)
FEWEST_EXPECTED = 5  # samples of a class, for the normal distribution of their number
N_RESAMPLES = 200  # of two models
MOST_NUMBERS = (
    2_000_000  # of probabilities, for errors of the whole vector of two models
)
MEANS = (
    "accuracy",
    "mean confidence",
    "confidence less accuracy",
    "NLL",
    "Brier",
    "top-1 Brier",
)
RESAMPLED = (
    "ece",
    "classwise_ece",
    *measure.OTHERS_OF_PAIRS,
    *measure.OTHERS_OF_VECTORS,
    "aurc",
)


class Candidate(NamedTuple):
    """One recalibration map that the report tries, with its number of parameters."""

    name: str
    calibrator: Calibrator
    n_parameters: int


def candidates(n: int, n_classes: int, task: str = "classes") -> list[Candidate]:
    """Return the maps worth trying with n calibration samples of K classes, simplest first.

    Maps whose fit grows with K are left out beyond `MOST_CLASSES`. Those of one class at a time
    stay where there are a hundred samples a class, as the table of advice asks for, and shrunken
    vector scaling, which asks for none, while the array is not a large one. A yes-or-no question
    has one score, and gets maps of one score, which mirror it for the other.

    Examples
    --------
    >>> [candidate.name for candidate in candidates(5000, 1000)]
    ['temperature scaling', 'shrunken vector scaling']
    >>> [candidate.name for candidate in candidates(500_000, 1000)]
    ['temperature scaling', 'histogram binning', 'isotonic regression']
    """
    temperature = calib.TemperatureScaling(no_optimum="raise")
    if task == "classes":
        first = Candidate("temperature scaling", temperature, 1)
        return [
            first,
            *_of_classes_at_once(n, n_classes),
            *_class_by_class(n, n_classes),
        ]
    # the same map, but of one number its factor is easier to name
    first = Candidate("one factor on the log odds", temperature, 1)
    platt = Candidate("Platt scaling", OneVsRest(PlattScaling()), 2)
    return [first, platt, *_class_by_class(n, 1)]


def _of_classes_at_once(n: int, k: int) -> list[Candidate]:
    """Return the maps of all classes at once between the simplest and those class by class."""
    if k > MOST_CLASSES:
        # a step through so many numbers takes a second, and the last moves an offset by 1e-6
        quick = calib.VectorScaling(shrink=True, tol=1e-6)
        return [Candidate(BY_CLASS, quick, 2 * k)] if n * k < LARGE_ARRAY else []
    # by rank a spline has all samples to learn from, by class few
    splines = calib.RankWise(calib.SplineCalibration())
    return [
        Candidate(BY_CLASS, calib.VectorScaling(shrink=True), 2 * k),
        # after the shrunken one, so that it has to be clearly better: of absent classes it is
        Candidate("vector scaling", calib.VectorScaling(), 2 * k),
        Candidate("splines, rank by rank", splines, 6 * k),
    ]


def _class_by_class(n: int, k: int) -> list[Candidate]:
    """Return the maps of one class at a time, and structured matrix scaling between them."""
    binned = OneVsRest(calib.HistogramBinning())
    n_bins = calib.HistogramBinning().n_bins * k
    maps = []
    if k <= MOST_CLASSES:
        scaling_binning = OneVsRest(calib.ScalingBinning(PlattScaling()))
        maps.append(Candidate("scaling-binning", scaling_binning, n_bins))
    if 1 < k <= MOST_FOR_A_MATRIX:
        structured = calib.StructuredMatrixScaling()
        maps.append(Candidate("structured matrix scaling", structured, k * (k + 1)))
    if k <= MOST_CLASSES or n >= measure.FEWEST_SAMPLES * k:
        isotonic = OneVsRest(calib.IsotonicCalibration())
        maps.append(Candidate("histogram binning", binned, n_bins))
        maps.append(Candidate("isotonic regression", isotonic, n))
    return maps


def n_folds(outputs: ModelOutputs) -> int:
    """Return into how many folds the samples are split: five, or two where the file is large."""
    # of so many samples a half fits a map as well, in less than half the time
    is_large = outputs.known.size >= LARGE_ARRAY or len(outputs) >= MANY
    n_most = 2 if is_large else 5
    if outputs.clusters is None:
        return n_most
    return min(n_most, len(np.unique(outputs.clusters)))


def folds(outputs: ModelOutputs, rng: Rng) -> list[np.ndarray]:
    """Return the rows of each fold; a cluster is never split."""
    return calib.folds(len(outputs), n_folds(outputs), rng, clusters=outputs.clusters)


def held_out(
    calibrator: Calibrator, outputs: ModelOutputs, rng: Rng, costs: Any = None
) -> HeldOut:
    """Return what a map, of the calibration set or cross-validated, does to other samples."""
    # of classes that a fold lacks: held-out samples are the judge
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        if outputs.calibration is not None:
            # a set of its own was never seen by the map: no folds
            rows = [np.arange(len(outputs))]
            predictions: Any = [fitted_to(calibrator, outputs).predict_proba(outputs.z)]
        else:
            rows = folds(outputs, rng)
            predictions = calib.held_out(calibrator, outputs.z, outputs.y, rows)
        return measure.held_out_of_parts(
            outputs, zip(rows, predictions, strict=True), costs
        )


def fitted_to(calibrator: Calibrator, outputs: ModelOutputs) -> Any:
    """Return a map as fitted to the calibration set, or to all samples where there is none."""
    fitted: Any = copy.deepcopy(calibrator)
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return fitted.fit(*outputs.to_fit)


def compare(
    outputs: ModelOutputs,
    *,
    seed: int = 0,
    costs: Any = None,
    as_is: HeldOut | None = None,
) -> tuple[list[MapRow], dict[str, HeldOut]]:
    """Compare recalibration maps with none, sample by sample: a table, and what each map did.

    A probability of zero in the outputs, whose NLL is infinite, counts as their `floor`, before a
    map as in front of it. What a map makes of it is judged as it is applied, saved and exported:
    nothing is clipped after a map. A row of the table holds ``failed`` where a map could not be
    fitted, and ``zeros``, of how many samples a map gives a class the probability zero that the
    outputs hold possible.
    """
    before = unchanged(outputs, costs) if as_is is None else as_is
    tried = candidates(len(outputs), outputs.n_classes, outputs.task)
    outcomes, failures = {"none": before}, dict[str, str]()
    for name, calibrator, _ in tried:
        # the same folds for each map: their differences are those of the maps
        rng = np.random.default_rng(seed)
        try:
            outcomes[name] = held_out(calibrator, outputs, rng, costs)
        # a map that fails is told in the table; the others go on
        except (ConvergenceError, ValueError) as error:
            failures[name] = str(error)
    baseline = Baseline.of(outcomes, outputs.floor)
    table: list[MapRow] = [baseline.row("none", 0, before)]
    for name, _, n_parameters in tried:
        if name in failures:
            table.append({"name": name, "failed": failures[name]})
        else:
            table.append(baseline.row(name, n_parameters, outcomes[name]))
    return table, outcomes


@dataclass(frozen=True, eq=False)
class Baseline:
    """What maps are compared with: the outputs as they are, and the losses of the best map."""

    before: HeldOut
    lowest: np.ndarray
    floor: float

    @classmethod
    def of(cls, outcomes: dict[str, HeldOut], floor: float) -> "Baseline":
        # sample by sample, so that differences from the best are paired
        lowest = min((outcome.nll for outcome in outcomes.values()), key=np.mean)
        return cls(outcomes["none"], lowest, floor)

    def row(self, name: str, n_parameters: int, after: HeldOut) -> MapRow:
        """Return what a map does, in means and paired changes."""
        before = self.before
        row: MapRow = {
            "name": name,
            "n_parameters": n_parameters,
            "nll": float(after.nll.mean()),
            "brier": float(after.brier.mean()),
            "ece": METRICS["ece"].of_checked()(after.pairs),
            "accuracy": float(after.hit.mean()),
            "nll_change": _change(after.nll, before.nll, before.clusters),
            "brier_change": _change(after.brier, before.brier, before.clusters),
            "accuracy_change": _change(after.hit, before.hit, before.clusters),
            "nll_from_best": _change(after.nll, self.lowest, before.clusters),
            "one_mistake": one_mistake(before, after, self.floor),
            "zeros": after.n_zeros,
        }
        if after.cost is not None:
            row["cost"] = float(after.cost.mean())
        return row


def one_mistake(before: HeldOut, after: HeldOut, floor: float) -> float:
    """Return what one more mistake, where a map is surest, would add to its change of NLL."""
    # a mistake costs the logarithm of the doubt that was left
    doubt_before = np.maximum(1 - before.answers.score, floor)
    doubt_after = np.maximum(1 - after.answers.score, floor)
    return max(float(np.log(doubt_before / doubt_after).max()) / len(doubt_after), 0.0)


def _change(after: np.ndarray, before: np.ndarray, clusters: Any) -> Change:
    mean = measure.mean_with_interval(after - before, clusters)
    change: Change = {"difference": mean["value"]}
    if "low" in mean:
        change |= {"low": mean["low"], "high": mean["high"]}
    return change


def recommend(
    comparison: list[MapRow], outputs: ModelOutputs, p_value: float = 1.0
) -> Recommended:
    """Choose a map, or none, from a comparison: its ``name``, the ``reason``, and ``confirmed``.

    A map is worth having if the interval of its change in NLL lies below zero, and it gives nothing
    that can happen the probability zero. Of those, the one with the fewest parameters is chosen
    whose paired difference from the best has an interval that holds zero. Of fewer than a thousand
    samples, which may hold no mistake of those that cost a map most, it has to lie below zero with
    one more, where the map is surest. Where there is no such map, but frequencies of classes that
    are surely not those that are said, `BY_CLASS` is chosen, and where a test of calibration
    rejects, `p_value`, the map of one number; unless its loss is higher.
    """
    n, units = _n_independent(outputs)
    if n < measure.FEWEST_SAMPLES:
        return _none("few", n=n, what=units, least=measure.FEWEST_SAMPLES)
    if len(np.unique(outputs.y)) < 2:
        return _none("one_class")
    clear = list(filter(is_clear, comparison[1:]))
    if n >= SMALL:
        return _smallest(clear) if clear else _none("chance")
    lasting = list(filter(survives_one_mistake, clear))
    if lasting:
        return _smallest(lasting)
    words = {"n": n, "what": units}
    return (
        _map_by_class(comparison, outputs, words)
        or _map_of_one_number(comparison, p_value, words)
        or _none("undone" if clear else "chance")
    )


def _n_independent(outputs: ModelOutputs) -> tuple[int, str]:
    """Return how many samples, or clusters of them, say something of their own."""
    if outputs.clusters is None:
        return len(outputs), "samples"
    return len(np.unique(outputs.clusters)), "clusters"


def _map_by_class(
    comparison: list[MapRow], outputs: ModelOutputs, words: dict[str, Any]
) -> Recommended | None:
    """Choose a number a class, unconfirmed, where classes are not as frequent as is said."""
    fitted = [row for row in comparison if row["name"] == BY_CLASS]
    # more than the map of one number gains, which moves no class alone
    least = max(0.0, _gain(comparison[1]))
    if not fitted or fitted[0].get("zeros") or not _gain(fitted[0]) > least:
        return None
    p_value = frequencies_p_value(outputs)
    if p_value > SURELY_OTHER:
        return None
    return _unconfirmed("by_class", fitted[0], p_value, words)


def _map_of_one_number(
    comparison: list[MapRow], p_value: float, words: dict[str, Any]
) -> Recommended | None:
    """Choose the map of one number, unconfirmed, where a test of calibration rejects."""
    row = comparison[1]
    if p_value > measure.CALIBRATED or _gain(row) <= 0:
        return None
    return _unconfirmed("unconfirmed", row, p_value, words)


def _gain(row: MapRow) -> float:
    """Return by how much a map lowers the NLL; of one that could not be fitted minus infinity."""
    return -row["nll_change"]["difference"] if "nll_change" in row else -np.inf


def _unconfirmed(
    why: str, row: MapRow, p_value: float, words: dict[str, Any]
) -> Recommended:
    reason = TEXTS["reason"][why].format(p=p_value, gain=_gain(row), **words)
    return {"name": row["name"], "reason": reason, "confirmed": False}


def frequencies_p_value(outputs: ModelOutputs) -> float:
    """Return how often chance alone sets the classes' frequencies as far from what is said.

    Under calibration the mean of labels less probabilities is zero, with the covariance of the
    probabilities, or of sums over clusters; its squared length in this measure follows chi-square.
    Classes of which fewer than `FEWEST_EXPECTED` samples are expected are left out, as in any such
    test.
    """
    prob = outputs.prob.astype(float, copy=False)
    expected = prob.sum(axis=0)
    frequent = expected >= FEWEST_EXPECTED
    if frequent.sum() < 2:
        return 1.0
    residual = (np.arange(prob.shape[1]) == outputs.y[:, None]) - prob
    if outputs.clusters is None:
        # of one draw a sample: diag(p) - p p', summed
        covariance = np.diag(expected) - prob.T @ prob
    else:
        covariance = _covariance_of_clusters(residual, outputs.clusters)
    off = residual.sum(axis=0)[frequent]
    inner = covariance[np.ix_(frequent, frequent)]
    # frequencies sum to one, so that one direction at least is none
    rank = np.linalg.matrix_rank(inner, hermitian=True)
    length = off @ np.linalg.pinv(inner, hermitian=True) @ off
    return float(scipy.special.chdtrc(rank, length))


def _covariance_of_clusters(residual: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Return the covariance of a sum of rows, of which those of a cluster hang together."""
    cluster = np.unique(clusters, return_inverse=True)[1]
    sums = np.zeros((cluster.max() + 1, residual.shape[1]))
    np.add.at(sums, cluster, residual)
    return sums.T @ sums


def _none(why: str, **words: Any) -> Recommended:
    reason = TEXTS["reason"][why].format(**words)
    return {"name": "none", "reason": reason, "confirmed": True}


def is_clear(row: MapRow) -> bool:
    """Tell whether a map lowers the NLL beyond chance, and makes nothing impossible."""
    # where each loss falls by the same nothing tells what others would do
    if "nll_change" not in row or measure.is_of_equal_values(row["nll_change"]):
        return False
    return bool(row["nll_change"]["high"] < 0 and not row.get("zeros"))


def survives_one_mistake(row: MapRow) -> bool:
    """Tell whether one more mistake, where the map is surest, would leave its gain clear."""
    return bool(row["nll_change"]["high"] + row.get("one_mistake", 0.0) < 0)


def _smallest(rows: list[MapRow]) -> Recommended:
    """Return the map of the fewest parameters that is no clear loss against the best."""
    best = min(rows, key=lambda row: row["nll"])
    # an interval that holds zero: no clear loss
    close = [row for row in rows if row["nll_from_best"]["low"] <= 0] or [best]
    row = min(close, key=lambda row: row["n_parameters"])
    change = row["nll_change"]
    words = {
        "gain": -change["difference"],
        "low": -change["high"],
        "high": -change["low"],
    }
    why = "clear" if row is best else "close"
    reason = TEXTS["reason"][why].format(best=best["name"], nll=best["nll"], **words)
    return {"name": row["name"], "reason": reason, "confirmed": True}


def recommended_map(outputs: ModelOutputs, name: str) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        if candidate.name == name:
            return fitted_to(candidate.calibrator, outputs)
    return None


def read_two(
    first: Any, second: Any, **reading: Any
) -> tuple[ModelOutputs, ModelOutputs]:
    """Read the outputs of two models with the same options, see :func:`calib_report.read`.

    Options are for those that need them: one that keeps the contract, as what `calib apply` writes
    of a file in per cent or of log odds, is read without where it cannot be read with them, and a
    note says so.
    """
    return read_either(first, reading), read_either(second, reading)


def compare_two(
    first: ModelOutputs,
    second: ModelOutputs,
    *,
    seed: int = 0,
    resampled: Sequence[str] = RESAMPLED,
) -> dict[str, Difference]:
    """Return the paired differences of two models on the same samples, second less first.

    Samples are matched by their ids where both have them, else they are in the same order. Means of
    losses have the interval of a mean of paired differences; other metrics, named by `resampled`
    and by default all, that of :func:`calib.paired_difference`, of whole clusters where there are;
    ``refused`` holds why a metric has none. A probability of zero counts, in the NLL of both, as
    the smaller of their floors.
    """
    first, second = of_both(first, second)
    second = aligned(first, second)
    clusters = measure.cluster_numbers(first.clusters)
    rows = _mean_differences(first, second, clusters)
    sides = _metric_input(first), _metric_input(second)
    options: Any = {"clusters": clusters, "seed": seed}
    has_vectors = first.task == "classes" and first.prob.size <= MOST_NUMBERS
    for metric in map(METRICS.__getitem__, resampled):
        if has_vectors or metric.of == "pairs":
            rows[metric.title] = paired(metric.function, *sides, **options)
    return rows


def _mean_differences(
    first: ModelOutputs, second: ModelOutputs, clusters: Any
) -> dict[str, Difference]:
    """Return the differences of what is a mean over samples."""
    floor = min(first.floor, second.floor)
    columns = _means_of(first, floor), _means_of(second, floor)
    rows = dict[str, Difference]()
    for name, a, b in zip(MEANS, *columns, strict=True):
        change = _change(b, a, clusters)
        rows[name] = {
            "first": float(a.mean()),
            "second": float(b.mean()),
            "difference": change["difference"],
        }
        if "low" in change:
            rows[name] |= {"low": change["low"], "high": change["high"]}
    return rows


def _means_of(outputs: ModelOutputs, floor: float) -> tuple[np.ndarray, ...]:
    """Return the values of each sample whose means are `MEANS`."""
    as_is = HeldOut.of(outputs.y, outputs.prob, floor, outputs.task)
    return as_is.hit, as_is.score, as_is.gap, as_is.nll, as_is.brier, as_is.gap**2


def _metric_input(outputs: ModelOutputs) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and what metrics take of outputs: vectors, or scores of a question."""
    return outputs.y, outputs.prob if outputs.task == "classes" else outputs.prob[:, 1]


def paired(
    metric: Callable[..., float],
    first: tuple[np.ndarray, np.ndarray],
    second: tuple[np.ndarray, np.ndarray],
    *,
    clusters: Any = None,
    seed: int = 0,
) -> Difference:
    """Return the paired difference of a metric, second less first; ``refused`` where it has none.

    All comparisons of the application are made here.
    """
    (y, p), (z, q) = first, second
    before, after = float(metric(y, p)), float(metric(z, q))
    row: Difference = {"first": before, "second": after, "difference": after - before}
    options: Any = {"clusters": clusters, "n_resamples": N_RESAMPLES, "rng": seed}
    try:
        change = calib.paired_difference(metric, z, q, p, y_true_b=y, **options)
    except ValueError as error:
        return {**row, "refused": str(error)}
    row |= {"difference": change.value, "low": change.low, "high": change.high}
    return row


def of_both(
    first: ModelOutputs, second: ModelOutputs
) -> tuple[ModelOutputs, ModelOutputs]:
    """Return the samples that both hold, where both name their samples; else all."""
    if first.ids is None or second.ids is None:
        return first, second
    ours, theirs = overlap(texts(first.ids), texts(second.ids), "ids")
    return first.take(ours), second.take(theirs)


def unmatched(first: ModelOutputs, second: ModelOutputs) -> list[Note]:
    """Say how many samples only one of two models has, and are left out."""
    if first.ids is None or second.ids is None:
        return []
    rows = overlap(texts(first.ids), texts(second.ids), "ids")
    return left_out(first.ids, second.ids, rows[0])


def aligned(first: ModelOutputs, second: ModelOutputs) -> ModelOutputs:
    """Return the second outputs in the order of the first, samples and classes."""
    _refuse_other_sizes(first, second)
    if first.ids is not None and second.ids is not None:
        second = second.take(_rows_by_id(first.ids, second.ids))
    if first.task == "pairs":
        # each of two models has answers of its own, right or not
        return second
    if first.task == "classes":
        second = _with_classes_of(first, second)
    if not np.array_equal(first.y, second.y):
        raise ValueError(
            "the labels of the two are not the same, so they cannot be paired; if the samples are, "
            "in another order, say which column names them: --ids NAME"
        )
    return second


def _refuse_other_sizes(first: ModelOutputs, second: ModelOutputs) -> None:
    """Refuse outputs of two questions, or of two numbers of samples."""
    if (first.task, len(first)) != (second.task, len(second)):
        raise ValueError(
            f"{len(first)} rows of {first.task} and {len(second)} of {second.task} cannot be paired"
        )


def _with_classes_of(first: ModelOutputs, second: ModelOutputs) -> ModelOutputs:
    if _are_named_otherwise(first, second):
        raise ValueError(different_classes(first.names, second.names))
    return _in_order_of_classes(second, first.names)


def _are_named_otherwise(first: ModelOutputs, second: ModelOutputs) -> bool:
    """Tell whether classes differ in number, or in the names that both have."""
    if first.n_classes != second.n_classes:
        return True
    names = [outputs.names for outputs in (first, second)]
    # who has numbers for names may have the other's classes
    numbers = [str(k) for k in range(first.n_classes)]
    return numbers not in names and sorted(names[0]) != sorted(names[1])


def different_classes(first: list[str], second: list[str]) -> str:
    """Say that two sets of classes are not one."""
    return f"the classes {listed(first, 4)} and {listed(second, 4)} are not the same: no comparison"


def _rows_by_id(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the row of the second that has each id of the first."""
    # by value, as `rows.overlap` has matched them: 101 and 101.0 are one name
    row = dict(zip(second.tolist(), range(len(second)), strict=True))
    return np.array([*map(row.__getitem__, first.tolist())])


def _in_order_of_classes(outputs: ModelOutputs, names: list[str]) -> ModelOutputs:
    """Return outputs with their classes in another order, where they are the same."""
    if outputs.names == names or sorted(outputs.names) != sorted(names):
        return outputs
    order = np.array([*map(outputs.names.index, names)])
    scores: dict[str, Any] = {outputs.kind: outputs.known[:, order]}
    y = np.argsort(order)[outputs.y]
    return dataclasses.replace(outputs, y=y, class_names=names, **scores)
