"""True values of metrics, as limits of draws."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence.studies.metrics import estimators_with_truth


def test_true_values_are_limits_of_draws():
    rng = np.random.default_rng(0)
    score = rng.random(40)
    drawn = rng.integers(40, size=200_000)
    hit = rng.random(200_000) < (score**2)[drawn]
    for estimator, metric in estimators_with_truth.ESTIMATORS.items():
        limit = estimators_with_truth.true_value(estimator, score, score**2)
        assert metric(hit, score[drawn]) == pytest.approx(limit, abs=0.01)


@pytest.mark.parametrize(("n", "expected"), [(30, 0.05), (29, "")])
def test_the_error_without_bins_is_known_where_scores_repeat_thirty_times(n, expected):
    """The first score is off by a tenth, the second by nothing."""
    score, truth = np.repeat([0.2, 0.8], n), np.repeat([0.3, 0.8], n)
    error = estimators_with_truth.error_without_bins(score, truth)
    assert error == (expected and pytest.approx(expected))


def test_intervals_of_samples_are_counted_where_they_hold_the_truth(monkeypatch):
    """Two samples of 1000: their errors are .1 and .3, the intervals as wide as .2 and .1."""
    study = estimators_with_truth
    ends = {"ece": [(0.1, 0.0, 0.2), (0.3, 0.25, 0.35)]}
    given = iter(
        SimpleNamespace(value=value, low=low, high=high)
        for value, low, high in ends["ece"]
    )
    samples = []

    def bootstrap(metric, hit, score, **options):
        samples.append((hit, score))
        return next(given)

    score, truth = np.array([0.25, 0.75]), np.array([0.25, 0.5])
    monkeypatch.setattr(study, "N_REPEATS", 2)
    monkeypatch.setattr(study, "ESTIMATORS", {"ece": calib.ece})
    monkeypatch.setattr(study, "scores_and_truth", lambda name: (score, truth))
    monkeypatch.setattr(calib, "bootstrap", bootstrap)
    (row,) = study.bias_and_coverage("some")
    assert (row["source"], row["n"], row["estimator"]) == ("some", 1000, "ece")
    assert row["truth"] == pytest.approx((0 + 0.25) / 2) and row["exact"] == ""
    assert row["mean"] == pytest.approx(0.2) and row["coverage"] == 0.5
    assert row["sd"] == pytest.approx(0.2 / np.sqrt(2))
    assert row["width"] == pytest.approx(0.15)
    for hit, drawn in samples:
        assert len(hit) == 1000 and {*drawn} == {0.25, 0.75}
        assert hit[drawn == 0.25].mean() == pytest.approx(0.25, abs=0.06)
        assert hit[drawn == 0.75].mean() == pytest.approx(0.5, abs=0.06)
