"""What is measured of pairs, from its definition."""

import numpy as np
import pytest
from simulated_answers import drawn_pairs

from evidence.language.pair_measures import (
    auroc,
    basic_interval,
    measure_pairs,
    pair_nll,
)


def test_auroc_counts_pairs_of_answers_and_the_nll_of_a_certain_error_is_infinite():
    hit, score = drawn_pairs(60)
    every = [(r > w) + (r == w) / 2 for r in score[hit] for w in score[~hit]]
    assert auroc(hit, score).value == pytest.approx(np.mean(every))
    assert np.isnan(auroc(np.ones(3, bool), score[:3]).value)
    half = pair_nll(np.array([True, False]), np.array([0.5, 0.75]))
    assert half == pytest.approx((np.log(2) + np.log(4)) / 2)
    assert pair_nll(np.array([False]), np.array([1.0])) == np.inf


def test_the_interval_of_an_auroc_is_that_of_delong_by_hand():
    """Placements of three right answers among two wrong ones, and the other way round."""
    hit = np.array([True, True, True, False, False])
    score = np.array([0.9, 0.6, 0.3, 0.5, 0.3])
    above, below = [1, 1, 0.25], [2 / 3, 2.5 / 3]
    area = 2.25 / 3
    squares = sum((v - area) ** 2 for v in above) / 2 / 3
    squares += sum((v - area) ** 2 for v in below) / 1 / 2
    assert auroc(hit, score) == pytest.approx((area, squares**0.5))
    result = measure_pairs(hit, score, np.random.default_rng(0))
    half = 1.96 * squares**0.5
    assert result["auroc_low"] == pytest.approx(area - half)
    assert result["auroc_high"] == pytest.approx(area + half)


def test_the_error_of_an_auroc_is_how_much_it_varies_from_sample_to_sample():
    rng = np.random.default_rng(5)
    results = []
    for _ in range(400):
        score = rng.random(80)
        results.append(auroc(rng.random(80) < score, score))
    values, errors = np.transpose(results)
    assert errors.mean() == pytest.approx(values.std(), rel=0.15)


def test_a_basic_interval_mirrors_the_quantiles_of_the_resamples():
    """Of 0 to 200 the middle 95 % are 5 to 195; mirrored at 80 they are -35 to 155."""
    resampled = np.append(np.arange(201.0), np.nan)  # one without a value
    ends = basic_interval("auroc_", 80, resampled)
    assert ends == pytest.approx({"auroc_low": -35, "auroc_high": 155})
