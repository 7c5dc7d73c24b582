"""The ledger as a table."""

import re

import pandas as pd
from bs4 import BeautifulSoup

from book.show import verdicts
from book.show.verdicts import judged_rows
from book.show.verdicts.tables import as_html, filter_table, judged_papers
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


def cells_of(html, row):
    """The texts of a row of a table; its head is the first."""
    line = BeautifulSoup(html, "html.parser").find_all("tr")[row]
    return [cell.get_text(" ", strip=True) for cell in line.find_all(["td", "th"])]


def test_some_claims_are_listed_in_the_order_that_is_asked_and_have_no_filters():
    ledger = claims.load_ledger("guo2017")
    names = ["guo-width", "guo-miscalibrated"]
    table = verdicts.ledger_table(ledger, names)
    assert re.findall(r'<tr id="claim-([^"]+)"', table) == names
    assert re.findall(r'filters="([^"]*)"', table) in ([], [""])
    # all are of one paper, which the page says
    assert "Paper" not in cells_of(table, 0)
    assert cells_of(table, 0)[-2:] == ["Networks say", "Rests on"]
    assert 'filters="Paper,Networks say"' in verdicts.ledger_table(claims.load_ledger())


def test_evidence_has_a_column_of_its_kind_and_what_networks_say_is_not_in_print():
    ledger = claims.load_ledger("guo2017").query("id == 'guo-miscalibrated'")
    table = verdicts.ledger_table(ledger.query("evidence == 'published'"))
    assert cells_of(table, 0) == ["Claim", "Print", "Networks say", "Rests on"]
    assert cells_of(table, 1)[-2:] == ["–", "19 print"]


def test_more_columns_stand_behind_the_sentences():
    rows = claims.load_ledger(part="promises").query("paper == 'rahaman2021'")
    table = judged_rows(rows.assign(answers="images"), "answers")
    heads = ["paper", "says", "answers", "of new networks", "verdict", "why"]
    assert list(table) == heads and set(table.answers) == {"images"}


def test_papers_are_judged_under_the_names_that_a_page_gives_them():
    html = judged_papers({"rahaman2021": "Rahaman and Thiery"}).to_html()
    papers = set(re.findall(r'col0"[^>]*>([^<]*)</td>', html))
    assert papers == {"Rahaman and Thiery"}


def test_text_of_a_cell_is_html_with_minus_signs():
    assert as_html('-1 < "p" & q') == '−1 &lt; "p" &amp; q'


def test_rows_of_a_table_have_the_anchors_and_it_the_name_that_are_asked():
    frame = pd.DataFrame({"a": [1, 2], "b": ["<b>x</b>", "y"]})
    html = filter_table(frame, "Numbers", filters="a", start="a=2", ids=["one", "two"])
    assert cells_of(html, 0) == ["a", "b"] and cells_of(html, 1) == ["1", "x"]
    page = BeautifulSoup(html, "html.parser")
    assert [row.get("id") for row in page.tbody.find_all("tr")] == ["one", "two"]
    assert "Numbers" in html and "a=2" in html and "<b>x</b>" in html
