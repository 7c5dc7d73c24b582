"""True values of metrics, as limits of draws."""

import numpy as np
import pytest

from evidence.studies.metrics import estimators_with_truth


def test_true_values_are_limits_of_draws():
    rng = np.random.default_rng(0)
    score = rng.random(40)
    drawn = rng.integers(40, size=200_000)
    hit = rng.random(200_000) < (score**2)[drawn]
    for estimator, metric in estimators_with_truth.ESTIMATORS.items():
        limit = estimators_with_truth.true_value(estimator, score, score**2)
        assert metric(hit, score[drawn]) == pytest.approx(limit, abs=0.01)
    assert estimators_with_truth.error_without_bins(
        np.repeat([0.2, 0.8], 40), np.repeat([0.3, 0.8], 40)
    ) == pytest.approx(0.05)
    assert estimators_with_truth.error_without_bins(score, score**2) == ""
