"""Tests that compare the columns of a table, mostly methods: one row a case.

A test, here and in the other modules of tests (`claim.MODULES_OF_TESTS`), takes the rows and then
keywords alone; no other function does.
"""

from itertools import product
from typing import Any, TypedDict

import numpy as np
import pandas as pd

from evidence.claims.case_tables import (
    Names,
    as_list,
    case_table,
    readable,
    with_members,
)
from evidence.claims.cases import Cases
from evidence.claims.chance import KNOWN_BY_CHANCE, chance_as_text, chance_of
from evidence.claims.reasons import index_text

Pair = tuple[str, str]  # YAML writes it as a list


class Below(TypedDict):
    """The cases in which a member has less than so much."""

    member: str
    below: float


class Above(TypedDict):
    """The cases in which a member has more than so much."""

    member: str
    above: float


def of_metric(rows: pd.DataFrame, metric: str | None) -> pd.DataFrame:
    """Return the rows of one metric, all if it is None."""
    return rows if metric is None else rows[rows["metric"] == metric]


def with_others(table: pd.DataFrame, members: list[Any]) -> pd.DataFrame:
    """Return the rows that have a value of a member and of another: none is lowest alone."""
    table = with_members(table, members)
    others = table.columns.difference(members)
    return table[table[members].notna().any(axis=1) & table[others].notna().any(axis=1)]


def lower(
    rows: pd.DataFrame,
    *,
    member: Names,
    than: Names,
    by: float = 0.0,
    factor: float = 1.0,
    column: str = "method",
    given: Below | None = None,
    each: bool = False,
) -> Cases:
    """`member` is lower than `than`, or than `factor` of it, by more than `by`.

    `given` keeps cases below a limit; with `each` the reason says the share of each pair.
    """
    table = with_members(case_table(rows, column), member, than)
    if given:
        table = with_members(table, given["member"])
        table = table[table[given["member"]] < given["below"]]
    cases = {}
    for a, b in product(as_list(member), as_list(than)):
        pair = table[[a, b]].dropna()
        cases[f"{a} and {b}"] = pair[a] < factor * pair[b] - by
    note = ""
    if each:
        shares = [f"{pair} {agree.mean():.0%}" for pair, agree in cases.items()]
        note = f"by chance each pair 50%: {', '.join(shares)}"
    gap = ""
    if by:
        gap = f" by more than {by:g}" if by > 0 else f" or at most {-by:g} above"
    share = "" if factor == 1 else f"{factor:g} of "
    summary = f"{readable(member)} lower than {share}{readable(than)}{gap}"
    return Cases(as_one_series(cases, "pair"), summary, note=note)


def as_one_series(cases: dict[str, pd.Series], name: str) -> pd.Series:
    """Return series, of which there may be but one, as a single one with their names as a level."""
    return (
        pd.concat(cases, names=[name]) if len(cases) > 1 else next(iter(cases.values()))
    )


def lowest(
    rows: pd.DataFrame,
    *,
    member: Names,
    places: int = 1,
    column: str = "method",
    summed: bool = False,
    negate: bool = False,
) -> Cases:
    """A `member` is among the lowest `places` of the row (ties count); `negate`: none is."""
    table = case_table(rows, column)
    if summed:
        # where nothing is measured the sum is missing, not zero
        table = table.groupby([n for n in table.index.names if n != "metric"]).sum(
            min_count=1
        )
    members = as_list(member)
    table = with_others(table, members)
    rank = table.rank(axis=1, method="min")[members].min(axis=1)
    cases = (rank > places) if negate else (rank <= places)
    place = "lowest" if places == 1 else f"among the lowest {places}"
    return Cases(cases, f"{' or '.join(members)} {'not ' if negate else ''}{place}")


def highest(rows: pd.DataFrame, *, member: str, column: str = "method") -> Cases:
    """`member` is the highest of the row (ties count)."""
    table = with_others(case_table(rows, column), [member])
    return Cases(table[member] >= table.max(axis=1), f"{member} highest")


def below_all_others(rows: pd.DataFrame, *, member: str, column: str) -> Cases:
    """Each `member` is lower than every other network of its data set; one network a case."""
    named = rows[column] == member
    # seeds of one network are averaged
    keys = ["dataset", "case"]
    ours, others = (
        networks.groupby(keys, sort=False)["value"].mean()
        for networks in (rows[named], rows[~named])
    )
    of_others = others.groupby(level="dataset").min()
    of_others = of_others.reindex(ours.index, level="dataset").dropna()
    ours = ours[of_others.index]
    margins = [
        f"{index_text(i)} {ours[i]:.3g}, least {of_others[i]:.3g}" for i in ours.index
    ]
    return Cases(
        ours < of_others, f"{member} below all others", note="; ".join(margins)
    )


def near_lowest(
    rows: pd.DataFrame, *, member: str, within: float, column: str = "method"
) -> Cases:
    """`member` is at most `within` above the lowest of the row."""
    table = with_others(case_table(rows, column), [member])
    cases = table[member] <= table.min(axis=1) + within
    return Cases(cases, f"{member} within {within:g} of the lowest")


def limit(
    rows: pd.DataFrame,
    *,
    member: str,
    below: float = np.inf,
    above: float = -np.inf,
    column: str = "method",
    given: Above | None = None,
    of: str | None = None,
    beyond_chance: bool = False,
) -> Cases:
    """The value of `member` lies between two limits; `given` keeps cases above a limit.

    `of` is the one of several metrics that is meant; where the Brier score of its confidences, or
    the metric ``by chance``, is among the rows, the reason says what chance makes of the metric on
    each data set. With `beyond_chance` a case lies above that as well.
    """
    if beyond_chance and of not in KNOWN_BY_CHANCE:
        known = ", ".join(KNOWN_BY_CHANCE)
        raise ValueError(f"beyond_chance: `of` names a metric, one of {known}")
    table = with_members(case_table(of_metric(rows, of), column), member)
    summary = member
    if given:
        table = with_members(table, given["member"])
        table = table[table[given["member"]] > given["above"]]
        summary += f" where {given['member']} is above {given['above']:g}"
    values = table[member].dropna()
    bounds = " and ".join(
        f"{word} {x:g}"
        for word, x in (("above", above), ("below", below))
        if np.isfinite(x)
    )
    # one of the two limits is infinite; chance is compared with the other
    finite = max(below, above, key=np.isfinite)
    note = chance_as_text(rows, member, of, finite) if of else ""
    holds = (values > above) & (values < below)
    if beyond_chance and of:
        holds &= values > chance_of(rows, member, of, values.index)
        bounds += " and beyond chance"
    return Cases(holds, f"{summary} {bounds}", note=note)


def unchanged(
    rows: pd.DataFrame,
    *,
    member: str,
    reference: str,
    within: float,
    column: str = "method",
    of: str | None = None,
) -> Cases:
    """`member` differs from `reference` by at most `within`."""
    table = with_members(case_table(of_metric(rows, of), column), member, reference)
    # half a point of numbers printed with one digit is half a point, however it is stored
    cases = (table[member] - table[reference]).dropna().abs() <= within + 1e-9
    return Cases(cases, f"{member} within {within:g} of {reference}")


def ordered(rows: pd.DataFrame, *, order: list[Any], column: str) -> Cases:
    """The values fall along `order`."""
    table = with_members(case_table(rows, column), order)[order].dropna()
    cases = (table.diff(axis=1).iloc[:, 1:] < 0).all(axis=1)
    return Cases(cases, f"falling along {', '.join(map(str, order))}")


def second_when_beaten(rows: pd.DataFrame, *, member: str, by: str) -> Cases:
    """Where `by` is lower than `member`, `member` comes second."""
    table = with_members(case_table(rows), member, by).dropna(subset=[member, by])
    rank = table[table[by] < table[member]].rank(axis=1, method="min")
    return Cases(rank[member] == 2, f"{member} second where {by} beats it")


def close_when_beaten(
    rows: pd.DataFrame, *, member: str, by: str, gap: float, of: str | None = None
) -> Cases:
    """Where `by` is lower than `member`, it is lower by less than `gap`; `of` as in `limit`."""
    table = with_members(case_table(of_metric(rows, of)), member, by)
    lead = (table[member] - table[by])[lambda d: d > 0]
    note = chance_as_text(rows, member, of, gap) if of else ""
    return Cases(lead < gap, f"{by} ahead of {member} by less than {gap:g}", note=note)


def like_the_first_choice(
    rows: pd.DataFrame, *, member: str, by: str, gap: float
) -> Cases:
    """`member` is lower than `by`, or second and beaten by less than `gap`."""
    table = with_members(case_table(rows), member, by).dropna(subset=[member, by])
    second = (table.rank(axis=1, method="min")[member] == 2) & (
        table[member] - table[by] < gap
    )
    cases = (table[member] < table[by]) | second
    return Cases(cases, f"{member} lower than {by}, or second by less than {gap:g}")


def somewhere_above(rows: pd.DataFrame, *, above: float) -> Cases:
    """Every method exceeds `above` on at least one network."""
    peak = case_table(rows).max().rename_axis("case")
    return Cases(peak > above, f"above {above:g} on some network")


def needs_data(
    rows: pd.DataFrame, *, members: list[str], than: str, metric: str, few: int
) -> Cases:
    """With `few` samples or fewer each of `members` is worse than `than`, with all no worse.

    A fit without a minimum counts as worse.
    """
    rows = rows[rows["n"] > 0].assign(value=rows[metric].astype(float).fillna(np.inf))
    keys = ["dataset", "case", "n"]
    mean = rows.pivot_table(index=keys, columns="calibrator", values="value")
    worse = mean[members].gt(mean[than], axis=0).stack().unstack("n")
    # networks have different largest sizes: the last known column is all of a network's samples
    all_worse = worse.ffill(axis=1).iloc[:, -1].astype(bool)
    # who was not measured with so few says nothing of few
    with_few = worse.loc[:, :few].dropna(how="all").all(axis=1)
    cases = (with_few & ~all_worse.loc[with_few.index]).rename_axis([*keys[:2], "pair"])
    summary = f"{metric} above that of {than} with {few} samples or fewer, not above it with all"
    return Cases(cases, summary)
