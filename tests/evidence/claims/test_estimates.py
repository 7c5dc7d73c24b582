"""What the model says of a claim: its numbers, and its word."""

import numpy as np
import pandas as pd
import pytest

from evidence.claims import shares
from evidence.claims.amounts import amounts
from evidence.claims.estimates import CERTAIN, estimate_of_amount, verdict_word
from evidence.claims.stored import load_ledger

SCALES = {"dataset": 1.2, "author": 0.8, "kin": 0.6}


def test_an_amount_of_one_network_has_no_interval():
    with pytest.raises(ValueError, match="two are needed"):
        amounts([1.0], {}, SCALES)
    rows = pd.DataFrame({effect: [""] for effect in shares.EFFECTS} | {"total": [2.0]})
    amount = estimate_of_amount(rows, (0, np.inf), SCALES)
    assert (
        amount.estimate == 2
        and np.isnan([amount.low, amount.share, amount.p_word]).all()
    )


def test_words_come_last():
    ledger = pd.concat(
        [load_ledger(part=name) for name in ("papers", "language", "promises")]
    )
    ledger = ledger[ledger["label"] != "not tested"]
    words = {
        "shown": ledger["p_word"] > CERTAIN,
        "refuted": ledger["p_word"] < 1 - CERTAIN,
    }
    for word, sure in words.items():
        assert (ledger["label"] == word).sum() > 0
        assert sure[ledger["label"] == word].all()
    assert verdict_word(float("nan"), "mostly") == "open"
