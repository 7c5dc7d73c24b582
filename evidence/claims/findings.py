"""What a test measured, and what the rule finds in it."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evidence.claims import rule

SAME_NETWORK = ("metric", "method", "pair", "level", "twin")
CLUSTERS = {"dataset": "data sets", "author": "authors", "kin": "models"}
LISTED = 300


@dataclass(frozen=True)
class Cases:
    """What a test measured.

    `values` has one value a case: whether it agrees with the claim, or an effect. The levels of its
    index tell cells, networks, data sets and models apart. A table is of networks, and has an
    `interval`, a function of it and its clusters that returns an `Interval`.
    """

    values: pd.Series | pd.DataFrame
    what: str  # was measured, for the reason
    unit: str = "share"  # of an effect, or of cases that agree
    sign: int = 1  # the claim puts an effect beyond `margin` on that side, with 0 within it
    margin: float = 0.0
    least: float = 0.0  # of an interval: the bound that takes the place of zero
    interval: Callable | None = None
    scale: Callable = float  # turns the interval into what is shown
    note: str = ""  # what else the reason says
    settings: tuple = ()  # of an effect in several settings: what was found in each, as dicts


@dataclass(frozen=True)
class Finding:
    """What the rule found."""

    counted: str  # what the paper's words say of the cases at hand, by counting
    verdict: str  # on networks like these
    estimate: float = np.nan  # a share of networks or an effect, with its 95 % interval
    low: float = np.nan
    high: float = np.nan
    n: int = 0  # networks, or settings
    unit: str = ""
    reason: str = ""  # one line that says why
    p: float = np.nan  # two-sided, against what the claim asks for
    by_data: str = ""  # counts by data set, and the cases on either side
    agree: str = ""
    against: str = ""
    least: float = np.nan  # between these the claim puts the estimate
    most: float = np.nan
    settings: str = ""  # JSON: `Cases.settings`


def counted(agree, quantifier):
    """Return whether cases are as many as a quantifier asks for."""
    k, n = int(agree.sum()), len(agree)
    if quantifier == "direction" and 0 < k < n:
        return "mixed"
    enough = k >= rule.SHARES.get(quantifier, 1.0) * n - 1e-9  # of a direction every case
    special = {"mostly": k > n / 2, "all but one": k == n - 1, "exists": k >= 1}
    true = k == quantifier if isinstance(quantifier, int) else special.get(quantifier, enough)
    return "holds" if true else "fails"


def judge(cases, quantifier, rows=None, on=()):
    """Judge cases by a quantifier: by counting, and as evidence on networks like these.

    There, cells and seeds of a network are averaged, and fewer than five networks, counted as if
    drawn singly, are too few (plainly counted where examples are asked for); so is a single data
    set that the sentence does not name. A share is
    asked to lie above one half ("in many": a third; networks that are clear examples: one in
    twenty), an effect on its side. What is mixed because data sets contradict each other depends on
    them. A share that is mixed where none at all would be mixed too has too few cases; that there
    are examples is shown or not, and never refuted. `rows` is where the data set, the author and
    the model of a case are looked up; data sets that the sentence is `on` are not drawn.

    Examples
    --------
    >>> rain = pd.Series([True] * 9 + [False])
    >>> found = judge(Cases(rain, "it rains"), "almost always")
    >>> found.counted, found.verdict, found.reason
    ('holds', 'holds', 'it rains: 9 of 10; not 9')
    """
    values, what = cases.values, cases.what
    if not len(values):
        return Finding("not tested", "not tested", reason=f"{what}: no cases")
    share, whole = cases.unit == "share", cases.interval is None
    networks = by_network(values.astype(float)) if whole else values
    networks = (networks > 0.5).astype(float) if quantifier == "exists" else networks
    clusters = {name: of_cases(networks.index, name, rows) for name in CLUSTERS}
    clusters = {name: of for name, of in clusters.items() if of is not None}
    named = "dataset" in clusters and set(clusters["dataset"]) <= set(on)
    drawn = {name: of for name, of in clusters.items() if name != "dataset" or not named}
    n = len(networks)
    singly = rule.drawn_singly(n, drawn)[1]
    least, most = bounds(cases, quantifier)
    of_share = rule.share_interval if least == rule.SHARES["mostly"] else rule.exact_interval
    interval = cases.interval or (of_share if share else rule.mean_interval)
    found = interval(networks, drawn)
    few = singly < (2 if cases.settings else rule.FEWEST) - 1e-9
    few |= "dataset" in drawn and len(set(drawn["dataset"])) < 2
    few = n < rule.FEWEST if quantifier == "exists" else few
    agree = agreeing(cases, found)
    if not share and quantifier in rule.SHARES:
        quantifier = "direction"
    verdict = "too few cases" if few else rule.evident(found.low, found.high, least, most)
    if verdict == "mixed":
        sure = quantifier == "exists" or not share or interval(0 * networks, drawn).high < least
        apart = contradiction(cases, networks, clusters, interval, (least, most))
        verdict = apart or ("mixed" if sure else "too few cases")
    mean = np.array([cases.sign * found.estimate > cases.margin])
    own = quantifier == "none" or (not whole and n < rule.FEWEST)
    shown = [float(cases.scale(x)) for x in (found.estimate, found.low, found.high, least, most)]
    labels = labelled(values.index) if whole else []
    clustered = [f"{len(set(of))} {CLUSTERS[name]}" for name, of in clusters.items()]
    many = f" ({', '.join(clustered)}: as {singly:.1f} drawn singly)" if clustered else ""
    told = f"{what}: {in_words(cases, agree, labels, shown, n)}{many}"
    return Finding(
        verdict if own else counted(mean if quantifier == "average" else agree, quantifier),
        verdict,
        *shown[:3],
        n,
        cases.unit,
        "; ".join(filter(None, [told, heterogeneity(cases), cases.note])),
        found.p(most if cases.sign < 0 and not share else least),
        counts_by_data(values, agree),
        listed(labels, agree, values, share) if whole else "",
        listed(labels, ~agree, values, share) if whole else "",
        *(shown[3:] if not share else asked_share(quantifier, len(agree), least)),
        json.dumps(cases.settings) if cases.settings else "",
    )


def bounds(cases, quantifier):
    """Return between what the claim puts the estimate."""
    if cases.unit == "share":
        return rule.ASKED.get(quantifier, rule.SHARES["mostly"]), np.inf
    margin = cases.margin
    least, most = [(-margin, margin), (margin, np.inf), (-np.inf, -margin)][cases.sign]
    return least + cases.least, most + cases.least


def asked_share(quantifier, n, least):
    """Return the share that the words ask for: of its own cases, or of networks like these."""
    if isinstance(quantifier, int):
        return quantifier / n, quantifier / n
    return (rule.SHARES | rule.ASKED | {"all but one": (n - 1) / n}).get(quantifier, least), 1.0


def agreeing(cases, found):
    """Return which values are on the claim's side."""
    if cases.unit == "share":
        return cases.values.to_numpy(dtype=bool)
    values = np.atleast_1d(found.estimate if cases.interval else cases.values) - cases.least
    return values * cases.sign > cases.margin if cases.sign else np.abs(values) < cases.margin


def contradiction(cases, networks, clusters, interval, asked):
    """Return on what it depends, where settings, or data sets, lie on both sides for sure."""
    if cases.interval or "dataset" not in clusters:
        return ""
    verdicts, data = [setting["verdict"] for setting in cases.settings], clusters["dataset"]
    if not verdicts:
        parts = {name: own for name, own in networks.groupby(data) if len(own) >= rule.FEWEST}
        found, data = [interval(own, {}) for own in parts.values()], list(parts)
        verdicts = [rule.evident(each.low, each.high, *asked) for each in found]
    sides = pd.Series(data).groupby(pd.Series(verdicts, dtype=str)).agg(set)
    if not {"holds", "fails"} <= set(sides.index):
        return ""
    return f"depends on the {'setting' if sides['holds'] & sides['fails'] else 'data'}"


def by_network(values):
    """Return the mean of each network's values."""
    names = [name for name in values.index.names if name not in SAME_NETWORK]
    if None in names:
        return values
    if not names:
        return pd.Series([values.mean()], index=pd.Index(["one"], name="case"))
    return values.groupby(level=names, sort=False).mean()


def of_cases(index, name, rows):
    """Return the data set, author or model of each case, None where nothing tells it."""
    level = "model" if name == "kin" and "model" in index.names else name
    if level in index.names:
        return np.asarray(index.get_level_values(level).astype(str))
    if rows is None or name not in rows or "case" not in rows or "case" not in index.names:
        return None
    known = rows.drop_duplicates("case").set_index("case")[name]
    cases = index.get_level_values("case")
    found = known.reindex(cases).to_numpy(dtype=object)
    found = np.where(pd.isna(found), cases.to_numpy(dtype=object), found).astype(str)
    return cases.to_numpy() if name == "kin" and len(set(found)) == 1 else found


def in_words(cases, agree, labels, shown, n):
    """Return a count, or an effect with its interval, as text."""
    if cases.unit != "share":
        return f"{number(*shown[:3], cases.unit)}, n = {n}"
    exceptions = [name for name, agrees in zip(labels, agree, strict=True) if not agrees]
    named = f"; not {', '.join(exceptions)}" if 0 < len(exceptions) <= 3 else ""
    networks = f" ({n} network{'s' * (n != 1)})" if n < len(agree) else ""
    return f"{agree.sum()} of {len(agree)}{networks}{named}"


def heterogeneity(cases):
    """Return how much settings differ beyond what their seeds explain, as text."""
    if not cases.settings:
        return ""
    within = np.mean([setting["error"] ** 2 for setting in cases.settings])
    tau = np.sqrt(max(0.0, np.var(cases.values, ddof=1) - within)) if len(cases.values) > 1 else 0
    each = [f"{s['setting']}: {s['reason']}" for s in cases.settings]
    return f"settings differ by {tau:.3g} ({cases.unit}) beyond their seeds; {'; '.join(each)}"


def counts_by_data(values, agree):
    """Return the count of each data set as text, the largest first."""
    if "dataset" not in values.index.names or len(agree) != len(values):
        return ""
    sets = pd.Series(agree).groupby(values.index.get_level_values("dataset").astype(str))
    sets = sets.agg(["sum", "size"]).sort_values("size", ascending=False, kind="stable")
    return "; ".join(f"{name} {k} of {n}" for name, k, n in sets.itertuples(name=None))


def labelled(index):
    """Return a name for each entry of an index, without what all have in common."""
    if isinstance(index, pd.MultiIndex) and len(index) > 1:
        same = [i for i in range(index.nlevels) if index.get_level_values(i).nunique() == 1]
        index = index.droplevel(same[: index.nlevels - 1])
    return [label(name) for name in index]


def label(name):
    """Return an index entry as readable text.

    Examples
    --------
    >>> label(("CIFAR-10", "ResNet-110", ""))
    'CIFAR-10 ResNet-110'
    >>> label(("fashion", "fashion-resnet8-w8"))
    'fashion-resnet8-w8'
    """
    parts = [str(part) for part in (name if isinstance(name, tuple) else (name,)) if str(part)]
    plain = [part.lower().replace("-", "") for part in parts]
    said_again = [any(own in other for other in plain[i:]) for i, own in enumerate(plain, 1)]
    return " ".join(part for part, again in zip(parts, said_again, strict=True) if not again)


def listed(labels, chosen, values, share):
    """Return the names of chosen cases, effects with their value, the first few hundred."""
    if not share and len(set(labels)) < len(labels):
        return ""
    names = labels if share else [f"{a} {x:+.3g}" for a, x in zip(labels, values, strict=True)]
    names = [name for name, one in zip(names, chosen, strict=True) if one]
    more = [f"and {len(names) - LISTED} more"] if len(names) > LISTED else []
    return "; ".join([*names[:LISTED], *more])


def number(estimate, low, high, unit):
    """Return an estimate of a unit with its interval, if it has one, as text."""
    form = {"log ratio": ".2f", "share": ".0%"}.get(unit, "+.3g")
    if unit == "log ratio":
        estimate, low, high = np.exp([estimate, low, high])
    interval = "" if np.isnan(low) else f" ({low:{form}} to {high:{form}})"
    before, after = {"log ratio": ("factor ", ""), "share": ("", "")}.get(unit, ("", f" {unit}"))
    return f"{before}{estimate:{form}}{interval}{after}".rstrip()
