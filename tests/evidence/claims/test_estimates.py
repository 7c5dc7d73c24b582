"""What the model says of a claim: its numbers, and its word."""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import binom, norm

from evidence.claims import shares
from evidence.claims.amounts import amounts
from evidence.claims.estimates import (
    CERTAIN,
    estimate_of_amount,
    estimate_of_share,
    verdict_word,
)
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


def test_a_share_has_the_probabilities_of_one_coin():
    """Fifteen of twenty agree, no effect is drawn: the share is expit(mu), mu ~ N(0, 1.5)."""
    log = shares.log_likelihood(np.array([20]), np.array([15.0]), {})
    likelihood = shares.Likelihood((), log)

    def density(mu):
        return binom.pmf(15, 20, expit(mu)) * norm.pdf(mu, 0, 1.5)

    def below(mu):
        return quad(density, -7, mu)[0] / quad(density, -7, 7)[0]

    share = estimate_of_share(likelihood, 0.5, {})
    half, most = (1 - below(logit(bound)) for bound in (0.5, 0.8))
    assert (share.p_half, share.p_most) == pytest.approx((half, most), abs=1e-2)
    # one half is as likely as not before any evidence, so that the word asks for the same
    assert share.p_word == pytest.approx(half, abs=2e-3)
    ends = [below(logit(end)) for end in (share.share_low, share.share_high)]
    assert ends == pytest.approx([0.025, 0.975], abs=5e-3)


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
