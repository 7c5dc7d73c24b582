"""What pages show of a judgement is what the ledger holds."""

import pytest

from book.show import verdicts
from evidence import claims


def test_print_is_drawn_where_its_count_is():
    """Not where the share of new networks is, which a count of 19 draws towards a half."""
    ledger = claims.load_ledger("guo2017").set_index(["id", "evidence"], drop=False)
    row = ledger.loc["guo-miscalibrated", "published"]
    [effect] = verdicts.marks_of(row)
    assert "17 of 19" in row.reason and effect["estimate"] == pytest.approx(17 / 19)
    away = ledger.loc["guo-miscalibrated", "zoo"]
    assert verdicts.marks_of(away)[0]["estimate"] == away.share
