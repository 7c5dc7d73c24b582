"""Which metrics and methods one test may judge together.

A test that reads its rows by one direction would else count a higher accuracy as an error that
grew, and one that reads a single value of each network the mean over methods, and say so nowhere.
"""

from collections.abc import Callable
from typing import Any

import pandas as pd

from evidence.claims.entry_types import ClaimError
from evidence.claims.vocabulary import strings_in

# how the name of a metric begins of which more is better, or neither more nor less
MORE_IS_BETTER = ("Accuracy", "AUROC", "Coverage", "Gain")
NEITHER = ("Confidence", "Mean confidence")
# how the name of a metric begins that is not in points, and its unit
UNITS = {
    "NLL": "nats",
    "Brier": "squared errors",
    "Top-1 Brier": "squared errors",
    "Top-2 Brier": "squared errors",
    "AUROC": "shares of pairs",
    "Size": "labels",
}
# keywords by which a test names the metrics that it reads apart
NAMING = {"metric", "metrics", "pair"}
# keywords that may name the column `metric`: its values are then compared on purpose
COMPARED = {"column", "along", "level"}
# which takes accuracy and errors each in its own direction
OF_ALL_METRICS = {"stays_pareto"}
# tests of how networks differ: each has one value, and several would be averaged
OF_ONE_VALUE = {
    "below_all_others",
    "between",
    "changes",
    "correlates",
    "families_explain",
    "families_rise",
    "moves_more",
    "nearest",
    "paired",
    "rises_more",
    "stays_pareto",
    "trend",
}


def check_metrics(test: str, keywords: dict[str, Any], rows: pd.DataFrame) -> None:
    """Refuse rows of metrics that a test would judge, or sum, as if they were one.

    Parameters
    ----------
    test : str
        The name of the test.
    keywords : dict
        The test's keywords.
    rows : DataFrame
        What the test reads.

    Raises
    ------
    ClaimError
        If less is better of one metric and not of another, or a sum would be of several units; it
        names the metrics.
    """
    metrics = metrics_together(test, keywords, rows)
    by_direction = grouped(metrics, direction_of)
    if len(by_direction) > 1:
        raise ClaimError(
            f"{test} reads all rows by one direction, but {in_words(by_direction)}; "
            "name metrics of one direction under rows: {metric: ...}"
        )
    by_unit = grouped(metrics, unit_of)
    if keywords.get("summed") and len(by_unit) > 1:
        raise ClaimError(
            f"summed: a sum is of one unit, but {in_words(by_unit)}; "
            "name metrics of one unit under rows: {metric: ...}"
        )


def check_one_value(test: str, keywords: dict[str, Any], rows: pd.DataFrame) -> None:
    """Refuse rows of several metrics or methods where a test would take their mean.

    The ClaimError names the column and its values; parameters are those of `check_metrics`.
    """
    if test not in OF_ONE_VALUE:
        return
    named = set(strings_in(keywords))
    together = {"metric": metrics_together(test, keywords, rows), "method": []}
    if "method" in rows:
        together["method"] = sorted(rows["method"].dropna().unique())
    for column, values in together.items():
        if len(values) > 1 and column not in named:
            raise ClaimError(
                f"rows: {column}: {test} reads one value of each network, but there are "
                f"{first_of(values)}; name one under rows: {{{column}: ...}}"
            )


def metrics_together(
    test: str, keywords: dict[str, Any], rows: pd.DataFrame
) -> list[str]:
    """Return the metrics that a test takes as one, none if it reads them apart."""
    compared = any(keywords.get(key) == "metric" for key in COMPARED)
    apart = compared or test in OF_ALL_METRICS or NAMING.intersection(keywords)
    if apart or "metric" not in rows:
        return []
    # `of` is the one metric that is meant; of `slope` it is a number
    if isinstance(keywords.get("of"), str):
        return [keywords["of"]]
    return sorted(rows["metric"].dropna().unique())


def grouped(metrics: list[str], by: Callable[[str], str]) -> dict[str, list[str]]:
    """Return the metrics by what a function says of each.

    Examples
    --------
    >>> grouped(["Accuracy", "ECE", "NLL"], direction_of)
    {'more is better': ['Accuracy'], 'less is better': ['ECE', 'NLL']}
    """
    groups: dict[str, list[str]] = {}
    for metric in metrics:
        groups.setdefault(by(metric), []).append(metric)
    return groups


def direction_of(metric: str) -> str:
    """Say whether more of a metric is better, or less.

    Examples
    --------
    >>> direction_of("AUROC, verbal"), direction_of("ECE"), direction_of("Confidence")
    ('more is better', 'less is better', 'neither is better')
    """
    if metric.startswith(MORE_IS_BETTER):
        return "more is better"
    return "neither is better" if metric.startswith(NEITHER) else "less is better"


def unit_of(metric: str) -> str:
    """Return the unit of a metric.

    Examples
    --------
    >>> unit_of("KS top-2"), unit_of("NLL, a hundred classes or more")
    ('points', 'nats')
    """
    units = (unit for name, unit in UNITS.items() if metric.startswith(name))
    return next(units, "points")


def in_words(groups: dict[str, list[str]]) -> str:
    """Return groups of metrics as text, of each the first three.

    Examples
    --------
    >>> in_words({"points": ["ECE", "KS"], "nats": ["NLL"]})
    'points: ECE, KS; nats: NLL'
    """
    several = {group: first_of(names) for group, names in groups.items()}
    return "; ".join(f"{group}: {names}" for group, names in several.items())


def first_of(names: list[str]) -> str:
    """Return the first three names as text.

    Examples
    --------
    >>> first_of(["ACE", "ECE", "KS", "NLL"])
    'ACE, ECE, KS, and others'
    """
    return ", ".join([*names[:3], *(["and others"] if len(names) > 3 else [])])
