"""Maps of one half of the answers, used on the other."""

import numpy as np
import pytest
from simulated_answers import drawn_pairs

import calib
from evidence.language.held_out_maps import (
    mapped_halves,
    random_halves,
    tempered_halves,
)

BY_NAME = {
    "platt": calib.PlattScaling(),
    "isotonic": calib.IsotonicCalibration(),
    "histogram": calib.HistogramBinning(n_bins=15, strategy="mass"),
}


@pytest.mark.parametrize("n", [2, 7, 100])
def test_halves_are_two_disjoint_ones_that_change_places(n):
    (first, second), again = random_halves(n, np.random.default_rng(0))
    assert first.sum() == n // 2 and ((first ^ second).all() and len(first) == n)
    assert again[0] is second or np.array_equal(again[0], second)
    assert np.array_equal(again[1], first)


def test_halves_are_drawn_at_random():
    rng = np.random.default_rng(0)
    share = np.mean([random_halves(10, rng)[0][0] for _ in range(400)], axis=0)
    assert share == pytest.approx(0.5, abs=4 * 0.5 / 20)


@pytest.mark.parametrize("name", ["none", *BY_NAME])
def test_a_half_is_what_the_map_of_the_other_makes_of_it(name):
    hit, score = drawn_pairs(300)
    (first, _), _ = random_halves(300, np.random.default_rng(5))
    result = mapped_halves(name, hit, score, np.random.default_rng(5))
    for fit, (after, its_hits) in zip((first, ~first), result, strict=True):
        expected = score[~fit]
        if name in BY_NAME:
            expected = BY_NAME[name].fit(score[fit], hit[fit]).predict(expected)
        assert np.array_equal(after, expected)
        assert np.array_equal(its_hits, hit[~fit])


def test_each_half_has_the_temperature_of_the_other():
    rng = np.random.default_rng(2)
    logits = 3 * rng.normal(size=(400, 4))
    y = (logits / 3 + rng.gumbel(size=logits.shape)).argmax(axis=1)
    (first, _), _ = random_halves(400, np.random.default_rng(5))
    result = tempered_halves(y, logits, np.random.default_rng(5))
    for fit, (score, hit) in zip((first, ~first), result, strict=True):
        scaling = calib.TemperatureScaling().fit(logits[fit], y[fit])
        p = scaling.predict_proba(logits[~fit])
        assert np.allclose(score, p.max(axis=1))
        assert np.array_equal(hit, p.argmax(axis=1) == y[~fit])


def test_halves_that_no_temperature_fits_are_an_error():
    """Of answers that are all right the best temperature is zero."""
    logits = 7 * np.eye(4)[[0, 1, 2, 3] * 5]
    with pytest.raises(calib.ConvergenceError, match="classified correctly"):
        list(tempered_halves(logits.argmax(axis=1), logits, np.random.default_rng(0)))
