"""What a forecaster says who knows the truth and says otherwise."""

import numpy as np
import pytest
from scipy.special import logit

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
