"""Intervals of networks that are alike, against closed forms."""

import numpy as np
import pytest
from scipy.stats import norm, t, ttest_1samp

from evidence.claims import network_intervals
from evidence.claims.network_intervals import (
    correlation_interval,
    drawn_singly,
    evident,
    mean_interval,
)
from evidence.claims.stored import load_scales


def test_networks_drawn_singly_have_the_t_interval():
    values = np.array([1.0, 2.0, 4.0, 4.5, 7.0])
    result = mean_interval(values, {"dataset": np.arange(5)})
    half = t.ppf(0.975, 4) * values.std(ddof=1) / np.sqrt(5)
    assert (result.low, result.high) == pytest.approx(
        (values.mean() - half, values.mean() + half)
    )
    assert result.p(0) == pytest.approx(ttest_1samp(values, 0).pvalue)


def test_one_data_set_tells_as_much_as_three_networks_at_most():
    """1 / (0.3 + 0.7 / n), below ten thirds."""
    for n in (2, 10, 1000):
        result = drawn_singly(n, {"dataset": ["one"] * n})[1]
        assert result == pytest.approx(1 / (0.3 + 0.7 / n))
    assert result < network_intervals.FEWEST


def test_many_networks_of_one_data_set_weigh_less_each():
    """Two data sets, of eight networks and of two: 8 / (1 + 0.3 * 7) against 2 / (1 + 0.3)."""
    weights, _ = drawn_singly(10, {"dataset": [0] * 8 + [1] * 2})
    large, small = 8 / 3.1, 2 / 1.3
    assert weights[:8].sum() == pytest.approx(large / (large + small))
    assert weights.sum() == pytest.approx(1)


def test_networks_of_one_model_and_of_one_author_tell_less():
    """Nine networks: 1 / (.9 / 9 + .1) = 5 by either, 1 / (.8 / 9 + .2) by both."""
    same = ["one"] * 9
    for effect in ("kin", "author"):
        assert drawn_singly(9, {effect: same}).n == pytest.approx(5)
    both = drawn_singly(9, {"kin": same, "author": same}).n
    assert both == pytest.approx(1 / (0.8 / 9 + 0.2))


def test_a_correlation_has_the_interval_of_bonett_and_wright():
    """Fisher's z of .6 with the variance (1 + .6^2 / 2) / (20 - 3)."""
    result = correlation_interval(0.6, 20, 20.0)
    half = norm.ppf(0.975) * np.sqrt(1.18 / 17)
    ends = [np.arctanh(0.6) - half, np.arctanh(0.6) + half]
    assert [result.low, result.high] == pytest.approx(ends)


def test_a_perfect_order_has_the_interval_of_one_exchange():
    perfect = correlation_interval(1.0, 10, 10.0)
    exchanged = correlation_interval(1 - 12 / (10 * 99), 10, 10.0)
    assert perfect.estimate == pytest.approx(exchanged.estimate)
    assert perfect.low > 0 and np.isfinite(perfect.high)


# ends of an interval, what is asked for, and the verdict
VERDICTS = {
    "inside": (0.6, 0.9, 0.5, np.inf, "holds"),
    "below": (0.1, 0.4, 0.5, np.inf, "fails"),
    "across": (0.4, 0.9, 0.5, np.inf, "mixed"),
    "above what is at most": (0.6, 0.9, -np.inf, 0.5, "fails"),
    "no effect": (-0.1, 0.1, -0.2, 0.2, "holds"),
    "an effect beyond the margin": (0.1, 0.9, -0.2, 0.2, "fails"),
    "an effect within the margin": (0.05, 0.1, -0.2, 0.2, "holds"),
    "nothing known": (np.nan, np.nan, 0.5, np.inf, "too few cases"),
}


@pytest.mark.parametrize("case", VERDICTS)
def test_an_interval_is_compared_with_what_is_asked_for(case):
    *numbers, verdict = VERDICTS[case]
    assert evident(*numbers) == verdict


def test_networks_that_are_all_at_a_bound_say_nothing_of_it():
    interval = network_intervals.t_interval(0.5, 0.0, 9)
    assert interval.p(0.5) == 1 and interval.p(0.4) == 0


def test_the_likeness_of_networks_is_near_that_of_the_learnt_spreads():
    """Of a half-normal spread the median, squared, beside the logistic variance, pi^2 / 3."""
    scales = load_scales()
    variance = {name: (norm.ppf(0.75) * scale) ** 2 for name, scale in scales.items()}
    total = sum(variance.values()) + np.pi**2 / 3
    learnt = {name: of_effect / total for name, of_effect in variance.items()}
    assert learnt == pytest.approx(
        {"dataset": 0.26, "author": 0.10, "kin": 0.01}, abs=0.01
    )
    for name, likeness in network_intervals.LIKENESS.items():
        assert learnt[name] - 0.01 < likeness < learnt[name] + 0.1


@pytest.mark.parametrize("bound", [-1.0, 0.5, 2.5, 5.0])
def test_the_p_value_against_a_bound_is_that_of_student(bound):
    """The mean of 1 to 5 is 3, its error sqrt(.5)."""
    interval = network_intervals.mean_interval([1.0, 2.0, 3.0, 4.0, 5.0], {})
    p_value = ttest_1samp([1, 2, 3, 4, 5], bound).pvalue
    assert interval.p(bound) == pytest.approx(p_value)
    assert interval.p(interval.low) == pytest.approx(0.05)
