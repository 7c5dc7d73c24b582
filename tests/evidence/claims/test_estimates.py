"""What the model says of a claim: its numbers, and its word."""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import binom, norm

from evidence.claims import shares
from evidence.claims.amounts import amounts
from evidence.claims.cases import Cases, measured_networks
from evidence.claims.estimates import (
    CERTAIN,
    Findings,
    estimate_of,
    estimate_of_amount,
    estimate_of_share,
    label_of,
    networks_of,
    tells_likeness,
)
from evidence.claims.network_intervals import t_interval
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
    assert label_of(float("nan"), "mostly") == "open"


def measured(values, unit="share", rows=None, **about):
    """Networks of two data sets, or those of `rows`, and what a test measured of them."""
    names = [("d0", "n0"), ("d0", "n1"), ("d1", "n2"), ("d1", "n3")][: len(values)]
    index = pd.MultiIndex.from_tuples(names, names=["dataset", "case"])
    return measured_networks(
        Cases(pd.Series(values, index), "x", unit, **about), rows=rows
    )


def test_networks_with_the_same_effects_are_counted_together_and_amounts_stay_single():
    counted = networks_of(measured([True, False, True, True]))
    assert counted[["dataset", "networks", "total"]].to_numpy().tolist() == [
        ["d0", 2, 1],
        ["d1", 2, 2],
    ]
    amounts_of = networks_of(measured([1.0, 2.0, 3.0, 4.0], "points"))
    assert amounts_of["total"].tolist() == [1, 2, 3, 4]
    assert set(amounts_of["networks"]) == {1}


def test_an_effect_that_is_not_drawn_is_empty():
    rows = networks_of(measured([True, False, True, True]), left_out=("dataset",))
    assert rows["dataset"].tolist() == [""] and rows["networks"].tolist() == [4]
    assert networks_of(measured([True]), author="tao")["author"].tolist() == ["tao"]
    assert set(networks_of(measured([True]))["kin"]) == {""}


@pytest.mark.parametrize(
    ("levels", "tells"),
    [
        ({"dataset": ["a", "b"]}, True),
        ({"dataset": ["a", "a"]}, False),
        ({"dataset": ["a", "b"], "author": ["o", "o"]}, False),
        ({}, True),
    ],
)
def test_likeness_is_told_by_two_levels_of_each_effect_that_is_drawn(levels, tells):
    rows = pd.DataFrame({**dict.fromkeys(shares.EFFECTS, ""), **levels}, index=[0, 1])
    assert tells_likeness(rows) is tells


def interval_of(networks, clusters):
    """One number with a normal error of one half."""
    return t_interval(1.0, 0.5, np.inf)


# the claim's side, its margin, and the probability that the number lies there
SIDES = {
    "above nothing": (1, 0.0, norm.cdf(2)),
    "above a margin": (1, 1.5, norm.cdf(-1)),
    "below": (-1, 0.0, norm.cdf(-2)),
    "within a margin": (0, 1.5, norm.cdf(1) - norm.cdf(-5)),
}


@pytest.mark.parametrize("side", SIDES)
def test_one_number_has_the_probability_of_its_own_interval_and_no_share(side):
    sign, margin, probability = SIDES[side]
    of_all = measured(
        [1.0, 2.0], "rho", sign=sign, margin=margin, interval_of=interval_of
    )
    result = estimate_of(Findings(of_all, pd.DataFrame(), None), SCALES)
    assert result.p_word == pytest.approx(probability)
    assert (result.estimate, result.low) == pytest.approx(
        (1, 1 - 0.5 * norm.ppf(0.975))
    )
    assert np.isnan(result.share)


def test_an_amount_of_several_networks_has_intervals_of_the_mean_and_of_the_next_one():
    """Twelve networks about 2 in four data sets; the sentence asks for more than zero."""
    rng = np.random.default_rng(3)
    rows = pd.DataFrame(
        {
            "total": 2 + 0.5 * rng.standard_normal(12),
            "dataset": np.repeat([*"abcd"], 3),
            "author": "",
            "kin": "",
        }
    )
    scales = {"dataset": 0.5, "author": 0.5, "kin": 0.5}
    estimate = estimate_of_amount(rows, (0, np.inf), scales)
    assert estimate.next_low < estimate.low < 2 < estimate.high < estimate.next_high
    assert estimate.estimate == pytest.approx(rows["total"].mean(), abs=0.05)
    assert estimate.share_low < estimate.share < estimate.share_high
    assert estimate.p_half >= estimate.p_most and estimate.p_word > 0.99
