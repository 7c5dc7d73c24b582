"""The claims of the ledger's three parts, and what their tests found.

The parts are ``papers`` (``data/ledger/claims.yml``: the five papers of the replication),
``language`` (``data/ledger/claims-language.yml``) and ``promises``
(``data/ledger/claims-promises.yml``). They differ in the frames that their tests read, and in
nothing else.
"""

import inspect
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import chain
from typing import Any

import pandas as pd
import yaml

from evidence.claims import comparisons, frames, language_frames, promise_frames, trends
from evidence.claims.distributions import Distribution
from evidence.claims.estimates import (
    COLUMNS,
    Estimate,
    label,
    likelihood_of,
    networks_of,
    of_amount,
    of_interval,
    of_share,
    tells_likeness,
)
from evidence.claims.findings import (
    Evidence,
    asked_share,
    counted_in,
    evidence_of,
    reason_of,
    sides_of,
)
from evidence.claims.frames import with_relatives
from evidence.claims.pools import pool
from evidence.claims.rule import quantifier_of
from evidence.claims.shares import EFFECTS, Likelihood, learn, share
from evidence.claims.vocabulary import (
    Vocabulary,
    check_data_sets,
    check_parameters,
    check_selected,
    vocabulary_of,
)
from evidence.data import PAPERS as PAPERS_WITH_TABLES
from evidence.data import read_declared

PAPERS = (*PAPERS_WITH_TABLES, "minderer2021")
PARTS: dict[str, dict[str, dict[str, Callable[..., pd.DataFrame]]]] = {
    "papers": frames.FRAMES,
    "language": language_frames.FRAMES,
    "promises": promise_frames.FRAMES,
}
OWN = {  # what a paper's sentences are about: there it is taken by its words, and counted
    **dict.fromkeys(PAPERS, ("published",)),
    "tao2025": ("tao",),
    "plaut2024": ("plaut",),
    "michael2026": ("michael", "lifeeval"),
    "calarena2026": ("public",),
}
# said of every case at hand: counted there
EVERY = ("always", "almost always", "all but one")
# A metric whose halves were not compared, and the one that stands in for it.
LIKE = {"ECE (25 bins)": "ECE"}
COUNTED = {  # tests that count the best, or the worst, method of a network
    **dict.fromkeys(
        ("lowest", "near_lowest", "second_when_beaten", "winners_differ"), "best"
    ),
    "highest": "worst",
}
HEAD = ("id", "paper", "where", "says", "word", "status")
TEXTS = ["unit", "by_data", "agree", "against", "settings"]


def is_test(function: Any) -> bool:
    """Say whether a function takes rows and then keywords alone, as the tests of claims do."""
    if not inspect.isfunction(function):
        return False
    arguments = inspect.getfullargspec(function)
    return arguments.args == ["rows"] and bool(arguments.kwonlyargs)


TESTS = {
    name: f for name, f in (vars(comparisons) | vars(trends)).items() if is_test(f)
}


@dataclass(frozen=True)
class Claim:
    """One testable sentence of a paper."""

    id: str
    paper: str
    where: str  # in the paper
    says: str  # in our words
    word: str  # of how many cases it says so: one of ``data/ledger/mapping.csv``
    # test and parameters for each kind; ``frame`` names the table that it reads
    evidence: dict[str, dict[str, Any]]
    # the data sets that the sentence names, and is judged on
    named: tuple[str, ...] = ()
    theorem: bool = (
        False  # whether it can be proved, so that its cases only illustrate it
    )
    ours: str = ""  # why the sentence is ours: it is judged and never counted
    dropped: str = ""  # why the claim is not counted any more
    part: str = "papers"

    @property
    def status(self) -> str:
        """Whether the claim counts, is a theorem, a sentence of ours, or dropped."""
        others = {"dropped": self.dropped, "ours": self.ours, "theorem": self.theorem}
        return next((status for status, given in others.items() if given), "claim")

    @property
    def quantifier(self) -> str | int:
        """What its word asks for."""
        return quantifier_of(self.word)

    def evidence_on(self, kind: str) -> Evidence | None:
        """Return the `Evidence` that its test finds, None if there is none.

        A ValueError names a word of the claim that no evidence knows.
        """
        test, frame, selected, given = self.test_on(kind)
        self.check_names(kind, frame, selected, given)
        rows = evidence_rows(kind, self.table_of(kind), frame, part=self.part)
        for column, values in selected.items():
            rows = frames.select(rows, column, values)
        if rows.empty:
            return None
        rows = rows if kind == "published" else with_relatives(rows, kind)
        cases = TESTS[test](rows, **given)
        if not len(cases.values):
            return None
        return evidence_of(cases, self.quantifier, rows, self.named)

    def table_of(self, kind: str) -> str:
        """Return the paper whose tables are read; elsewhere all papers share a frame."""
        return self.paper if kind == "published" else ""

    def check_names(
        self, kind: str, frame: str, selected: dict[str, Any], given: dict[str, Any]
    ) -> None:
        """Refuse a name that no evidence has: else a slip of the pen is a claim without rows."""
        words = frame_vocabulary(kind, self.table_of(kind), frame, part=self.part)
        try:
            check_selected(words, selected, every_vocabulary)
            check_parameters(words, given, every_vocabulary)
            check_data_sets(words, self.named, every_vocabulary)
        except ValueError as error:
            file = file_name("claims", self.part, "yml")
            raise ValueError(f"{file}: {self.id}: {kind}: {error}") from None

    def networks_on(self, kind: str, evidence: Evidence) -> pd.DataFrame | None:
        """Return the networks of a share or an amount as the model reads them, else None.

        Of our networks no author is drawn: the share is that of networks that we train. The
        answers of language models are each source's own.
        """
        if evidence.cases.interval:
            return None
        author = kind if self.part == "language" else None
        left_out = ("author",) if kind == "zoo" else ()
        rows = networks_of(evidence, left_out=left_out, author=author)
        return rows.assign(id=self.id, evidence=kind).reindex(columns=COLUMNS)

    def chance_of_best(self, kind: str) -> str:
        """Return the share of splits that name another best, or worst, method, as text."""
        test, _, selected, given = self.test_on(kind)
        place = COUNTED.get(test)
        ours = (
            self.paper in PAPERS and kind in ("public", "zoo") and "column" not in given
        )
        if not (place and ours):
            return ""
        return by_halves(self.paper[:-4], selected.get("metric", []), kind, place)

    def test_on(self, kind: str) -> tuple[str, str, dict[str, Any], dict[str, Any]]:
        """Return test, frame, selected rows and parameters for a kind; ValueError if unknown."""
        frames = PARTS[self.part].get(kind, {})
        given: dict[str, Any] = {"frame": next(iter(frames), None), "rows": {}}
        given |= self.evidence[kind]
        test, frame, selected = (
            given.pop(key, None) for key in ("test", "frame", "rows")
        )
        if test not in TESTS or frame not in frames:
            raise ValueError(
                f"unknown evidence {kind!r}, frame {frame!r} or test {test!r}"
            )
        if unknown := set(given) - set(inspect.signature(TESTS[test]).parameters):
            raise ValueError(f"unknown parameters {sorted(unknown)}")
        return test, frame, selected, given


def by_halves(methods: str, metric: str | list[str], kind: str, place: str) -> str:
    """Say how often two halves of one test set name different best, or worst, methods."""
    split, worst = (
        [LIKE.get(name, name) for name in frames.as_list(metric)],
        place == "worst",
    )
    shares = {
        m: frames.chance_of_another_best(methods, m, kind, worst=worst) for m in split
    }
    shown = [f"{share:.0%} ({m})" for m, share in shares.items() if share == share]
    return (
        f"; by chance the {place} of two halves differ in {', '.join(shown)}"
        if shown
        else ""
    )


def file_name(stem: str, part: str, suffix: str) -> str:
    """Return a part's file, below the folder of data: "ledger/claims-language.yml", say."""
    ending = "" if part == "papers" else f"-{part}"
    return f"ledger/{stem}{ending}.{suffix}"


def load_claims(part: str = "papers") -> list[Claim]:
    """Return the claims of one of the `PARTS`; a ValueError names an entry that is not one."""
    claims, file = {}, file_name("claims", part, "yml")
    for entry in yaml.load(read_declared(file), yaml.CSafeLoader):
        name = entry.get("id", entry)
        try:
            claim = Claim(**entry, part=part)
            quantifier_of(claim.word)
            for kind in claim.evidence:
                claim.test_on(kind)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{file}: {name}: {error}") from None
        if name in claims or (part == "papers" and claim.paper not in PAPERS):
            raise ValueError(
                f"{file}: {name}: it occurs twice, or {claim.paper!r} is unknown"
            )
        claims[name] = claim
    return list(claims.values())


def all_claims() -> list[Claim]:
    """Return the claims of all parts."""
    return list(chain.from_iterable(map(load_claims, PARTS)))


@cache
def evidence_rows(
    kind: str, paper: str, frame: str, *, part: str = "papers"
) -> pd.DataFrame:
    """Return a tidy frame that claims select from: the papers' names, errors in percent."""
    load = PARTS[part][kind][frame]
    return load(paper) if kind == "published" else load()


@cache
def frame_vocabulary(
    kind: str, paper: str, frame: str, *, part: str = "papers"
) -> Vocabulary:
    """Return the names that a tidy frame has, with those of the networks' relatives."""
    rows = evidence_rows(kind, paper, frame, part=part)
    return vocabulary_of(rows if kind == "published" else with_relatives(rows, kind))


@cache
def every_vocabulary() -> list[Vocabulary]:
    """Return the names of all frames of all parts: a quarter of a minute, for a rare question."""
    return [
        frame_vocabulary(kind, paper, frame, part=part)
        for part, kinds in PARTS.items()
        for kind, loads in kinds.items()
        for frame in loads
        for paper in (PAPERS_WITH_TABLES if kind == "published" else ("",))
    ]


@dataclass(frozen=True)
class Gathered:
    """What the tests of claims found, and the networks as the model reads them."""

    # (id, kind): what the test of a claim found, or None
    evidence: dict[tuple[str, str], Evidence | None]
    networks: pd.DataFrame
    # (id, kind): those computed so far
    likelihoods: dict[tuple[str, str], Likelihood] = field(default_factory=dict)

    compute: Callable[[pd.DataFrame], Likelihood] = likelihood_of

    def rows(self, name: str, kind: str) -> pd.DataFrame:
        """Return the networks of a claim and a kind of evidence."""
        rows = self.networks
        return rows[(rows["id"] == name) & (rows["evidence"] == kind)]

    def likelihood(self, name: str, kind: str) -> Likelihood:
        """Return the effects that are drawn, and the likelihood of the counts of a claim."""
        if (name, kind) not in self.likelihoods:
            self.likelihoods[name, kind] = self.compute(self.rows(name, kind))
        return self.likelihoods[name, kind]

    def scales(self) -> dict[str, float]:
        """Return the scales of the spreads' priors, learnt from all counts.

        Networks of one data set, by one author, say nothing of how data sets or authors differ.
        """
        several = [
            self.likelihood(*key)
            for key, evidence in self.evidence.items()
            if evidence is not None
            and evidence.is_share
            and tells_likeness(self.rows(*key))
        ]
        return learn(several)


def gather(
    claims: list[Claim],
    compute: Callable[[pd.DataFrame], Likelihood] = likelihood_of,
) -> Gathered:
    """Return the evidence of claims; `compute` gives the likelihood of the counts of one."""
    found, parts = {}, [pd.DataFrame(columns=COLUMNS)]
    for claim in claims:
        for kind in claim.evidence:
            evidence = found[claim.id, kind] = claim.evidence_on(kind)
            rows = None if evidence is None else claim.networks_on(kind, evidence)
            parts += [] if rows is None else [rows]
    return Gathered(found, pd.concat(parts, ignore_index=True), compute=compute)


def judge_all(
    claims: list[Claim] | None = None,
    scales: dict[str, float] | None = None,
    gathered: Gathered | None = None,
) -> pd.DataFrame:
    """Return the ledger of claims, by default of the five papers: one row a kind of evidence.

    On its own tables a paper is taken by its words and counted, on its own answers where it speaks
    of every case; elsewhere ``verdict`` is the model's ``label``.
    """
    claims = load_claims() if claims is None else claims
    scales = load_scales() if scales is None else scales
    gathered = gather(claims) if gathered is None else gathered
    rows = []
    for claim in claims:
        head = {name: getattr(claim, name) for name in HEAD}
        for kind in claim.evidence or ["none"]:
            rows.append(
                {**head, "evidence": kind, **answer(claim, kind, gathered, scales)}
            )
    return pd.DataFrame(rows)


def answer(
    claim: Claim, kind: str, gathered: Gathered, scales: dict[str, float]
) -> dict[str, Any]:
    """Return what one kind of evidence says of a claim, as the columns of the ledger."""
    evidence = gathered.evidence.get((claim.id, kind))
    if evidence is None:
        nothing = {
            "verdict": "not tested",
            "counted": "not tested",
            "label": "not tested",
        }
        none = "no evidence at hand" if kind == "none" else "no such rows yet"
        return (
            nothing
            | asdict(Estimate())
            | dict.fromkeys(TEXTS, "")
            | {"n": 0, "reason": none}
        )
    cases = evidence.cases
    estimate = estimate_of(claim, kind, gathered, scales)
    word = label(estimate.p_word, claim.quantifier)
    counted = counted_in(evidence) or word
    home = kind in OWN.get(claim.paper, ())
    home &= kind == "published" or claim.quantifier in EVERY
    least, most = (float(cases.scale(bound)) for bound in evidence.asked)
    if evidence.is_share:
        least, most = asked_share(claim.quantifier, len(evidence.agree), least)
    shown = (estimate.estimate, estimate.low, estimate.high)
    return {
        "verdict": counted if home else word,
        "counted": counted,
        "label": word,
        **asdict(estimate),
        "n": len(evidence.networks),
        "unit": cases.unit,
        "reason": reason_of(evidence, shown) + claim.chance_of_best(kind),
        **sides_of(evidence),
        "least": least,
        "most": most,
        "settings": json.dumps(cases.settings) if cases.settings else "",
    }


def estimate_of(
    claim: Claim, kind: str, gathered: Gathered, scales: dict[str, float]
) -> Estimate:
    """Return the `Estimate` of a claim on one kind of evidence."""
    evidence = gathered.evidence[claim.id, kind]
    if evidence is None:
        raise ValueError(f"{claim.id}: no evidence of the kind {kind!r}")
    if evidence.cases.interval:
        return of_interval(evidence.interval, evidence.asked, evidence.cases.scale)
    if evidence.is_share:
        return of_share(*gathered.likelihood(claim.id, kind), evidence.asked[0], scales)
    return of_amount(gathered.rows(claim.id, kind), evidence.asked, scales)


def pooled(
    judged: pd.DataFrame, gathered: Gathered, scales: dict[str, float]
) -> pd.DataFrame:
    """Return what sentences of one kind have in common, one row a kind.

    The kinds are the five papers' sentences that hold in print, on public networks, on ours and on
    both, and those of the other two parts.
    """
    counting = judged[
        judged["status"].isin(["claim", "theorem"]) & (judged["unit"] == "share")
    ]
    in_print = counting["evidence"].eq("published") & counting["counted"].eq("holds")
    away = counting[counting["id"].isin(counting["id"][in_print])]
    away = away[away["evidence"].isin(["public", "zoo"])]
    kinds = {"true in print": away}
    kinds |= {f"true in print, {kind}": rows for kind, rows in away.groupby("evidence")}
    kinds |= {
        f"of {part}": counting[counting["part"] == part]
        for part in ("language", "promises")
    }
    return pd.DataFrame(
        [pooled_row(kind, rows, gathered, scales) for kind, rows in kinds.items()]
    )


def pooled_row(
    kind: str, rows: pd.DataFrame, gathered: Gathered, scales: dict[str, float]
) -> dict[str, Any]:
    """Return the share of networks, and of sentences that are true of so many, of one kind."""
    keys = list(zip(rows["id"], rows["evidence"], strict=True))
    found = pool([gathered.likelihood(*key) for key in keys], scales)
    row = {"kind": kind, "tests": len(keys)}
    of = {"share": found.mean_share()}
    of |= {
        name: found.true_of_more_than(bound)
        for name, bound in (("half", 0.5), ("most", 0.8))
    }
    for name, distribution in of.items():
        low, high = distribution.quantiles()
        row |= {name: distribution.mean, f"{name}_low": low, f"{name}_high": high}
    return row


def load_pooled() -> pd.DataFrame:
    """Return what sentences of one kind have in common, ``data/ledger/ledger-pooled.csv``."""
    return frames.read_table("ledger/ledger-pooled.csv").set_index("kind")


def load_scales() -> dict[str, float]:
    """Return the scales of the spreads' priors, ``data/ledger/ledger-spreads.csv``."""
    return (
        frames.read_table("ledger/ledger-spreads.csv")
        .set_index("effect")["scale"]
        .to_dict()
    )


def load_networks() -> pd.DataFrame:
    """Return the networks of all claims, ``data/ledger/ledger-networks.csv``."""
    table = frames.read_table("ledger/ledger-networks.csv")
    return table.fillna(dict.fromkeys(EFFECTS, "")).astype(dict.fromkeys(EFFECTS, str))


def load_ledger(paper: str | None = None, *, part: str = "papers") -> pd.DataFrame:
    """Return what `judge_all` found, as stored in ``data/ledger``, its dashes restored."""
    ledger = frames.read_table(file_name("ledger", part, "csv"))
    # one may be empty throughout
    ledger[TEXTS] = ledger[TEXTS].astype(object).fillna("")
    ledger = ledger.assign(
        **{c: ledger[c].str.replace(" - ", " – ") for c in ("where", "says")}
    )
    return (
        ledger
        if paper is None
        else ledger[ledger["paper"] == paper].reset_index(drop=True)
    )


def as_csv(table: pd.DataFrame) -> str:
    """Return the text of a table as it is stored."""
    return table.to_csv(index=False, float_format="%.4g", lineterminator="\n")


def share_of(won: pd.Series) -> Distribution:
    """Return the distribution of the share of new networks, given which of some networks agree.

    The index of `won` names the networks; those of a table in print have a data set and a model.
    """
    index = won.index
    if {"dataset", "model"} <= set(index.names):
        levels = {"dataset": index.get_level_values("dataset"), "author": ""}
        levels["kin"] = index.get_level_values("model")
    else:
        levels = frames.relatives(
            index.get_level_values("case" if index.nlevels > 1 else 0)
        )
    rows = pd.DataFrame(levels, index=range(len(won))).assign(
        networks=1, total=won.to_numpy(float)
    )
    rows = rows.groupby(list(EFFECTS), as_index=False)[["networks", "total"]].sum()
    drawn, likelihood = likelihood_of(rows)
    return share(likelihood, drawn, load_scales())
