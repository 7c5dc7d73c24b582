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

from book.evidence.claims import comparisons, frames, language, promises, trends
from book.evidence.claims.findings import QUANTIFIERS, holm, not_tested
from book.evidence.claims.frames import as_list, chance_of_another_best, read_table, select
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
# A metric whose halves were not compared, and the one that stands in for it.
LIKE = {"ECE (25 bins)": "ECE"}
COUNTED = {  # tests that count the best, or the worst, method of a network
    **dict.fromkeys(("lowest", "near_lowest", "second_when_beaten", "winners_differ"), "best"),
    "highest": "worst",
}
KEYS = {"id", "paper", "where", "says", "evidence"}
TEXTS = ("unit", "by_data", "agree", "against", "settings")
TESTS = {test.__name__: test for test in (*comparisons.TESTS, *trends.TESTS)}


@dataclass(frozen=True)
class Claim:
    """One testable sentence of a paper.

    Attributes
    ----------
    id, paper, where, says : str
        Name, paper, place in the paper, and what it says in our words.
    evidence : dict of str to dict
        Test and parameters for each kind of evidence; ``frame`` names the table that it reads.
    theorem : bool
        Whether the sentence can be proved, so that its cases only illustrate it.
    dropped : str
        Why the claim is not counted any more, empty if it is.
    part : {"papers", "language", "promises"}
    """

    id: str
    paper: str
    where: str
    says: str
    evidence: dict
    theorem: bool = False
    dropped: str = ""
    part: str = "papers"

    @property
    def status(self):
        """Whether the claim stands, is a theorem whose cases only illustrate it, or is dropped."""
        return "dropped" if self.dropped else "theorem" if self.theorem else "claim"

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
            return not_tested("no such rows yet")
        found = test(rows, **spec)
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
    """Return the name of a part's file in the folder of the data.

    Examples
    --------
    >>> file_name("claims", "papers", "yml"), file_name("ledger", "language", "csv")
    ('claims.yml', 'ledger-language.csv')
    """
    return f"{stem}.{suffix}" if part == "papers" else f"{stem}-{part}.{suffix}"


def load_claims(part="papers"):
    """Return the claims of a part, checked.

    Parameters
    ----------
    part : {"papers", "language", "promises"}

    Returns
    -------
    list of Claim

    Raises
    ------
    ValueError
        If an entry lacks a key, repeats an id, or names an unknown paper, kind of evidence, test
        or parameter; the message names the entry.
    """
    claims, file = [], file_name("claims", part, "yml")
    for entry in yaml.load(read_declared(file), yaml.CSafeLoader):
        name = entry.get("id", entry)
        if not KEYS <= set(entry) <= KEYS | {"theorem", "dropped"}:
            raise ValueError(f"{file}: {name}: keys are {sorted(entry)}")
        claim = Claim(**entry, part=part)
        if part == "papers" and claim.paper not in PAPERS:
            raise ValueError(f"{file}: {name}: unknown paper {claim.paper!r}")
        if any(claim.id == other.id for other in claims):
            raise ValueError(f"{file}: {name} occurs twice")
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
    """Return the tidy frame of one kind of evidence: what the tests of a claim select from.

    Metrics and methods have the papers' names, errors are in percent. A row of ``public`` or
    ``zoo`` names its ``case``: a network, which for the zoo means the mean over its seeds.
    """
    load = PARTS[part][kind][frame]
    return load(paper) if kind == "published" else load()


def judge_all(claims=None):
    """Judge every claim on every kind of evidence it names.

    Parameters
    ----------
    claims : list of Claim, optional
        By default those of the five papers.

    Returns
    -------
    pandas.DataFrame
        One row a claim and kind of evidence: ``id``, ``paper``, ``where``, ``says``, ``status``
        ("claim", "theorem" or "dropped"), ``evidence``, ``verdict``, ``by_words``, ``as_mostly``,
        ``holm``, and the other fields of `Finding`. On what is its own (``published`` tables,
        published answers) a paper is taken by its words and counted; elsewhere ``verdict`` is that
        of the sentence with "mostly", and ``least`` is what is asked for there. ``holm`` is
        ``as_mostly`` after Holm's correction for a paper's claims on that kind of evidence. A claim
        without evidence has one row, with the verdict "not tested".
    """
    ledger = []
    for claim in load_claims() if claims is None else claims:
        head = {"id": claim.id, "paper": claim.paper, "where": claim.where, "says": claim.says}
        head["status"] = claim.status
        found = {kind: claim.judge(kind) for kind in claim.evidence}
        for kind, finding in (found or {"none": not_tested("no evidence at hand")}).items():
            fields = asdict(finding)
            counted, words = fields.pop("counted"), fields.pop("by_words")
            mostly = fields.pop("as_mostly")
            home = kind in OWN.get(claim.paper, ())
            verdicts = {
                "verdict": counted if home else mostly,
                "by_words": counted if home else words,
                "as_mostly": mostly,
            }
            if fields["unit"] == "share" and not home:
                fields["least"] = min(fields["least"], QUANTIFIERS["mostly"])
            ledger.append({**head, "evidence": kind, **verdicts, "holm": mostly, **fields})
    ledger = pd.DataFrame(ledger)
    counting = (ledger["status"] == "claim") & ledger["p"].notna()
    for _, family in ledger[counting].groupby(["paper", "evidence"]):
        lost = holm(family["p"]) >= 0.05
        decided = family["as_mostly"].isin(["holds", "fails"])
        ledger.loc[family.index[lost & decided], "holm"] = "mixed"
    return ledger


def load_ledger(paper=None, *, part="papers"):
    """Return a part of the stored ledger, such as ``data/ledger.csv``: what `judge_all` found.

    Parameters
    ----------
    paper : str, optional
        One paper; all of the part by default.
    part : {"papers", "language", "promises"}

    Returns
    -------
    pandas.DataFrame
        The columns of `judge_all`, with dashes where the claims have hyphens for them.
    """
    ledger = read_table(file_name("ledger", part, "csv"))
    texts = list(TEXTS)  # a column may be empty throughout
    ledger[texts] = ledger[texts].astype(object).fillna("")
    for column in ("where", "says"):
        ledger[column] = ledger[column].str.replace(" - ", " – ")
    return ledger if paper is None else ledger[ledger["paper"] == paper].reset_index(drop=True)


def as_csv(table):
    """Return the text of a table as it is stored."""
    return table.to_csv(index=False, float_format="%.4g", lineterminator="\n")
