"""Which recalibration map is worth having: compared with none, sample by sample."""

from dataclasses import dataclass
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
from calib.report.measurement import mean_with_interval, numbered

MOST_CLASSES = 100  # beyond, maps whose fit grows with their number are left out
MOST_FOR_A_MATRIX = 20
FEWEST_SAMPLES = 100  # samples, or clusters, below which no map is recommended
NUMBERS_OF_A_LARGE_FILE = 10_000_000  # numbers in a file from which two folds do instead of five


@dataclass(frozen=True, eq=False)
class Candidate:
    """One recalibration map that the report tries, with its number of parameters."""

    name: str
    calibrator: Calibrator
    n_parameters: int


def candidates(n: Any, n_classes: int) -> Any:
    """Return the maps worth trying with n calibration samples of K classes, simplest first.

    Maps whose fit grows with K are left out beyond `MOST_CLASSES`.

    Examples
    --------
    >>> [candidate.name for candidate in candidates(5000, 1000)]
    ['temperature scaling', 'histogram binning', 'isotonic regression']
    """
    k = n_classes
    few = [
        Candidate("vector scaling", VectorScaling(), 2 * k),
        Candidate("splines, rank by rank", RankWise(SplineCalibration()), 6 * k),
        Candidate("scaling-binning", OneVsRest(ScalingBinning(PlattScaling())), 15 * k),
    ]
    matrix = [Candidate("structured matrix scaling", StructuredMatrixScaling(), k * (k + 1))]
    return [
        Candidate("temperature scaling", TemperatureScaling(), 1),
        *(few if k <= MOST_CLASSES else []),
        *(matrix if k <= MOST_FOR_A_MATRIX else []),
        Candidate("histogram binning", OneVsRest(HistogramBinning()), 15 * k),
        Candidate("isotonic regression", OneVsRest(IsotonicCalibration()), n),
    ]


@dataclass(frozen=True, eq=False)
class Losses:
    """What a model, or a map, says of each sample; arrays of shape (n,).

    Attributes
    ----------
    nll, brier : ndarray
        Loss of each sample, summed over classes for the Brier score.
    score, hit : ndarray
        Score and hit of the view.
    cost : ndarray or None
        Cost of the cheapest decision by the probabilities, where costs are known.
    """

    nll: np.ndarray
    brier: np.ndarray
    score: np.ndarray
    hit: np.ndarray
    cost: np.ndarray | None = None

    @classmethod
    def of(
        cls, y: Any, p: Any, floor: Any = 0.0, *, task: Any = "classes", costs: Any = None
    ) -> Any:
        """Return the losses of probabilities p, shape (n, K).

        Parameters
        ----------
        floor : float
            In the NLL no probability counts as less.
        task : str
            See :class:`calib.ModelOutputs`.
        costs : ndarray, shape (K, D), optional
            Cost of each decision, given the class.
        """
        rows = np.arange(len(y))
        true = p[rows, y].astype(float)
        squares = np.einsum("nk,nk->n", p, p, dtype=float)
        top = p.argmax(axis=1) if task == "classes" else np.ones(len(y), int)
        with np.errstate(divide="ignore"):
            nll = -np.log(np.maximum(true, floor))
        cost = None if costs is None else costs[y, (p @ costs).argmin(axis=1)]
        score = np.minimum(p[rows, top].astype(float), 1)
        return cls(nll, squares - 2 * true + 1, score, (top == y).astype(np.intp), cost)

    @classmethod
    def joined(cls, parts: Any, order: Any) -> Any:
        """Return the losses of several sets of samples in the given order."""
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        joined: Any = [None if c[0] is None else np.concatenate(c)[order] for c in columns]
        return cls(*joined)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A map on samples that it was not fitted on.

    Attributes
    ----------
    losses : Losses
    sums : Accumulator
        Of its probabilities.
    """

    losses: Losses
    sums: Accumulator


def n_folds(outputs: Any) -> Any:
    """Return into how many folds the samples are split: five, or two where the file is large."""
    return 5 if outputs.known.size < NUMBERS_OF_A_LARGE_FILE else 2


def folds(outputs: Any, rng: np.random.Generator) -> Any:
    """Return the rows of each fold; a cluster is never split."""
    if outputs.clusters is None:
        return np.array_split(rng.permutation(len(outputs)), n_folds(outputs))
    cluster = numbered(outputs.clusters)
    n_clusters = int(cluster.max()) + 1
    fold = np.arange(n_clusters) % min(n_folds(outputs), n_clusters)
    fold = rng.permutation(fold)[cluster]
    return [np.flatnonzero(fold == k) for k in range(fold.max() + 1)]


def unchanged(outputs: Any, costs: Any = None) -> Any:
    """Return the outputs as they are, as a map that was never fitted."""
    losses = Losses.of(outputs.y, outputs.prob, outputs.floor, task=outputs.task, costs=costs)
    return HeldOut(losses, Accumulator().update(outputs.y, outputs.prob))


def held_out(calibrator: Any, outputs: Any, rng: np.random.Generator, costs: Any = None) -> Any:
    """Return what a map does to samples that it was not fitted on.

    The map is fitted on the calibration set where there is one, otherwise by cross-validation, see
    `folds`.
    """
    logits, y, sums = outputs.as_logits(outputs.floor), outputs.y, Accumulator()

    def applied(fitted: Any, rows: Any) -> Any:
        p = fitted.predict_proba(logits[rows])
        sums.update(y[rows], p)
        return Losses.of(y[rows], p, outputs.floor, task=outputs.task, costs=costs)

    if outputs.calibration is not None:
        fitted = _fitted(calibrator, outputs.calibration, outputs.floor)
        return HeldOut(applied(fitted, slice(None)), sums)
    parts, held = [], folds(outputs, rng)
    for rows in held:
        rest = np.ones(len(y), bool)
        rest[rows] = False
        parts.append(applied(clone(calibrator).fit(logits[rest], y[rest]), rows))
    return HeldOut(Losses.joined(parts, np.argsort(np.concatenate(held))), sums)


def _fitted(calibrator: Any, outputs: Any, floor: Any) -> Any:
    return clone(calibrator).fit(outputs.as_logits(floor), outputs.y)


def compare(
    outputs: Any, *, seed: int = 0, progress: Any = lambda _: None, costs: Any = None
) -> Any:
    """Compare recalibration maps with none, sample by sample.

    A probability of zero has an infinite NLL, which no comparison survives: here it counts as the
    `floor` of the outputs, before and after a map.

    Returns
    -------
    table : list of dict
        One entry a map, "none" first: its mean losses and ECE on held-out samples, the paired
        differences from none with their intervals, or ``failed``, why it could not be fitted.
    found : dict of str to HeldOut
        By name, of those that could be fitted.
    """
    clusters = numbered(outputs.clusters)
    before = unchanged(outputs, costs)
    table, found = [_row("none", 0, before.losses, before.losses, clusters)], {"none": before}
    for candidate in candidates(len(outputs), outputs.n_classes):
        progress(f"fitting {candidate.name}")
        rng = np.random.default_rng(seed)
        try:
            after = held_out(candidate.calibrator, outputs, rng, costs)
        except (ConvergenceError, ValueError) as error:
            table.append({"name": candidate.name, "failed": str(error)})
            continue
        found[candidate.name] = after
        numbers = candidate.name, candidate.n_parameters
        table.append(_row(*numbers, after.losses, before.losses, clusters))
    return table, found


def _row(name: str, n_parameters: Any, after: Any, before: Any, clusters: Any) -> Any:
    def change(a: Any, b: Any) -> Any:
        found = mean_with_interval(a - b, clusters)
        return {"difference": found.pop("value"), **found}

    row = {
        "name": name,
        "n_parameters": n_parameters,
        "nll": float(after.nll.mean()),
        "brier": float(after.brier.mean()),
        "ece": errors.ece(after.hit, after.score),
        "accuracy": float(after.hit.mean()),
        "nll_change": change(after.nll, before.nll),
        "brier_change": change(after.brier, before.brier),
    }
    if after.cost is not None:
        row |= {"cost": float(after.cost.mean()), "cost_change": change(after.cost, before.cost)}
    return row


def recommend(comparison: Any, outputs: Any) -> Any:
    """Choose a map, or none, from a comparison.

    A map is worth having if the interval of its change in NLL lies below zero. Of those, the one
    with the fewest parameters is chosen whose mean NLL lies within the interval of the best.

    Returns
    -------
    dict
        ``name`` and ``reason``.
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
    close = [row for row in better if row["nll_change"]["difference"] <= best["nll_change"]["high"]]
    chosen = min(close, key=lambda row: row["n_parameters"])
    change = chosen["nll_change"]
    reason = (
        f"it lowers the NLL by {-change['difference']:.4f} "
        f"({-change['high']:.4f} to {-change['low']:.4f}) on held-out samples"
    )
    if chosen is not best:
        reason += f"; {best['name']} reaches {best['nll']:.4f}, which is no clear gain over it"
    return {"name": chosen["name"], "reason": reason}


def _none(reason: Any) -> Any:
    return {"name": "none", "reason": reason}


def recommended_map(outputs: Any, name: str) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes):
        if candidate.name == name:
            return _fitted(candidate.calibrator, outputs.calibration or outputs, outputs.floor)
    return None
