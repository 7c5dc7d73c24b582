"""Tests of how networks differ: trends, differences of groups, families, fronts and curves."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import f, linregress, ncf, spearmanr

from book.evidence.claims.comparisons import limit
from book.evidence.claims.findings import (
    FEWEST_NETWORKS,
    FEWEST_SEEDS,
    combine,
    judge_effect,
    judge_interval,
    judge_share,
    not_tested,
    of_families,
    of_one_verdict,
)
from book.evidence.claims.frames import as_list, names, wide

SETTINGS = (
    "dataset",
    "family",
    "depth",
    "width",
    "batch_norm",
    "initialisation",
    "loss",
    "weight_decay",
    "label_noise",
    "training_images",
    "augmentation",
    "precision",
    "epochs",
)


TELLING = {
    "depth": "depth {}",
    "width": "width {}",
    "loss": "{}",
    "training_images": "{} images",
    "epochs": "{} epochs",
}
UNITS = {"corruption_robustness": "of the clean accuracy"}  # of anything else: points


def families_of(pairs, rows):
    """Return the family of each network of a table, itself where none is known."""
    if "family" not in rows:
        return pairs.index
    if "case" in pairs.index.names:
        cases = pairs.index.get_level_values("case")
        known = rows.drop_duplicates("case").set_index("case")["family"]
        return known[cases].fillna(dict(zip(cases, cases, strict=True))).to_numpy()
    known = rows.loc[pairs.index, "family"]
    return known.fillna(known.index.to_series().astype(str)).to_numpy()


def correlates(rows, *, x, y, sign, margin=0.0, along=None):
    """Spearman's correlation of two columns over networks.

    The interval is that of Bonett and Wright (2000), for a perfect order that of one with two
    neighbours exchanged, since its own has no width, and wider by what families have in common
    (`of_families`); by counting, the coefficient itself is what counts. With `along`, `x` and `y`
    are values of that column instead.
    """
    table = rows if along is None else wide(rows, along)
    if not {x, y} <= set(table.columns):
        return not_tested(f"{x} or {y} is missing")
    pairs = table[[x, y]].dropna()
    n, families = len(pairs), families_of(pairs, rows)
    at = "" if along in (None, "metric") else f"{rows['metric'].iloc[0]} at {along} "
    what = f"correlation of {at}{names(x)} and {names(y)}"
    if n < FEWEST_NETWORKS:
        few = not_tested(f"{what}: {n} networks", n)
        return replace(few, by_words="too few cases", as_mostly="too few cases")

    def rank_correlation(some):
        return float(spearmanr(some[x], some[y]).statistic)

    rho = rank_correlation(pairs)
    exchanged = 1 - 12 / (n * (n**2 - 1))
    z = np.arctanh(np.clip(rho, -exchanged, exchanged))
    wider, df = of_families(rank_correlation, pairs, families, np.inf)
    error = ((1 + rho**2 / 2) / (n - 3)) ** 0.5 * wider
    found = judge_interval(z, error, df, sign, what, "rho", np.arctanh(margin))
    low, high = np.tanh([found.low, found.high])
    reason = f"{what}: {rho:+.2f} ({low:+.2f} to {high:+.2f}), n = {n}{in_families(families)}"
    on_side = sign * rho > margin if sign else abs(rho) < margin
    counted = "holds" if on_side else "fails"
    values = {"estimate": rho, "low": float(low), "high": float(high), "n": n, "reason": reason}
    values |= {"least": float(np.tanh(found.least)), "most": float(np.tanh(found.most))}
    return replace(found, counted=counted, **values)


def in_families(families):
    """Return how many families networks belong to, as the end of a reason."""
    n_families = len(set(families))
    return f" in {n_families} families" if 1 < n_families < len(families) else ""


def slope(rows, *, x, y, sign, of, column="method"):
    """The least-squares slope of column `y` on `x` over networks lies above, or below, `of`."""
    pairs = wide(rows, column)[[x, y]].dropna()
    n, families = len(pairs), families_of(pairs, rows)
    what = f"slope of {y} on {x}"
    if n < FEWEST_NETWORKS:
        few = not_tested(f"{what}: {n} networks", n)
        return replace(few, by_words="too few cases", as_mostly="too few cases")
    fit = linregress(pairs[x], pairs[y])
    wider, df = of_families(lambda some: linregress(some[x], some[y]).slope, pairs, families, n - 2)
    error = fit.stderr * wider
    found = judge_interval(fit.slope - of, error, df, sign, what, "slope", 0.0)
    low, high = found.low + of, found.high + of
    counted = "holds" if sign * (fit.slope - of) > 0 else "fails"
    reason = f"{what}: {fit.slope:.2f} ({low:.2f} to {high:.2f}), n = {n}{in_families(families)}"
    values = {"estimate": float(fit.slope), "low": low, "high": high, "n": n, "reason": reason}
    values |= {"least": found.least + of, "most": found.most + of}
    return replace(found, counted=counted, **values)


def alike_but_for(rows, level):
    """Yield each group of settings that differ in nothing but ``level``: data set, words, rows.

    Every comparison that the rows allow is made; none is chosen. The words tell it from others on
    the same data with the same family.
    """
    others = [column for column in SETTINGS if column in rows and column != level]
    groups = rows.groupby(others, dropna=False, sort=True)
    found = [
        (dict(zip(others, key, strict=True)), g) for key, g in groups if g[level].nunique() > 1
    ]
    settings = pd.DataFrame([key for key, _ in found], columns=others)
    among = [column for column in ("dataset", "family") if column in others]
    for key, group in found:
        alike = (settings[among] == pd.Series(key)[among]).all(axis=1)
        telling = [c for c in TELLING if c in others and settings.loc[alike, c].nunique() > 1]
        words = [key.get("family", ""), *(TELLING[c].format(key[c]) for c in telling)]
        yield names(key.get("dataset", "")), ", ".join(filter(None, words)), group


def trend(rows, *, level, sign, first=None, last=None, order=None):
    """In settings that differ in nothing but `level` the value changes from end to end.

    A seed is paired with itself. Ends are the least and the greatest level, or the ends of
    `order`, or `first` and each of `last`; where there are more levels between, a step that goes
    the other way for sure makes the comparison mixed.
    """
    found = {}
    for dataset, words, group in alike_but_for(rows, level):
        table = group.pivot_table(index="seed", columns=level, values="value", aggfunc="mean")
        levels = [c for c in order if c in table] if order else list(table.columns)
        ends = [(levels[0], levels[-1], levels)] if len(levels) > 1 else []
        if first is not None:
            ends = [(first, end, [first, end]) for end in as_list(last)]
            ends = [e for e in ends if {e[0], e[1]} <= set(table.columns)]
        for start, end, between in ends:
            step = f"{start} to {end}" if start is not False else f"with {names(level)}"
            key = (dataset, ", ".join(filter(None, [words, step])))
            found[key] = along_levels(table, between, sign)
    if not found:
        return not_tested(f"{names(level)}: no two settings differ in it alone")
    return combine(found, names(level))


def along_levels(table, levels, sign):
    """The change from the first to the last of the levels, and whether a step turns it."""
    change = (table[levels[-1]] - table[levels[0]]).dropna()
    found = judge_effect(change, sign, "", unit="points", fewest=FEWEST_SEEDS)
    found = replace(found, reason=found.reason.removeprefix(": "))
    steps = [(a, b, (table[b] - table[a]).dropna()) for a, b in pairwise(levels)]
    turns = [
        f"{step.mean():+.3g} from {a} to {b}"
        for a, b, step in steps
        if len(levels) > 2 and judge_effect(step, -sign, "", fewest=FEWEST_SEEDS).verdict == "holds"
    ]
    if turns and found.verdict == "holds":
        reason = f"{found.reason}, but {', '.join(turns)}"
        return replace(found, by_words="mixed", as_mostly="mixed", reason=reason)
    return found


def changes(rows, *, level, first, last, sign, on_average=False):
    """The value of each network changes from one `level` to another, its seeds averaged."""
    index = [c for c in ("dataset", "case") if c in rows]
    table = rows.pivot_table(index=index, columns=level, values="value", aggfunc="mean")
    what = f"{level} from {names(first)} to {names(last)}"
    if not {first, last} <= set(table.columns):
        return not_tested(f"{what}: one of them is missing")
    change = (table[last] - table[first]).dropna()
    return judge_effect(change, sign, what, unit="points", on_average=on_average)


def of_networks(rows, column, y):
    """Return one value a network, its seeds averaged, with the column that groups them."""
    if "seed" not in rows:
        return rows[[column, y]].dropna()
    return rows.groupby(["case", column])[y].mean().dropna().reset_index()


def between(rows, *, column, first, second, sign, log=False, margin=0.0, y="value", each=None):
    """The mean of `second` less that of `first`, with Welch's interval over networks.

    Several families in a group widen it, since networks of one are not drawn singly
    (`of_families`); a group of one family cannot tell. With `each`, the networks of `second` are
    compared for each value of that column apart.
    """
    if each:
        split = rows[rows[column].isin(as_list(second))].groupby(each)
        others = rows[rows[column].isin(as_list(first))]
        rule = {"column": column, "first": first, "second": second, "sign": sign}
        found = {
            ("", str(value)): between(
                pd.concat([others, group]), **rule, log=log, margin=margin, y=y
            )
            for value, group in split
        }
        return combine(found, f"by {each}")
    table = of_networks(rows, column, y)
    values = table.set_index(column)[y]
    groups = [values[values.index.isin(as_list(g))] for g in (first, second)]
    groups = [np.log(g) if log else g for g in groups]
    n = sum(map(len, groups))
    what = f"{names(second)} {'over' if log else 'less'} {names(first)}"
    if min(map(len, groups)) < 2:
        few = not_tested(f"{what}: {len(groups[1])} and {len(groups[0])} networks", n)
        return replace(few, by_words="too few cases", as_mostly="too few cases")
    wider = [of_families(np.mean, g, g.index, len(g) - 1) for g in groups]
    parts = [
        g.var(ddof=1) / len(g) * factor**2 for g, (factor, _) in zip(groups, wider, strict=True)
    ]
    error = sum(parts) ** 0.5
    df = sum(parts) ** 2 / sum(part**2 / own for part, (_, own) in zip(parts, wider, strict=True))
    unit = "log ratio" if log else UNITS.get(y, "points")
    mean = groups[1].mean() - groups[0].mean()
    found = judge_interval(mean, error, df, sign, what, unit, margin)
    among = in_families(np.concatenate([g.index for g in groups]))
    found = replace(found, n=n, reason=f"{found.reason}, n = {n}{among}")
    if n < FEWEST_NETWORKS:
        found = replace(found, by_words="too few cases", as_mostly="too few cases")
    return found


def rises_more(rows, *, level, low, high, column, first, second, sign):
    """From one `level` to another the value of `second` rises more (or less) than `first`'s."""
    keys = [key for key in ("case", column) if key in rows]
    table = rows.pivot_table(index=keys, columns=level, values="value", aggfunc="mean")
    if not {low, high} <= set(table.columns):
        return not_tested(f"{level}: {low} or {high} is missing")
    change = (table[high] - table[low]).dropna().rename("value").reset_index()
    return between(change, column=column, first=first, second=second, sign=sign)


def moves_more(rows, *, level, metric, than, sign=1):
    """Over the levels `metric` varies more, relative to its mean, than others; one a seed."""
    found = {}
    for dataset, words, group in alike_but_for(rows, level):
        table = group.pivot_table(index=["metric", "seed"], columns=level, values="value")
        ratio = (table.max(axis=1) - table.min(axis=1)) / table.mean(axis=1)
        there = ratio.index.get_level_values(0)
        for other in as_list(than):
            if {metric, other} <= set(there):
                what = f"relative range of {metric} less that of {other}"
                change = (ratio[metric] - ratio[other]).dropna()
                unit = "of the mean"
                found[dataset, f"{words}, {metric} and {other}"] = judge_effect(
                    change, sign, what, unit=unit, fewest=FEWEST_SEEDS
                )
    missing = not_tested(f"{metric} or {names(than)} is missing")
    return combine(found, names(level)) if found else missing


def paired(rows, *, column, first, second, keys, sign, log=False, margin=0.0):
    """The mean difference of the networks that have both, `second` less `first`.

    What families have in common widens its interval (`of_families`).
    """
    table = rows.pivot_table(index=keys, columns=column, values="value", aggfunc="mean")
    table = np.log(table) if log else table
    what = f"{second} {'over' if log else 'less'} {first}"
    if not {first, second} <= set(table.columns):
        return not_tested(f"{what}: one of them is missing")
    change = (table[second] - table[first]).dropna()
    families = families_of(change, rows)
    wider, df = of_families(np.mean, change, families, None)
    found = judge_effect(
        change,
        sign,
        what,
        unit="log ratio" if log else "points",
        margin=margin,
        widened=wider,
        df=df,
    )
    return replace(found, reason=f"{found.reason}{in_families(families)}")


def mean_effect(rows, *, value, sign):
    """The mean of a column, one value a simulated sample."""
    return judge_effect(rows[value].reset_index(drop=True), sign, names(value))


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
    if "seed" in rows:
        averaged = [*given, "value"]
        rows = rows.groupby(["case", "family"])[averaged].mean().reset_index()
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
        few = not_tested(f"{n} networks of {df1 + 1} families", n)
        return replace(few, by_words="too few cases", as_mostly="too few cases")
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
    values = (eta, low, high, n, "share of variance", f"{what}, n = {n}")
    rest = {"p": float(f.sf(statistic, df1, df2)), "least": 0.0, "most": np.inf}
    return of_one_verdict(verdict, *values, **rest)


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
        few = not_tested(f"{len(tables[first])} networks are too few for a front")
        return replace(few, by_words="too few cases", as_mostly="too few cases")
    tables = {level: t[pareto(t, "Error", "ECE")].index for level, t in tables.items() if len(t)}
    cases = {
        (case, level): case in tables[level]
        for level in others
        for case in tables.get(first, [])
        if level in tables
    }
    cases = pd.Series(cases, dtype=bool).rename_axis(["case", "level"])
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
    slope,
    trend,
    changes,
    between,
    rises_more,
    moves_more,
    paired,
    mean_effect,
    families_rise,
    nearest,
    families_explain,
    stays_pareto,
    overfits,
    ends,
)
