"""Tests of how networks differ: trends, differences of groups, families, fronts and curves."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import f, linregress, ncf, spearmanr

from evidence.claims.cases import Cases
from evidence.claims.comparisons import limit
from evidence.claims.frames import Names, as_list, readable, wide, with_members
from evidence.claims.network_intervals import (
    FEWEST,
    Interval,
    correlation_interval,
    drawn_singly,
    evident,
    mean_interval,
    t_interval,
)
from evidence.claims.reasons import number_as_text

SETTINGS = (
    "dataset family depth width batch_norm initialisation loss weight_decay label_noise "
    "training_images augmentation precision epochs"
).split()
# levels that tell settings on the same data apart, in words
LEVELS_IN_WORDS = {
    "depth": "depth {}",
    "width": "width {}",
    "loss": "{}",
    "training_images": "{} images",
    "epochs": "{} epochs",
}
FEWEST_SEEDS = 3


def correlates(
    rows: pd.DataFrame,
    *,
    x: str | int,
    y: str | int,
    sign: int,
    margin: float = 0.0,
    along: str | None = None,
) -> Cases:
    """Spearman's correlation of two columns over networks, or of two values of `along`."""
    keys = network_columns(rows)
    table = wide(rows, along) if along else rows.set_index(keys) if keys else rows
    if not {x, y} <= set(table.columns):
        return Cases(table.iloc[:0], f"{x} or {y} is missing")
    table = table[[x, y]].dropna()
    at = "" if along in (None, "metric") else f"{rows['metric'].iloc[0]} at {along} "

    def interval_of(table: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        n = len(table)
        if n < FEWEST:
            return Interval(np.nan)
        rho = float(spearmanr(table[x], table[y]).statistic)
        # on the scale of Fisher's z, where a perfect order would be infinite
        fisher = correlation_interval(rho, n, drawn_singly(n, clusters).n)
        return replace(
            fisher, estimate=float(np.arctanh(np.clip(rho, -1 + 1e-15, 1 - 1e-15)))
        )

    what = f"correlation of {at}{readable(x)} and {readable(y)}"
    margin = float(np.arctanh(margin))
    options: dict[str, Any] = {"interval_of": interval_of, "to_shown": np.tanh}
    return Cases(table, what, unit="rho", sign=sign, margin=margin, **options)


def network_columns(rows: pd.DataFrame) -> list[str]:
    """Return the columns that tell networks apart."""
    return [column for column in ("dataset", "case") if column in rows]


def slope(
    rows: pd.DataFrame, *, x: str, y: str, sign: int, of: float, column: str = "method"
) -> Cases:
    """The least-squares slope of column `y` on `x` over networks lies above, or below, `of`."""
    table = with_members(wide(rows, column), x, y)[[x, y]].dropna()

    # networks that are alike tell less: the error is that of as many drawn singly
    def interval_of(table: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        fit = linregress(table[x], table[y])
        singly = drawn_singly(len(table), clusters).n
        return t_interval(
            fit.slope, fit.stderr * (len(table) / singly) ** 0.5, singly - 2
        )

    what = f"slope of {y} on {x}"
    return Cases(
        table, what, unit="slope", sign=sign, reference=of, interval_of=interval_of
    )


class AlikeButFor(NamedTuple):
    """Settings that differ in one level alone."""

    dataset: str
    words: str  # tell them from others on the same data
    rows: pd.DataFrame


def alike_but_for(rows: pd.DataFrame, level: str) -> Iterator[AlikeButFor]:
    """Yield each group of settings that differ in nothing but ``level``.

    Every comparison that the rows allow is made; none is chosen.
    """
    others = [column for column in SETTINGS if column in rows and column != level]
    rows = rows.reset_index(drop=True)
    # settings without a second level compare with nothing
    rows = rows[rows.groupby(others, dropna=False)[level].transform("nunique") > 1]
    among = [column for column in ("dataset", "family") if column in others]
    telling = [column for column in LEVELS_IN_WORDS if column in others]
    several = rows.groupby(among)[telling].transform("nunique") > 1
    for _, group in rows.groupby(others, dropna=False):
        first = group.iloc[0]
        at_levels = [
            LEVELS_IN_WORDS[c].format(first[c])
            for c in telling
            if several.loc[first.name, c]
        ]
        words = filter(None, [first.get("family", ""), *at_levels])
        dataset = readable(first.get("dataset", ""))
        yield AlikeButFor(dataset, ", ".join(words), group)


def trend(
    rows: pd.DataFrame,
    *,
    level: str,
    sign: int,
    first: Any = None,
    last: Any = None,
    order: list[Any] | None = None,
) -> Cases:
    """In settings that differ in nothing but `level` the value changes from end to end.

    A seed is paired with itself. Ends are the least and the greatest level, or the ends of
    `order`, or `first` and each of `last`; the reason names a step between them that goes the
    other way for sure.
    """
    changes = {}
    turns = {}
    for dataset, words, group in alike_but_for(rows, level):
        # a seed fixes the start and the order of images: each is compared with itself
        table = group.pivot_table(index="seed", columns=level, values="value")
        for between in paths(list(table.columns), first, last, order):
            start, end = between[0], between[-1]
            step = (
                f"{start} to {end}" if start is not False else f"with {readable(level)}"
            )
            key = (dataset, ", ".join(filter(None, [words, step])))
            changes[key] = table[end] - table[start]
            turns[key] = turning(table, between, sign)
    return over_settings(changes, readable(level), sign, "points", turns)


def paths(
    levels: list[Any], first: Any, last: Any, order: list[Any] | None
) -> list[list[Any]]:
    """Return the levels from one end to the other, for each pair of ends that `trend` compares.

    Examples
    --------
    >>> paths([2, 4, 8], None, None, None), paths([2, 4, 8], 2, [4, 16], None)
    ([[2, 4, 8]], [[2, 4]])
    """
    if first is not None:
        return [[first, end] for end in as_list(last) if {first, end} <= set(levels)]
    there = [level for level in order if level in levels] if order else levels
    return [there] if len(there) > 1 else []


def turning(table: pd.DataFrame, levels: list[Any], sign: int) -> str:
    """Return the steps between levels that go the other way for sure, as the end of a reason."""
    turns = []
    for a, b in pairwise(levels) if len(levels) > 2 else ():
        step = (table[b] - table[a]).dropna()
        if shown_by_seeds(step, "", -sign, "points")["verdict"] == "holds":
            turns.append(f"{step.mean():+.3g} from {a} to {b}")
    return f", but {', '.join(turns)}" if turns else ""


def shown_by_seeds(
    change: pd.Series, name: str, sign: int, unit: str, turns: str = ""
) -> dict[str, Any]:
    """Return what the seeds of one setting show, its numbers with four digits."""
    mean = mean_interval(change, {})
    least, most = (0.0, np.inf) if sign > 0 else (-np.inf, 0.0)
    estimate, low, high = (
        float(f"{value:.4g}") for value in (mean.estimate, mean.low, mean.high)
    )
    reason = f"{number_as_text(estimate, low, high, unit)}, n = {len(change)}{turns}"
    verdict = evident(mean.low, mean.high, least, most)
    return {
        "setting": name,
        "verdict": verdict,
        "estimate": estimate,
        "low": low,
        "high": high,
        "error": float(f"{change.std() / len(change) ** 0.5:.4g}"),
        "reason": reason,
    }


def over_settings(
    changes: dict[tuple[str, str], pd.Series],
    what: str,
    sign: int,
    unit: str,
    turns: dict[tuple[str, str], str] | None = None,
) -> Cases:
    """Return the mean changes of settings, those with enough seeds."""
    enough = {
        key: c.dropna() for key, c in changes.items() if c.count() >= FEWEST_SEEDS
    }
    settings = [
        shown_by_seeds(
            c, " ".join(filter(None, key)), sign, unit, (turns or {}).get(key, "")
        )
        for key, c in enough.items()
    ]
    index = (
        pd.MultiIndex.from_tuples(enough, names=["dataset", "setting"])
        if enough
        else None
    )
    values = pd.Series([c.mean() for c in enough.values()], index=index, dtype=float)
    return Cases(values, what, unit=unit, sign=sign, settings=tuple(settings))


def changes(
    rows: pd.DataFrame, *, level: str, first: Any, last: Any, sign: int = 1
) -> Cases:
    """The value of each network changes from one `level` to others, its seeds averaged."""
    table = rows.pivot_table(index=network_columns(rows), columns=level, values="value")
    table = with_members(table, first, last)[[first, *as_list(last)]].dropna()
    change = table[as_list(last)].mean(axis=1) - table[first]
    what = f"{level} from {readable(first)} to {readable(last)}"
    if level == "metric":
        # two metrics are no steps of one thing
        what = f"{readable(last)} less {readable(first)}"
    return Cases(change, what, unit="points", sign=sign)


def between(
    rows: pd.DataFrame,
    *,
    column: str,
    first: Names,
    second: Names,
    sign: int,
    log: bool = False,
    y: str = "value",
) -> Cases:
    """The mean of `second` less that of `first` over networks, their seeds averaged.

    Where a group is one kind of model the sentence names it, and its networks are drawn singly.
    """
    groups = (as_list(first), as_list(second))
    rows = rows.assign(kin=rows["kin"] if "kin" in rows else rows["case"], one="")
    keys = ["dataset" if "dataset" in rows else "one", "case", "kin", column]
    table = rows.groupby(keys)[y].mean().dropna().reset_index()
    for group in groups:
        members = table[column].isin(group)
        if table.loc[members, "kin"].nunique() == 1:
            table.loc[members, "kin"] = table.loc[members, "case"]
    table = table[table[column].isin([*groups[0], *groups[1]])].set_index(keys[:3])
    if not all(table[column].isin(group).any() for group in groups):
        table = table.iloc[:0]  # one group alone differs from nothing

    def interval_of(table: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        values = np.log(table[y]) if log else table[y]
        means = []
        for group in groups:
            members = table[column].isin(group).to_numpy()
            of_group = {
                name: np.asarray(levels)[members] for name, levels in clusters.items()
            }
            means.append(mean_of_group(values[members], of_group))
        return difference_interval(*means)

    what = f"{readable(second)} {'over' if log else 'less'} {readable(first)}"
    unit = {"corruption_robustness": "of the clean accuracy"}.get(y, "points")
    unit = "log ratio" if log else unit
    return Cases(table, what, unit=unit, sign=sign, interval_of=interval_of)


class GroupMean(NamedTuple):
    """The mean of a group of networks, its squared error, and their degrees of freedom."""

    mean: float
    variance: float
    df: float


def mean_of_group(values: pd.Series, clusters: dict[str, np.ndarray]) -> GroupMean:
    """Return the mean of networks, with the error of as many drawn singly."""
    singly = drawn_singly(len(values), clusters).n if len(values) > 1 else 1.0
    return GroupMean(values.mean(), values.var(ddof=1) / singly, singly - 1)


def difference_interval(first: GroupMean, second: GroupMean) -> Interval:
    """Return the second mean less the first, with Welch's degrees of freedom."""
    difference = second.mean - first.mean
    if min(first.df, second.df) < 1:
        return Interval(difference)
    variance = first.variance + second.variance
    df = variance**2 / (first.variance**2 / first.df + second.variance**2 / second.df)
    return t_interval(difference, variance**0.5, df)


def rises_more(
    rows: pd.DataFrame,
    *,
    level: str,
    low: Any,
    high: Any,
    column: str,
    first: Names,
    second: Names,
    sign: int,
) -> Cases:
    """From one `level` to another the value of `second` rises more (or less) than `first`'s."""
    keys = [key for key in ("dataset", "case", "kin", column) if key in rows]
    table = rows.pivot_table(index=keys, columns=level, values="value")
    table = with_members(table, low, high)
    change = (table[high] - table[low]).dropna().rename("value").reset_index()
    return between(change, column=column, first=first, second=second, sign=sign)


def moves_more(
    rows: pd.DataFrame, *, level: str, metric: str, than: Names, sign: int = 1
) -> Cases:
    """Over the levels `metric` varies more, relative to its mean, than others; one a seed."""
    changes = {}
    for dataset, words, group in alike_but_for(rows, level):
        table = group.pivot_table(
            index=["metric", "seed"], columns=level, values="value"
        )
        # metrics have different units, so that ranges are compared as shares of means
        ratio = (table.max(axis=1) - table.min(axis=1)) / table.mean(axis=1)
        there = ratio.index.get_level_values(0)
        for other in as_list(than):
            if {metric, other} <= set(there):
                changes[dataset, f"{words}, {metric} less {other}"] = (
                    ratio[metric] - ratio[other]
                )
    return over_settings(
        changes, f"relative range over {readable(level)}", sign, "of the mean"
    )


def paired(
    rows: pd.DataFrame,
    *,
    column: str,
    first: str,
    second: str,
    keys: list[str],
    sign: int,
    log: bool = False,
    margin: float = 0.0,
) -> Cases:
    """The mean difference of the networks that have both, `second` less `first`."""
    keys = list(dict.fromkeys([*network_columns(rows), *keys]))
    table = rows.pivot_table(index=keys, columns=column, values="value")
    table = with_members(np.log(table) if log else table, first, second)
    change = (table[second] - table[first]).dropna()
    what = f"{second} {'over' if log else 'less'} {first}"
    unit = "log ratio" if log else "points"
    return Cases(change, what, unit=unit, sign=sign, margin=margin)


def mean_effect(rows: pd.DataFrame, *, value: str, sign: int) -> Cases:
    """The mean of a column, one value a simulated sample."""
    return Cases(
        rows[value].reset_index(drop=True), readable(value), unit="", sign=sign
    )


def families_rise(
    rows: pd.DataFrame, *, x: str, sign: int = 1, at_least: int = 3, y: str = "value"
) -> Cases:
    """Within each family of `at_least` sizes, `y` rises (or falls) with `x`."""
    keys = [c for c in ("dataset", "author", "siblings", "kin") if c in rows]
    cases = {
        name: sign * spearmanr(group[x], group[y]).statistic > 0
        for name, group in rows.dropna(subset=[x, y]).groupby(keys)
        if group[x].nunique() >= at_least and group[y].nunique() > 1
    }
    word = "rising" if sign > 0 else "falling"
    of = rows["metric"].iloc[0] if y == "value" and "metric" in rows else readable(y)
    what = f"families whose {of} is {word} with {x}"
    return Cases(pd.Series(cases, dtype=bool).rename_axis(keys), what)


def nearest(
    rows: pd.DataFrame, *, column: str, member: Names, than: Names, by: str
) -> Cases:
    """Each `member` has a lower value than the `than` network that is nearest to it in `by`."""
    ours, others = (rows[rows[column].isin(as_list(g))] for g in (member, than))
    cases = {
        row["case"]: row["value"]
        < others.loc[(others[by] - row[by]).abs().idxmin(), "value"]
        for _, row in ours.iterrows()
        if len(others)
    }
    what = f"{readable(member)} below {readable(than)} nearest in {by}"
    return Cases(pd.Series(cases, dtype=bool).rename_axis("case"), what)


def families_explain(rows: pd.DataFrame, *, given: list[str]) -> Cases:
    """Families explain some of the value's variance (in logs) that the columns `given` leave.

    The estimate is the adjusted partial eta squared, its interval that of the noncentral F.
    """
    keys = [*network_columns(rows), "family"]
    rows = rows.dropna(subset=[*given, "value"])
    firsts = rows.groupby(keys)[given].first()
    rows = firsts.assign(value=rows.groupby(keys)["value"].mean()).reset_index("family")
    rows = rows[rows.groupby("family")["value"].transform("size") >= 3]

    def interval_of(rows: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        y = np.log(rows["value"].to_numpy())
        smaller = np.column_stack([np.ones(len(y)), dummies(rows[given])])
        larger = np.column_stack([smaller, dummies(rows[["family"]])])
        return explained_interval(y, smaller, larger)

    what = f"share of what {readable(given)} leaves that families explain"
    return Cases(rows, what, unit="share of variance", interval_of=interval_of)


def dummies(columns: pd.DataFrame) -> np.ndarray:
    """Return numbers as they are, and a column for each level but the first of the others."""
    return pd.get_dummies(columns, drop_first=True, dtype=float).to_numpy()


def explained_interval(
    y: np.ndarray, smaller: np.ndarray, larger: np.ndarray
) -> Interval:
    """Return the share of variance that a larger least-squares fit explains of what is left.

    The interval of the adjusted partial eta squared is that of the noncentrality of F, divided by
    itself and the number of samples (Steiger 2004). It is NaN with too few degrees of freedom.
    """
    before, after = residual(y, smaller), residual(y, larger)
    more = before.df - after.df
    if more < 1 or after.df < FEWEST:
        return Interval(np.nan)
    error = after.sum_of_squares / after.df
    statistic = (before.sum_of_squares - after.sum_of_squares) / more / error

    # where so much power is too much, scipy may find NaN for nil
    def beyond(power: float, tail: float) -> float:
        return np.nan_to_num(ncf.cdf(statistic, more, after.df, power)) - tail

    # the noncentrality for which so much of the F distribution lies beyond what was found
    def share(tail: float) -> float:
        if f.cdf(statistic, more, after.df) < tail:
            return 0.0
        power = brentq(beyond, 0, 1000 + 4 * statistic * more, args=(tail,))
        return power / (power + len(y))

    eta = 1 - error / (before.sum_of_squares / before.df)

    # of both sides, as that of a mean is: F has one, so that its tail counts twice
    def p(bound: float) -> float:
        power = len(y) * bound / (1 - bound)
        # of no noncentrality scipy's own function is not to be trusted
        law = ncf(more, after.df, power) if power > 0 else f(more, after.df)
        below_found = float(law.cdf(statistic))
        return min(1.0, 2 * (1 - below_found if eta > bound else below_found))

    return Interval(eta, share(0.975), share(0.025), p)


class Residual(NamedTuple):
    """What a least-squares fit leaves."""

    sum_of_squares: float
    df: int


def residual(y: np.ndarray, x: np.ndarray) -> Residual:
    """Return what a least-squares fit of `y` by the columns of `x` leaves."""
    fit = np.linalg.lstsq(x, y, rcond=None)[0]
    sum_of_squares = ((y - x @ fit) ** 2).sum()
    return Residual(sum_of_squares, len(y) - np.linalg.matrix_rank(x))


def pareto(table: pd.DataFrame, x: str, y: str) -> np.ndarray:
    """Return which rows no other row undercuts in both columns."""
    points = table[[x, y]].to_numpy(float)
    # every point against every other: a network that is as good in both undercuts nobody
    no_worse = (points[:, None] <= points).all(axis=2)
    return ~(no_worse & (points[:, None] < points).any(axis=2)).any(axis=0)


def stays_pareto(
    rows: pd.DataFrame, *, column: str, first: Any, others: list[Any]
) -> Cases:
    """Networks that are Pareto-optimal in error and ECE at `first` are so at the `others`."""
    table = (
        rows.groupby([column, *network_columns(rows), "metric"])["value"]
        .mean()
        .unstack()
    )
    table = (
        table[["Accuracy", "ECE"]].dropna().assign(Error=lambda t: 100 - t["Accuracy"])
    )
    levels = {level: t.droplevel(0) for level, t in table.groupby(level=0)}
    best = {level: t.index[pareto(t, "Error", "ECE")] for level, t in levels.items()}
    there = [level for level in others if {first, level} <= set(best)]
    cases = {n: pd.Series(best[first].isin(best[n]), index=best[first]) for n in there}
    what = f"Pareto-optimal at {column} {readable(first)} and {readable(others)}"
    return Cases(
        pd.concat(cases, names=["level"]) if cases else pd.Series(dtype=bool), what
    )


def overfits(
    rows: pd.DataFrame, *, metric: Names, while_metric: str | None = None
) -> Cases:
    """At the end of training each test `metric` is above its minimum by more than a hundredth.

    With `while_metric` that one's test value is meanwhile no worse than it was at the minimum.
    """
    cases = {}
    for case, curve in rows[rows["split"] == "test"].groupby("case"):
        table = curve.pivot_table(index="step", columns="metric", values="value")
        for name in as_list(metric):
            best, end = table.loc[table[name].idxmin()], table.iloc[-1]
            gain = while_metric is None or end[while_metric] >= best[while_metric]
            cases[case, name] = bool(gain and end[name] > 1.01 * best[name])
    also = f" while {while_metric} gets no worse" if while_metric else ""
    rising = pd.Series(cases, dtype=bool).rename_axis(["case", "metric"])
    return Cases(rising, f"{readable(metric)} rising again{also}")


def ends(
    rows: pd.DataFrame,
    *,
    metric: Names,
    split: str,
    below: float = np.inf,
    above: float = -np.inf,
) -> Cases:
    """The last value of a curve, or of each metric's, lies between two limits."""
    curves = rows[(rows["split"] == split) & rows["metric"].isin(as_list(metric))]
    if curves.empty:
        return Cases(pd.Series(dtype=bool), f"no {readable(metric)} of {split}")
    last = curves.loc[curves.groupby(["name", "metric"])["step"].idxmax()]
    return limit(last.assign(method="last"), member="last", below=below, above=above)
