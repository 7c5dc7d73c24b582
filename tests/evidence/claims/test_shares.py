"""The model of shares: closed forms, simulations with known truth, and another model."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import binom, norm

from evidence import claims
from evidence.claims import shares
from evidence.claims.estimates import CERTAIN, likelihood_of, tells_likeness
from evidence.claims.shares import learn
from evidence.claims.stored import load_networks, load_scales


@pytest.mark.slow
def test_the_spreads_are_those_that_all_counts_teach():
    """The likelihoods of all sentences with fewer than two hundred cells are computed again."""
    networks, counts = claims.load_networks(), []
    for _, rows in networks.groupby(["id", "evidence"]):
        shares_of = ((rows["total"] >= 0) & (rows["total"] <= rows["networks"])).all()
        if shares_of and len(rows) < 40 and tells_likeness(rows):
            counts.append(likelihood_of(rows))
    learnt, stored = learn(counts), claims.load_scales()
    assert len(counts) > 80
    assert learnt["dataset"] == pytest.approx(stored["dataset"], rel=0.5)


SCALES = {"dataset": 1.2, "author": 0.8, "kin": 0.6}
SETS = {"dataset": np.arange(6)}


def share_of(n, agree, codes=None, scales=SCALES):
    codes = {} if codes is None else codes
    log = shares.log_likelihood(np.asarray(n), np.asarray(agree, float), codes)
    return shares.share(shares.Likelihood(tuple(codes), log), scales)


def test_without_effects_the_share_has_the_posterior_of_one_coin():
    def density(mu):
        return binom.pmf(15, 20, expit(mu)) * norm.pdf(mu, 0, shares.MU_SPREAD)

    total = quad(density, -7, 7)[0]
    share = share_of([20], [15])
    assert share.mean == pytest.approx(
        quad(lambda m: expit(m) * density(m), -7, 7)[0] / total, abs=1e-4
    )
    assert share.above(0.5) == pytest.approx(quad(density, 0, 7)[0] / total, abs=2e-3)


def test_whoever_agrees_and_whoever_does_not_are_mirrored():
    n, agree = np.full(6, 4.0), np.array([4, 4, 3, 4, 2, 4.0])
    yes, no = share_of(n, agree, SETS), share_of(n, n - agree, SETS)
    assert yes.mean == pytest.approx(1 - no.mean, abs=1e-6)
    assert yes.quantiles() == pytest.approx(
        [1 - x for x in no.quantiles()[::-1]], abs=2e-3
    )


def test_more_data_sets_tell_more_than_more_networks_of_one():
    two_sets = share_of([30, 30], [27, 27], {"dataset": np.arange(2)})
    many = share_of(np.full(20, 3), np.full(20, 2.7), {"dataset": np.arange(20)})
    assert np.diff(two_sets.quantiles()) > 1.5 * np.diff(many.quantiles())


def test_one_data_set_leaves_a_share_open_however_many_networks_agree():
    share = share_of([1000], [1000], {"dataset": np.zeros(1, int)}, load_scales())
    assert 0.8 < share.above(0.5) < CERTAIN


def simulated(rng, spread, n_sentences=60, n_sets=8):
    for mu in rng.normal(0, 1.5, n_sentences):
        p = expit(mu + spread * rng.standard_normal(n_sets))
        agree = rng.binomial(6, p).astype(float)
        codes = {"dataset": np.arange(n_sets)}
        log = shares.log_likelihood(np.full(n_sets, 6.0), agree, codes)
        yield shares.Likelihood(("dataset",), log)


@pytest.mark.parametrize("spread", [0.0, 1.8])
def test_the_spread_of_data_sets_is_learnt(spread):
    learnt = shares.learn(list(simulated(np.random.default_rng(3), spread)))["dataset"]
    assert learnt < 0.5 if spread == 0 else 1.2 < learnt < 2.9


# Own code of a reader, with other priors of the spreads, on the networks of then: near, not equal.
REFEREE = {
    ("guo-miscalibrated", "zoo"): (58, 60, 0.89),
    ("rahaman-accuracy", "zoo"): (70, 70, 0.94),
    ("nixon-vector-typically-best", "public"): (9.2, 44, 0.25),
    ("gupta-accuracy-retained", "zoo"): (8, 74, 0.15),
    ("vasilev-overconfidence-typical", "public"): (38, 58, 0.63),
    ("gupta-within-top2", "public"): (14, 17, 0.74),
    ("huang-miscalibration-enlarges", "public"): (1, 11, 0.23),
    ("vasilev-histogram-cifar10", "zoo"): (1, 46, 0.13),
}
LATER = [("cifar10", "resnet14"), ("sst2", "treelstm1"), ("sst5-trees", "treelstm1")]


@pytest.mark.parametrize("key", REFEREE)
def test_shares_are_near_those_of_another_model(key):
    networks = load_networks()
    came_later = networks.set_index(["dataset", "kin"]).index.isin(LATER)
    networks = networks[~came_later].set_index(["id", "evidence"]).loc[[key]]
    agree, n, share = REFEREE[key]
    counts = networks[["networks", "total"]].sum()
    if key[1] == "zoo":
        assert counts.tolist() == [n, pytest.approx(agree, abs=0.1)]
    assert counts["networks"] >= n
    mean = shares.share(likelihood_of(networks), load_scales()).mean
    assert mean == pytest.approx(share, abs=0.1)
