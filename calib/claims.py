"""The ledger: what the papers claim, judged on three kinds of evidence.

A claim is one testable sentence of a paper, kept in ``data/claims.yml`` together with a test of
this module for each kind of evidence: ``published`` (the papers' own tables), ``public`` (metrics
of public predictions) and ``zoo`` (metrics of our networks). A test takes a tidy frame, one number
a row, and returns a `Finding`. No verdict is ever typed.
"""

import inspect
from dataclasses import asdict, dataclass
from difflib import unified_diff
from functools import cache, partial
from itertools import pairwise

import numpy as np

CASE = ["metric", "dataset", "model", "loss", "method"]
PAPERS = ("guo2017", "nixon2019", "gupta2021", "vasilev2021", "minderer2021")
EVIDENCE = ("published", "public", "zoo")
FRAMES = {
    "published": ("tables",),
    "public": ("metrics", "details", "missing_mass", "quba", "calibench"),
    "zoo": ("metrics", "details", "curves", "shift"),
}
METHODS = {
    "none": "Uncalibrated",
    "temperature": "Temperature scaling",
    "temperature-top5": "Temperature scaling",
    "vector": "Vector scaling",
    "vector-no-bias": "Vector scaling (no bias)",
    "matrix": "Matrix scaling",
    "matrix-odir": "MS-ODIR",
    "dirichlet-odir": "Dir-ODIR",
    "histogram": "Histogram binning",
    "isotonic": "Isotonic regression",
    "bbq": "BBQ",
    "spline": "Spline (all ranks)",
    "top-spline": "Spline",
}
METRICS = {
    "accuracy": "Accuracy",
    "confidence": "Confidence",
    "ece": "ECE",
    "ece_25": "ECE (25 bins)",
    "mce": "MCE",
    "ks": "KS",
    "ks_error": "KS",
    "ks_top_2": "KS top-2",
    "ks_top_3": "KS top-3",
    "ks_within_2": "KS within-top-2",
    "classwise_ece": "cwECE",
    "ace": "ACE",
    "tace": "TACE",
    "tace_0.001": "TACE 0.001",
    "tace_0.0001": "TACE 0.0001",
    "nll": "NLL",
    "brier": "Brier",
    "top1_brier": "Top-1 Brier",
}
NOT_PERCENT = ("NLL", "Brier", "Top-1 Brier")
# The same predictions again, or another preparation of the same network and images.
REPEATED = (
    "kull-cifar10-resnet110-top1",
    "hollance-imagenet-densenet161",
    "hollance-imagenet-resnet101",
    "cleanlab-cifar10n-efficientnet-b1-true",
    "cleanlab-cifar10n-resnet50d-true",
    "cleanlab-cifar10n-swin-base-true",
)
QUANTIFIERS = ("always", "almost always", "mostly", "sometimes")
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Finding:
    """What one test found.

    Attributes
    ----------
    verdict : {"holds", "mixed", "fails", "not tested"}
    estimate, low, high : float
        A share of cases or an effect, with its 95 % interval.
    n : int
        Number of cases.
    unit : str
        What `estimate` measures.
    reason : str
        One line that says why.
    """

    verdict: str
    estimate: float
    low: float
    high: float
    n: int
    unit: str
    reason: str


def not_tested(reason, n=0):
    """Return the finding of a test that had too little to go on."""
    return Finding("not tested", np.nan, np.nan, np.nan, n, "", reason)


def wilson(k, n):
    """Return the Wilson 95 % interval of a share of ``k`` cases in ``n``.

    Examples
    --------
    >>> low, high = wilson(9, 13)
    >>> round(low, 3), round(high, 3)
    (0.424, 0.873)
    """
    centre = (k + Z95**2 / 2) / (n + Z95**2)
    half = Z95 / (n + Z95**2) * (k * (n - k) / n + Z95**2 / 4) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)


def judge_share(cases, quantifier, what):
    """Judge a share of cases by the paper's quantifier.

    "always" allows no exception. "almost always" holds from nine cases in ten and fails where the
    Wilson interval lies below that. "mostly" holds or fails where the interval lies on one side
    of a half. "sometimes" needs one case. An integer is the paper's own count.

    Parameters
    ----------
    cases : pandas.Series of bool
        One value a case, indexed by the names of the cases.
    quantifier : {"always", "almost always", "mostly", "sometimes"} or int
    what : str
        What is counted, for the reason.

    Returns
    -------
    Finding

    Raises
    ------
    ValueError
        If `quantifier` is none of these.

    Examples
    --------
    >>> import pandas as pd
    >>> judge_share(pd.Series([True] * 9 + [False]), "almost always", "it rains").verdict
    'holds'
    """
    n, k = len(cases), int(cases.sum())
    if n == 0:
        return not_tested(f"no case: {what}")
    low, high = wilson(k, n)
    holds, fails = {
        "always": (k == n, k < n),
        "almost always": (k >= 0.9 * n, high < 0.9),
        "mostly": (low > 0.5, high < 0.5),
        "sometimes": (k > 0, k == 0),
    }.get(quantifier, (k == quantifier, k != quantifier))
    if quantifier not in QUANTIFIERS and not isinstance(quantifier, int):
        raise ValueError(f"quantifier: {quantifier!r} is neither an integer nor in {QUANTIFIERS}")
    verdict = "holds" if holds else "fails" if fails else "mixed"
    exceptions = [label(name) for name in cases.index[~cases.astype(bool)]]
    named = f"; not {', '.join(exceptions)}" if 0 < len(exceptions) <= 3 else ""
    return Finding(verdict, k / n, low, high, n, "share", f"{what}: {k} of {n}{named}")


def label(name):
    """Return an index entry as readable text.

    Examples
    --------
    >>> label(("CIFAR-10", "ResNet-110", ""))
    'CIFAR-10 ResNet-110'
    """
    parts = name if isinstance(name, tuple) else (name,)
    return " ".join(str(part) for part in parts if str(part))


def judge_effect(values, sign, what, *, unit="", margin=0.0):
    """Judge a mean effect by the 95 % t interval of the mean.

    With ``sign`` +1 or -1 the claim holds where the whole interval lies beyond ``margin`` on that
    side, fails where it lies wholly short of it, and is mixed (not resolved) between. With
    ``sign`` 0 the claim is "no effect": it holds where the interval lies within ``margin`` of
    zero and fails where it lies outside.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Independent measurements of the effect: one a seed, or one a network.
    sign : {-1, 0, 1}
    what : str
    unit : str
    margin : float

    Returns
    -------
    Finding

    Examples
    --------
    >>> judge_effect([1.9, 2.0, 2.1], +1, "depth 8 to 32").verdict
    'holds'
    >>> judge_effect([-2.0, 2.0, 0.5], +1, "depth 8 to 32").verdict
    'mixed'
    """
    from scipy.stats import t

    values = np.asarray(values, dtype=float)
    n = len(values)
    if n < 2:
        return not_tested(f"{what}: an interval needs two measurements, there are {n}", n)
    half = t.ppf(0.975, n - 1) * values.std(ddof=1) / n**0.5
    return judge_interval(values.mean(), half, n, sign, what, unit, margin)


def judge_interval(mean, half, n, sign, what, unit, margin):
    """Judge an effect whose symmetric 95 % interval is known (rules of `judge_effect`)."""
    low, high = mean - half, mean + half
    if sign == 0:
        holds, fails = -margin < low and high < margin, low > margin or high < -margin
    else:
        near, far = sorted((sign * low, sign * high))
        holds, fails = near > margin, far < margin
    verdict = "holds" if holds else "fails" if fails else "mixed"
    reason = f"{what}: {mean:+.3g} ({low:+.3g} to {high:+.3g}) {unit}".strip() + f", n = {n}"
    return Finding(verdict, float(mean), float(low), float(high), n, unit, reason)


def wide(rows, column="method"):
    """Return one row a case and one column a value of ``column``."""
    columns = ["metric", "case"] if "case" in rows and column != "model" else CASE
    keys = [c for c in columns if c != column and c in rows and rows[c].astype(str).nunique() > 1]
    keys = keys or ["dataset" if column == "model" else "case" if "case" in rows else "model"]
    rows = rows.assign(**{c: rows[c].astype(object).where(rows[c].notna(), "") for c in keys})
    return rows.pivot_table(index=keys, columns=column, values="value", aggfunc="mean")


def as_list(value):
    """Return a list as it is and anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def names(value):
    """Return a name, or the names of a list with commas."""
    return ", ".join(map(str, as_list(value)))


def lower(rows, *, member, than, quantifier, by=0.0, column="method", given=None):
    """`member` is lower than `than`, by more than `by`; `given` keeps cases below a limit."""
    import pandas as pd

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
    return Finding(verdict, *list(asdict(found).values())[1:])


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
    from scipy.stats import kendalltau

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
    import pandas as pd

    table = rows.pivot_table(index="metric", columns="method", values="value")[methods]
    gap = (table.max(axis=1) - table.min(axis=1)) / table.max(axis=1)
    cases = pd.Series([gap.idxmax() == metric], index=[f"{gap.idxmax()}, {gap.max():.0%}"])
    return judge_share(cases, "always", f"gap largest by {metric} ({gap[metric]:.0%})")


def correlates(rows, *, x, y, sign, margin=0.0, along=None):
    """Spearman's correlation of two columns over networks, with Fisher's interval.

    With `along`, `x` and `y` are values of that column instead.
    """
    from scipy.stats import spearmanr

    table = rows if along is None else wide(rows, along)
    if not {x, y} <= set(table.columns):
        return not_tested(f"{x} or {y} is missing")
    pairs = table[[x, y]].dropna()
    n = len(pairs)
    what = f"correlation of {x} and {y}"
    if n < 5:
        return not_tested(f"{what}: {n} networks", n)
    rho = float(np.clip(spearmanr(pairs[x], pairs[y]).statistic, -1 + 1e-9, 1 - 1e-9))
    z, half = np.arctanh(rho), Z95 * (1.06 / (n - 3)) ** 0.5
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
    import pandas as pd

    mean = rows.groupby(level)["value"].mean()
    steps = {f"{a} to {b}": mean[b] > mean[a] for a, b in pairwise(mean.index)}
    return judge_share(pd.Series(steps, dtype=bool), quantifier, f"rising with {level}")


def between(rows, *, column, first, second, sign, log=False, margin=0.0, y="value"):
    """The mean of `second` less that of `first`, with Welch's interval over networks."""
    from scipy.stats import ttest_ind

    groups = [rows.loc[rows[column].isin(as_list(g)), y].dropna() for g in (first, second)]
    groups = [np.log(g) if log else g for g in groups]
    n = sum(map(len, groups))
    what = f"{names(second)} less {names(first)}"
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
    what = f"{second} less {first}"
    if not {first, second} <= set(table.columns):
        return not_tested(f"{what}: one of them is missing")
    change = (table[second] - table[first]).dropna()
    return judge_effect(change, sign, what, unit="log ratio" if log else "points", margin=margin)


def families_rise(rows, *, x, quantifier, sign=1, at_least=3, y="value"):
    """Within each family of `at_least` sizes, `y` rises (or falls) with `x`."""
    import pandas as pd
    from scipy.stats import spearmanr

    cases = {
        name: sign * spearmanr(group[x], group[y]).statistic > 0
        for name, group in rows.dropna(subset=[x, y]).groupby("siblings")
        if group[x].nunique() >= at_least and group[y].nunique() > 1
    }
    word = "rising" if sign > 0 else "falling"
    return judge_share(
        pd.Series(cases, dtype=bool), quantifier, f"families whose {y} is {word} with {x}"
    )


def nearest(rows, *, column, member, than, by, quantifier):
    """Each `member` has a lower value than the `than` network that is nearest to it in `by`."""
    import pandas as pd

    ours, others = (rows[rows[column].isin(as_list(g))] for g in (member, than))
    cases = {
        row["case"]: row["value"] < others.loc[(others[by] - row[by]).abs().idxmin(), "value"]
        for _, row in ours.iterrows()
        if len(others)
    }
    what = f"{names(member)} below {names(than)} nearest in {by}"
    return judge_share(pd.Series(cases, dtype=bool), quantifier, what)


def families_explain(rows, *, given):
    """Families explain some of the value's variance (in logs) that the columns `given` leave.

    The estimate is the adjusted partial eta squared, its interval that of the noncentral F.
    """
    import pandas as pd
    from scipy.optimize import brentq
    from scipy.stats import f, ncf

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
    what = f"families explain {eta:.0%} ({low:.0%} to {high:.0%}) of what {', '.join(given)} leave"
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
    import pandas as pd

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
    what = f"Pareto-optimal at {first} and at {names(others)}"
    return judge_share(pd.Series(cases, dtype=bool), quantifier, what)


def overfits(rows, *, metric, quantifier, while_metric=None):
    """At the end of training the test `metric` is above its minimum by more than a hundredth.

    With `while_metric` that one's test value is meanwhile no worse than it was at the minimum.
    """
    import pandas as pd

    cases = {}
    for case, curve in rows[rows["split"] == "test"].groupby("case"):
        table = curve.pivot_table(index="step", columns="metric", values="value")
        best, end = table.loc[table[metric].idxmin()], table.iloc[-1]
        rose = end[metric] > 1.01 * best[metric]
        gain = while_metric is None or end[while_metric] >= best[while_metric]
        cases[case] = bool(rose and gain)
    also = f" while {while_metric} gets no worse" if while_metric else ""
    return judge_share(pd.Series(cases, dtype=bool), quantifier, f"{metric} rises again{also}")


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


TESTS = {
    test.__name__: test
    for test in (
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
}


@dataclass(frozen=True)
class Claim:
    """One testable sentence of a paper.

    Attributes
    ----------
    id, paper, where, says : str
        Name, paper, place in the paper, and what it says in our words.
    evidence : dict of str to dict
        Test and parameters for each kind of evidence; ``frame`` names the table that it reads.
    """

    id: str
    paper: str
    where: str
    says: str
    evidence: dict

    def judge(self, kind):
        """Return the `Finding` of this claim's test on one kind of evidence."""
        spec = dict(self.evidence[kind])
        test = TESTS[spec.pop("test")]
        rows = evidence_rows(kind, self.paper, spec.pop("frame", FRAMES[kind][0]))
        for column, values in spec.pop("rows", {}).items():
            rows = select(rows, column, values)
        return not_tested("no such rows yet") if rows.empty else test(rows, **spec)


def select(rows, column, values):
    """Return the rows with one of the values; a network of several blocks is in each of them."""
    if column == "block":
        wanted = set(as_list(values))
        inside = [not wanted.isdisjoint(blocks.split()) for blocks in rows[column]]
        return rows[np.array(inside, dtype=bool)]
    return rows[rows[column].isin(as_list(values))]


def load_claims():
    """Return the claims of ``data/claims.yml``, checked.

    Returns
    -------
    list of Claim

    Raises
    ------
    ValueError
        If an entry lacks a key, repeats an id, or names an unknown paper, kind of evidence, test
        or parameter; the message names the entry.
    """
    import yaml

    from calib.data import read_declared

    claims = []
    for entry in yaml.safe_load(read_declared("claims.yml")):
        name = entry.get("id", entry)
        if set(entry) != {"id", "paper", "where", "says", "evidence"}:
            raise ValueError(f"claims.yml: {name}: keys are {sorted(entry)}")
        claim = Claim(**entry)
        if claim.paper not in PAPERS:
            raise ValueError(f"claims.yml: {name}: unknown paper {claim.paper!r}")
        if any(claim.id == other.id for other in claims):
            raise ValueError(f"claims.yml: {name} occurs twice")
        for kind, spec in claim.evidence.items():
            check_spec(name, kind, spec)
        claims.append(claim)
    return claims


def check_spec(name, kind, spec):
    """Raise ValueError if a test of a claim is not one that can be called."""
    if kind not in EVIDENCE:
        raise ValueError(f"claims.yml: {name}: unknown evidence {kind!r}")
    if spec.get("test") not in TESTS:
        raise ValueError(f"claims.yml: {name}: unknown test {spec.get('test')!r}")
    known = inspect.signature(TESTS[spec["test"]]).parameters
    if spec.get("frame", FRAMES[kind][0]) not in FRAMES[kind]:
        raise ValueError(f"claims.yml: {name}: unknown frame {spec['frame']!r}")
    unknown = set(spec) - set(known) - {"test", "rows", "frame"}
    if unknown:
        raise ValueError(f"claims.yml: {name}: unknown parameters {sorted(unknown)}")


@cache
def evidence_rows(kind, paper, frame):
    """Return the tidy frame of one kind of evidence: what the tests of a claim select from.

    Metrics and methods have the papers' names, errors are in percent. A row of ``public`` or
    ``zoo`` names its ``case``: a network, which for the zoo means the mean over its seeds.
    """
    from calib.data import load_published

    if kind == "published":
        return load_published(paper)
    return {
        ("public", "metrics"): public_metrics,
        ("public", "details"): partial(details, "public"),
        ("public", "missing_mass"): missing_mass,
        ("public", "quba"): quba,
        ("public", "calibench"): calibench,
        ("zoo", "metrics"): zoo_metrics,
        ("zoo", "details"): partial(details, "zoo"),
        ("zoo", "curves"): partial(zoo_folder, "curves"),
        ("zoo", "shift"): partial(zoo_folder, "shift"),
    }[kind, frame]()


def read_table(path):
    """Return a declared CSV file as a frame."""
    from calib.data import csv_frame, read_declared

    return csv_frame(read_declared(path))


def as_printed(rows):
    """Return the rows with the papers' names of metrics and methods, errors in percent."""
    rows = rows.assign(
        metric=rows["metric"].map(METRICS), method=rows["calibrator"].map(METHODS)
    ).dropna(subset=["metric", "method"])
    percent = ~rows["metric"].isin(NOT_PERCENT)
    return rows.assign(value=rows["value"].where(~percent, 100 * rows["value"]))


def public_metrics():
    """Return the metrics of the public predictions, measured on the held-out samples."""
    sources = read_table("sources.csv").rename(columns={"name": "source"})
    rows = read_table("results/metrics.csv")
    rows = as_printed(rows[(rows["samples"] == "held out") & ~rows["source"].isin(REPEATED)])
    rows = rows.merge(sources[["source", "known", "dataset", "model"]], on="source")
    return rows.assign(case=rows["source"])


def zoo_index():
    """Return the zoo's index with each network's configuration as its case."""
    index = read_table("zoo/zoo.csv")
    loss = {"ce": "CE", "fl1": "FL 1", "fl2": "FL 2", "fl3": "FL 3", "ls0.05": "LS 0.05"}
    return index.assign(
        case=index["name"].str.replace(r"-s\d+$", "", regex=True),
        loss=index["loss"].map(loss),
        siblings=index["family"],
        error=100 * (1 - index["test_accuracy"]),
        log_parameters=np.log10(index["parameters"]),
    )


def zoo_metrics():
    """Return the metrics of the zoo's networks, and the index."""
    return as_printed(read_table("results/zoo.csv")).merge(zoo_index(), on="name")


def details(kind):
    """Return how the ECE of each network comes about, one quantity a row."""
    rows = read_table("results/details.csv")
    rows = rows[(rows["evidence"] == kind) & ~rows["name"].isin(REPEATED)]
    rows = rows.assign(ece_range=100 * (rows["ece_highest"] - rows["ece_lowest"]))
    quantities = ["ece_range", "two_fullest_bins", "class_gap_p"]
    rows = rows.melt("name", quantities, var_name="metric")
    rows = rows.assign(method="Uncalibrated", case=rows["name"])
    return rows.assign(case=rows["case"].str.replace(r"-s\d+$", "", regex=True))


def missing_mass():
    """Return the errors after temperature scaling by how much of the vectors was known."""
    rows = read_table("results/missing_mass.csv").melt(["source", "known"], var_name="metric")
    return rows.assign(metric=rows["metric"].map(METRICS), case=rows["source"]).dropna()


def quba():
    """Return the 326 ImageNet networks of others; `value` is their calibration error.

    It is the geometric mean of the top-label ECE and the classwise adaptive error, so nothing to
    be compared with an ECE. Siblings are a family with one way of training.
    """
    rows = read_table("tables/quba.csv")
    group = rows["family"] + ", " + rows["pretraining"] + ", " + rows["setup"]
    return rows.assign(
        value=rows["calibration_error"],
        case=rows["model"].str.lower(),
        siblings=group.where(rows["family"].notna()),
        error=1 - rows["accuracy"],
        log_parameters=np.log10(rows["parameters"]),
    )


def calibench():
    """Return another group's errors of ImageNet networks, clean and shifted."""
    rows = read_table("tables/calibench.csv")
    kind = rows["model"].str.contains("ViT|Swin").map({True: "transformer", False: "CNN"})
    return rows.assign(case=rows["dataset"] + " " + rows["model"], kind=kind)


def zoo_folder(folder):
    """Return the training curves, or the metrics under shift, of all networks that have them."""
    import pandas as pd

    from calib.data import data_folder

    index = zoo_index()
    there = [n for n in index["name"] if (data_folder() / f"zoo/{folder}/{n}.csv").is_file()]
    if not there:
        return pd.DataFrame(columns=["split", "severity", "metric", "method", *index.columns])
    rows = pd.concat([read_table(f"zoo/{folder}/{n}.csv").assign(name=n) for n in there])
    if "calibrator" not in rows:
        rows = rows.assign(calibrator="none")
    numbers = [metric for metric in METRICS if metric in rows]
    keys = [column for column in rows if column not in numbers]
    rows = as_printed(rows.melt(keys, numbers, var_name="metric"))
    return rows.merge(index, on="name")


def judge_all(claims=None):
    """Judge every claim on every kind of evidence it names.

    Parameters
    ----------
    claims : list of Claim, optional
        By default those of `load_claims`.

    Returns
    -------
    pandas.DataFrame
        One row a claim and kind of evidence: ``id``, ``paper``, ``where``, ``says``,
        ``evidence`` and the fields of `Finding`. A claim without evidence has one row, with the
        verdict "not tested".
    """
    import pandas as pd

    ledger = []
    for claim in load_claims() if claims is None else claims:
        head = {"id": claim.id, "paper": claim.paper, "where": claim.where, "says": claim.says}
        found = {kind: claim.judge(kind) for kind in claim.evidence}
        for kind, finding in (found or {"none": not_tested("no evidence at hand")}).items():
            ledger.append({**head, "evidence": kind, **asdict(finding)})
    return pd.DataFrame(ledger)


def load_ledger(paper=None):
    """Return the stored ledger, ``data/ledger.csv``: what `judge_all` found.

    Parameters
    ----------
    paper : str, optional
        One of the five papers; all of them by default.

    Returns
    -------
    pandas.DataFrame
        The columns of `judge_all`.
    """
    ledger = read_table("ledger.csv")
    return ledger if paper is None else ledger[ledger["paper"] == paper].reset_index(drop=True)


def ledger_csv():
    """Return the text of the ledger as it is stored, judged anew."""
    return judge_all().to_csv(index=False, float_format="%.4g", lineterminator="\n")


def main():
    """Compare the stored ledger with the evidence, or store it: `python -m calib.claims`."""
    import argparse

    from calib.data import data_folder

    parser = argparse.ArgumentParser(prog="python -m calib.claims", description=main.__doc__)
    parser.add_argument("--update", action="store_true", help="store the verdicts of today")
    path, text = data_folder() / "ledger.csv", ledger_csv()
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in unified_diff(old, text.splitlines(), "stored", "judged anew", n=0, lineterm=""):
        print(line)
    if parser.parse_args().update:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
