"""What verdicts rest on, in the sentences of a page."""

import pytest

from book.show import verdicts
from evidence import claims


def test_a_page_that_says_another_word_than_the_ledger_does_not_build():
    ledger = claims.load_ledger("guo2017")
    verdicts.glue_shares(ledger, ("guo-miscalibrated", "zoo"), verdict="shown")
    with pytest.raises(ValueError, match="guo-miscalibrated, public: open"):
        verdicts.glue_shares(ledger, ("guo-miscalibrated", "public"), verdict="shown")
