"""Bands and the mean error of calibrated models are exact: by enumeration and by draws."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from draws import draw
from resampled import rng
from scipy import stats

import calib
from calib import (
    consistency_test,
    equal_mass,
    equal_width,
    top_label,
)
from calib.bands import poisson_binomial


def test_poisson_binomial_by_enumeration_and_of_equal_trials():
    prob = np.array([0.1, 0.7, 0.5, 0.99, 0.0, 1.0, 0.3])
    expected = np.zeros(len(prob) + 1)
    for outcome in map(np.array, product([0, 1], repeat=len(prob))):
        expected[outcome.sum()] += np.prod(np.where(outcome, prob, 1 - prob))
    np.testing.assert_allclose(poisson_binomial(prob), expected, atol=1e-14)
    for n in (0, 1, 2, 3, 500, 1025):
        expected = stats.binom.pmf(np.arange(n + 1), n, 0.3)
        np.testing.assert_allclose(
            poisson_binomial(np.full(n, 0.3)), expected, atol=1e-14
        )


def test_band_of_equal_scores_is_binomial():
    band = calib.consistency_band(
        [0.3] * 40 + [0.8] * 25, bins=equal_width(10), confidence_level=0.9
    )
    full, n = band.count > 0, np.array([40, 25])
    np.testing.assert_array_equal(band.count[full], n)
    low, high = (stats.binom.ppf(q, n, [0.3, 0.8]) / n for q in (0.05, 0.95))
    np.testing.assert_allclose(band.low[full], low)
    np.testing.assert_allclose(band.high[full], high)
    assert np.isnan([band.low[~full], band.high[~full], band.mean_score[~full]]).all()


def test_error_if_calibrated_is_the_mean_of_the_null():
    score, _ = top_label(*draw(150, 5))
    for bins in (equal_width(15), equal_mass(10)):
        test = consistency_test(
            calib.calibration_error,
            score < 0,
            score,
            bins=bins,
            n_resamples=600,
            rng=rng(),
        )
        margin = 4 * test.null.std() / np.sqrt(600)
        assert calib.error_if_calibrated(score, bins=bins) == pytest.approx(
            test.null.mean(), abs=margin
        )


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (calib.consistency_band, [[0.5, 1.5]], r"score: row 1 is 1\.5"),
        (
            partial(calib.consistency_band, confidence_level=0),
            [[0.5]],
            "confidence_level: 0",
        ),
        (calib.error_if_calibrated, [[np.nan]], "score: row 0 is nan"),
    ],
)
def test_bad_scores_are_named(call, arguments, message):
    with pytest.raises(ValueError, match=message):
        call(*arguments)
