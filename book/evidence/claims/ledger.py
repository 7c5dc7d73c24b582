"""The claims of the ledger's three parts, and what their tests found.

The parts are ``papers`` (``data/claims.yml``: the five papers of the replication), ``language``
(``data/claims-language.yml``) and ``promises`` (``data/claims-promises.yml``). They differ in the
frames that their tests read, and in nothing else.
"""

import inspect
from dataclasses import asdict, dataclass, replace
from functools import cache

import pandas as pd
import yaml
from scipy.stats import false_discovery_control

from book.evidence.claims import comparisons, frames, language, promises, trends
from book.evidence.claims.findings import Finding, judge
from book.evidence.claims.frames import (
    as_list,
    chance_of_another_best,
    read_table,
    select,
    with_relatives,
)
from book.evidence.claims.rule import SHARES, quantifier_of
from book.evidence.data import read_declared

PAPERS = ("guo2017", "nixon2019", "gupta2021", "vasilev2021", "minderer2021")
PARTS = {"papers": frames.FRAMES, "language": language.FRAMES, "promises": promises.FRAMES}
OWN = {  # what a paper's sentences are about: there it is taken by its words, and counted
    **dict.fromkeys(PAPERS, ("published",)),
    "tao2025": ("tao",),
    "plaut2024": ("plaut",),
    "michael2026": ("michael", "lifeeval"),
    "calarena2026": ("public",),
}
EVERY = ("always", "almost always", "all but one")  # said of every case at hand: counted there
# A metric whose halves were not compared, and the one that stands in for it.
LIKE = {"ECE (25 bins)": "ECE"}
COUNTED = {  # tests that count the best, or the worst, method of a network
    **dict.fromkeys(("lowest", "near_lowest", "second_when_beaten", "winners_differ"), "best"),
    "highest": "worst",
}
KEYS = {"id", "paper", "where", "says", "word", "evidence"}
MORE = {"theorem", "ours", "dropped", "named"}
HEAD = ("id", "paper", "where", "says", "word", "status")
TEXTS = ("unit", "by_data", "agree", "against", "settings")


def is_test(function):
    """Say whether a function takes rows and then keywords alone, as the tests of claims do."""
    if not inspect.isfunction(function):
        return False
    first, *others = inspect.signature(function).parameters.items()
    keywords = all(value.kind == value.KEYWORD_ONLY for _, value in others)
    return first[0] == "rows" and bool(others) and keywords


FUNCTIONS = vars(comparisons) | vars(trends)
TESTS = {name: function for name, function in FUNCTIONS.items() if is_test(function)}


@dataclass(frozen=True)
class Claim:
    """One testable sentence of a paper."""

    id: str
    paper: str
    where: str  # in the paper
    says: str  # in our words
    word: str  # of how many cases it says so: one of ``data/mapping.csv``
    evidence: dict  # test and parameters for each kind; ``frame`` names the table that it reads
    named: tuple = ()  # the data sets that the sentence names, and is judged on
    theorem: bool = False  # whether it can be proved, so that its cases only illustrate it
    ours: str = ""  # why the sentence is ours: it is judged and never counted
    dropped: str = ""  # why the claim is not counted any more
    part: str = "papers"

    @property
    def status(self):
        """Whether the claim counts, is a theorem, a sentence of ours, or dropped."""
        others = {"dropped": self.dropped, "ours": self.ours, "theorem": self.theorem}
        return next((status for status, given in others.items() if given), "claim")

    def judge(self, kind):
        """Return the `Finding` of this claim's test on one kind of evidence."""
        spec = dict(self.evidence[kind])
        test = TESTS[spec.pop("test")]
        frame = spec.pop("frame", first_frame(kind, self.part))
        rows = evidence_rows(kind, self.paper, frame, part=self.part)
        selected = spec.pop("rows", {})
        for column, values in selected.items():
            rows = select(rows, column, values)
        if rows.empty:
            return Finding("not tested", "not tested", reason="no such rows yet")
        rows = rows if kind == "published" else with_relatives(rows, kind)
        on = language.ALONE if self.part == "language" else self.named
        found = judge(test(rows, **spec), quantifier_of(self.word), rows, on)
        place = COUNTED.get(test.__name__)
        of_methods = self.paper in PAPERS and kind in ("public", "zoo") and "column" not in spec
        if place and of_methods:
            chance = by_halves(self.paper, selected.get("metric"), kind, place)
            found = replace(found, reason=f"{found.reason}; {chance}" if chance else found.reason)
        return found


def by_halves(paper, metric, kind, place):
    """Say how often two halves of one test set name different best, or worst, methods."""
    methods = paper.removesuffix("2017").removesuffix("2019").removesuffix("2021")
    split, worst = [LIKE.get(name, name) for name in as_list(metric)], place == "worst"
    shares = {m: chance_of_another_best(methods, m, kind, worst=worst) for m in split}
    shown = [f"{share:.0%} ({m})" for m, share in shares.items() if share == share]
    return f"by chance the {place} of two halves differ in {', '.join(shown)}" if shown else ""


def file_name(stem, part, suffix):
    """Return the name of a part's file in the folder of the data, such as "claims-language.yml"."""
    return f"{stem}.{suffix}" if part == "papers" else f"{stem}-{part}.{suffix}"


def load_claims(part="papers"):
    """Return the claims of one of the `PARTS`; a ValueError names an entry that is not one."""
    claims, file = [], file_name("claims", part, "yml")
    for entry in yaml.load(read_declared(file), yaml.CSafeLoader):
        name = entry.get("id", entry)
        if not KEYS <= set(entry) <= KEYS | MORE:
            raise ValueError(f"{file}: {name}: keys are {sorted(entry)}")
        claim = Claim(**entry, part=part)
        if part == "papers" and claim.paper not in PAPERS:
            raise ValueError(f"{file}: {name}: unknown paper {claim.paper!r}")
        if any(claim.id == other.id for other in claims):
            raise ValueError(f"{file}: {name} occurs twice")
        quantifier_of(claim.word)
        for kind, spec in claim.evidence.items():
            check_spec(name, kind, spec, part)
        claims.append(claim)
    return claims


def all_claims():
    """Return the claims of all parts."""
    return [claim for part in PARTS for claim in load_claims(part)]


def check_spec(name, kind, spec, part="papers"):
    """Raise ValueError if a test of a claim is not one that can be called."""
    file = file_name("claims", part, "yml")
    if kind not in PARTS[part]:
        raise ValueError(f"{file}: {name}: unknown evidence {kind!r}")
    if spec.get("test") not in TESTS:
        raise ValueError(f"{file}: {name}: unknown test {spec.get('test')!r}")
    known = inspect.signature(TESTS[spec["test"]]).parameters
    if spec.get("frame", first_frame(kind, part)) not in PARTS[part][kind]:
        raise ValueError(f"{file}: {name}: unknown frame {spec['frame']!r}")
    unknown = set(spec) - set(known) - {"test", "rows", "frame"}
    if unknown:
        raise ValueError(f"{file}: {name}: unknown parameters {sorted(unknown)}")


def first_frame(kind, part="papers"):
    """Return the name of the frame that a test reads unless its claim names another."""
    return next(iter(PARTS[part][kind]))


@cache
def evidence_rows(kind, paper, frame, *, part="papers"):
    """Return a tidy frame that claims select from: the papers' names, errors in percent."""
    load = PARTS[part][kind][frame]
    return load(paper) if kind == "published" else load()


def judge_all(claims=None):
    """Judge every claim, by default of the five papers, on every kind of evidence it names.

    Returned is a row a claim and kind: the `HEAD`, ``evidence``, ``verdict``, ``counted``,
    ``as_mostly``, and the other fields of `Finding`. On its own tables a paper is taken by its
    words and counted, on its own answers where it speaks of every case; elsewhere ``verdict`` is
    that of the sentence as evidence, with "mostly" for any stronger quantifier, and ``least`` is
    what is asked for there.
    """
    ledger = []
    for claim in load_claims() if claims is None else claims:
        head = {name: getattr(claim, name) for name in HEAD}
        found = {kind: claim.judge(kind) for kind in claim.evidence}
        none = {"none": Finding("not tested", "not tested", reason="no evidence at hand")}
        for kind, finding in (found or none).items():
            fields = asdict(finding)
            counted, mostly = fields.pop("counted"), fields.pop("verdict")
            home = kind in OWN.get(claim.paper, ())
            home &= kind == "published" or quantifier_of(claim.word) in EVERY
            verdicts = {"verdict": counted if home else mostly, "counted": counted}
            if fields["unit"] == "share" and not home:
                fields["least"] = min(fields["least"], SHARES["mostly"])
            ledger.append({**head, "evidence": kind, **verdicts, "as_mostly": mostly, **fields})
    return pd.DataFrame(ledger)


def quoted_alone(ledger):
    """Return the evidence's verdicts after a false discovery rate of 5 % over the whole ledger.

    Those of them that hold or fail are expected to be wrong in one of twenty (Benjamini and
    Hochberg); another is mixed.
    """
    counting = ledger["status"].eq("claim") & ledger["p"].notna()
    counting &= ~ledger["as_mostly"].isin(["too few cases", "not tested"])
    alone = ledger["as_mostly"].copy()
    lost = false_discovery_control(ledger.loc[counting, "p"]) >= 0.05
    lost &= ledger.loc[counting, "as_mostly"].isin(["holds", "fails"])
    alone[lost.index[lost]] = "mixed"
    return alone


def load_ledger(paper=None, *, part="papers"):
    """Return what `judge_all` found, as stored in ``data/ledger.csv``, its dashes restored."""
    ledger = read_table(file_name("ledger", part, "csv"))
    texts = list(TEXTS)  # a column may be empty throughout
    ledger[texts] = ledger[texts].astype(object).fillna("")
    for column in ("where", "says"):
        ledger[column] = ledger[column].str.replace(" - ", " – ")
    return ledger if paper is None else ledger[ledger["paper"] == paper].reset_index(drop=True)


def as_csv(table):
    """Return the text of a table as it is stored."""
    return table.to_csv(index=False, float_format="%.4g", lineterminator="\n")
