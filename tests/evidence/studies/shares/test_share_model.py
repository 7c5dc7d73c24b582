"""How often the model of shares errs, where the truth is known."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence import load_results
from evidence.studies.parts import simulated_shares
from evidence.studies.shares import share_model

SCALES = {"dataset": 1.2, "author": 0.8, "kin": 0.6}


@pytest.mark.slow
def test_a_coin_is_hardly_ever_shown_or_refuted():
    """Networks of a data set have the intraclass correlation 0.3; a plain binomial errs often."""
    codes = simulated_shares.design(44, 8, np.random.default_rng(8), ("dataset",))
    rates = share_model.verdict_rates(
        codes, 0.3, 0.5, SCALES, np.random.default_rng(9), 400
    )
    assert rates["shown"] + rates["refuted"] < 0.05 and rates["covered"] > 0.9
    scales = dict.fromkeys(SCALES, 0.05)
    rates = share_model.verdict_rates(
        codes, 0.3, 0.5, scales, np.random.default_rng(9), 400
    )
    assert rates["shown"] + rates["refuted"] > 0.1


def test_the_study_keeps_what_the_page_says():
    """At most 2 % a side are wrong; intervals hold the truth."""
    rates = load_results("share_model")
    null = rates[rates["truth"] == 0.5]
    assert (null[["shown", "refuted"]] < 0.02).all(axis=None)
    # beyond, the prior pulls to a half
    likely = (rates["icc"] <= 0.5) & (rates["truth"] <= 0.8)
    assert (rates.loc[likely, "covered"] > 0.88).all()
    assert set(rates["icc"]) == set(share_model.CORRELATIONS)


def test_rates_are_of_posteriors_and_a_width_is_between_their_ends(monkeypatch):
    """Of four draws two are sure, and two intervals hold the truth of .8."""
    draws = [
        (0.999, 0.6, 0.9),
        (0.5, 0.2, 0.7),
        (0.001, 0.1, 0.3),
        (0.9, 0.75, 0.95),
    ]
    posterior = [
        SimpleNamespace(
            above=lambda _, half=half: half, quantiles=lambda ends=ends: ends
        )
        for half, *ends in draws
    ]
    monkeypatch.setattr(share_model, "posteriors", lambda *_: posterior)
    codes = {"dataset": np.zeros(3, int)}
    rng = np.random.default_rng(0)
    rates = share_model.verdict_rates(codes, 0.3, 0.8, SCALES, rng, 4)
    assert rates["shown"] == rates["refuted"] == 0.25 and rates["covered"] == 0.5
    assert rates["width"] == pytest.approx((0.3 + 0.5 + 0.2 + 0.2) / 4)


def test_of_three_effects_data_sets_have_three_fifths_of_the_variance(
    monkeypatch,
):
    """On the logit, whose own variance is pi squared over three."""
    given = []
    monkeypatch.setattr(
        share_model,
        "agreeing",
        lambda mu, spreads, *_: given.append((mu, [*spreads])) or np.ones(3),
    )
    posterior = SimpleNamespace(above=lambda _: 0.5, quantiles=lambda: (0, 1))
    monkeypatch.setattr(share_model, "posteriors", lambda *_: [posterior])
    codes = dict.fromkeys(("dataset", "author", "kin"), np.zeros(3, int))
    share_model.verdict_rates(codes, 0.5, 0.9, SCALES, None, 1)
    ((mu, spreads),) = given
    variance = np.pi**2 / 3
    expected = np.array([0.6, 0.2, 0.2]) * variance
    assert np.square(spreads) == pytest.approx(expected, rel=1e-6)
    assert simulated_shares.mean_share(mu, spreads) == pytest.approx(0.9)
