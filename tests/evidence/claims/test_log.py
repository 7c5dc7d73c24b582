"""The log of the rules: no change of a rule goes unseen."""

from dataclasses import replace

import pandas as pd
from helpers import ROOT

from evidence import claims
from evidence.claims import log


def test_a_change_of_a_rule_is_seen_whatever_it_is():
    whole, lines = claims.all_claims(), claims.load_log()
    networks = (ROOT / "data" / "ledger" / "ledger-networks.csv").read_text()
    claim = next(claim for claim in whole if "zoo" in claim.tests)
    weaker = {**claim.tests, "zoo": {**claim.tests["zoo"], "above": 0.5}}
    words = {
        "says": "Something else.",
        "dropped": "It failed.",
        "word": "in many cases",
    }
    for change in [
        {"tests": weaker},
        *({name: text} for name, text in words.items()),
    ]:
        changed = [
            replace(entry, **change) if entry is claim else entry for entry in whole
        ]
        aspect = "zoo" if "tests" in change else "wording"
        assert claims.unlogged(changed, lines, networks) == [(claim.id, aspect)]
    without = [entry for entry in whole if entry is not claim]
    gone = claims.unlogged(without, lines, networks)
    assert set(gone) == {(claim.id, aspect) for aspect in log.rule_of(claim)}
    assert claims.unlogged(whole, lines, networks + "one more network") == [
        log.ALL_COUNTS
    ]


def test_a_verdict_that_turned_has_a_line_and_one_without_evidence_has_none(
    monkeypatch,
):
    columns = ["id", "evidence", "verdict"]
    before = [
        ("a", "zoo", "holds"),
        ("b", "zoo", "holds"),
        ("c", "none", "open"),
    ]
    after = [
        ("a", "zoo", "fails"),
        ("b", "zoo", "holds"),
        ("c", "none", "holds"),
    ]
    frames = [pd.DataFrame(rows, columns=columns) for rows in (before, after)]
    lines = claims.load_log()
    monkeypatch.setattr(log, "rules", lambda *_: {})
    monkeypatch.setattr(log, "unlogged", lambda *_: [])
    longer = log.lines([], lines, "", *frames, "2026-01-01", "because")
    (line,) = longer[len(lines) :].to_dict("records")
    assert (line["claim"], line["part"], line["reason"]) == (
        "a",
        "zoo",
        "because",
    )
    assert (line["verdict_before"], line["verdict_after"]) == ("holds", "fails")
