"""The log of the rules: no change of a rule goes unseen."""

from dataclasses import replace

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
