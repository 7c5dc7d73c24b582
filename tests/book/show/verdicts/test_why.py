"""Why a row of the ledger has its verdict."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from book.show import verdicts
from book.show.verdicts import why as reasons
from book.show.verdicts.why import why
from evidence import claims


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


def test_a_theorem_is_proved_whatever_its_count():
    row = row_of("vovk-coverage", "public")
    assert (row.label, verdicts.badge_text(row)) == ("open", "proved")
    assert why(row).endswith("models). A proof says it of all")


@pytest.mark.parametrize(
    ("claim", "evidence", "counted"),
    [
        ("nixon-overfit-test", "zoo", "4 of 4 comparisons on 1 network of ours agree"),
        ("vasilev-shufflenet", "published", "4 of 5 comparisons on 1 network agree"),
    ],
)
def test_cases_of_one_network_are_not_called_networks(claim, evidence, counted):
    assert counted in why(row_of(claim, evidence, "papers"))


AMOUNT = {
    "unit": "points",
    "what": "A less B",
    "reason": "nothing",
    "estimate": 1.5,
    "low": -0.5,
    "high": 3.5,
    "datasets": 1,
    "authors": pd.NA,
    "models": 4,
    "status": "claim",
    "least": 0.0,
    "most": np.inf,
    "p_word": 0.94,
}
# what differs from `AMOUNT`, and what is said first
AMOUNTS = {
    "an amount with its unit": ({}, "A less B: +1.5 (-0.5 to +3.5) points"),
    "a correlation says its unit by its name": (
        {
            "unit": "rho",
            "what": "correlation",
            "estimate": 0.5,
            "low": 0.1,
            "high": 0.8,
        },
        "correlation: +0.5 (+0.1 to +0.8)",
    ),
    "a perfect order has the interval of an exchange": (
        {
            "unit": "rho",
            "what": "correlation",
            "estimate": -1,
            "low": -0.9,
            "high": -0.8,
        },
        "correlation: -1 (with two neighbours exchanged -0.9 to -0.8)",
    ),
}


@pytest.mark.parametrize("case", AMOUNTS)
def test_an_amount_is_told_by_the_columns_whatever_the_reason_says(case):
    other, told = AMOUNTS[case]
    text = why(SimpleNamespace(**AMOUNT | other))
    assert text.startswith(f"{told} (1 data set, 4 models). Asked: more than 0: ")


COUNT = {
    "unit": "share", "evidence": "zoo", "status": "claim", "word": "always",
    "least": 0.5, "n": 4, "agreeing": 3, "cases": 4,
}  # fmt: skip
COUNTS = [
    ({}, "3 of 4 networks of ours agree"),
    ({"evidence": "public"}, "3 of 4 public networks agree"),
    ({"evidence": "simulation"}, "3 of 4 networks agree"),
    ({"n": 1}, "3 of 4 comparisons on 1 network of ours agree"),
    ({"n": 2}, "3 of 4 comparisons on 2 networks of ours agree"),
    ({"least": 1}, "‘Always’ fails: 3 of 4 networks of ours agree"),
    ({"least": 1, "agreeing": 4}, "4 of 4 networks of ours agree"),
    ({"least": 1, "status": "theorem"}, "3 of 4 networks of ours agree"),
]


@pytest.mark.parametrize(("fields", "words"), COUNTS)
def test_a_count_tells_whose_networks_agree_and_that_always_fails(fields, words):
    assert reasons.count_in_words(SimpleNamespace(**COUNT | fields)) == words


ASKED = [
    ({"least": 0.5}, "More than half of new ones: probability 0.94"),
    ({"least": 1}, "More than half of new ones: probability 0.94"),
    (
        {"least": 1 / 3, "word": "can"},
        "‘can’ asks for more than a third of new ones: probability 0.94, from even odds for that",
    ),
    (
        {"least": 0.05, "word": "can"},
        "‘can’ asks for more than 5% of new ones: probability 0.94, from even odds for that",
    ),
    ({"unit": "points", "least": 2.0}, "Asked: more than 2: probability 0.94"),
]


@pytest.mark.parametrize(("fields", "words"), ASKED)
def test_a_sentence_asks_for_a_share_or_for_an_amount(fields, words):
    asked = SimpleNamespace(**{**COUNT, "p_word": 0.94, "most": np.inf} | fields)
    assert reasons.claim_in_words(asked) == words


@pytest.mark.parametrize(
    ("unit", "least", "most", "words"),
    [
        ("points", -np.inf, 0, "less than 0"),
        ("points", -0.5, 0.5, "-0.5 to 0.5"),
        ("tau", 0.5, 1, "more than 0.5"),
        ("rho", -1, -0.2, "less than -0.2"),
        ("points", 0, 1, "0 to 1"),
    ],
)
def test_beyond_the_ends_of_an_amount_nothing_is_asked(unit, least, most, words):
    asked = SimpleNamespace(unit=unit, least=least, most=most)
    assert reasons.range_in_words(asked) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.985, "0.985"), (0.984, "0.98"), (0.015, "0.015"), (0.016, "0.02"), (0.99, "0.990")],
)  # fmt: skip
def test_near_what_makes_a_verdict_a_probability_has_three_digits(value, words):
    assert reasons.probability(value) == words


def test_a_sentence_that_comes_again_is_the_same():
    sentences = pd.Series(["a", "b", "a", "a"])
    assert reasons.without_repeats(sentences) == ["a", "b", "the same", "the same"]
