"""Tests of how networks differ: trends, differences of groups, families, fronts and curves."""

from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import f, ncf, spearmanr, ttest_ind

from book.evidence.claims.comparisons import limit
from book.evidence.claims.findings import (
    Z95,
    Finding,
    judge_effect,
    judge_interval,
    judge_share,
    not_tested,
)
from book.evidence.claims.frames import as_list, names, wide


def correlates(rows, *, x, y, sign, margin=0.0, along=None):
    """Spearman's correlation of two columns over networks.

    The interval is that of Bonett and Wright (2000). With `along`, `x` and `y` are values of that
    column instead.
    """
    table = rows if along is None else wide(rows, along)
    if not {x, y} <= set(table.columns):
        return not_tested(f"{x} or {y} is missing")
    pairs = table[[x, y]].dropna()
    n = len(pairs)
    at = "" if along in (None, "metric") else f"{rows['metric'].iloc[0]} at {along} "
    what = f"correlation of {at}{names(x)} and {names(y)}"
    if n < 5:
        return not_tested(f"{what}: {n} networks", n)
    rho = float(np.clip(spearmanr(pairs[x], pairs[y]).statistic, -1 + 1e-9, 1 - 1e-9))
    z, half = np.arctanh(rho), Z95 * ((1 + rho**2 / 2) / (n - 3)) ** 0.5
    low, high = np.tanh([z - half, z + half])
    found = judge_interval((low + high) / 2, (high - low) / 2, n, sign, what, "rho", margin)
    reason = f"{what}: {rho:+.2f} ({low:+.2f} to {high:+.2f}), n = {n}"
    return Finding(found.verdict, rho, float(low), float(high), n, "rho", reason)


def trend(rows, *, level, sign, first=None, last=None, margin=0.0):
    """The value changes from the first `level` to the last (or the mean of several), a seed each.

    Other settings that vary are averaged over.
    """
    table = rows.pivot_table(index="seed", columns=level, values="value", aggfunc="mean")
    if table.shape[1] < 2:
        return not_tested(f"{level}: {table.shape[1]} of at least two levels are there")
    first, last = as_list(table.columns[0] if first is None else first), as_list(last)
    last = [table.columns[-1]] if last == [None] else last
    missing = [str(c) for c in first + last if c not in table.columns]
    if missing:
        return not_tested(f"{level}: {', '.join(missing)} not there")
    ends = [table.reindex(columns=c).mean(axis=1, skipna=False) for c in (first, last)]
    change = (ends[1] - ends[0]).dropna()
    what = f"{level} from {names(first)} to {names(last)}"
    return judge_effect(change, sign, what, unit="points", margin=margin)


def rises(rows, *, level, quantifier):
    """The mean over seeds rises from each `level` to the next."""
    mean = rows.groupby(level)["value"].mean()
    steps = {f"{a} to {b}": mean[b] > mean[a] for a, b in pairwise(mean.index)}
    return judge_share(steps, quantifier, f"rising with {level}")


def between(rows, *, column, first, second, sign, log=False, margin=0.0, y="value"):
    """The mean of `second` less that of `first`, with Welch's interval over networks."""
    groups = [rows.loc[rows[column].isin(as_list(g)), y].dropna() for g in (first, second)]
    groups = [np.log(g) if log else g for g in groups]
    n = sum(map(len, groups))
    what = f"{names(second)} {'over' if log else 'less'} {names(first)}"
    if min(map(len, groups)) < 2:
        return not_tested(f"{what}: {len(groups[1])} and {len(groups[0])} networks", n)
    interval = ttest_ind(groups[1], groups[0], equal_var=False).confidence_interval()
    mean, half = groups[1].mean() - groups[0].mean(), (interval.high - interval.low) / 2
    unit = "log ratio" if log else "points"
    return judge_interval(mean, half, n, sign, what, unit, margin)


def rises_more(rows, *, level, low, high, column, first, second, sign):
    """From one `level` to another the value of `second` rises more (or less) than `first`'s."""
    keys = [key for key in ("case", "seed", column) if key in rows]
    table = rows.pivot_table(index=keys, columns=level, values="value", aggfunc="mean")
    if not {low, high} <= set(table.columns):
        return not_tested(f"{level}: {low} or {high} is missing")
    change = (table[high] - table[low]).dropna().rename("value").reset_index()
    return between(change, column=column, first=first, second=second, sign=sign)


def moves_more(rows, *, level, metric, than, sign=1):
    """Over the levels `metric` varies more, relative to its mean, than another; one a seed."""
    table = rows.pivot_table(index=["metric", "seed"], columns=level, values="value")
    ratio = (table.max(axis=1) - table.min(axis=1)) / table.mean(axis=1)
    if not {metric, than} <= set(table.index.get_level_values(0)):
        return not_tested(f"{metric} or {than} is missing")
    what = f"relative range of {metric} over {level} less that of {than}"
    return judge_effect((ratio[metric] - ratio[than]).dropna(), sign, what, unit="of the mean")


def paired(rows, *, column, first, second, keys, sign, log=False, margin=0.0):
    """The mean difference of the networks that have both, `second` less `first`."""
    table = rows.pivot_table(index=keys, columns=column, values="value", aggfunc="mean")
    table = np.log(table) if log else table
    what = f"{second} {'over' if log else 'less'} {first}"
    if not {first, second} <= set(table.columns):
        return not_tested(f"{what}: one of them is missing")
    change = (table[second] - table[first]).dropna()
    return judge_effect(change, sign, what, unit="log ratio" if log else "points", margin=margin)


def families_rise(rows, *, x, quantifier, sign=1, at_least=3, y="value"):
    """Within each family of `at_least` sizes, `y` rises (or falls) with `x`."""
    cases = {
        name: sign * spearmanr(group[x], group[y]).statistic > 0
        for name, group in rows.dropna(subset=[x, y]).groupby("siblings")
        if group[x].nunique() >= at_least and group[y].nunique() > 1
    }
    word = "rising" if sign > 0 else "falling"
    of = rows["metric"].iloc[0] if y == "value" and "metric" in rows else names(y)
    return judge_share(cases, quantifier, f"families whose {of} is {word} with {x}")


def nearest(rows, *, column, member, than, by, quantifier):
    """Each `member` has a lower value than the `than` network that is nearest to it in `by`."""
    ours, others = (rows[rows[column].isin(as_list(g))] for g in (member, than))
    cases = {
        row["case"]: row["value"] < others.loc[(others[by] - row[by]).abs().idxmin(), "value"]
        for _, row in ours.iterrows()
        if len(others)
    }
    what = f"{names(member)} below {names(than)} nearest in {by}"
    return judge_share(cases, quantifier, what)


def families_explain(rows, *, given):
    """Families explain some of the value's variance (in logs) that the columns `given` leave.

    The estimate is the adjusted partial eta squared, its interval that of the noncentral F.
    """
    rows = rows.dropna(subset=[*given, "value"])
    rows = rows[rows.groupby("family")["value"].transform("size") >= 3]
    y = np.log(rows["value"].to_numpy())
    covariates = pd.get_dummies(rows[given], drop_first=True, dtype=float).to_numpy()
    small = np.column_stack([np.ones(len(rows)), covariates])
    families = pd.get_dummies(rows["family"], drop_first=True, dtype=float).to_numpy()
    large = np.column_stack([small, families])
    df1 = np.linalg.matrix_rank(large) - np.linalg.matrix_rank(small)
    n = len(y)
    df2 = n - np.linalg.matrix_rank(large)
    if df1 < 1 or df2 < 5:
        return not_tested(f"{n} networks of {df1 + 1} families", n)
    rest = [((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2).sum() for x in (small, large)]
    statistic = (rest[0] - rest[1]) / df1 / (rest[1] / df2)

    def share(tail):
        if f.cdf(statistic, df1, df2) < tail:
            return 0.0
        power = brentq(lambda nc: ncf.cdf(statistic, df1, df2, nc) - tail, 0, 1e4)
        return power / (power + n)

    low, high = share(0.975), share(0.025)
    eta = 1 - rest[1] / df2 / (rest[0] / (df1 + df2))
    what = f"families explain {eta:.0%} ({low:.0%} to {high:.0%}) of what {names(given)} leaves"
    verdict = "holds" if low > 0 else "mixed"
    return Finding(verdict, eta, low, high, n, "share of variance", f"{what}, n = {n}")


def pareto(table, x, y):
    """Return which rows no other row undercuts in both columns."""
    return np.array(
        [
            not ((table[x] <= a) & (table[y] <= b) & ((table[x] < a) | (table[y] < b))).any()
            for a, b in zip(table[x], table[y], strict=True)
        ],
        dtype=bool,
    )


def stays_pareto(rows, *, column, first, others, quantifier):
    """Networks that are Pareto-optimal in error and ECE at `first` are so at the `others`."""
    tables = {
        level: rows[rows[column] == level]
        .pivot_table(index="case", columns="metric", values="value")
        .dropna()
        .assign(Error=lambda t: 100 - t["Accuracy"])
        for level in [first, *others]
    }
    if len(tables[first]) < 3:
        return not_tested(f"{len(tables[first])} networks are too few for a front")
    tables = {level: t[pareto(t, "Error", "ECE")].index for level, t in tables.items() if len(t)}
    cases = {
        f"{case} at {level}": case in tables[level]
        for level in others
        for case in tables.get(first, [])
        if level in tables
    }
    what = f"Pareto-optimal at {column} {names(first)} and {names(others)}"
    return judge_share(cases, quantifier, what)


def overfits(rows, *, metric, quantifier, while_metric=None):
    """At the end of training the test `metric` is above its minimum by more than a hundredth.

    With `while_metric` that one's test value is meanwhile no worse than it was at the minimum.
    """
    cases = {}
    for case, curve in rows[rows["split"] == "test"].groupby("case"):
        table = curve.pivot_table(index="step", columns="metric", values="value")
        best, end = table.loc[table[metric].idxmin()], table.iloc[-1]
        rose = end[metric] > 1.01 * best[metric]
        gain = while_metric is None or end[while_metric] >= best[while_metric]
        cases[case] = bool(rose and gain)
    also = f" while {while_metric} gets no worse" if while_metric else ""
    return judge_share(cases, quantifier, f"{metric} rises again{also}")


def ends(rows, *, metric, split, quantifier, below=np.inf, above=-np.inf):
    """The last value of a curve lies between two limits."""
    last = rows[(rows["split"] == split) & (rows["metric"] == metric)]
    last = last.loc[last.groupby("name")["step"].idxmax()] if len(last) else last
    return limit(
        last.assign(method="last"),
        member="last",
        quantifier=quantifier,
        below=below,
        above=above,
    )


TESTS = (
    correlates,
    trend,
    rises,
    between,
    rises_more,
    moves_more,
    paired,
    families_rise,
    nearest,
    families_explain,
    stays_pareto,
    overfits,
    ends,
)
