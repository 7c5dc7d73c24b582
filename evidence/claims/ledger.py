"""The claims of the ledger's three parts, and what their tests found.

The parts are ``papers`` (``data/ledger/claims.yml``: the five papers of the replication),
``language`` (``data/ledger/claims-language.yml``) and ``promises``
(``data/ledger/claims-promises.yml``). They differ in the frames that their tests read, and in
nothing else.
"""

import inspect
from dataclasses import asdict, dataclass, replace
from functools import cache

import pandas as pd
import yaml
from scipy.stats import false_discovery_control

from evidence.claims import comparisons, frames, promises, trends
from evidence.claims.findings import Finding, judge
from evidence.claims.rule import SHARES, quantifier_of
from evidence.data import read_declared
from evidence.language import frames as language

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
HEAD = ("id", "paper", "where", "says", "word", "status")
TEXTS = ["unit", "by_data", "agree", "against", "settings"]


def is_test(function):
    """Say whether a function takes rows and then keywords alone, as the tests of claims do."""
    if not inspect.isfunction(function):
        return False
    arguments = inspect.getfullargspec(function)
    return arguments.args == ["rows"] and bool(arguments.kwonlyargs)


TESTS = {name: f for name, f in (vars(comparisons) | vars(trends)).items() if is_test(f)}


@dataclass(frozen=True)
class Claim:
    """One testable sentence of a paper."""

    id: str
    paper: str
    where: str  # in the paper
    says: str  # in our words
    word: str  # of how many cases it says so: one of ``data/ledger/mapping.csv``
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
        test, frame, selected, given = self.test_on(kind)
        rows = evidence_rows(kind, self.paper, frame, part=self.part)
        for column, values in selected.items():
            rows = frames.select(rows, column, values)
        if rows.empty:
            return Finding("not tested", "not tested", reason="no such rows yet")
        rows = rows if kind == "published" else frames.with_relatives(rows, kind)
        on = language.ALONE if self.part == "language" else self.named
        found = judge(TESTS[test](rows, **given), quantifier_of(self.word), rows, on)
        place = COUNTED.get(test)
        if place and self.paper in PAPERS and kind in ("public", "zoo") and "column" not in given:
            chance = by_halves(self.paper[:-4], selected.get("metric"), kind, place)
            found = replace(found, reason=found.reason + chance)
        return found

    def test_on(self, kind):
        """Return test, frame, selected rows and parameters for a kind; ValueError if unknown."""
        frames = PARTS[self.part].get(kind, {})
        given = {"frame": next(iter(frames), None), "rows": {}} | self.evidence[kind]
        test, frame, selected = (given.pop(key, None) for key in ("test", "frame", "rows"))
        if test not in TESTS or frame not in frames:
            raise ValueError(f"unknown evidence {kind!r}, frame {frame!r} or test {test!r}")
        if unknown := set(given) - set(inspect.signature(TESTS[test]).parameters):
            raise ValueError(f"unknown parameters {sorted(unknown)}")
        return test, frame, selected, given


def by_halves(methods, metric, kind, place):
    """Say how often two halves of one test set name different best, or worst, methods."""
    split, worst = [LIKE.get(name, name) for name in frames.as_list(metric)], place == "worst"
    shares = {m: frames.chance_of_another_best(methods, m, kind, worst=worst) for m in split}
    shown = [f"{share:.0%} ({m})" for m, share in shares.items() if share == share]
    return f"; by chance the {place} of two halves differ in {', '.join(shown)}" if shown else ""


def file_name(stem, part, suffix):
    """Return a part's file, below the folder of data: "ledger/claims-language.yml", say."""
    ending = "" if part == "papers" else f"-{part}"
    return f"ledger/{stem}{ending}.{suffix}"


def load_claims(part="papers"):
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
            raise ValueError(f"{file}: {name}: it occurs twice, or {claim.paper!r} is unknown")
        claims[name] = claim
    return list(claims.values())


def all_claims():
    """Return the claims of all parts."""
    return [claim for part in PARTS for claim in load_claims(part)]


@cache
def evidence_rows(kind, paper, frame, *, part="papers"):
    """Return a tidy frame that claims select from: the papers' names, errors in percent."""
    load = PARTS[part][kind][frame]
    return load(paper) if kind == "published" else load()


def judge_all(claims=None):
    """Judge every claim, by default of the five papers, on every kind of evidence it names.

    On its own tables a paper is taken by its words and counted, on its own answers where it speaks
    of every case; elsewhere ``verdict`` has "mostly" for any stronger quantifier.
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
    """Return the evidence's verdicts at a false discovery rate of 5 % (Benjamini and Hochberg)."""
    counting = ledger["status"].eq("claim") & ledger["p"].notna()
    counting &= ~ledger["as_mostly"].isin(["too few cases", "not tested"])
    alone = ledger["as_mostly"].copy()
    lost = false_discovery_control(ledger.loc[counting, "p"]) >= 0.05
    lost &= ledger.loc[counting, "as_mostly"].isin(["holds", "fails"])
    alone[lost.index[lost]] = "mixed"
    return alone


def load_ledger(paper=None, *, part="papers"):
    """Return what `judge_all` found, as stored in ``data/ledger``, its dashes restored."""
    ledger = frames.read_table(file_name("ledger", part, "csv"))
    ledger[TEXTS] = ledger[TEXTS].astype(object).fillna("")  # one may be empty throughout
    ledger = ledger.assign(**{c: ledger[c].str.replace(" - ", " – ") for c in ("where", "says")})
    return ledger if paper is None else ledger[ledger["paper"] == paper].reset_index(drop=True)


def as_csv(table):
    """Return the text of a table as it is stored."""
    return table.to_csv(index=False, float_format="%.4g", lineterminator="\n")
