"""Recalibration maps against none: which are tried, and what each does to held-out samples."""

# Mirrored by the answer desk, book/assets/desk/measure.js: change both.

import copy
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import calib
from calib import METRICS, Calibrator, ConvergenceError, OneVsRest, PlattScaling
from calib.constants import LARGE_ARRAY
from calib_report.limits import FEWEST_SAMPLES, MANY, MOST_CLASSES
from calib_report.measuring.estimates import change_with_interval
from calib_report.measuring.outcome import Outcome, outcome_as_is, outcome_of_parts
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import NO_MAP, MapRow, TriedMap

MOST_FOR_A_MATRIX = 20
# the map that can move one class and leave the others
SHRUNKEN_VECTOR_SCALING = "shrunken vector scaling"


class Candidate(NamedTuple):
    """One recalibration map that the report tries, with its number of parameters."""

    name: str
    calibrator: Calibrator
    n_parameters: int


class MapsCompared(NamedTuple):
    """Of each map a row of numbers, that of none first; and, by its name, what it did."""

    table: list[MapRow]
    outcomes: dict[str, Outcome]


def maps_tried(table: list[MapRow]) -> list[TriedMap]:
    """Return what is known of each map that could be fitted, and of none."""
    return [row for row in table if "failed" not in row]


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
            *_maps_of_all_classes(n, n_classes),
            *_maps_class_by_class(n, n_classes),
        ]
    # the same map, but of one number its factor is easier to name
    first = Candidate("one factor on the log odds", temperature, 1)
    platt = Candidate("Platt scaling", OneVsRest(PlattScaling()), 2)
    return [first, platt, *_maps_class_by_class(n, 1)]


def _maps_of_all_classes(n: int, k: int) -> list[Candidate]:
    """Return the maps of all classes at once between the simplest and those class by class."""
    if k > MOST_CLASSES:
        # a step through so many numbers takes a second, and the last moves an offset by 1e-6
        quick = calib.VectorScaling(shrink=True, tol=1e-6)
        return (
            [Candidate(SHRUNKEN_VECTOR_SCALING, quick, 2 * k)]
            if n * k < LARGE_ARRAY
            else []
        )
    # by rank a spline has all samples to learn from, by class few
    splines = calib.RankWise(calib.SplineCalibration())
    return [
        Candidate(SHRUNKEN_VECTOR_SCALING, calib.VectorScaling(shrink=True), 2 * k),
        # after the shrunken one, so that it has to be clearly better: of absent classes it is
        Candidate("vector scaling", calib.VectorScaling(), 2 * k),
        Candidate("splines, rank by rank", splines, 6 * k),
    ]


def _maps_class_by_class(n: int, k: int) -> list[Candidate]:
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
    if k <= MOST_CLASSES or n >= FEWEST_SAMPLES * k:
        isotonic = OneVsRest(calib.IsotonicCalibration())
        maps.append(Candidate("histogram binning", binned, n_bins))
        maps.append(Candidate("isotonic regression", isotonic, n))
    return maps


def n_folds(outputs: ModelOutputs) -> int:
    """Return into how many folds the samples are split: five, or two where the file is large."""
    # of so many samples a half fits a map as well, in less than half the time
    is_large = outputs.scores.size >= LARGE_ARRAY or len(outputs) >= MANY
    return min(2 if is_large else 5, outputs.n_units)


def rows_of_folds(outputs: ModelOutputs, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the rows of each fold; a cluster is never split."""
    return calib.folds(len(outputs), n_folds(outputs), rng, clusters=outputs.clusters)


def outcome_held_out(
    calibrator: Calibrator,
    outputs: ModelOutputs,
    rng: np.random.Generator,
    costs: Any = None,
) -> Outcome:
    """Return what a map, of the calibration set or cross-validated, does to other samples.

    Cross-validated, each fold has a map of its own. Losses are those of one map that was fitted to
    other samples; calibration errors are a little smaller, since those of the maps partly cancel.
    """
    # of classes that a fold lacks: held-out samples are the judge
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        if outputs.calibration is not None:
            # a set of its own was never seen by the map: no folds
            rows = [np.arange(len(outputs))]
            predictions: Any = [
                fit_map(calibrator, outputs).predict_proba(outputs.as_logits)
            ]
        else:
            rows = rows_of_folds(outputs, rng)
            predictions = calib.held_out(calibrator, outputs.as_logits, outputs.y, rows)
        return outcome_of_parts(outputs, zip(rows, predictions, strict=True), costs)


def fit_map(calibrator: Calibrator, outputs: ModelOutputs) -> Any:
    """Return a map as fitted to the calibration set, or to all samples where there is none."""
    fitted: Any = copy.deepcopy(calibrator)
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return fitted.fit(*outputs.to_fit)


def compare_maps(
    outputs: ModelOutputs,
    *,
    seed: int = 0,
    costs: Any = None,
    as_is: Outcome | None = None,
) -> MapsCompared:
    """Compare recalibration maps with none, sample by sample: a table, and what each map did.

    A probability of zero in the outputs, whose NLL is infinite, counts as their `floor`, before a
    map as in front of it. What a map makes of it is judged as it is applied, saved and exported:
    nothing is clipped after a map. A row of the table holds ``failed`` where a map could not be
    fitted, and ``zeros``, of how many samples a map gives a class the probability zero that the
    outputs hold possible.
    """
    before = outcome_as_is(outputs, costs) if as_is is None else as_is
    tried = candidates(len(outputs), outputs.n_classes, outputs.task)
    outcomes, failures = {NO_MAP: before}, dict[str, str]()
    for name, calibrator, _ in tried:
        # the same folds for each map: their differences are those of the maps
        rng = np.random.default_rng(seed)
        try:
            outcomes[name] = outcome_held_out(calibrator, outputs, rng, costs)
        # a map that fails is told in the table; the others go on
        except (ConvergenceError, ValueError) as error:
            failures[name] = str(error)
    baseline = Baseline.of(outcomes, outputs.floor)
    table: list[MapRow] = [baseline.row(NO_MAP, 0, before)]
    for name, _, n_parameters in tried:
        if name in failures:
            table.append({"name": name, "failed": failures[name]})
        else:
            table.append(baseline.row(name, n_parameters, outcomes[name]))
    return MapsCompared(table, outcomes)


@dataclass(frozen=True, eq=False)
class Baseline:
    """What maps are compared with: the outputs as they are, and the losses of the best map."""

    before: Outcome
    lowest: np.ndarray
    floor: float

    @classmethod
    def of(cls, outcomes: dict[str, Outcome], floor: float) -> "Baseline":
        # sample by sample, so that differences from the best are paired
        lowest = min((outcome.nll for outcome in outcomes.values()), key=np.mean)
        return cls(outcomes[NO_MAP], lowest, floor)

    def row(self, name: str, n_parameters: int, after: Outcome) -> TriedMap:
        """Return what a map does, in means and paired changes."""
        before = self.before
        row: TriedMap = {
            "name": name,
            "n_parameters": n_parameters,
            "nll": float(after.nll.mean()),
            "brier": float(after.brier.mean()),
            "ece": METRICS["ece"].formula_with()(after.pairs),
            "accuracy": float(after.hit.mean()),
            "nll_change": change_with_interval(after.nll, before.nll, before.clusters),
            "brier_change": change_with_interval(
                after.brier, before.brier, before.clusters
            ),
            "accuracy_change": change_with_interval(
                after.hit, before.hit, before.clusters
            ),
            "nll_from_best": change_with_interval(
                after.nll, self.lowest, before.clusters
            ),
            "one_mistake": one_mistake(before, after, self.floor),
            "zeros": after.n_zeros,
        }
        if after.cost is not None:
            row["cost"] = float(after.cost.mean())
        return row


def one_mistake(before: Outcome, after: Outcome, floor: float) -> float:
    """Return what one more mistake, where a map is surest, would add to its change of NLL."""
    # a mistake costs the logarithm of the doubt that was left
    doubt_before = np.maximum(1 - before.answer_pairs.score, floor)
    doubt_after = np.maximum(1 - after.answer_pairs.score, floor)
    return max(float(np.log(doubt_before / doubt_after).max()) / len(doubt_after), 0.0)
