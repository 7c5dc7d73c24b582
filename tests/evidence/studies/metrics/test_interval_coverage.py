"""How often intervals hold the truth: true errors and held truths by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence.studies.metrics import interval_coverage as study


def test_true_errors_are_those_of_the_gaps_in_the_order_of_the_scores():
    score, curve = np.array([0.8, 0.2, 0.6]), np.array([0.6, 0.4, 0.9])
    errors = study.true_errors(score, curve)
    assert errors[calib.ece] == pytest.approx((0.2 + 0.2 + 0.3) / 3)
    assert errors[study.ece_mass] == errors[calib.ece]
    # by rising score the gaps are -.2, -.3, .2
    assert errors[calib.ks_error] == pytest.approx((0.2 + 0.3) / 3)
    brier = (0.04 + 0.6 * 0.4) + (0.04 + 0.4 * 0.6) + (0.09 + 0.9 * 0.1)
    assert errors[calib.top1_brier] == pytest.approx(brier / 3)


def test_each_interval_is_counted_where_it_holds_the_truth(monkeypatch):
    """Of 41 even steps the 2.5 % and 97.5 % quantiles are the second and the last but one."""
    steps = np.linspace(0, 1, 41)
    intervals = [
        SimpleNamespace(low=0.4, high=0.6, resampled=steps),
        SimpleNamespace(low=0.5, high=0.9, resampled=steps + 0.48),
        SimpleNamespace(low=0.1, high=0.4, resampled=steps - 0.48),
        SimpleNamespace(low=0.1, high=0.5, resampled=steps - 0.47),
    ]
    monkeypatch.setattr(study, "N_TRIALS", 4)
    given = iter(intervals)
    monkeypatch.setattr(calib, "bootstrap", lambda *_, **__: next(given))
    row = study.coverage_of_intervals("a", calib.ece, 0.5, lambda n, rng: (), 9, None)
    assert (row["basic"], row["percentile"]) == (3 / 4, 2 / 4)
    assert (row["metric"], row["n"], row["truth"]) == ("ece", 9, 0.5)
