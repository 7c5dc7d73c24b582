"""Why a row of the ledger has its verdict."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from book.show import verdicts
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
