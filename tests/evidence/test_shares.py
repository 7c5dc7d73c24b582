"""The model of shares and amounts: closed forms, simulations with known truth, and its study."""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import binom, chisquare, norm, t

from evidence import load_results
from evidence.claims import shares, winners
from evidence.claims.amounts import amounts
from evidence.claims.estimates import (
    CERTAIN,
    estimate_of_amount,
    likelihood_of,
    verdict_word,
)
from evidence.claims.pools import pool
from evidence.claims.stored import load_ledger, load_networks, load_scales
from evidence.studies.parts import simulated_shares
from evidence.studies.shares import (
    amount_rates,
    share_model,
    share_rank_tests,
    share_ranks,
)

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


@pytest.mark.parametrize("spread", [0.6, 1.8])
def test_laplace_is_near_the_integral_over_the_effects(spread):
    """Three networks of each of two data sets, against numerical integration."""
    approximate = shares.log_likelihood(
        np.array([3, 3]), np.array([3.0, 1.0]), {"dataset": np.arange(2)}
    )
    node = list(shares.NODES["dataset"]).index(spread)
    for place in range(8, 22, 4):
        exact = 0.0
        for agree in (3, 1):
            value = quad(
                lambda u, k=agree, mu=shares.MU[place]: (
                    norm.pdf(u)
                    * expit(mu + spread * u) ** k
                    * expit(-mu - spread * u) ** (3 - k)
                ),
                -8,
                8,
            )[0]
            exact += np.log(value)
        assert approximate[node, place] == pytest.approx(exact, abs=0.12)


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


def test_sentences_of_one_kind_are_pooled():
    """Of sentences true of 80 % of networks nearly all are true of more than half."""
    rng, sentences = np.random.default_rng(4), []
    for _ in range(40):
        agree = rng.binomial(8, 0.8, size=6).astype(float)
        log = shares.log_likelihood(np.full(6, 8.0), agree, SETS)
        sentences.append(shares.Likelihood(("dataset",), log))
    pooled = pool(sentences, {"dataset": 0.2, "author": 0.2, "kin": 0.2})
    low, high = pooled.mean_share().quantiles()
    assert low < 0.8 < high + 0.01 and high - low < 0.1
    assert pooled.true_of_more_than(0.5).mean > 0.95


def test_an_amount_without_effects_is_a_mean_with_its_t_intervals():
    values = np.array([1.0, 2.0, 4.0, 4.5, 7.0])
    amount = amounts(values, {}, SCALES)
    mean, spread, reach = values.mean(), values.std(ddof=1), t.ppf(0.975, 4)
    ends = [mean, mean - reach * spread / 5**0.5, mean + reach * spread / 5**0.5]
    assert amount.interval() == pytest.approx(ends)
    ends = (
        mean - reach * spread * np.sqrt(1 + 1 / 5),
        mean + reach * spread * np.sqrt(1 + 1 / 5),
    )
    assert amount.interval(new=True)[1:] == pytest.approx(ends)
    assert amount.mean_between(0, np.inf) == pytest.approx(
        t.cdf(mean / spread * 5**0.5, 4)
    )
    assert amount.share(0, np.inf).mean == pytest.approx(
        t.cdf(mean / spread / np.sqrt(1 + 1 / 5), 4), abs=5e-3
    )


def test_an_amount_of_one_network_has_no_interval():
    with pytest.raises(ValueError, match="two are needed"):
        amounts([1.0], {}, SCALES)
    rows = pd.DataFrame({effect: [""] for effect in shares.EFFECTS} | {"total": [2.0]})
    amount = estimate_of_amount(rows, (0, np.inf), SCALES)
    assert (
        amount.estimate == 2
        and np.isnan([amount.low, amount.share, amount.p_word]).all()
    )


def test_the_next_network_lies_in_its_interval():
    """Data sets as unlike as networks: 95 % of the next networks, and of the means."""
    rng, levels = np.random.default_rng(5), np.repeat(np.arange(6), 5)
    next_covered, covered = [], []
    for _ in range(300):
        effects = rng.standard_normal(7)
        values = 1 + effects[levels] + rng.standard_normal(30)
        amount = amounts(values, {"dataset": levels}, {**SCALES, "dataset": 2.0})
        _, low, high = amount.interval(new=True)
        next_covered.append(low < 1 + effects[6] + rng.standard_normal() < high)
        _, low, high = amount.interval()
        covered.append(low < 1 < high)
    assert 0.91 < np.mean(next_covered) < 0.99 and 0.91 < np.mean(covered) < 0.99


def uneven(ranks):
    """The p-value of Pearson's statistic against uniform ranks."""
    return share_rank_tests.p_uniform(np.histogram(ranks, bins=10, range=(0, 1))[0])


def test_pearsons_test_is_that_of_scipy():
    counts = np.array([12, 7, 3, 18])
    assert share_rank_tests.p_uniform(counts) == pytest.approx(chisquare(counts).pvalue)


def test_posteriors_of_the_width_that_is_told_are_found_in_four_of_five_cases():
    rng = np.random.default_rng(12)
    width = share_rank_tests.seen_width(500, 10, 0.05)
    ranks = norm.cdf(rng.standard_normal((1500, 500)) / width)
    refused = np.array([uneven(each) for each in ranks]) < 0.05
    assert refused.mean() == pytest.approx(share_rank_tests.POWER, abs=0.03)
    refused = np.array([uneven(each) for each in rng.random((1500, 500))]) < 0.05
    assert refused.mean() == pytest.approx(0.05, abs=0.02)


def test_ranks_are_uniform_and_are_not_where_data_sets_are_forgotten(monkeypatch):
    codes = simulated_shares.design(44, 8, np.random.default_rng(6), ("dataset",))
    draws = share_ranks.ranks(codes, SCALES, np.random.default_rng(7), 400)
    assert uneven(draws) > 0.01
    posteriors = simulated_shares.posteriors

    def forgotten(agree, codes, scales):
        return posteriors(agree, codes, {**scales, "dataset": 0.05})

    monkeypatch.setattr(share_ranks, "posteriors", forgotten)
    assert (
        uneven(share_ranks.ranks(codes, SCALES, np.random.default_rng(7), 400)) < 1e-6
    )


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
    """Ranks are uniform; at most 2 % a side are wrong; intervals hold the truth."""
    stored = load_results("share_rank_tests")
    assert (stored["p_holm"] > 0.05).all()
    again = pd.DataFrame(share_rank_tests.rows())
    pd.testing.assert_frame_equal(stored, again, rtol=1e-8)
    rates = load_results("share_model")
    null = rates[rates["truth"] == 0.5]
    assert (null[["shown", "refuted"]] < 0.02).all(axis=None)
    # beyond, the prior pulls to a half
    likely = (rates["icc"] <= 0.5) & (rates["truth"] <= 0.8)
    assert (rates.loc[likely, "covered"] > 0.88).all()
    assert set(rates["icc"]) == set(share_model.CORRELATIONS)


def test_how_often_amounts_err_is_computed_again():
    stored = load_results("amount_rates")
    sets = np.repeat(np.arange(3), (5, 2, 1))
    rng, scales = np.random.default_rng(8), load_scales()
    rates = amount_rates.rates_of_means(sets, 0.5, 0.0, scales, rng, 400)
    there = stored.query("sizes == '5 2 1' and icc == 0.5 and truth == 0").iloc[0]
    for name, spread in {"shown": 0.02, "refuted": 0.02, "covered": 0.04}.items():
        assert rates[name] == pytest.approx(there[name], abs=spread), name
    # a mean that is far from zero is shown, and those of one data set too sure
    assert amount_rates.rates_of_means(sets, 0.1, 5.0, scales, rng, 50)["shown"] > 0.9
    one = amount_rates.rates_of_means(
        0 * sets, 0.7, 0.0, dict.fromkeys(scales, 0.05), rng, 300
    )
    assert one["shown"] + one["refuted"] > 0.2 and one["covered"] < 0.8
    models = np.repeat(np.arange(5), 3)
    for icc, most in ((0.0, 0.02), (0.9, 0.2)):
        rates = amount_rates.rates_of_correlations(models, icc, rng, 1000)
        assert rates["shown"] < most and rates["refuted"] < most
    assert rates["shown"] > 0.01 and rates["covered"] < 0.93


def test_amounts_err_as_often_as_the_page_says():
    """About one in a hundred a side while networks are alike by a half, three at 0.7."""
    rates = load_results("amount_rates").query("truth == 0")
    wrong = rates[["shown", "refuted"]].max(axis=1)
    assert wrong[rates["icc"] <= 0.3].max() < 0.015
    assert wrong[(rates["of"] == "means") & (rates["icc"] <= 0.5)].max() < 0.02
    assert 0.02 < wrong[(rates["of"] == "means") & (rates["icc"] == 0.7)].max() < 0.04


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


def test_winners_differ_as_counted_and_by_the_difference_that_is_put_in():
    differing = winners.differing_winners()
    rows = load_results("best_maps_of_halves").query(
        "methods == 'guo' and first == 'nll' == second"
    )
    assert differing["NLL"].mean() == pytest.approx(rows["differs"].mean(), abs=0.02)
    rng = np.random.default_rng(11)
    differing["ECE"] = differing["NLL"] + rng.normal(0.3, 0.02, len(differing))
    estimate, low, high = winners.difference_of_metrics(differing).interval()
    assert low < 0.3 < high and high - low < 0.1
    assert (
        estimate
        == -winners.difference_of_metrics(differing, "NLL", "ECE").interval()[0]
    )
