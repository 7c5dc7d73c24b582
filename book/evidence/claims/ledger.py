"""The claims of ``data/claims.yml``, and the ledger of what their tests found."""

import inspect
from dataclasses import asdict, dataclass

import pandas as pd
import yaml

from book.evidence.claims import comparisons, trends
from book.evidence.claims.findings import not_tested
from book.evidence.claims.frames import FRAMES, evidence_rows, first_frame, read_table, select
from book.evidence.data import read_declared

PAPERS = ("guo2017", "nixon2019", "gupta2021", "vasilev2021", "minderer2021")
EVIDENCE = tuple(FRAMES)
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
        rows = evidence_rows(kind, self.paper, spec.pop("frame", first_frame(kind)))
        for column, values in spec.pop("rows", {}).items():
            rows = select(rows, column, values)
        return not_tested("no such rows yet") if rows.empty else test(rows, **spec)


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
    if spec.get("frame", first_frame(kind)) not in FRAMES[kind]:
        raise ValueError(f"claims.yml: {name}: unknown frame {spec['frame']!r}")
    unknown = set(spec) - set(known) - {"test", "rows", "frame"}
    if unknown:
        raise ValueError(f"claims.yml: {name}: unknown parameters {sorted(unknown)}")


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
