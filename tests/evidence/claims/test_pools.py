"""Sentences of one kind together: a simulation with known truth."""

import numpy as np

from evidence.claims import shares
from evidence.claims.pools import pool

SETS = {"dataset": np.arange(6)}


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


def test_new_networks_have_the_effects_of_most_sentences():
    one, two = SETS, SETS | {"author": np.arange(6) % 2}
    n, agree = np.full(6, 8.0), np.full(6, 6.0)
    sentences = [
        shares.Likelihood(tuple(codes), shares.log_likelihood(n, agree, codes))
        for codes in (one, two, two)
    ]
    pooled = pool(sentences, {"dataset": 0.2, "author": 0.2, "kin": 0.2})
    assert pooled.drawn == ("dataset", "author")
