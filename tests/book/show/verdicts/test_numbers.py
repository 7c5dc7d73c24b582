"""What verdicts rest on, in the sentences of a page."""

import pandas as pd
import pytest

from book.show import verdicts
from evidence import claims


def test_a_page_that_says_another_word_than_the_ledger_does_not_build():
    ledger = claims.load_ledger("guo2017")
    verdicts.glue_shares(ledger, ("guo-miscalibrated", "zoo"), verdict="shown")
    with pytest.raises(ValueError, match="guo-miscalibrated, public: open"):
        verdicts.glue_shares(ledger, ("guo-miscalibrated", "public"), verdict="shown")


def test_a_count_by_data_set_keeps_a_name_of_two_words():
    counts = "20 Newsgroups 5 of 6; fashion 2 of 2"
    ledger = pd.DataFrame({"id": ["a"], "evidence": ["zoo"], "by_data": [counts]})
    expected = {"20 Newsgroups": "5 of 6", "fashion": "2 of 2"}
    assert verdicts.by_data(ledger, "a", "zoo") == expected
