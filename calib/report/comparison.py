"""Which recalibration map is worth having: compared with none, sample by sample."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from calib import errors
from calib.calibrators.base import Calibrator, ConvergenceError, clone
from calib.calibrators.binary import HistogramBinning, IsotonicCalibration
from calib.calibrators.reductions import OneVsRest, RankWise
from calib.calibrators.scaling import TemperatureScaling, VectorScaling
from calib.calibrators.spline import SplineCalibration
from calib.report.progress import with_progress
from calib.views import top_label

MOST_CLASSES = 100
FEWEST_SAMPLES = 100  # samples below which no map is recommended
NUMBERS_OF_A_LARGE_FILE = 10_000_000  # numbers in a file from which two folds do instead of five
NORMAL_95 = 1.959963984540054  # quantile of the normal distribution at 0.975


@dataclass(frozen=True, eq=False)
class Candidate:
    """One recalibration map that the report tries, with its number of parameters."""

    name: str
    calibrator: Calibrator
    n_parameters: int


def candidates(n: int, n_classes: int) -> "list[Candidate]":
    """Return the maps worth trying with n calibration samples of K classes, simplest first.

    Maps whose fit grows with K are left out beyond `MOST_CLASSES`.

    Examples
    --------
    >>> [candidate.name for candidate in candidates(5000, 1000)]
    ['temperature scaling', 'histogram binning', 'isotonic regression']
    """
    few = [
        Candidate("vector scaling", VectorScaling(), 2 * n_classes),
        Candidate("splines, rank by rank", RankWise(SplineCalibration()), 6 * n_classes),
    ]
    return [
        Candidate("temperature scaling", TemperatureScaling(), 1),
        *(few if n_classes <= MOST_CLASSES else []),
        Candidate("histogram binning", OneVsRest(HistogramBinning()), 15 * n_classes),
        Candidate("isotonic regression", OneVsRest(IsotonicCalibration()), n),
    ]


@dataclass(frozen=True, eq=False)
class Losses:
    """What a map does to each sample that it was not fitted on; arrays of shape (n,).

    Attributes
    ----------
    nll, brier : ndarray
        Loss of each sample, summed over classes for the Brier score.
    score, hit : ndarray
        Confidence, and whether the predicted class is right.
    """

    nll: np.ndarray
    brier: np.ndarray
    score: np.ndarray
    hit: np.ndarray

    @classmethod
    def of(cls, y: Any, p: Any, floor: float = 0.0) -> Any:
        """Return the losses of probabilities p, shape (n, K); in the NLL none is below a floor."""
        true = p[np.arange(len(y)), y].astype(float)
        squares = np.einsum("nk,nk->n", p, p, dtype=float)
        score, hit = top_label(y, p)
        with np.errstate(divide="ignore"):
            return cls(-np.log(np.maximum(true, floor)), squares - 2 * true + 1, score, hit)

    @classmethod
    def joined(cls, parts: Any, order: Any) -> Any:
        """Return the losses of several sets of samples in the given order."""
        columns = zip(*(asdict(part).values() for part in parts), strict=True)
        return cls(*(np.concatenate(column)[order] for column in columns))


def n_folds(outputs: Any) -> Any:
    """Return into how many folds the samples are split: five, or two where the file is large."""
    return 5 if outputs.known.size < NUMBERS_OF_A_LARGE_FILE else 2


def held_out_losses(calibrator: Any, outputs: Any, rng: np.random.Generator) -> Any:
    """Return the losses of a map on samples that it was not fitted on.

    The map is fitted on the calibration set where there is one, otherwise by cross-validation, see
    `n_folds`.
    """
    logits, y = outputs.as_logits(outputs.floor), outputs.y
    if outputs.calibration is not None:
        fitted = _fitted(calibrator, outputs.calibration, outputs.floor)
        return Losses.of(y, fitted.predict_proba(logits), outputs.floor)
    folds = np.array_split(rng.permutation(len(y)), n_folds(outputs))
    parts = []
    for fold in folds:
        rest = np.delete(np.arange(len(y)), fold)
        fitted = clone(calibrator).fit(logits[rest], y[rest])
        parts.append(Losses.of(y[fold], fitted.predict_proba(logits[fold]), outputs.floor))
    return Losses.joined(parts, np.argsort(np.concatenate(folds)))


def _fitted(calibrator: Any, outputs: Any, floor: float) -> Any:
    return clone(calibrator).fit(outputs.as_logits(floor), outputs.y)


def mean_difference(loss: np.ndarray, reference: np.ndarray) -> dict[str, float]:
    """Mean of a paired difference with its 95 % normal interval.

    Examples
    --------
    >>> mean_difference(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 1.0]))["difference"]
    1.0
    """
    difference = loss - reference
    mean = float(difference.mean())
    n = len(difference)
    half = NORMAL_95 * float(difference.std(ddof=1)) / n**0.5 if n > 1 else np.inf
    return {"difference": mean, "low": mean - half, "high": mean + half}


def compare(outputs: Any, *, seed: int = 0, progress: Any = False) -> Any:
    """Compare recalibration maps with none, sample by sample.

    A probability of zero has an infinite NLL, which no comparison survives: here it counts as the
    `floor` of the outputs, before and after a map.

    Returns
    -------
    list of dict
        One entry a map, "none" first: its mean losses and ECE on held-out samples, the paired
        differences from none with their intervals, or ``failed``, why it could not be fitted.
    """
    before = Losses.of(outputs.y, outputs.prob, outputs.floor)
    table = [_row("none", 0, before, before)]
    tried = candidates(len(outputs), outputs.n_classes)
    for candidate in with_progress(tried, "fitting maps", progress):
        rng = np.random.default_rng(seed)
        try:
            after = held_out_losses(candidate.calibrator, outputs, rng)
        except (ConvergenceError, ValueError) as error:
            table.append({"name": candidate.name, "failed": str(error)})
            continue
        table.append(_row(candidate.name, candidate.n_parameters, after, before))
    return table


def _row(name: str, n_parameters: Any, after: Any, before: Any) -> Any:
    return {
        "name": name,
        "n_parameters": n_parameters,
        "nll": float(after.nll.mean()),
        "brier": float(after.brier.mean()),
        "ece": errors.ece(after.hit, after.score),
        "accuracy": float(after.hit.mean()),
        "nll_change": mean_difference(after.nll, before.nll),
        "brier_change": mean_difference(after.brier, before.brier),
    }


def recommend(comparison: Any, y: Any) -> Any:
    """Choose a map, or none, from a comparison.

    A map is worth having if the interval of its change in NLL lies below zero. Of those, the one
    with the fewest parameters is chosen whose mean NLL lies within the interval of the best.

    Returns
    -------
    dict
        ``name`` and ``reason``.
    """
    if len(y) < FEWEST_SAMPLES:
        return _none(f"{len(y)} samples are too few to judge a map by; {FEWEST_SAMPLES} are needed")
    if len(np.unique(y)) < 2:
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


def recommended_map(outputs: Any, found: Any) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes):
        if candidate.name == found["recommended"]["name"]:
            return _fitted(candidate.calibrator, outputs.calibration or outputs, outputs.floor)
    return None
