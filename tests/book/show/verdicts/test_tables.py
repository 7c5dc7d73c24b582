"""The ledger as a table."""

import re

from bs4 import BeautifulSoup

from book.show import verdicts
from book.show.verdicts import judged_rows
from evidence import claims


def test_each_claim_of_the_ledger_has_a_place_that_a_link_opens():
    ledger = claims.load_ledger()
    table = verdicts.ledger_table(ledger)
    places = re.findall(r'<tr id="claim-([^"]+)"', table)
    assert places == ledger.id.unique().tolist()
    assert re.findall(r'href="ledger.html#claim-([^"]+)"', table) == places


def test_a_sentence_stands_once_and_its_further_evidence_below():
    rows = claims.load_ledger(part="promises").query("paper == 'rahaman2021'")
    table = judged_rows(rows)
    assert table.says.tolist()[1] == "the same"
    assert table.why[0].startswith("15 of 15 public networks agree")
    assert table.why[1].startswith("77 of 77 networks of ours agree")


def test_all_that_is_judged_of_a_sentence_stands_in_its_row():
    rows = claims.load_ledger(part="promises").query("paper == 'rahaman2021'")
    rows = rows.assign(subject="ensembles", answers="")
    table = BeautifulSoup(verdicts.judged_table(rows, "Averages"), "html.parser")
    assert len(table.tbody.find_all("tr")) == rows.id.nunique() < len(rows)
    first = table.find("tr", id="claim-rahaman-accuracy")
    badges = [badge.text for badge in first.select(".verdict")]
    assert badges == [
        "open: 76\N{NO-BREAK SPACE}% (42 to 97)",
        "shown: 93\N{NO-BREAK SPACE}% (73 to 99)",
    ]
