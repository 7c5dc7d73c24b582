"""Papers, shares and amounts of the ledger in words."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from book.show import verdicts
from book.show.verdicts import wording
from evidence import claims
from evidence.data import DATA_SETS


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


def row(**fields):
    """A judgement on networks of ours that nothing but these fields decides."""
    judged = {
        "evidence": "zoo", "unit": "share", "status": "claim", "verdict": "open", "label": "open",
        "share": 0.794, "share_low": 0.476, "share_high": 0.98, "agreeing": 3, "cases": 4,
        "estimate": 1.5, "low": -0.5, "high": 3.5, "next_low": -2.0, "next_high": 5.0,
    }  # fmt: skip
    return SimpleNamespace(**judged | fields)


NONE = float("nan")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, ""),
        ({"unit": "points", "estimate": NONE}, ""),
        (
            {"unit": "points"},
            "+1.5 (-0.5 to +3.5) points; the next network -2 to +5",
        ),
        ({"unit": "points", "next_low": NONE}, "+1.5 (-0.5 to +3.5) points"),
    ],
)
def test_a_size_has_its_interval_and_that_of_the_next_network(fields, text):
    assert wording.size_in_words(row(**fields)) == text


def test_the_next_network_of_a_ratio_is_a_ratio_itself():
    ratio = row(unit="log ratio", next_low=np.log(0.5), next_high=np.log(3))
    assert wording.size_in_words(ratio).endswith("; the next network 0.50 to 3.00")


@pytest.mark.parametrize(
    ("fields", "cell", "badge"),
    [
        ({}, "79 % (48 to 98)", "open: 79 % (48 to 98)"),
        ({"evidence": "published", "verdict": "holds"}, "holds", "open: 79 % (48 to 98)"),
        ({"verdict": "not tested"}, "not tested", "open: 79 % (48 to 98)"),
        ({"status": "theorem"}, "proved: 3 of 4 agree", "proved"),
        ({"share": NONE, "unit": "points"}, "+1.5 (-0.5 to +3.5) points", "open"),
        ({"share": NONE, "estimate": NONE}, "open", "open"),
    ],
)  # fmt: skip
def test_a_cell_shows_a_share_or_a_size_and_in_print_the_verdict(fields, cell, badge):
    assert wording.cell_text(row(**fields)) == cell
    assert wording.badge_text(row(**fields)) == badge


def test_a_share_alone_has_the_count_at_hand_behind_it():
    assert wording.share_in_words(row()) == "79 % (48 to 98)"
    assert wording.share_with_count(row()) == "79 % (48 to 98; 3 of 4 at hand)"
    assert wording.share_with_count(row(unit="points")) == "79 % (48 to 98)"
    assert wording.share_with_count(row(share=NONE)) == ""
    assert wording.count_share(row()) == 0.75
    assert np.isnan(wording.count_share(row(unit="points")))


def test_a_sentence_rests_on_a_count_or_on_an_effect_with_its_sign():
    columns = ["id", "evidence", "unit", "agreeing", "cases", "estimate", "low", "high"]
    judged = [
        ("a", "zoo", "share", 3, 4, 0.7, 0.6, 0.8),
        ("a", "public", "tau", 0, 0, -0.123, -0.5, 0.25),
    ]
    ledger = pd.DataFrame(judged, columns=columns)
    assert wording.count_or_effect(ledger, "a", "zoo") == "3 of 4"
    assert wording.count_or_effect(ledger, "a", "public") == "−0.12 [−0.50, +0.25]"


def test_networks_are_counted_by_where_they_come_from_and_none_is_not_told():
    kinds = ["published", "public", "zoo", "simulation"]
    rows = pd.DataFrame({"evidence": kinds, "n": [0, 2, 3, 4]})
    counted = wording.counted_networks(rows)
    assert counted == "2 public, 3 ours, 4 simulated samples"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([], "–"),
        (["open", "not tested"], "open"),
        (["refuted", "open", "shown"], "shown and refuted"),
        (["refuted"], "refuted"),
    ],
)
def test_what_networks_resolve_of_a_sentence(found, words):
    assert wording.resolved_words(pd.DataFrame({"verdict": found})) == words


def test_data_sets_and_public_predictions_have_the_names_that_others_write():
    ours, usual = next(pair for pair in DATA_SETS.items() if pair[0] != pair[1])
    counts = f"{ours} 3 of 5; my-{ours} 1 of 1; {ours}-2 1 of 1"
    named = f"{usual} 3 of 5; my-{ours} 1 of 1; {ours}-2 1 of 1"
    assert wording.with_data_set_names(counts) == named
    text = "9 of 10; not kull-birds-resnet50, nor overkull-x"
    assert wording.with_source_labels(text) == (
        "9 of 10; not Birds ResNet-50 (Kull), nor overkull-x"
    )
