"""What measures say of a known world, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.metrics import measure_spread as study


class Draws:
    """A generator that draws four scores of .8, and these numbers beside them."""

    def beta(self, a, b, size):
        return np.full(size, 0.8)

    def random(self, size):
        return np.array([0.66, 0.67, 0.79, 0.81])


def test_the_log_odds_of_a_hit_are_those_of_the_score_divided():
    score, hit = study.world(1.0, 4, Draws())
    assert score.tolist() == [0.8] * 4 and hit.tolist() == [1, 1, 1, 0]
    # odds of 4 to 1, whose root is 2 to 1
    assert study.world(2.0, 4, Draws())[1].tolist() == [1, 0, 0, 0]


def test_an_error_of_an_event_is_half_that_of_two_classes():
    def error(logits, y):
        odds = np.exp(logits[:, 1] - logits[:, 0])
        assert odds == pytest.approx([4, 1, 1e-12], rel=1e-6)
        assert y.tolist() == [1, 0, 0]
        return SimpleNamespace(error=0.3)

    measure = study.error_of_event(error)
    hit = np.array([True, False, False])
    assert measure(hit, np.array([0.8, 0.5, 0.0])) == pytest.approx(0.15)


def test_over_samples_mean_and_standard_deviation_are_told(monkeypatch):
    measures = {"hits less scores": lambda hit, score: (hit - score).mean()}
    monkeypatch.setattr(study, "MEASURES", measures)
    draws = [(np.array([0.5]), np.array([h])) for h in (0, 1, 1, 0)]
    spread = {"mean": 0, "sd": pytest.approx(np.sqrt(4 * 0.25 / 3))}
    assert [*study.over_draws(draws)] == [{"measure": "hits less scores"} | spread]
