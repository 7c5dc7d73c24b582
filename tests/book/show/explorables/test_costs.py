"""What mistakes cost, worked by hand."""

import numpy as np
import pytest

from book.show.explorables.costs import cost_curves, mean_cost

EVENT, SCORE = np.array([1, 1, 0, 0]), np.array([0.9, 0.2, 0.5, 0.1])


@pytest.mark.parametrize(
    ("threshold", "mistakes"),
    [
        (0.5, 10 + 2),  # 0.2 is missed, 0.5 alarms
        (0.51, 10),
        (0.0, 2 + 2),
        (1.0, 10 + 10),
    ],
)
def test_events_below_a_threshold_are_missed_and_others_from_it_on_alarm(
    threshold, mistakes
):
    found = mean_cost(EVENT, SCORE, threshold, miss=10, alarm=2)
    assert found == pytest.approx(mistakes / 4)


def test_a_curve_has_the_cost_of_so_many_cases_at_each_percent():
    scores = {"raw": SCORE, "other": np.ones(4)}
    curves = cost_curves(EVENT, scores, 200, miss=10, alarm=2)
    thresholds, costs = zip(*curves["raw"], strict=True)
    assert thresholds == pytest.approx(np.arange(101) / 100)
    assert (costs[0], costs[60], costs[100]) == pytest.approx((200, 500, 1000))
    assert {cost for _, cost in curves["other"]} == {200.0}
