"""Papers, shares and amounts of the ledger in words."""

from types import SimpleNamespace

import pytest

from book.show import verdicts
from book.show.verdicts import wording
from evidence import claims


def test_a_paper_is_named_by_its_author_and_year():
    assert verdicts.paper_label("guo2017") == "Guo 2017"
    with pytest.raises(ValueError, match="'guo2017b' is no author and year"):
        verdicts.paper_label("guo2017b")  # cut by its length it was "Guo2 017b"


def test_a_claim_whose_word_asks_for_less_than_half_says_so():
    ledger = claims.load_ledger().set_index(["id", "evidence"], drop=False)
    can = ledger.loc["nixon-all-classes-matter", "zoo"]
    assert can.verdict == "shown" and can.share < 0.5
    assert verdicts.least_share_in_words([can]) == "asks for more than 5%"
    assert verdicts.least_share_in_words([ledger.loc["guo-width", "zoo"]]) == ""


# the least share of each kind of evidence, and what is said of them
LEAST = {
    "a third is less than half": ([("zoo", "share", 1 / 3)], "asks for more than 33%"),
    "half": ([("zoo", "share", 0.5)], ""),
    "the least of two": (
        [("zoo", "share", 1 / 3), ("public", "share", 0.05)],
        "asks for more than 5%",
    ),
    "of a paper's own cases nothing is asked": ([("published", "share", 1 / 3)], ""),
    "of an amount neither": ([("zoo", "points", -2.0)], ""),
}


@pytest.mark.parametrize("case", LEAST)
def test_what_a_word_asks_for_is_said_where_it_is_less_than_half(case):
    rows, words = LEAST[case]
    judged = [
        SimpleNamespace(evidence=evidence, unit=unit, least=least)
        for evidence, unit, least in rows
    ]
    assert verdicts.least_share_in_words(judged) == words


def test_a_theorem_has_a_count_and_no_share_that_could_be_doubted():
    ledger = claims.load_ledger("vasilev2021")
    rows = ledger[(ledger.status == "theorem") & (ledger.evidence != "published")]
    texts = [verdicts.cell_text(row) for row in rows.itertuples()]
    counts = [f"proved: {n} of {n} agree" for n in rows.n]
    assert texts == counts and len(texts) == 2
    html = verdicts.ledger_table(rows)
    assert html.count("True of all networks, by proof") == 2


def test_a_count_is_that_of_the_columns_whatever_the_reason_says():
    ledger = claims.load_ledger().set_index(["id", "evidence"], drop=False)
    lowers = ledger.loc["guo-temperature-lowers", "zoo"].copy()
    lowers[["agreeing", "cases", "reason"]] = 3, 4, "1 of 2 maps: 5 of 9"
    assert wording.count_share(lowers) == 0.75
    assert wording.counted_in_words(lowers) == "3 of 4"
    assert wording.share_with_count(lowers).endswith("; 3 of 4 at hand)")
