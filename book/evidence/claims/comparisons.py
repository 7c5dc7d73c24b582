"""Tests that compare the columns of a table, mostly methods: one row a case."""

from dataclasses import replace
from math import pi

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from book.evidence.claims.findings import judge_effect, judge_share, label
from book.evidence.claims.frames import as_list, names, wide


def lower(rows, *, member, than, quantifier, by=0.0, factor=1.0, column="method", given=None):
    """`member` is lower than `than`, or than `factor` of it, by more than `by`.

    `given` keeps cases below a limit.
    """
    table = wide(rows, column)
    table = table.reindex(columns=table.columns.union([*as_list(member), *as_list(than)]))
    if given:
        table = table[table[given["member"]] < given["below"]]
    cases = {
        f"{a} and {b}": (table[a] < factor * table[b] - by)[table[[a, b]].notna().all(axis=1)]
        for a in as_list(member)
        for b in as_list(than)
    }
    cases = pd.concat(cases, names=["pair"]) if len(cases) > 1 else next(iter(cases.values()))
    gap = f" by more than {by:g}" if by > 0 else f" or at most {-by:g} above" if by else ""
    part = "" if factor == 1 else f"{factor:g} of "
    what = f"{names(member)} lower than {part}{names(than)}{gap}"
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


def below_all_others(rows, *, member, column, quantifier):
    """Each `member` is lower than every other network of its data set; one network a case."""
    named = rows[column] == member
    least = rows[~named].groupby("dataset")["value"].min()
    ours = rows[named].set_index(["dataset", "case"])["value"]
    least = least.reindex(ours.index.get_level_values("dataset")).to_numpy()
    found = judge_share(ours < least, quantifier, f"{member} below all others")
    told = [
        f"{label(i)} {a:.3g}, least {b:.3g}" for (i, a), b in zip(ours.items(), least, strict=True)
    ]
    return replace(found, reason=f"{found.reason}; {'; '.join(told)}")


def near_lowest(rows, *, member, within, quantifier, column="method"):
    """`member` is at most `within` above the lowest of the row."""
    table = wide(rows, column).dropna(subset=[member])
    cases = table[member] <= table.min(axis=1) + within
    return judge_share(cases, quantifier, f"{member} within {within:g} of the lowest")


def limit(rows, *, member, quantifier, below=np.inf, above=-np.inf, column="method", given=None):
    """The value of `member` lies between two limits; `given` keeps cases above a limit."""
    table = wide(rows, column)
    what = member
    if given:
        table = table[table[given["member"]] > given["above"]]
        what += f" where {given['member']} is above {given['above']:g}"
    values = table[member].dropna()
    bounds = " and ".join(
        f"{word} {x:g}" for word, x in (("above", above), ("below", below)) if np.isfinite(x)
    )
    return judge_share((values > above) & (values < below), quantifier, f"{what} {bounds}")


def by_chance(rows, member, factor):
    """Return 100 sqrt(factor B / n) of each case, B being the Brier score of its n confidences.

    Scores s of a calibrated network have the mean Brier score B = mean of s (1 - s).
    """
    brier = rows[(rows["metric"] == "Top-1 Brier") & (rows["method"] == member)]
    chance = 100 * np.sqrt(factor * brier["value"] / brier["n"])
    return chance.groupby(brier["case"]).mean()


def ece_above(rows, *, member, above, quantifier, n_bins=15):
    """The ECE of `member` is above a limit; the reason says what chance can make of it.

    A bin with m of n calibrated scores whose mean of s (1 - s) is b has the mean gap
    sqrt(2 b / (pi m)), if m is not small, so that the ECE over M bins is at most
    sqrt(2 M B / (pi n)) on average (Cauchy and Schwarz).
    """
    rows = rows[rows["metric"].isin(["ECE", "Top-1 Brier"])]
    ece = rows[rows["metric"] == "ECE"]
    found = limit(ece, member=member, above=above, quantifier=quantifier)
    most = by_chance(rows, member, 2 * n_bins / pi)
    if most.empty:
        return found
    value = ece[ece["method"] == member].groupby("case")["value"].mean()
    known = value.index.intersection(most.index)
    within = known[value[known] <= most[known]]
    named = f" ({', '.join(within)})" if 0 < len(within) <= 5 else ""
    told = f"of the {len(known)} with known size {len(within)} could be chance{named}"
    return replace(found, reason=f"{found.reason}; {told}")


def ks_below(rows, *, member, below, quantifier, metric="KS"):
    """The KS error of `member` is below a limit; the reason says what a calibrated network has.

    The cumulative gap of n calibrated scores is nearly a Brownian motion run for the mean of
    s (1 - s), which is their mean Brier score B: its largest value is sqrt(pi B / 2n) on average.
    """
    found = limit(rows[rows["metric"] == metric], member=member, below=below, quantifier=quantifier)
    each = by_chance(rows, member, pi / 2)
    if each.empty:
        return found
    level = f"a calibrated network of that size has {each.min():.2f} to {each.max():.2f} on average"
    small = f"{(each >= below).sum()} of {len(each)} of them above {below:g}"
    return replace(found, reason=f"{found.reason}; {level}, {small}")


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
    peak = wide(rows).max().rename_axis("case")
    return judge_share(peak > above, "always", f"above {above:g} on some network")


def winners_differ(rows, *, metrics, quantifier):
    """The lowest method by one metric is not the lowest by another."""
    first, second = (wide(rows[rows["metric"] == m]).idxmin(axis=1) for m in metrics)
    networks = first.index.intersection(second.index)
    cases = first[networks] != second[networks]
    return judge_share(cases, quantifier, f"best by {metrics[0]} not best by {metrics[1]}")


def winners_differ_by_metric(rows, *, first, second, sign=1):
    """The best methods by two metrics differ more often than the best by one, halves compared.

    Each network's test set is split into random halves: the metric that ranks on one half is then
    compared with another, or with itself, on the other half.
    """
    pairs = rows.set_index(["dataset", "case", "first", "second"])["differs"].unstack([2, 3])
    across = pairs[first, second] if (first, second) in pairs else pairs[second, first]
    alone = (pairs[first, first] + pairs[second, second]) / 2
    what = (
        f"best by {first} not best by {second} in {across.mean():.0%} of the splits, "
        f"by one metric alone in {alone.mean():.0%}"
    )
    return judge_effect(across - alone, sign, what, unit="of the splits")


def steadier(rows, *, metric, than, sign=1):
    """Two halves of a test set order the methods more alike by one metric than by others."""
    alone = rows[rows["first"] == rows["second"]]
    taus = alone.pivot_table(index=["dataset", "case"], columns="first", values="tau")
    metric, than = as_list(metric), as_list(than)
    change = taus[metric].mean(axis=1) - taus[than].mean(axis=1)
    what = f"agreement of halves (tau) by {names(metric)} less that by {names(than)}"
    return judge_effect(change.dropna(), sign, what, unit="tau")


def needs_data(rows, *, members, than, metric, few, quantifier):
    """With `few` samples or fewer each of `members` is worse than `than`, with all no worse.

    A fit without a minimum counts as worse.
    """
    mean = rows.assign(value=rows[metric].astype(float).fillna(np.inf))
    mean = (
        mean.groupby(["dataset", "case", "calibrator", "n"])["value"].mean().unstack("calibrator")
    )
    cases = {}
    for (dataset, case), sizes in mean[mean.index.get_level_values("n") > 0].groupby(level=[0, 1]):
        sizes = sizes.droplevel([0, 1])
        for member in members:
            worse = sizes[member] > sizes[than]
            cases[dataset, case, member] = bool(worse[worse.index <= few].all()) and not bool(
                worse.iloc[-1]
            )
    cases = pd.Series(cases, dtype=bool).rename_axis(["dataset", "case", "pair"])
    what = f"{metric} above that of {than} with {few} samples or fewer, not above it with all"
    return judge_share(cases, quantifier, what)


def rank_correlations(rows, pair, along):
    """Return Kendall's tau of the methods' order between two metrics or data sets, each case's.

    A method that fails in one of the two is left out.
    """
    first, second = (wide(rows[rows[along] == value].drop(columns=along)) for value in pair)
    first, second = first.align(second, join="inner")
    taus = [
        kendalltau(first.loc[case], second.loc[case], nan_policy="omit").statistic
        for case in first.index
    ]
    return pd.Series(taus, index=first.index, dtype=float).dropna()


def agreement(rows, *, pair, along="metric", sign=1, margin=0.0):
    """The methods come in a like order by two metrics, or on two data sets."""
    taus = rank_correlations(rows, pair, along)
    what = f"order of methods by {pair[0]} and by {pair[1]}"
    return judge_effect(taus, sign, what, unit="tau", margin=margin)


def agrees_more(rows, *, pair, than, sign=1):
    """The first metric orders the methods more like the second than others do on average."""
    first, second = pair
    others = [rank_correlations(rows, (other, second), "metric") for other in than]
    change = rank_correlations(rows, pair, "metric") - sum(others) / len(others)
    what = f"order of methods by {first} and by {second}, less that by {names(than)} and {second}"
    return judge_effect(change.dropna(), sign, what, unit="tau")


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
    below_all_others,
    near_lowest,
    limit,
    ece_above,
    ks_below,
    unchanged,
    ordered,
    second_when_beaten,
    close_when_beaten,
    somewhere_above,
    winners_differ,
    winners_differ_by_metric,
    steadier,
    needs_data,
    agreement,
    agrees_more,
    largest_relative_gap,
)
