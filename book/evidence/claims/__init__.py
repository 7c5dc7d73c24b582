"""The ledger: what the papers claim, judged on three kinds of evidence.

A claim is one testable sentence of a paper, kept in ``data/claims.yml`` together with its word of
``data/mapping.csv`` and a test for each kind of evidence: ``published`` (the papers' own tables),
``public`` (metrics of public predictions) and ``zoo`` (metrics of our networks). A test
(`comparisons`, `trends`) takes a tidy frame, one number a row (`frames`), and returns `Cases`; the
rule (`rule`, `findings`) judges them. No verdict is ever typed. Two other parts, `language` and
`promises`, have frames of their own and share everything else.
"""

from book.evidence.claims.comparisons import limit
from book.evidence.claims.findings import VERDICTS, Cases, Finding, judge
from book.evidence.claims.frames import (
    calibench,
    chance_of_another_best,
    public_metrics,
    quba,
    wide,
    zoo_folder,
    zoo_metrics,
)
from book.evidence.claims.ledger import (
    PAPERS,
    PARTS,
    Claim,
    all_claims,
    as_csv,
    check_spec,
    evidence_rows,
    judge_all,
    load_claims,
    load_ledger,
)
from book.evidence.claims.log import load_log, unlogged
from book.evidence.claims.rule import evident, mapping, wilson
from book.evidence.claims.trends import alike_but_for, pareto

__all__ = [
    "PAPERS",
    "PARTS",
    "VERDICTS",
    "Cases",
    "Claim",
    "Finding",
    "alike_but_for",
    "all_claims",
    "as_csv",
    "calibench",
    "chance_of_another_best",
    "check_spec",
    "evidence_rows",
    "evident",
    "judge",
    "judge_all",
    "limit",
    "load_claims",
    "load_ledger",
    "load_log",
    "mapping",
    "pareto",
    "public_metrics",
    "quba",
    "unlogged",
    "wide",
    "wilson",
    "zoo_folder",
    "zoo_metrics",
]
