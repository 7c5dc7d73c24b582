"""Which of the maps that were compared to use, or none, and why."""

# Mirrored by the answer desk, book/assets/desk/measure.js: change both.

from typing import Any

import numpy as np
import scipy

from calib_report.deciding.comparison_of_maps import (
    SHRUNKEN_VECTOR_SCALING,
    candidates,
    fit_map,
    maps_tried,
)
from calib_report.limits import FEWEST_SAMPLES, SIGNIFICANCE_LEVEL, SMALL_SAMPLE
from calib_report.measuring.estimates import is_of_equal_values
from calib_report.measuring.measure import lack_of_samples
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import NO_MAP, MapRow, Recommendation, TriedMap
from calib_report.texts import TEXTS
from calib_report.values import cluster_numbers

# p-value from which frequencies of classes are not those that are said
SURELY_OTHER = 0.01
FEWEST_EXPECTED = 5  # samples of a class, for the normal distribution of their number
# variance of a direction, in units of the classes' own, below which rounding alone left it
NO_VARIANCE = 1e-9


def recommend(
    comparison: list[MapRow], outputs: ModelOutputs, p_value: float = 1.0
) -> Recommendation:
    """Choose a map, or none, from a comparison: its ``name``, the ``reason``, and ``confirmed``.

    A map is worth having if the interval of its change in NLL lies below zero, and it gives nothing
    that can happen the probability zero. Of those, the one with the fewest parameters is chosen
    whose paired difference from the best has an interval that holds zero. Of fewer than a thousand
    samples, which may hold no mistake of those that cost a map most, it has to lie below zero with
    one more, where the map is surest. Where there is no such map, but frequencies of classes that
    are surely not those that are said, shrunken vector scaling is chosen, and where a test of
    calibration rejects, `p_value`, the map of one number; unless its loss is higher.
    """
    n, units = outputs.n_units, "samples" if outputs.clusters is None else "clusters"
    lack = lack_of_samples(outputs)
    if lack is not None:
        return _no_map(lack, n=n, what=units, least=FEWEST_SAMPLES)
    tried = [row for row in maps_tried(comparison) if row["name"] != NO_MAP]
    clear = list(filter(is_clear, tried))
    if n >= SMALL_SAMPLE:
        return _map_of_fewest_parameters(clear) if clear else _no_map("chance")
    lasting = list(filter(survives_one_mistake, clear))
    if lasting:
        return _map_of_fewest_parameters(lasting)
    words = {"n": n, "what": units}
    return (
        _map_by_class(tried, outputs, words)
        or _map_of_one_number(tried, p_value, words)
        or _no_map("undone" if clear else "chance")
    )


def _map_by_class(
    tried: list[TriedMap], outputs: ModelOutputs, words: dict[str, object]
) -> Recommendation | None:
    """Choose a number a class, unconfirmed, where classes are not as frequent as is said."""
    rows = (row for row in tried if row["name"] == SHRUNKEN_VECTOR_SCALING)
    by_class = next(rows, None)
    # more than the map of one number gains, which moves no class alone
    least = max(0.0, _gain_of_map(_of_one_number(tried)))
    if by_class is None or by_class["zeros"] or _gain_of_map(by_class) <= least:
        return None
    p_value = frequencies_p_value(outputs)
    if p_value > SURELY_OTHER:
        return None
    return _unconfirmed("by_class", by_class, p_value, words)


def _map_of_one_number(
    tried: list[TriedMap], p_value: float, words: dict[str, object]
) -> Recommendation | None:
    """Choose the map of one number, unconfirmed, where a test of calibration rejects."""
    row = _of_one_number(tried)
    if row is None or p_value > SIGNIFICANCE_LEVEL or _gain_of_map(row) <= 0:
        return None
    return _unconfirmed("unconfirmed", row, p_value, words)


def _of_one_number(tried: list[TriedMap]) -> TriedMap | None:
    """Return the map of one number, None where it could not be fitted."""
    return next((row for row in tried if row["n_parameters"] == 1), None)


def _gain_of_map(row: TriedMap | None) -> float:
    """Return by how much a map lowers the NLL; of one that could not be fitted minus infinity."""
    return -np.inf if row is None else -row["nll_change"]["difference"]


def _unconfirmed(
    why: str, row: TriedMap, p_value: float, words: dict[str, object]
) -> Recommendation:
    reason = TEXTS["reason"][why].format(p=p_value, gain=_gain_of_map(row), **words)
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
    # in units of the classes' deviations, so that what rounding leaves is small beside one
    scale = np.sqrt(expected[frequent])
    return _chi_square_p_value(
        residual.sum(axis=0)[frequent] / scale,
        covariance[np.ix_(frequent, frequent)] / np.outer(scale, scale),
    )


def _chi_square_p_value(sums: np.ndarray, covariance: np.ndarray) -> float:
    """Return how often sums of mean zero and this covariance are as long, in its measure."""
    # frequencies sum to one, so that one direction at least is none
    rank = np.linalg.matrix_rank(covariance, tol=NO_VARIANCE, hermitian=True)
    inverse = np.linalg.pinv(covariance, rcond=NO_VARIANCE, hermitian=True)
    return float(scipy.special.chdtrc(rank, sums @ inverse @ sums))


def _covariance_of_clusters(residual: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Return the covariance of a sum of rows, of which those of a cluster hang together."""
    cluster = cluster_numbers(clusters)
    sums = np.zeros((cluster.max() + 1, residual.shape[1]))
    np.add.at(sums, cluster, residual)
    return sums.T @ sums


def _no_map(why: str, **words: object) -> Recommendation:
    reason = TEXTS["reason"][why].format(**words)
    return {"name": NO_MAP, "reason": reason, "confirmed": True}


def is_clear(row: TriedMap) -> bool:
    """Tell whether a map lowers the NLL beyond chance, and makes nothing impossible."""
    # where each loss falls by the same nothing tells what others would do
    if is_of_equal_values(row["nll_change"]):
        return False
    return bool(row["nll_change"]["high"] < 0 and not row["zeros"])


def survives_one_mistake(row: TriedMap) -> bool:
    """Tell whether one more mistake, where the map is surest, would leave its gain clear."""
    return bool(row["nll_change"]["high"] + row["one_mistake"] < 0)


def _map_of_fewest_parameters(rows: list[TriedMap]) -> Recommendation:
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


def fitted_map(outputs: ModelOutputs, name: str) -> Any:
    """Fit a map by its name on the calibration set, or on all samples; None of the name "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        if candidate.name == name:
            return fit_map(candidate.calibrator, outputs)
    return None
