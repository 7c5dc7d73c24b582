"""The log of the rules of all parts, ``data/ledger/claims-log.csv``.

Which rule changed, when, why, and what became of the verdict. A rule that is not the one of its
last line is refused by a test.
"""

import hashlib
import json
from typing import Any

import pandas as pd

from evidence.claims.claim import Claim
from evidence.claims.frames import read_table

COLUMNS_OF_LOG = (
    "date claim part before after verdict_before verdict_after reason rule".split()
)
Key = tuple[
    str, str
]  # a claim, or "all", and an aspect of its rule: its column is `part`

ALL_COUNTS = ("all", "counts")  # what all tests found, network by network


def digest(rule: Any) -> str:
    """Return a short checksum of a rule, whatever the order of its keys."""
    text = json.dumps(rule, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def rule_of(claim: Claim) -> dict[str, Any]:
    """Return a claim's rule by its aspects: its wording, and the test for each kind of evidence."""
    wording: dict[str, Any] = {
        "says": claim.says,
        "where": claim.where,
        "word": claim.word,
    }
    for field in ("named", "theorem", "ours", "dropped"):
        if getattr(claim, field):
            wording[field] = getattr(claim, field)
    return {"wording": wording, **claim.tests}


def rules(claims: list[Claim], networks: str) -> dict[Key, str]:
    """Return the checksum of each aspect of each claim's rule, and of the table of all networks.

    What the tests compute is known by what they find, `networks`: their code may be written anew.
    """
    checksums = {ALL_COUNTS: digest(networks)}
    for claim in claims:
        for aspect, rule in rule_of(claim).items():
            checksums[claim.id, aspect] = digest(rule)
    return checksums


def load_log() -> pd.DataFrame:
    """Return the log, one line a change; the claim "all" is what every claim shares."""
    return read_table("ledger/claims-log.csv").fillna("").astype(str)


def unlogged(claims: list[Claim], log: pd.DataFrame, networks: str) -> list[Key]:
    """Return the aspects of rules that are not what the log's last line of them says."""
    last = log.drop_duplicates(["claim", "part"], keep="last").set_index(
        ["claim", "part"]
    )["rule"]
    now = rules(claims, networks)
    changed = [key for key, rule in now.items() if last.get(key, "") != rule]
    of_claims = [key for key, rule in last.items() if rule and key[0] != "all"]
    return changed + [key for key in of_claims if key not in now]


def lines(
    claims: list[Claim],
    log: pd.DataFrame,
    networks: str,
    before: pd.DataFrame,
    after: pd.DataFrame,
    date: str,
    reason: str,
) -> pd.DataFrame:
    """Return the log with a line for each aspect of a rule that changed, and each other verdict."""
    old, new = (
        x.set_index(["id", "evidence"])["verdict"].to_dict() for x in (before, after)
    )
    now = rules(claims, networks)
    turned = [
        key for key in new if key in old and old[key] != new[key] and key[1] != "none"
    ]
    keys = list(dict.fromkeys([*unlogged(claims, log, networks), *turned]))
    looked_up = {"verdict_before": old, "verdict_after": new, "rule": now}
    rows = pd.DataFrame(keys, columns=["claim", "part"]).assign(
        date=date, reason=reason
    )
    for column, table in looked_up.items():
        rows[column] = [table.get(key, "") for key in keys]
    return pd.concat(
        [log, rows.reindex(columns=COLUMNS_OF_LOG, fill_value="")], ignore_index=True
    )
