"""What is measured of pairs, from its definition."""

import numpy as np
import pytest
from simulated_answers import drawn_pairs

from evidence.language.pair_measures import auroc, pair_nll


def test_auroc_counts_pairs_of_answers_and_the_nll_of_a_certain_error_is_infinite():
    hit, score = drawn_pairs(60)
    every = [(r > w) + (r == w) / 2 for r in score[hit] for w in score[~hit]]
    assert auroc(hit, score).value == pytest.approx(np.mean(every))
    assert np.isnan(auroc(np.ones(3, bool), score[:3]).value)
    half = pair_nll(np.array([True, False]), np.array([0.5, 0.75]))
    assert half == pytest.approx((np.log(2) + np.log(4)) / 2)
    assert pair_nll(np.array([False]), np.array([1.0])) == np.inf
