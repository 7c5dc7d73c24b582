"""What pages show of a judgement is what the ledger holds."""

import math
import re

import pytest
from bs4 import BeautifulSoup
from helpers import ROOT

from book.show import verdicts
from book.show.verdicts import judged_rows
from book.show.verdicts.why import why
from evidence import claims


def test_print_is_drawn_where_its_count_is():
    """Not where the share of new networks is, which a count of 19 draws towards a half."""
    ledger = claims.load_ledger("guo2017").set_index(["id", "evidence"], drop=False)
    row = ledger.loc["guo-miscalibrated", "published"]
    [effect] = verdicts.drawn_effects(row)
    assert "17 of 19" in row.reason and effect["estimate"] == pytest.approx(17 / 19)
    away = ledger.loc["guo-miscalibrated", "zoo"]
    assert verdicts.drawn_effects(away)[0]["estimate"] == away.share


def test_a_paper_is_named_by_its_author_and_year():
    assert verdicts.paper_label("guo2017") == "Guo 2017"
    with pytest.raises(ValueError, match="'guo2017b' is no author and year"):
        verdicts.paper_label("guo2017b")  # cut by its length it was "Guo2 017b"


PAGES = {
    page: (ROOT / "chapters" / "replicate" / f"{page}.md").read_text(encoding="utf-8")
    for page in claims.PAPERS
}
SHARE = re.compile(r"\{glue:text\}`(?:share|told)-([\w-]+)-(public|zoo|published)`")
SURE = ("shown", "refuted", "open")
WORDS = (*SURE, "holds", "fails")


def first_bullets(page):
    """The bullets before the first cell that say in bold what was found, and their texts."""
    return re.findall(
        r"^- \*\*([^*]+)\.\*\* (.*)$", page.split("```{code-cell}")[0], re.M
    )


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_bold_words_of_a_first_screen_are_the_verdicts_of_its_numbers(paper):
    """Nor does a number stand behind another sentence than its claim's."""
    ledger = claims.load_ledger(paper).set_index(["id", "evidence"])
    found = 0
    for bold, text in first_bullets(PAGES[paper]):
        plain = re.sub(r"\{[\w:]+\}`[^`]*`", "", text).lower()
        said = {word for word in WORDS if word in bold.lower()}
        for sentence in re.split(r"(?<=[.:;]) ", text):
            for claim, evidence in SHARE.findall(sentence):
                assert ledger.verdict[claim, evidence] in said, (bold, claim, evidence)
                words = claim.split("-")[1:]
                assert any(word[:5] in plain for word in words), claim
                found += 1
    assert found >= 4


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_a_first_screen_has_a_bold_word_for_what_is_shown_and_what_is_open(paper):
    ledger = claims.load_ledger(paper).query("status == 'claim'")
    heads = " ".join(bold.lower() for bold, _ in first_bullets(PAGES[paper]))
    away = set(ledger[ledger.evidence != "published"].verdict) & set(SURE)
    assert away == {word for word in SURE if word in heads}


def test_a_page_that_says_another_word_than_the_ledger_does_not_build():
    ledger = claims.load_ledger("guo2017")
    verdicts.glue_shares(ledger, ("guo-miscalibrated", "zoo"), verdict="shown")
    with pytest.raises(ValueError, match="guo-miscalibrated, public: open"):
        verdicts.glue_shares(ledger, ("guo-miscalibrated", "public"), verdict="shown")


def test_each_claim_of_the_ledger_has_a_place_that_a_link_opens():
    ledger = claims.load_ledger()
    table = verdicts.ledger_table(ledger)
    places = re.findall(r'<tr id="claim-([^"]+)"', table)
    assert places == ledger.id.unique().tolist()
    assert re.findall(r'href="ledger.html#claim-([^"]+)"', table) == places


def test_a_claim_whose_word_asks_for_less_than_half_says_so():
    ledger = claims.load_ledger().set_index(["id", "evidence"], drop=False)
    can = ledger.loc["nixon-all-classes-matter", "zoo"]
    assert can.verdict == "shown" and can.share < 0.5
    assert verdicts.least_share_in_words([can]) == "asks for more than 5%"
    assert verdicts.least_share_in_words([ledger.loc["guo-width", "zoo"]]) == ""


def row_of(claim, evidence, part="promises"):
    rows = claims.load_ledger(part=part)
    return next(rows[(rows.id == claim) & (rows.evidence == evidence)].itertuples())


def test_a_row_says_why_a_small_share_is_shown_and_a_large_one_open():
    small = row_of("rahaman-not-necessarily", "zoo")
    large = row_of("sadinle-smallest", "public")
    assert small.share < large.share
    assert (small.label, large.label) == ("shown", "open")
    assert why(small).endswith(
        "asks for more than 5% of new ones: probability above 0.99, from even odds for that"
    )
    assert why(large).endswith("More than half of new ones: probability 0.987")


def asks_little(row):
    """Whether a row asks for another share of networks than a half."""
    return row.unit == "share" and row.least < 0.5


@pytest.mark.parametrize("part", ["promises", "language"])
def test_what_a_row_says_is_what_its_verdict_rests_on(part):
    rows = claims.load_ledger(part=part)
    judged = rows[(rows.label != "not tested") & (rows.status != "theorem")]
    for row in judged.itertuples():
        sure = {"shown": "above 0.99", "refuted": "below 0.01"}.get(row.label)
        # of another share than a half the probability says where it starts
        chance, _, start = why(row).rpartition("probability ")[2].partition(", from ")
        assert start == ("even odds for that" if asks_little(row) else ""), row.id
        assert chance == sure if sure else 0.01 <= float(chance) <= 0.99, row.id


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


def test_a_theorem_is_drawn_as_proved_and_without_an_interval():
    ledger = claims.load_ledger("vasilev2021").query("status == 'theorem'")
    marks = {row.evidence: verdicts.drawn_effects(row) for row in ledger.itertuples()}
    for kind in ("public", "zoo"):
        [mark] = marks[kind]
        assert (mark["verdict"], mark["estimate"]) == ("proved", 1)
        assert math.isnan(mark["low"]) and math.isnan(mark["high"])
    assert marks["published"][0]["verdict"] == "holds"


def test_a_theorem_is_proved_whatever_its_count():
    row = row_of("vovk-coverage", "public")
    assert (row.label, verdicts.badge_text(row)) == ("open", "proved")
    assert why(row).endswith("models). A proof says it of all")


def test_a_theorem_has_a_count_and_no_share_that_could_be_doubted():
    ledger = claims.load_ledger("vasilev2021")
    rows = ledger[(ledger.status == "theorem") & (ledger.evidence != "published")]
    texts = [verdicts.cell_text(row) for row in rows.itertuples()]
    counts = [f"proved: {n} of {n} agree" for n in rows.n]
    assert texts == counts and len(texts) == 2
    html = verdicts.ledger_table(rows)
    assert html.count("True of all networks, by proof") == 2
