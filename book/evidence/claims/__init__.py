"""The ledger: what the papers claim, judged on three kinds of evidence.

A claim is one testable sentence of a paper, kept in ``data/claims.yml`` together with a test for
each kind of evidence: ``published`` (the papers' own tables), ``public`` (metrics of public
predictions) and ``zoo`` (metrics of our networks). A test (`comparisons`, `trends`) takes a tidy
frame, one number a row (`frames`), and returns a `Finding` (`findings`). No verdict is ever typed.
"""

from book.evidence.claims.comparisons import limit
from book.evidence.claims.findings import (
    VERDICTS,
    Finding,
    evident,
    judge_effect,
    judge_share,
    wilson,
)
from book.evidence.claims.frames import (
    calibench,
    chance_of_another_best,
    evidence_rows,
    public_metrics,
    quba,
    wide,
    zoo_folder,
    zoo_metrics,
)
from book.evidence.claims.ledger import (
    EVIDENCE,
    PAPERS,
    Claim,
    check_spec,
    judge_all,
    ledger_csv,
    load_claims,
    load_ledger,
)
from book.evidence.claims.log import load_log, unlogged
from book.evidence.claims.trends import alike_but_for, pareto

__all__ = [
    "EVIDENCE",
    "PAPERS",
    "VERDICTS",
    "Claim",
    "Finding",
    "alike_but_for",
    "calibench",
    "chance_of_another_best",
    "check_spec",
    "evidence_rows",
    "evident",
    "judge_all",
    "judge_effect",
    "judge_share",
    "ledger_csv",
    "limit",
    "load_claims",
    "load_ledger",
    "load_log",
    "pareto",
    "public_metrics",
    "quba",
    "unlogged",
    "wide",
    "wilson",
    "zoo_folder",
    "zoo_metrics",
]
