"""How often promises are broken, by models that always or never break them."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence.studies.software import promises_about_chance as study

WORLD = "two classes, 1000 samples"


@pytest.mark.parametrize(("threshold", "n_exceeded"), [(None, 0), (0.5, 0), (0.49, 3)])
def test_a_threshold_below_the_surer_half_breaks_its_promise(
    monkeypatch, threshold, n_exceeded
):
    surer = []

    def threshold_to_decline(outcome, rng, wish):
        assert wish.risk == 0.1
        surer.extend(outcome.hit[outcome.score > 0.5])
        return {"threshold": threshold}

    monkeypatch.setattr(study, "threshold_to_decline", threshold_to_decline)
    assert study.exceeded_risks(3, np.random.default_rng(0)) == n_exceeded
    # of about 3000 the share is off by .005
    assert np.mean(surer) == pytest.approx(0.9, abs=0.025)


def test_broken_rules_are_counted_apart(monkeypatch):
    """Against a report one of two rules breaks, against a twin the only one, the bound holds."""
    calls = []

    def check(outputs, rules):
        calls.append(rules)
        holds = [True, True, False] if len(calls) % 2 else [False]
        return None, [SimpleNamespace(holds=verdict) for verdict in holds]

    monkeypatch.setattr(study, "week", small_week)
    monkeypatch.setattr(study, "check", check)
    rng = np.random.default_rng(0)
    assert study.broken(2, WORLD, rng) == (2, 2, 0)


def small_week(n, k, temperature, rng, week=study.week):
    return week(min(n, 300), k, temperature, rng)


def test_twins_are_of_the_same_samples_each_with_its_own_noise():
    rng = np.random.default_rng(0)
    outputs = study.week(500, 3, 1.0, rng)
    first, second = study.twins(outputs, rng)
    assert first.y.tolist() == second.y.tolist() == outputs.y.tolist()
    noise = [twin.scores - outputs.scores for twin in (first, second)]
    assert [part.std() for part in noise] == pytest.approx([0.3, 0.3], rel=0.1)
    # two of the same noise would not differ
    assert np.abs(noise[0] - noise[1]).max() > 0.5


def test_a_week_is_calibrated_but_for_its_temperature():
    """After division by it, a temperature is fitted that leaves all as it is."""
    outputs = study.week(20_000, 4, 2.0, np.random.default_rng(0))
    scaling = calib.TemperatureScaling().fit(outputs.scores, outputs.y)
    assert scaling.temperature_ == pytest.approx(2, rel=0.05)
