"""Which recalibration map is worth having: compared with none, sample by sample."""

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calib import errors
from calib.accumulator import Accumulator
from calib.calibrators.base import Calibrator, ConvergenceError, clone
from calib.calibrators.binary import (
    HistogramBinning,
    IsotonicCalibration,
    PlattScaling,
    ScalingBinning,
)
from calib.calibrators.reductions import OneVsRest, RankWise
from calib.calibrators.scaling import (
    StructuredMatrixScaling,
    TemperatureScaling,
    VectorScaling,
)
from calib.calibrators.spline import SplineCalibration
from calib.report.measurement import mean_at, mean_with_interval, numbered

MOST_CLASSES = 100  # beyond, maps whose fit grows with their number are left out
MOST_FOR_A_MATRIX = 20
FEWEST_SAMPLES = 100  # samples, or clusters, below which no map is recommended
NUMBERS_OF_A_LARGE_FILE = 10_000_000  # numbers in a file from which two folds do instead of five
NUMBERS_KEPT = 5_000_000  # probabilities after a map that are kept, at most


@dataclass(frozen=True, eq=False)
class Purpose:
    """What the probabilities are for, as far as that is known.

    `costs`, shape (K, D), are those of each decision, given the class; `old` and `new`, shape (K,),
    the frequencies of the classes in the samples, and where the model will be used.
    """

    costs: Any = None
    old: Any = None
    new: Any = None

    @property
    def ratio(self) -> np.ndarray | None:
        """New over old frequency of each class; None where they stay."""
        return None if self.new is None else self.new / self.old

    def mean_cost(self, losses: "Losses", y: Any, clusters: Any = None) -> dict[str, Any]:
        """Return the mean cost of the decisions that are best, with its interval."""
        cost = losses.cost if self.new is None else losses.adjusted_cost
        return mean_at(cost, y, self.new, clusters)


@dataclass(frozen=True, eq=False)
class Candidate:
    """One recalibration map that the report tries, with its number of parameters."""

    name: str
    calibrator: Calibrator
    n_parameters: int


def candidates(n: Any, n_classes: int, task: str = "classes") -> list[Any]:
    """Return the maps worth trying with n calibration samples of K classes, simplest first.

    Maps whose fit grows with K are left out beyond `MOST_CLASSES`; those of one class at a time
    stay where there are a hundred samples a class, as the table of advice asks for. A yes-or-no
    question has one score, and gets maps of one score.

    Examples
    --------
    >>> [candidate.name for candidate in candidates(5000, 1000)]
    ['temperature scaling']
    >>> [candidate.name for candidate in candidates(500_000, 1000)]
    ['temperature scaling', 'histogram binning', 'isotonic regression']
    """
    if task != "classes":
        return _candidates_of_one_score(n)
    k = n_classes
    few = [
        Candidate("vector scaling", VectorScaling(), 2 * k),
        Candidate("splines, rank by rank", RankWise(SplineCalibration()), 6 * k),
        Candidate("scaling-binning", OneVsRest(ScalingBinning(PlattScaling())), 15 * k),
    ]
    matrix = [Candidate("structured matrix scaling", StructuredMatrixScaling(), k * (k + 1))]
    one_by_one = [
        Candidate("histogram binning", OneVsRest(HistogramBinning()), 15 * k),
        Candidate("isotonic regression", OneVsRest(IsotonicCalibration()), n),
    ]
    return [
        Candidate("temperature scaling", TemperatureScaling(), 1),
        *(few if k <= MOST_CLASSES else []),
        *(matrix if k <= MOST_FOR_A_MATRIX else []),
        *(one_by_one if k <= MOST_CLASSES or n >= FEWEST_SAMPLES * k else []),
    ]


def _candidates_of_one_score(n: Any) -> list[Any]:
    """Return maps of one score; of two probabilities one map serves both, as they mirror it."""
    return [
        Candidate("one factor on the log odds", TemperatureScaling(), 1),
        Candidate("Platt scaling", OneVsRest(PlattScaling()), 2),
        Candidate("scaling-binning", OneVsRest(ScalingBinning(PlattScaling())), 15),
        Candidate("histogram binning", OneVsRest(HistogramBinning()), 15),
        Candidate("isotonic regression", OneVsRest(IsotonicCalibration()), n),
    ]


@dataclass(frozen=True, eq=False)
class Losses:
    """What a model, or a map, says of each sample; arrays of shape (n,).

    The Brier score is summed over classes, but of a yes-or-no question it is the square of score
    less hit, which are those of the view. `cost` is that of the cheapest decision by the
    probabilities; `adjusted_nll` and `adjusted_cost` are of probabilities that are adjusted to new
    frequencies.
    """

    nll: np.ndarray
    brier: np.ndarray
    score: np.ndarray
    hit: np.ndarray
    cost: np.ndarray | None = None
    adjusted_nll: np.ndarray | None = None
    adjusted_cost: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        y: Any,
        p: Any,
        floor: Any = 0.0,
        *,
        task: Any = "classes",
        purpose: Purpose = Purpose(),
    ) -> "Losses":
        """Return the losses of probabilities, (n, K), of which none is below `floor` in the NLL."""
        rows, costs = np.arange(len(y)), purpose.costs
        true = p[rows, y].astype(float)
        top = p.argmax(axis=1) if task == "classes" else np.ones(len(y), int)
        score, hit = np.minimum(p[rows, top].astype(float), 1), (top == y).astype(np.intp)
        if task == "classes":
            brier = np.einsum("nk,nk->n", p, p, dtype=float) - 2 * true + 1
        else:
            brier = (score - hit) ** 2
        found = cls(_log_loss(true, floor), brier, score, hit, _best_costs(p, y, costs))
        if purpose.ratio is None:
            return found
        weighted = p * purpose.ratio
        share = weighted[rows, y] / np.maximum(weighted.sum(axis=1), np.finfo(float).tiny)
        adjusted = _log_loss(share, floor), _best_costs(weighted, y, costs)
        return replace(found, adjusted_nll=adjusted[0], adjusted_cost=adjusted[1])

    @classmethod
    def joined(cls, parts: Any, order: Any) -> "Losses":
        """Return the losses of several sets of samples in the given order."""
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        joined: Any = [None if c[0] is None else np.concatenate(c)[order] for c in columns]
        return cls(*joined)


def _log_loss(true: np.ndarray, floor: Any) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return -np.log(np.maximum(true, floor))


def _best_costs(p: np.ndarray, y: np.ndarray, costs: Any) -> np.ndarray | None:
    """Return what the decision costs that is cheapest by p; None where costs are not known."""
    return None if costs is None else costs[y, (p @ costs).argmin(axis=1)]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A map on samples that it was not fitted on: its losses, and the sums of its probabilities.

    `prob`, float32 of shape (m, K), are those of the samples that `rows_kept` names.
    """

    losses: Losses
    sums: Accumulator
    prob: np.ndarray


def n_folds(outputs: Any) -> int:
    """Return into how many folds the samples are split: five, or two where the file is large."""
    return 5 if outputs.known.size < NUMBERS_OF_A_LARGE_FILE else 2


def folds(outputs: Any, rng: np.random.Generator) -> list[Any]:
    """Return the rows of each fold; a cluster is never split."""
    if outputs.clusters is None:
        return np.array_split(rng.permutation(len(outputs)), n_folds(outputs))
    cluster = numbered(outputs.clusters)
    n_clusters = int(cluster.max()) + 1
    fold = np.arange(n_clusters) % min(n_folds(outputs), n_clusters)
    fold = rng.permutation(fold)[cluster]
    return [np.flatnonzero(fold == k) for k in range(fold.max() + 1)]


def unchanged(outputs: Any, purpose: Purpose = Purpose()) -> HeldOut:
    """Return the outputs as they are, as a map that was never fitted."""
    y, p = outputs.y, outputs.prob
    losses = Losses.of(y, p, outputs.floor, task=outputs.task, purpose=purpose)
    return HeldOut(losses, Accumulator().update(y, p), p[rows_kept(outputs)].astype(np.float32))


def rows_kept(outputs: Any) -> np.ndarray:
    """Return the samples whose probabilities are kept: all, or in a large file some by lot."""
    n, m = len(outputs), NUMBERS_KEPT // outputs.n_classes
    return np.arange(n) if n <= m else np.sort(np.random.default_rng(0).permutation(n)[:m])


def held_out(
    calibrator: Any, outputs: Any, rng: np.random.Generator, purpose: Purpose = Purpose()
) -> HeldOut:
    """Return what a map does to samples that it was not fitted on.

    The map is fitted on the calibration set where there is one, otherwise by cross-validation, see
    `folds`.
    """
    logits, y, sums = outputs.as_logits(outputs.floor), outputs.y, Accumulator()
    own = rows_kept(outputs)
    kept, place = np.empty((len(own), outputs.n_classes), np.float32), np.full(len(y), -1)
    place[own] = np.arange(len(own))

    def applied(fitted: Any, rows: Any) -> Losses:
        p = fitted.predict_proba(logits[rows])
        sums.update(y[rows], p)
        inside = place[rows] >= 0
        kept[place[rows[inside]]] = p[inside]
        return Losses.of(y[rows], p, outputs.floor, task=outputs.task, purpose=purpose)

    if outputs.calibration is not None:
        fitted = _fitted_to(calibrator, outputs.calibration, outputs.floor)
        return HeldOut(applied(fitted, np.arange(len(y))), sums, kept)
    parts, held = [], folds(outputs, rng)
    for rows in held:
        rest = np.ones(len(y), bool)
        rest[rows] = False
        parts.append(applied(_fitted(calibrator, logits[rest], y[rest]), rows))
    return HeldOut(Losses.joined(parts, np.argsort(np.concatenate(held))), sums, kept)


def _fitted_to(calibrator: Any, outputs: Any, floor: Any) -> Any:
    return _fitted(calibrator, outputs.as_logits(floor), outputs.y)


def _fitted(calibrator: Any, logits: Any, y: Any) -> Any:
    with warnings.catch_warnings():  # of classes that a fold lacks: held-out samples are the judge
        warnings.filterwarnings("ignore", ".*no calibration sample is of class")
        return clone(calibrator).fit(logits, y)


def compare(
    outputs: Any,
    *,
    seed: int = 0,
    progress: Any = lambda _: None,
    purpose: Purpose = Purpose(),
) -> tuple[list[Any], dict[str, Any]]:
    """Compare recalibration maps with none, sample by sample.

    A probability of zero has an infinite NLL, which no comparison survives: here it counts as the
    `floor` of the outputs, before and after a map.

    The table has an entry a map, "none" first: its mean losses and ECE on held-out samples, the
    paired differences from none with their intervals, that of the NLL from the lowest one, or
    ``failed``, why it could not be fitted. Beside it stands a `HeldOut` of each that was fitted.
    """
    clusters = numbered(outputs.clusters)
    before = unchanged(outputs, purpose)

    def row(name: str, n_parameters: Any, after: Losses) -> dict[str, Any]:
        found = {
            "name": name,
            "n_parameters": n_parameters,
            "nll": float(after.nll.mean()),
            "brier": float(after.brier.mean()),
            "ece": errors.ece(after.hit, after.score),
            "accuracy": float(after.hit.mean()),
            "nll_change": _change(after.nll, before.losses.nll, clusters),
            "brier_change": _change(after.brier, before.losses.brier, clusters),
        }
        if purpose.costs is not None:
            found["cost"] = purpose.mean_cost(after, outputs.y, clusters)["value"]
        return found

    table, found = [row("none", 0, before.losses)], {"none": before}
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        progress(f"fitting {candidate.name}")
        rng = np.random.default_rng(seed)
        try:
            after = held_out(candidate.calibrator, outputs, rng, purpose)
        except (ConvergenceError, ValueError) as error:
            table.append({"name": candidate.name, "failed": str(error)})
            continue
        found[candidate.name] = after
        table.append(row(candidate.name, candidate.n_parameters, after.losses))
    lowest = min((held.losses.nll for held in found.values()), key=np.mean)
    for entry in table:
        if entry["name"] in found:
            nll = found[entry["name"]].losses.nll
            entry["nll_from_best"] = _change(nll, lowest, clusters)
    return table, found


def _change(after: np.ndarray, before: np.ndarray, clusters: Any) -> dict[str, Any]:
    found = mean_with_interval(after - before, clusters)
    return {"difference": found.pop("value"), **found}


def recommend(comparison: Any, outputs: Any) -> dict[str, Any]:
    """Choose a map, or none, from a comparison: its ``name``, and the ``reason``.

    A map is worth having if the interval of its change in NLL lies below zero. Of those, the one
    with the fewest parameters is chosen whose paired difference from the best has an interval that
    holds zero.
    """
    n, what = len(outputs), "samples"
    if outputs.clusters is not None:
        n, what = len(np.unique(outputs.clusters)), "clusters"
    if n < FEWEST_SAMPLES:
        return _none(f"{n} {what} are too few to judge a map by; {FEWEST_SAMPLES} are needed")
    if len(np.unique(outputs.y)) < 2:
        return _none("all samples are of one class, so nothing can be learnt about the others")
    better = [row for row in comparison[1:] if row.get("nll_change", {}).get("high", 0) < 0]
    if not better:
        return _none("no map lowers the NLL by more than chance would")
    best = min(better, key=lambda row: row["nll"])
    close = [row for row in better if row["nll_from_best"]["low"] <= 0]
    chosen = min(close, key=lambda row: row["n_parameters"])
    change = chosen["nll_change"]
    reason = (
        f"it lowers the NLL by {-change['difference']:.4f} "
        f"({-change['high']:.4f} to {-change['low']:.4f}) on held-out samples"
    )
    if chosen is not best:
        reason += f"; {best['name']} reaches {best['nll']:.4f}, which is no clear gain over it"
    return {"name": chosen["name"], "reason": reason}


def _none(reason: Any) -> dict[str, Any]:
    return {"name": "none", "reason": reason}


def recommended_map(outputs: Any, name: str) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        if candidate.name == name:
            return _fitted_to(candidate.calibrator, outputs.calibration or outputs, outputs.floor)
    return None
