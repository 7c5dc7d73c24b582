"""Tests of the order in which metrics put the methods: which is best, and how alike orders are."""

from collections.abc import Sequence

import pandas as pd
from scipy.stats import kendalltau

from evidence.claims.case_tables import Names, as_list, case_table, readable
from evidence.claims.cases import Cases
from evidence.claims.comparisons import Pair, as_one_series, of_metric


def winners_differ(
    rows: pd.DataFrame, *, metrics: list[str], beside: Pair | None = None
) -> Cases:
    """The lowest method by the first metric is not the lowest by others; more than `beside`."""

    def differ(metrics: Sequence[str]) -> pd.Series:
        best = {
            m: case_table(of_metric(rows, m)).dropna(thresh=2).idxmin(axis=1)
            for m in metrics
        }
        pairs = {m: best[metrics[0]].align(best[m], join="inner") for m in metrics[1:]}
        return as_one_series(
            {m: first != other for m, (first, other) in pairs.items()}, "metric"
        )

    across = differ(metrics)
    summary = f"best by {metrics[0]} not best by {readable(metrics[1:])}"
    if beside is None:
        return Cases(across, summary)
    across, alone = across.align(differ(beside), join="inner")
    summary += (
        f" in {across.mean():.0%}, by {beside[0]} and {beside[1]} in {alone.mean():.0%}"
    )
    return Cases(
        across.astype(float) - alone.astype(float), summary, unit="of the experiments"
    )


def winners_differ_by_metric(
    rows: pd.DataFrame, *, first: str, second: Names, clear: float = 0.5
) -> Cases:
    """The best methods by two metrics differ more often than the best by one, halves compared.

    Each network's test set is split into random halves: the metric that ranks on one half is then
    compared with another, or with itself, on the other half. A clear example is a network of which
    another metric makes a difference in more than `clear` of the splits in which one metric alone
    makes none, on average over each `second`.
    """
    keys = ["dataset", "case", "first", "second"]
    pairs = rows.pivot_table(index=keys[:2], columns=keys[2:], values="differs")
    # a pair of metrics is stored once, in either order
    either = [
        (first, s) if (first, s) in pairs else (s, first) for s in as_list(second)
    ]
    across = pairs[either].mean(axis=1)
    # what chance makes: two halves name different methods by one and the same metric
    alone = (
        pairs[[(m, m) for m in as_list(second)]].mean(axis=1) / 2
        + pairs[first, first] / 2
    )
    summary = (
        f"best by {first} not best by {readable(second)} in {across.mean():.0%} of the splits, "
        f"by one metric alone in {alone.mean():.0%}; "
        f"networks with more than {clear:.0%} of the rest apart"
    )
    # as Cohen's kappa: of the splits in which chance makes no difference
    kappa = ((across - alone) / (1 - alone)).dropna()
    return Cases(kappa > clear, summary)


def steadier(rows: pd.DataFrame, *, metric: Names, than: Names, sign: int = 1) -> Cases:
    """Two halves of a test set order the methods more alike by one metric than by others."""
    alone = rows[rows["first"] == rows["second"]]
    taus = alone.pivot_table(index=["dataset", "case"], columns="first", values="tau")
    change = taus[as_list(metric)].mean(axis=1) - taus[as_list(than)].mean(axis=1)
    summary = (
        f"agreement of halves (tau) by {readable(metric)} less that by {readable(than)}"
    )
    return Cases(change.dropna(), summary, unit="tau", sign=sign)


def rank_correlations(rows: pd.DataFrame, pair: Sequence[str], along: str) -> pd.Series:
    """Return Kendall's tau of the methods' order between two metrics or data sets, each case's.

    A method that fails in one of the two is left out.
    """
    dropped = [along, *(["model"] if along == "dataset" else [])]
    first, second = (
        case_table(rows[rows[along] == value].drop(columns=dropped)) for value in pair
    )
    first, second = first.align(second, join="inner")
    taus = [
        kendalltau(first.loc[case], second.loc[case], nan_policy="omit").statistic
        for case in first.index
    ]
    return pd.Series(taus, index=first.index, dtype=float).dropna()


def agreement(
    rows: pd.DataFrame,
    *,
    pair: Pair,
    along: str = "metric",
    sign: int = 1,
    margin: float = 0.0,
) -> Cases:
    """The methods come in a like order by two metrics, or on two data sets."""
    taus = rank_correlations(rows, pair, along)
    summary = f"order of methods by {pair[0]} and by {pair[1]}"
    return Cases(taus, summary, unit="tau", sign=sign, margin=margin)


def agrees_more(
    rows: pd.DataFrame, *, pair: Pair, than: list[str], sign: int = 1
) -> Cases:
    """The first metric orders the methods more like the second than others do on average."""
    first, second = pair
    others = [rank_correlations(rows, (other, second), "metric") for other in than]
    change = rank_correlations(rows, pair, "metric") - sum(others) / len(others)
    summary = f"order of methods by {first} and by {second}"
    summary += f", less that by {readable(than)} and {second}"
    return Cases(change.dropna(), summary, unit="tau", sign=sign)


def largest_relative_gap(
    rows: pd.DataFrame, *, metric: str, methods: list[str]
) -> Cases:
    """The relative gap between two methods is largest by `metric`."""
    table = rows.pivot_table(index="metric", columns="method", values="value")[methods]
    gap = (table.max(axis=1) - table.min(axis=1)) / table.max(axis=1)
    cases = pd.Series({f"{gap.idxmax()}, {gap.max():.0%}": gap.idxmax() == metric})
    return Cases(cases, f"gap largest by {metric} ({gap[metric]:.0%})")
