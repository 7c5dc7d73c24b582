"""How often the model of shares errs, where the truth is known."""

import numpy as np

from evidence import load_results
from evidence.studies.parts import simulated_shares
from evidence.studies.shares import share_model

SCALES = {"dataset": 1.2, "author": 0.8, "kin": 0.6}


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
