"""The rate of each step, and the early stop."""

import numpy as np
import pytest

from evidence.training.schedule import EarlyStop, rate_factor


def test_a_twentieth_of_the_steps_warms_up_and_a_cosine_falls_to_zero():
    factors = [rate_factor(step, 200) for step in range(201)]
    np.testing.assert_allclose(factors[:10], np.arange(1, 11) / 10)
    # half of the fall is behind at half of the other 190 steps, and it is steepest there
    assert factors[10] == 1 and factors[105] == pytest.approx(0.5)
    assert factors[200] == pytest.approx(0)
    falls = -np.diff(factors[10:])
    assert (falls > 0).all() and falls.argmax() in (94, 95)


@pytest.mark.parametrize(
    ("steps", "factors"),
    [(1, [1, 1]), (2, [1, 1, 0]), (3, [1, 1, 0.5, 0])],
)
def test_a_run_of_few_steps_begins_at_the_full_rate(steps, factors):
    """One step was a division by zero: nothing is left after the warm-up."""
    results = [rate_factor(step, steps) for step in range(steps + 1)]
    np.testing.assert_allclose(results, factors, atol=1e-12)


# patience, the accuracy of each epoch, the best epoch and the last
COURSES = {
    "it rises to the end": (2, [0.1, 0.2, 0.3, 0.4], 3, 3),
    "two epochs without a better one": (2, [0.1, 0.5, 0.4, 0.3, 0.9], 1, 3),
    "as good is no better": (2, [0.5, 0.5, 0.5, 0.9], 0, 2),
    "a better one in time": (2, [0.5, 0.4, 0.6, 0.5, 0.5, 0.9], 2, 4),
    "right on nothing counts too": (1, [0.0, 0.0, 0.9], 0, 1),
}


@pytest.mark.parametrize("course", COURSES)
def test_training_stops_after_as_many_epochs_without_a_better_one(course):
    patience, reached, best, last = COURSES[course]
    stop, better = EarlyStop(patience), []
    for epoch, accuracy in enumerate(reached):
        better += [epoch] if stop.record(epoch, accuracy) else []
        if stop.is_over(epoch):
            break
    assert (better[-1], stop.best_epoch, epoch) == (best, best, last)
    assert stop.best == reached[best]
