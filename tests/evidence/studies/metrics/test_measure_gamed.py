"""What a forecaster says who knows the truth and says otherwise."""

import numpy as np
import pytest
from scipy.special import logit

from evidence.studies.metrics import measure_gamed
from evidence.studies.metrics.measure_gamed import LIES, forecast

TRUTH = np.array([0.1, 0.12, 0.18, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.82, 0.88, 0.9])


def test_three_values_are_the_means_of_thirds_and_one_the_mean_of_all():
    thirds = np.repeat([0.15, 0.45, 0.85], 4)
    assert forecast("three values", TRUTH) == pytest.approx(thirds)
    assert forecast("one value", TRUTH) == pytest.approx(np.full(12, TRUTH.mean()))


def test_who_is_surer_has_larger_logits():
    assert forecast("the truth", TRUTH) == pytest.approx(TRUTH)
    assert logit(forecast("a tenth surer", TRUTH)) == pytest.approx(1.1 * logit(TRUTH))
    assert logit(forecast("a tenth less sure", TRUTH)) == pytest.approx(
        0.9 * logit(TRUTH)
    )


@pytest.mark.parametrize("lie", LIES[:3])
def test_some_lies_are_calibrated(lie):
    """Of each score that is said, the truth has the same mean."""
    said = forecast(lie, TRUTH).round(12)
    for score in np.unique(said):
        assert TRUTH[said == score].mean() == pytest.approx(score)


def test_lies_are_told_of_the_same_events(monkeypatch):
    """Of a Beta(5, 2) the mean is 5/7, and so is the share of hits."""
    measures = {
        "mean score": lambda hit, score: score.mean(),
        "hits": lambda hit, score: hit.mean(),
    }
    monkeypatch.setattr(measure_gamed, "PAIRS", measures)
    monkeypatch.setattr(measure_gamed, "N_LIES", 200)
    found = measure_gamed.measured(600)
    assert {len(values) for values in found.values()} == {100}
    assert found["mean score", "the truth"].mean() == pytest.approx(5 / 7, abs=0.003)
    hits = [found["hits", lie] for lie in LIES]
    assert np.ptp(hits, axis=0).max() == 0
    assert hits[0].mean() == pytest.approx(5 / 7, abs=0.007)


def test_a_gain_is_the_mean_of_differences_with_its_standard_error(monkeypatch):
    """The lie gains 0, 1, 1, 2: a variance of 2/3 over four samples."""
    values = {("brier", lie): np.array([4.0, 3, 3, 2]) for lie in LIES[1:]}
    values["brier", "the truth"] = np.array([4.0, 4, 4, 4])
    monkeypatch.setattr(measure_gamed, "PAIRS", {"brier": None})
    monkeypatch.setattr(measure_gamed, "measured", lambda n: values)
    row, *others = measure_gamed.rows()
    assert (row["measure"], row["said"]) == ("brier", "three values")
    assert (row["honest"], row["gain"]) == (4, 1)
    assert row["standard_error"] == pytest.approx(np.sqrt(2 / 3 / 4))
    assert len(others) == 3 * 4 - 1
