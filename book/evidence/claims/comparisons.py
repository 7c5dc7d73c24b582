"""Tests that compare the columns of a table, mostly methods: one row a case."""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from book.evidence.claims.findings import judge_effect, judge_share
from book.evidence.claims.frames import as_list, names, wide


def lower(rows, *, member, than, quantifier, by=0.0, column="method", given=None):
    """`member` is lower than `than`, by more than `by`; `given` keeps cases below a limit."""
    table = wide(rows, column)
    table = table.reindex(columns=table.columns.union([*as_list(member), *as_list(than)]))
    if given:
        table = table[table[given["member"]] < given["below"]]
    cases = {
        f"{a} and {b}": (table[a] < table[b] - by)[table[[a, b]].notna().all(axis=1)]
        for a in as_list(member)
        for b in as_list(than)
    }
    cases = pd.concat(cases) if len(cases) > 1 else next(iter(cases.values()))
    gap = f" by more than {by:g}" if by > 0 else f" or at most {-by:g} above" if by else ""
    what = f"{names(member)} lower than {names(than)}{gap}"
    return judge_share(cases, quantifier, what)


def lowest(rows, *, member, quantifier, places=1, column="method", summed=False, negate=False):
    """A `member` is among the lowest `places` of the row (ties count); `negate`: none is."""
    table = wide(rows, column)
    if summed:
        table = table.groupby([n for n in table.index.names if n != "metric"]).sum(min_count=1)
    members = as_list(member)
    rank = table.rank(axis=1, method="min")[members].min(axis=1).dropna()
    cases = (rank > places) if negate else (rank <= places)
    place = "lowest" if places == 1 else f"among the lowest {places}"
    return judge_share(
        cases, quantifier, f"{' or '.join(members)} {'not ' if negate else ''}{place}"
    )


def highest(rows, *, member, quantifier, column="method"):
    """`member` is the highest of the row (ties count)."""
    table = wide(rows, column).dropna(subset=[member])
    cases = table[member] >= table.max(axis=1)
    return judge_share(cases, quantifier, f"{member} highest")


def share_lowest(rows, *, member, at_least, column="method"):
    """`member` is lowest in at least a given share of the cases."""
    table = wide(rows, column).dropna(subset=[member])
    cases = table[member] <= table.min(axis=1)
    found = judge_share(cases, "mostly", f"{member} lowest")
    holds, fails = found.low >= at_least, found.high < at_least
    verdict = "holds" if holds else "fails" if fails else "mixed"
    return replace(found, verdict=verdict)


def limit(rows, *, member, quantifier, below=np.inf, above=-np.inf, column="method"):
    """The value of `member` lies between two limits."""
    values = wide(rows, column)[member].dropna()
    bounds = " and ".join(
        f"{word} {x:g}" for word, x in (("above", above), ("below", below)) if np.isfinite(x)
    )
    return judge_share((values > above) & (values < below), quantifier, f"{member} {bounds}")


def unchanged(rows, *, member, reference, within, quantifier, column="method"):
    """`member` differs from `reference` by at most `within`."""
    table = wide(rows, column)[[member, reference]].dropna()
    cases = (table[member] - table[reference]).abs() <= within + 1e-9
    return judge_share(cases, quantifier, f"{member} within {within:g} of {reference}")


def ordered(rows, *, order, quantifier, column):
    """The values fall along `order`."""
    table = wide(rows, column)[order].dropna()
    cases = (table.diff(axis=1).iloc[:, 1:] < 0).all(axis=1)
    return judge_share(cases, quantifier, f"falling along {', '.join(map(str, order))}")


def second_when_beaten(rows, *, member, by):
    """Where `by` is lower than `member`, `member` comes second."""
    table = wide(rows).dropna(subset=[member, by])
    table = table[table[by] < table[member]]
    rank = table.rank(axis=1, method="min")[member]
    return judge_share(rank == 2, "always", f"{member} second where {by} beats it")


def close_when_beaten(rows, *, member, by, gap):
    """Where `by` is lower than `member`, it is lower by less than `gap`."""
    table = wide(rows)[[member, by]].dropna()
    lead = (table[member] - table[by])[lambda d: d > 0]
    return judge_share(lead < gap, "always", f"{by} ahead of {member} by less than {gap:g}")


def somewhere_above(rows, *, above):
    """Every method exceeds `above` on at least one network."""
    peak = wide(rows).max()
    return judge_share(peak > above, "always", f"above {above:g} on some network")


def winners_differ(rows, *, metrics, quantifier):
    """The lowest method by one metric is not the lowest by another."""
    first, second = (wide(rows[rows["metric"] == m]).idxmin(axis=1) for m in metrics)
    networks = first.index.intersection(second.index)
    cases = first[networks] != second[networks]
    return judge_share(cases, quantifier, f"best by {metrics[0]} not best by {metrics[1]}")


def agreement(rows, *, pair, along="metric", sign=1, margin=0.0):
    """Kendall's rank correlation of the methods' order between two metrics or data sets."""
    first, second = (wide(rows[rows[along] == value].drop(columns=along)) for value in pair)
    shared = first.columns.intersection(second.columns)
    taus = [
        kendalltau(first.loc[case, shared], second.loc[case, shared]).statistic
        for case in first.index.intersection(second.index)
    ]
    taus = [tau for tau in taus if np.isfinite(tau)]
    what = f"order of methods by {pair[0]} and by {pair[1]}"
    if len(taus) == 1:
        what += f", tau {taus[0]:+.2f}"
    return judge_effect(taus, sign, what, unit="tau", margin=margin)


def largest_relative_gap(rows, *, metric, methods):
    """The relative gap between two methods is largest by `metric`."""
    table = rows.pivot_table(index="metric", columns="method", values="value")[methods]
    gap = (table.max(axis=1) - table.min(axis=1)) / table.max(axis=1)
    cases = {f"{gap.idxmax()}, {gap.max():.0%}": gap.idxmax() == metric}
    return judge_share(cases, "always", f"gap largest by {metric} ({gap[metric]:.0%})")


TESTS = (
    lower,
    lowest,
    highest,
    share_lowest,
    limit,
    unchanged,
    ordered,
    second_when_beaten,
    close_when_beaten,
    somewhere_above,
    winners_differ,
    agreement,
    largest_relative_gap,
)
