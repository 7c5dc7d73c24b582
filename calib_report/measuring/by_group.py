"""Confidence less accuracy, group by group."""

from collections.abc import Mapping

import numpy as np
from scipy.special import stdtr

from calib import GroupErrors, group_errors, holm, shrink
from calib_report.limits import SIGNIFICANCE_LEVEL
from calib_report.measuring.estimates import mean_with_standard_error, quantile_95
from calib_report.measuring.outcome import Outcome
from calib_report.measuring.tables import rows_of
from calib_report.schema import GroupExcess, GroupRow
from calib_report.values import cluster_numbers


def group_tables(
    before: Outcome, after: Outcome, groups: Mapping[str, np.ndarray]
) -> dict[str, list[GroupRow]]:
    """Return the table of each column of groups, by its name."""
    return {name: group_table(before, after, group) for name, group in groups.items()}


def group_table(before: Outcome, after: Outcome, groups: np.ndarray) -> list[GroupRow]:
    """Return by group the confidence less the accuracy, as it is and on held-out samples."""
    names, place = np.unique(groups, return_inverse=True)
    n = np.bincount(place)
    columns = {
        "group": [str(name) for name in names],
        "samples": n,
        "accuracy": np.bincount(place, before.hit) / n,
        "before": _excesses(before, place),
        "after": _excesses(after, place),
    }
    return rows_of(columns)


def _excesses(outcome: Outcome, groups: np.ndarray) -> list[GroupExcess]:
    """Return each group's excess with its interval and Holm's p-value."""
    errors = group_errors(outcome.hit, outcome.score, groups)
    if outcome.clusters is not None:
        return _excesses_of_clusters(outcome, groups, errors)
    # of the library's gap the sign is the other one: hits less scores
    columns = {
        "value": -errors.gap,
        "low": -errors.high,
        "high": -errors.low,
        "p_value": errors.p_value,
        "best_guess": -errors.shrunken,
        "flagged": errors.p_value < SIGNIFICANCE_LEVEL,
    }
    return rows_of(columns)


def _excesses_of_clusters(
    outcome: Outcome, groups: np.ndarray, errors: GroupErrors
) -> list[GroupExcess]:
    """Return the excesses by Student's t of whole clusters, which the library takes apart."""
    excess = -errors.gap
    standard_error, freedom = _standard_errors_by_group(outcome, groups, errors.group)
    beyond = quantile_95(freedom) * standard_error
    # a group whose standard error is zero, or unknown, is not flagged
    t = np.divide(
        np.abs(excess), standard_error, where=standard_error > 0, out=0 * excess
    )
    p_value = holm(2 * stdtr(freedom, -t))
    # of one cluster it is infinite; no excess is above 1, so that is as much as any
    best_guess, _, _ = shrink(excess, np.minimum(standard_error**2, 1.0))
    columns = {
        "value": excess,
        "low": excess - beyond,
        "high": excess + beyond,
        "p_value": p_value,
        "best_guess": best_guess,
        "flagged": p_value < SIGNIFICANCE_LEVEL,
    }
    return rows_of(columns)


def _standard_errors_by_group(
    outcome: Outcome, groups: np.ndarray, names: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each group's standard error, infinite of one cluster, and its freedom."""
    standard_error, freedom = np.empty(len(names)), np.empty(len(names))
    for k, name in enumerate(names):
        rows = groups == name
        clusters = cluster_numbers(np.asarray(outcome.clusters)[rows])
        _, standard_error[k], freedom[k] = mean_with_standard_error(
            outcome.excess[rows], clusters
        )
    return standard_error, freedom
