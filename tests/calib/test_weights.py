"""Weights are weights: only their ratios matter, and where samples are counted Kish's number is."""

import numpy as np
import pytest
from maps import (
    LOGIT_MAPS,
    PROBABILITY_MAPS,
    SCORE_MAPS,
    Y,
    Z,
    data_of,
    outputs,
)

import calib
from calib.check import counted
from calib.maps.base import clone

RNG = np.random.default_rng(5)
P = calib.softmax(Z)
WEIGHT = RNG.lognormal(0, 0.7, len(Y))
FACTORS = [1 / WEIGHT.sum(), 1e-30, 7.3, 1e30]
GROUP = np.arange(len(Y)) % 3


def repeated_as(calibrator):
    """A map that counts samples, set to take weights for repetitions; others as they are."""
    names = [
        n for n in calibrator.get_params() if n.split("__")[-1] == "frequency_weights"
    ]
    return clone(calibrator).set_params(**dict.fromkeys(names, True))


def test_kish_counts_equal_weights_as_they_are():
    assert counted(np.full(5, 0.2), False).sum() == 5
    assert counted(np.array([1.0, 1.0, 2.0]), False).sum() == pytest.approx(16 / 6)
    assert counted(np.array([1.0, 1.0, 2.0]), True).sum() == 4
    assert counted(None, False) is None


@pytest.mark.parametrize("name", calib.METRICS)
@pytest.mark.parametrize("factor", FACTORS)
def test_a_factor_of_all_weights_changes_no_metric(name, factor):
    metric = calib.METRICS[name].function
    expected = metric(Y, P, sample_weight=WEIGHT)
    assert metric(Y, P, sample_weight=factor * WEIGHT) == pytest.approx(
        expected, rel=1e-9
    )


@pytest.mark.parametrize("calibrator", SCORE_MAPS + LOGIT_MAPS, ids=repr)
def test_a_factor_of_all_weights_changes_no_map(calibrator):
    x, y = data_of(calibrator)
    expected = outputs(clone(calibrator).fit(x, y, WEIGHT), x)
    for factor in FACTORS:
        scaled = outputs(clone(calibrator).fit(x, y, factor * WEIGHT), x)
        np.testing.assert_allclose(scaled, expected, atol=1e-7)
    equal = outputs(clone(calibrator).fit(x, y, np.full(len(y), 1 / len(y))), x)
    np.testing.assert_allclose(
        equal, outputs(clone(calibrator).fit(x, y), x), atol=1e-7
    )


@pytest.mark.parametrize("calibrator", [*SCORE_MAPS, *PROBABILITY_MAPS[:8]], ids=repr)
def test_frequency_weights_are_repetitions(calibrator):
    x, y = data_of(calibrator)
    times = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = repeated_as(calibrator).fit(x, y, times)
    expected = clone(calibrator).fit(x.repeat(times, axis=0), y.repeat(times))
    np.testing.assert_allclose(outputs(weighted, x), outputs(expected, x), atol=1e-6)


def test_a_factor_of_all_weights_changes_no_set_and_no_group():
    expected = calib.ConformalSets().fit(P, Y, WEIGHT).threshold_
    groups = calib.group_errors(Y, P, GROUP, sample_weight=WEIGHT)
    for factor in FACTORS:
        threshold = calib.ConformalSets().fit(P, Y, factor * WEIGHT).threshold_
        assert threshold == pytest.approx(expected) and np.isfinite(threshold)
        again = calib.group_errors(Y, P, GROUP, sample_weight=factor * WEIGHT)
        for name in ("gap", "standard_error", "p_value", "shrunken", "spread_p_value"):
            np.testing.assert_allclose(
                getattr(again, name), getattr(groups, name), rtol=1e-7
            )
    times = RNG.integers(0, 3, len(Y))
    repeated = calib.group_errors(
        Y.repeat(times), P.repeat(times, axis=0), GROUP.repeat(times)
    )
    weighted = calib.group_errors(
        Y, P, GROUP, sample_weight=times, frequency_weights=True
    )
    np.testing.assert_allclose(weighted.p_value, repeated.p_value)
    np.testing.assert_allclose(weighted.standard_error, repeated.standard_error)


def test_the_debiased_error_of_a_calibrated_model_is_none_whatever_the_weights():
    """Kish's number in each bin makes the estimate of the squared error unbiased."""
    squares = {True: [], False: []}
    for seed in range(300):
        rng = np.random.default_rng(seed)
        score, weight = np.full(300, 0.5), rng.lognormal(0, 1, 300)
        hit = rng.random(300) < score
        bins = calib.equal_width(1)
        scaled = 300 * weight / weight.sum()
        for repeated in squares:
            error = calib.debiased_ece(
                hit, score, bins=bins, sample_weight=scaled, frequency_weights=repeated
            )
            squares[repeated].append(error > 0)
    # of a normal gap g with variance v, g^2 > v in 32 % of draws, and g^2 > v / 2.7 in 54 %
    assert np.mean(squares[False]) == pytest.approx(0.32, abs=0.08)
    assert np.mean(squares[True]) > 0.45


def test_intervals_of_groups_hold_the_gap_whatever_the_weights():
    """Taken for repetitions, weights of mean one made intervals too short: 0.78 of 0.95."""
    covered = {True: [], False: []}
    for seed in range(300):
        rng = np.random.default_rng(seed)
        score, weight = 0.2 + 0.6 * rng.random(200), rng.lognormal(0, 1, 200)
        hit, group = rng.random(200) < score, np.zeros(200, int)
        for repeated in covered:
            errors = calib.group_errors(
                hit, score, group, sample_weight=weight, frequency_weights=repeated
            )
            covered[repeated].append(errors.low[0] <= 0 <= errors.high[0])
    assert np.mean(covered[False]) == pytest.approx(0.95, abs=0.035)
    assert np.mean(covered[True]) < 0.9


def test_the_bound_of_a_temperature_follows_the_weights():
    z, y = np.array([[4.0, 0.0, 1.0], [3.0, 0.0, -2.0]]), [0, 0]
    with pytest.warns(UserWarning, match="classified correctly"):
        weighted = calib.TemperatureScaling().fit(z, y, [2, 1])
    with pytest.warns(UserWarning, match="classified correctly"):
        repeated = calib.TemperatureScaling().fit(z[[0, 0, 1]], [0, 0, 0])
    assert weighted.temperature_ == repeated.temperature_


def test_scores_above_one_by_rounding_have_a_variance():
    """A negative variance made the p-value of float32 sums not a number."""
    score = np.full(50, 1 + 1e-5)
    errors = calib.group_errors(
        np.ones(50), score, np.arange(50) % 2, sample_weight=RNG.random(50)
    )
    assert np.isfinite(errors.p_value).all()
