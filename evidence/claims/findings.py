"""What a test measured, and what the rule finds in it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from evidence.claims import rule
from evidence.claims.rule import Interval

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
    sign: int = (
        1  # the claim puts an effect beyond `margin` on that side, with 0 within it
    )
    margin: float = 0.0
    least: float = 0.0  # of an interval: the bound that takes the place of zero
    interval: Callable[..., Interval] | None = None
    scale: Callable[[Any], Any] = float  # turns the interval into what is shown
    note: str = ""  # what else the reason says
    # of an effect in several settings: what was found in each, as dicts
    settings: tuple[dict[str, Any], ...] = ()


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


@dataclass(frozen=True)
class Evidence:
    """The networks that a test measured, and what they have in common."""

    cases: Cases
    quantifier: str | int  # that the sentence asks for
    # one entry each: their cells and seeds are averaged
    networks: pd.Series | pd.DataFrame
    # the data set, author and model of each, as far as they are known
    clusters: dict[str, Any]
    named: bool  # whether the sentence names all of the data sets

    @property
    def is_share(self) -> bool:
        """Whether networks are counted that agree, and no effect is measured."""
        return self.cases.unit == "share"

    @property
    def drawn(self) -> dict[str, np.ndarray]:
        """What another network would have another one of: data sets that are named stay."""
        return {
            name: levels
            for name, levels in self.clusters.items()
            if name != "dataset" or not self.named
        }

    @property
    def singly(self) -> float:
        """How many networks drawn singly would tell as much."""
        return rule.drawn_singly(len(self.networks), self.drawn)[1]

    @property
    def asked(self) -> tuple[float, float]:
        """Between what the claim puts the estimate."""
        return bounds(self.cases, self.quantifier)

    def interval_of(
        self, networks: pd.DataFrame | pd.Series, clusters: dict[str, np.ndarray]
    ) -> Interval:
        """Return the interval of networks in clusters that this kind of evidence asks for."""
        if self.cases.interval:
            return self.cases.interval(networks, clusters)
        if not self.is_share:
            return rule.mean_interval(networks, clusters)
        half = self.asked[0] == rule.SHARES["mostly"]
        return (rule.share_interval if half else rule.exact_interval)(
            networks, clusters
        )

    @cached_property
    def interval(self) -> Interval:
        """The estimate with its interval."""
        return self.interval_of(self.networks, self.drawn)

    @cached_property
    def agree(self) -> np.ndarray:
        """Which cases are on the claim's side."""
        return agreeing(self.cases, self.interval)


def evidence_of(
    cases: Cases, quantifier: str | int, rows: pd.DataFrame | None = None, on: Any = ()
) -> Evidence:
    """Return cases as evidence; `rows` and `on` as in `judge`."""
    networks = cases.values
    if cases.interval is None:
        networks = by_network(networks.astype(float))
    if quantifier == "exists":
        networks = (networks > 0.5).astype(float)
    levels = {name: of_cases(networks.index, name, rows) for name in CLUSTERS}
    clusters = {name: known for name, known in levels.items() if known is not None}
    named = "dataset" in clusters and set(clusters["dataset"]) <= set(on)
    return Evidence(cases, quantifier, networks, clusters, named)


def judge(
    cases: Cases,
    quantifier: str | int,
    rows: pd.DataFrame | None = None,
    on: set[str] | tuple[Any, ...] = (),
) -> Finding:
    """Judge cases by a quantifier: by counting, and by the rule that the forecasts have.

    `rows` is where the data set, the author and the model of a case are looked up; data sets that
    the sentence is `on` are not drawn. The rule is that of `verdict_of`.

    Examples
    --------
    >>> rain = pd.Series([True] * 9 + [False])
    >>> found = judge(Cases(rain, "it rains"), "almost always")
    >>> found.counted, found.verdict, found.reason
    ('holds', 'holds', 'it rains: 9 of 10; not 9')
    """
    if not len(cases.values):
        return Finding("not tested", "not tested", reason=f"{cases.what}: no cases")
    evidence = evidence_of(cases, quantifier, rows, on)
    interval, asked = evidence.interval, evidence.asked
    ends = (interval.estimate, interval.low, interval.high, *asked)
    estimate, low, high, least, most = (float(cases.scale(end)) for end in ends)
    if evidence.is_share:
        least, most = asked_share(quantifier, len(evidence.agree), least)
    against_most = cases.sign < 0 and not evidence.is_share
    verdict = verdict_of(evidence)
    return Finding(
        counted=counted_in(evidence) or verdict,
        verdict=verdict,
        estimate=estimate,
        low=low,
        high=high,
        n=len(evidence.networks),
        unit=cases.unit,
        reason=reason_of(evidence, (estimate, low, high), singly=True),
        p=interval.p(asked[1] if against_most else asked[0]),
        least=least,
        most=most,
        settings=json.dumps(cases.settings) if cases.settings else "",
        **sides_of(evidence),
    )


def verdict_of(evidence: Evidence) -> str:
    """Return the verdict on networks like these, by the rule that the forecasts have.

    1. Too few networks decide nothing.
    2. An interval that lies between what is asked for, or outside of it, does.
    3. What is mixed because data sets, or settings, contradict each other depends on them.
    4. A share that would be mixed if no network agreed has too few cases too; that there are
       examples, or an effect, is shown or not.
    """
    if too_few(evidence):
        return "too few cases"
    interval = evidence.interval
    verdict = rule.evident(interval.low, interval.high, *evidence.asked)
    if verdict != "mixed":
        return verdict
    apart = contradiction(evidence)
    if apart:
        return apart
    if evidence.quantifier == "exists" or not evidence.is_share:
        return "mixed"
    nobody = evidence.interval_of(0 * evidence.networks, evidence.drawn)
    return "mixed" if nobody.high < evidence.asked[0] else "too few cases"


def too_few(evidence: Evidence) -> bool:
    """Say whether networks are too few: less than five, drawn singly, or on one data set.

    Examples are plainly counted; settings are compared seed by seed, so two suffice.
    """
    if evidence.quantifier == "exists":
        return len(evidence.networks) < rule.FEWEST
    drawn = evidence.drawn
    if "dataset" in drawn and len(set(drawn["dataset"])) < 2:
        return True
    least = 2 if evidence.cases.settings else rule.FEWEST
    return evidence.singly < least - 1e-9


def contradiction(evidence: Evidence) -> str:
    """Return on what it depends, where settings, or data sets, lie on both sides for sure."""
    if evidence.cases.interval or "dataset" not in evidence.clusters:
        return ""
    data = evidence.clusters["dataset"]
    verdicts = [setting["verdict"] for setting in evidence.cases.settings]
    if not verdicts:
        groups = evidence.networks.groupby(data)
        large = {
            name: networks for name, networks in groups if len(networks) >= rule.FEWEST
        }
        intervals = [evidence.interval_of(networks, {}) for networks in large.values()]
        verdicts = [rule.evident(x.low, x.high, *evidence.asked) for x in intervals]
        data = list(large)
    sides = pd.Series(data).groupby(pd.Series(verdicts, dtype=str)).agg(set)
    if not {"holds", "fails"} <= set(sides.index):
        return ""
    return f"depends on the {'setting' if sides['holds'] & sides['fails'] else 'data'}"


def counted_in(evidence: Evidence) -> str:
    """Return what the words say of the cases at hand; "" where only an interval can tell."""
    cases, quantifier = evidence.cases, evidence.quantifier
    whole = cases.interval is None
    if quantifier == "none" or (not whole and len(evidence.networks) < rule.FEWEST):
        return ""
    if quantifier == "average":
        return counted(
            np.array([cases.sign * evidence.interval.estimate > cases.margin]), "always"
        )
    if not evidence.is_share and quantifier in rule.SHARES:
        quantifier = "direction"
    return counted(evidence.agree, quantifier)


def counted(agree: np.ndarray, quantifier: str | int) -> str:
    """Return whether cases are as many as a quantifier asks for."""
    k, n = int(agree.sum()), len(agree)
    if quantifier == "direction" and 0 < k < n:
        return "mixed"
    # of a direction every case
    enough = k >= rule.SHARES.get(str(quantifier), 1.0) * n - 1e-9
    special = {"mostly": k > n / 2, "all but one": k == n - 1, "exists": k >= 1}
    true = (
        k == quantifier
        if isinstance(quantifier, int)
        else special.get(str(quantifier), enough)
    )
    return "holds" if true else "fails"


def sides_of(evidence: Evidence) -> dict[str, str]:
    """Return the counts by data set, and the cases on either side, as text."""
    cases, agree = evidence.cases, evidence.agree
    sides = {"by_data": counts_by_data(cases.values, agree), "agree": "", "against": ""}
    if cases.interval is None:
        labels = labelled(cases.values.index)
        sides["agree"] = listed(labels, agree, cases.values, evidence.is_share)
        sides["against"] = listed(labels, ~agree, cases.values, evidence.is_share)
    return sides


def reason_of(
    evidence: Evidence, shown: tuple[float, float, float], *, singly: bool = False
) -> str:
    """Return one line that says why; `shown` are the estimate and its interval.

    With `singly` it says too how many networks drawn singly would tell as much.
    """
    cases, n = evidence.cases, len(evidence.networks)
    labels = labelled(cases.values.index) if cases.interval is None else []
    clusters = evidence.clusters.items()
    levels = [f"{len(set(levels))} {CLUSTERS[name]}" for name, levels in clusters]
    as_many = f": as {evidence.singly:.1f} drawn singly" if singly else ""
    many = f" ({', '.join(levels)}{as_many})" if levels else ""
    count = f"{cases.what}: {in_words(cases, evidence.agree, labels, shown, n)}{many}"
    return "; ".join(filter(None, [count, heterogeneity(cases), cases.note]))


def bounds(cases: Cases, quantifier: str | int) -> tuple[float, float]:
    """Return between what the claim puts the estimate."""
    if cases.unit == "share":
        return rule.ASKED.get(str(quantifier), rule.SHARES["mostly"]), np.inf
    margin = cases.margin
    least, most = [(-margin, margin), (margin, np.inf), (-np.inf, -margin)][cases.sign]
    return least + cases.least, most + cases.least


def asked_share(quantifier: str | int, n: int, least: float) -> tuple[float, float]:
    """Return the share that the words ask for: of its own cases, or of networks like these."""
    if isinstance(quantifier, int):
        return quantifier / n, quantifier / n
    return (rule.SHARES | rule.ASKED | {"all but one": (n - 1) / n}).get(
        quantifier, least
    ), 1.0


def agreeing(cases: Cases, interval: Interval) -> np.ndarray:
    """Return which values are on the claim's side."""
    if cases.unit == "share":
        return cases.values.to_numpy(dtype=bool)
    values = (
        np.atleast_1d(interval.estimate if cases.interval else cases.values)
        - cases.least
    )
    return (
        values * cases.sign > cases.margin
        if cases.sign
        else np.abs(values) < cases.margin
    )


def by_network(values: pd.Series) -> pd.Series:
    """Return the mean of each network's values."""
    names = [name for name in values.index.names if name not in SAME_NETWORK]
    if None in names:
        return values
    if not names:
        return pd.Series([values.mean()], index=pd.Index(["one"], name="case"))
    return values.groupby(level=names, sort=False).mean()


def of_cases(
    index: pd.Index, name: str, rows: pd.DataFrame | None
) -> np.ndarray | None:
    """Return the data set, author or model of each case, None where nothing tells it."""
    level = "model" if name == "kin" and "model" in index.names else name
    if level in index.names:
        return np.asarray(index.get_level_values(level).astype(str))
    if (
        rows is None
        or name not in rows
        or "case" not in rows
        or "case" not in index.names
    ):
        return None
    known = rows.drop_duplicates("case").set_index("case")[name]
    cases = index.get_level_values("case")
    found = known.reindex(cases).to_numpy(dtype=object)
    found = np.where(pd.isna(found), cases.to_numpy(dtype=object), found).astype(str)
    return cases.to_numpy() if name == "kin" and len(set(found)) == 1 else found


def in_words(
    cases: Cases,
    agree: np.ndarray,
    labels: list[str],
    shown: tuple[float, float, float],
    n: int,
) -> str:
    """Return a count, or an effect with its interval, as text."""
    if cases.unit != "share":
        return f"{number(*shown[:3], cases.unit)}, n = {n}"
    exceptions = [
        name for name, agrees in zip(labels, agree, strict=True) if not agrees
    ]
    named = f"; not {', '.join(exceptions)}" if 0 < len(exceptions) <= 3 else ""
    networks = f" ({n} network{'s' * (n != 1)})" if n < len(agree) else ""
    return f"{agree.sum()} of {len(agree)}{networks}{named}"


def heterogeneity(cases: Cases) -> str:
    """Return how much settings differ beyond what their seeds explain, as text."""
    if not cases.settings:
        return ""
    within = np.mean([setting["error"] ** 2 for setting in cases.settings])
    tau = (
        np.sqrt(max(0.0, np.var(cases.values, ddof=1) - within))
        if len(cases.values) > 1
        else 0
    )
    each = [f"{s['setting']}: {s['reason']}" for s in cases.settings]
    return f"settings differ by {tau:.3g} ({cases.unit}) beyond their seeds; {'; '.join(each)}"


def counts_by_data(values: pd.DataFrame | pd.Series, agree: np.ndarray) -> str:
    """Return the count of each data set as text, the largest first."""
    if "dataset" not in values.index.names or len(agree) != len(values):
        return ""
    sets = pd.Series(agree).groupby(
        values.index.get_level_values("dataset").astype(str)
    )
    sets = sets.agg(["sum", "size"]).sort_values("size", ascending=False, kind="stable")
    return "; ".join(f"{name} {k} of {n}" for name, k, n in sets.itertuples(name=None))


def labelled(index: pd.Index) -> list[str]:
    """Return a name for each entry of an index, without what all have in common."""
    if isinstance(index, pd.MultiIndex) and len(index) > 1:
        same = [
            i for i in range(index.nlevels) if index.get_level_values(i).nunique() == 1
        ]
        index = index.droplevel(same[: index.nlevels - 1])
    return [label(name) for name in index]


def label(name: tuple[str, ...] | int) -> str:
    """Return an index entry as readable text.

    Examples
    --------
    >>> label(("CIFAR-10", "ResNet-110", ""))
    'CIFAR-10 ResNet-110'
    >>> label(("fashion", "fashion-resnet8-w8"))
    'fashion-resnet8-w8'
    """
    parts = [
        str(part)
        for part in (name if isinstance(name, tuple) else (name,))
        if str(part)
    ]
    plain = [part.lower().replace("-", "") for part in parts]
    said_again = [
        any(own in other for other in plain[i:]) for i, own in enumerate(plain, 1)
    ]
    return " ".join(
        part for part, again in zip(parts, said_again, strict=True) if not again
    )


def listed(
    labels: list[str], chosen: np.ndarray, values: pd.Series, share: bool
) -> str:
    """Return the names of chosen cases, effects with their value, the first few hundred."""
    if not share and len(set(labels)) < len(labels):
        return ""
    names = (
        labels
        if share
        else [f"{a} {x:+.3g}" for a, x in zip(labels, values, strict=True)]
    )
    names = [name for name, one in zip(names, chosen, strict=True) if one]
    more = [f"and {len(names) - LISTED} more"] if len(names) > LISTED else []
    return "; ".join([*names[:LISTED], *more])


def number(estimate: float, low: float, high: float, unit: str) -> str:
    """Return an estimate of a unit with its interval, if it has one, as text."""
    form = {"log ratio": ".2f", "share": ".0%"}.get(unit, "+.3g")
    if unit == "log ratio":
        estimate, low, high = np.exp([estimate, low, high])
    interval = "" if np.isnan(low) else f" ({low:{form}} to {high:{form}})"
    before, after = {"log ratio": ("factor ", ""), "share": ("", "")}.get(
        unit, ("", f" {unit}")
    )
    return f"{before}{estimate:{form}}{interval}{after}".rstrip()
