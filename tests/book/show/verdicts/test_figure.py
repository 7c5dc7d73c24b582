"""Verdicts as a figure."""

import math

import pytest

from book.show import verdicts
from evidence import claims


def test_print_is_drawn_where_its_count_is():
    """Not where the share of new networks is, which a count of 19 draws towards a half."""
    ledger = claims.load_ledger("guo2017").set_index(["id", "evidence"], drop=False)
    row = ledger.loc["guo-miscalibrated", "published"]
    [effect] = verdicts.drawn_effects(row)
    assert "17 of 19" in row.reason and effect["estimate"] == pytest.approx(17 / 19)
    away = ledger.loc["guo-miscalibrated", "zoo"]
    assert verdicts.drawn_effects(away)[0]["estimate"] == away.share


def test_a_theorem_is_drawn_as_proved_and_without_an_interval():
    ledger = claims.load_ledger("vasilev2021").query("status == 'theorem'")
    marks = {row.evidence: verdicts.drawn_effects(row) for row in ledger.itertuples()}
    for kind in ("public", "zoo"):
        [mark] = marks[kind]
        assert (mark["verdict"], mark["estimate"]) == ("proved", 1)
        assert math.isnan(mark["low"]) and math.isnan(mark["high"])
    assert marks["published"][0]["verdict"] == "holds"
