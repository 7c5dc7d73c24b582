"""Whether the ranks of the study are uniform: its test, and what is stored."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare, norm
from uniform_ranks import uneven

from evidence import load_results
from evidence.studies.shares import share_rank_tests


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


def test_all_ranks_that_are_stored_are_uniform():
    stored = load_results("share_rank_tests")
    assert (stored["p_holm"] > 0.05).all()
    again = pd.DataFrame(share_rank_tests.rows())
    pd.testing.assert_frame_equal(stored, again, rtol=1e-8)
