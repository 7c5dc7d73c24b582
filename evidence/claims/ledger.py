"""The judge of the ledger: what each kind of evidence says of each claim.

`gather` runs the tests of all claims, `Gathered.scales` learns from all counts how alike networks
are, and `judge_claim` answers for one claim and one kind of evidence with a `Judgement`, a row of
``data/ledger/ledger*.csv``.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from evidence.claims import kin
from evidence.claims.cases import MeasuredNetworks
from evidence.claims.claim import Claim, load_claims
from evidence.claims.distributions import Distribution
from evidence.claims.estimates import (
    COLUMNS_OF_NETWORKS,
    Estimate,
    Findings,
    estimate_of,
    label_of,
    likelihood_of,
    tells_likeness,
)
from evidence.claims.network_intervals import ShownInterval
from evidence.claims.pools import pool
from evidence.claims.reasons import (
    ClusterCounts,
    Sides,
    cluster_counts,
    reason_of,
    sides_of,
)
from evidence.claims.shares import EFFECTS, Likelihood, learn, share
from evidence.claims.stored import TYPES_OF_COUNTS, load_scales
from evidence.data import PAPERS

# the kinds of evidence that a source's sentences describe: there their words are counted
DESCRIBED = {
    **dict.fromkeys(PAPERS, ("published",)),
    "tao2025": ("tao",),
    "plaut2024": ("plaut",),
    "michael2026": ("michael", "lifeeval"),
    "calarena2026": ("public",),
}
# quantifiers of every case at hand
UNIVERSAL = ("always", "almost always", "all but one")
HEAD = ("id", "paper", "where", "says", "word", "status")
NOT_TESTED = "not tested"

Key = tuple[str, str]  # of a claim and a kind of evidence


@dataclass(frozen=True)
class Gathered:
    """What the tests of claims measured, and the counts that the model reads."""

    # the networks of each claim and kind of evidence, None where there are none
    measured: dict[Key, MeasuredNetworks | None]
    networks: pd.DataFrame  # of all, as ``data/ledger/ledger-networks.csv`` has them
    # of the counts of a claim and a kind of evidence: those computed so far
    likelihoods: dict[Key, Likelihood] = field(default_factory=dict)

    compute: Callable[[pd.DataFrame], Likelihood] = likelihood_of

    def rows(self, name: str, evidence: str) -> pd.DataFrame:
        """Return the networks of a claim and a kind of evidence, as the model reads them."""
        rows = self.networks
        return rows[(rows["id"] == name) & (rows["evidence"] == evidence)]

    def likelihood(self, name: str, evidence: str) -> Likelihood:
        """Return the likelihood of the counts of a claim."""
        if (name, evidence) not in self.likelihoods:
            self.likelihoods[name, evidence] = self.compute(self.rows(name, evidence))
        return self.likelihoods[name, evidence]

    def findings(self, name: str, evidence: str) -> Findings | None:
        """Return what a kind of evidence has of a claim, None where it has nothing."""
        measured = self.measured.get((name, evidence))
        if measured is None:
            return None
        is_count = measured.is_share and not measured.cases.interval_of
        likelihood = self.likelihood(name, evidence) if is_count else None
        return Findings(measured, self.rows(name, evidence), likelihood)

    def scales(self) -> dict[str, float]:
        """Return the scales of the spreads' priors, learnt from all counts.

        Networks of one data set, by one author, say nothing of how data sets or authors differ.
        """
        telling = []
        for key, measured in self.measured.items():
            if measured and measured.is_share and tells_likeness(self.rows(*key)):
                telling.append(self.likelihood(*key))
        return learn(telling)


def gather(
    claims: list[Claim],
    compute: Callable[[pd.DataFrame], Likelihood] = likelihood_of,
) -> Gathered:
    """Return what the tests of claims find; `compute` gives the likelihood of one's counts."""
    measured_by_key: dict[Key, MeasuredNetworks | None] = {}
    tables = [pd.DataFrame(columns=COLUMNS_OF_NETWORKS)]
    for claim in claims:
        for evidence in claim.tests:
            measured = measured_by_key[claim.id, evidence] = claim.measured_on(evidence)
            counts = None if measured is None else claim.counts_on(evidence, measured)
            tables += [] if counts is None else [counts]
    return Gathered(
        measured_by_key, pd.concat(tables, ignore_index=True), compute=compute
    )


@dataclass(frozen=True)
class Judgement:
    """What one kind of evidence says of a claim: a row of the ledger."""

    verdict: str  # what the ledger shows: the count, or the word of the model
    counted: str  # what the paper's words say of the cases at hand
    label: str  # the word of the model: shown, refuted or open
    reason: str  # one line that says why
    estimate: Estimate = field(default_factory=Estimate)
    n: int = 0  # networks, or settings
    clusters: ClusterCounts = field(default_factory=ClusterCounts)
    # where networks are counted: how many cases agree, of how many at hand
    agreeing: int | None = None
    cases: int | None = None
    what: str = ""  # was counted, or measured
    unit: str = ""
    sides: Sides = field(default_factory=Sides)
    # between these the claim puts the estimate
    least: float = float("nan")
    most: float = float("nan")
    settings: str = ""  # JSON: `Cases.settings`

    def columns(self) -> dict[str, Any]:
        """Return the columns of the ledger, in their order."""
        return {
            "verdict": self.verdict,
            "counted": self.counted,
            "label": self.label,
            **asdict(self.estimate),
            "n": self.n,
            **asdict(self.clusters),
            "agreeing": self.agreeing,
            "cases": self.cases,
            "what": self.what,
            "unit": self.unit,
            "reason": self.reason,
            **asdict(self.sides),
            "least": self.least,
            "most": self.most,
            "settings": self.settings,
        }


def judge_all(
    claims: list[Claim] | None = None,
    scales: dict[str, float] | None = None,
    gathered: Gathered | None = None,
) -> pd.DataFrame:
    """Return the ledger of claims, by default of the five papers: one row a kind of evidence."""
    claims = load_claims() if claims is None else claims
    scales = load_scales() if scales is None else scales
    gathered = gather(claims) if gathered is None else gathered
    rows = []
    for claim in claims:
        head = {name: getattr(claim, name) for name in HEAD}
        for evidence in claim.tests or ["none"]:
            judgement = judge_claim(claim, evidence, gathered, scales)
            rows.append({**head, "evidence": evidence, **judgement.columns()})
    # whole numbers, and none where nothing is counted
    return pd.DataFrame(rows).astype(TYPES_OF_COUNTS)


def judge_claim(
    claim: Claim, evidence: str, gathered: Gathered, scales: dict[str, float]
) -> Judgement:
    """Return what one kind of evidence says of a claim.

    Where a claim describes the cases themselves (`is_descriptive`) its words are counted; elsewhere
    the verdict is the word of the model.
    """
    findings = gathered.findings(claim.id, evidence)
    if findings is None:
        reason = "no evidence at hand" if evidence == "none" else "no such rows yet"
        return Judgement(NOT_TESTED, NOT_TESTED, NOT_TESTED, reason)
    measured, estimate = findings.measured, estimate_of(findings, scales)
    label = label_of(estimate.p_word, claim.quantifier)
    # what cannot be counted has the word of the model in its place
    counted = measured.counted or label
    shown = ShownInterval(estimate.estimate, estimate.low, estimate.high)
    asked = measured.shown_asked
    settings = measured.cases.settings
    reason, sides = reason_of(measured, shown), sides_of(measured)
    of_cases = (int(measured.agree.sum()), len(measured.agree))
    agreeing, cases = of_cases if measured.is_share else (None, None)
    return Judgement(
        verdict=counted if is_descriptive(claim, evidence) else label,
        counted=counted,
        label=label,
        reason=reason + claim.chance_of_best(evidence),
        estimate=estimate,
        n=len(measured.networks),
        clusters=cluster_counts(measured),
        agreeing=agreeing,
        cases=cases,
        what=measured.cases.summary,
        unit=measured.cases.unit,
        sides=sides,
        least=asked.least,
        most=asked.most,
        settings=json.dumps(settings) if settings else "",
    )


def is_descriptive(claim: Claim, evidence: str) -> bool:
    """Say whether a claim describes the cases themselves, and not networks like these.

    It describes its paper's tables, and the paper's answers where it says something of every case.
    """
    described = evidence in DESCRIBED.get(claim.paper, ())
    return described and (evidence == "published" or claim.quantifier in UNIVERSAL)


def pooled(
    judged: pd.DataFrame, gathered: Gathered, scales: dict[str, float]
) -> pd.DataFrame:
    """Return what sentences of one group have in common, one row a group.

    The groups are the five papers' sentences that hold in print, on public networks, on ours and on
    both, and those of the other two parts. A theorem is in none: that it is so elsewhere too needs
    no evidence, and is none of what print is worth.
    """
    counting = judged[(judged["status"] == "claim") & (judged["unit"] == "share")]
    in_print = counting["evidence"].eq("published") & counting["counted"].eq("holds")
    repeated = counting[counting["id"].isin(counting["id"][in_print])]
    repeated = repeated[repeated["evidence"].isin(["public", "zoo"])]
    groups = {"true in print": repeated}
    for evidence, rows in repeated.groupby("evidence"):
        groups[f"true in print, {evidence}"] = rows
    groups |= {
        f"of {part}": counting[counting["part"] == part]
        for part in ("language", "promises")
    }
    return pd.DataFrame(
        [pooled_row(group, rows, gathered, scales) for group, rows in groups.items()]
    )


def pooled_row(
    group: str, rows: pd.DataFrame, gathered: Gathered, scales: dict[str, float]
) -> dict[str, Any]:
    """Return the share of networks, and of sentences that are true of so many, of one group."""
    keys = list(zip(rows["id"], rows["evidence"], strict=True))
    sentences = pool([gathered.likelihood(*key) for key in keys], scales)
    row = {"group": group, "tests": len(keys)}
    distributions = {
        "share": sentences.mean_share(),
        "half": sentences.true_of_more_than(0.5),
        "most": sentences.true_of_more_than(0.8),
    }
    for name, distribution in distributions.items():
        low, high = distribution.quantiles()
        row |= {name: distribution.mean, f"{name}_low": low, f"{name}_high": high}
    return row


def share_of(won: pd.Series) -> Distribution:
    """Return the distribution of the share of new networks, given which of some networks agree.

    The index of `won` names the networks; those of a table in print have a data set and a model.
    """
    index = won.index
    if {"dataset", "model"} <= set(index.names):
        levels: dict[str, Any] = {"author": ""}
        levels["dataset"] = index.get_level_values("dataset")
        levels["kin"] = index.get_level_values("model")
    else:
        levels = kin.relatives(
            index.get_level_values("case" if index.nlevels > 1 else 0)
        )
    # as in the ledger, no author is drawn of our networks: one says nothing of how authors differ
    if set(levels["author"]) == {"ours"}:
        levels["author"] = ""
    rows = pd.DataFrame(levels, index=range(len(won))).assign(
        networks=1, total=won.to_numpy(float)
    )
    rows = rows.groupby(list(EFFECTS), as_index=False)[["networks", "total"]].sum()
    return share(likelihood_of(rows), load_scales())
