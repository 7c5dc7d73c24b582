"""A gate with memory: its bets are fair, its promise holds over all looks, its sums add up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats
from worlds import WeeklyModel

import calib
from calib import sequential


@settings(deadline=None)
@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(range(len(sequential.STAKES))),
    st.sampled_from([-1, 1]),
)
def test_no_bet_gains_where_the_event_is_as_frequent_as_allowed(
    said, frequency, stake, sign
):
    """The mean of one factor of the wealth is at most one: what makes the evidence an e-value."""
    # the least tolerance that the event keeps
    allowed = max(sign * (frequency - said), 0)
    s, cost = sequential.STAKES[stake], sequential.COSTS[stake]
    offset = np.array([1 - said, -said])
    factor = np.exp(s * (sign * offset - allowed) - cost * offset**2)
    assert np.dot([frequency, 1 - frequency], factor) <= 1 + 1e-12


def test_shares_of_wealth_sum_to_one():
    assert sequential.SHARES.sum() == pytest.approx(1)
    looks = np.arange(1, 1000)
    assert (1 / (looks * (looks + 1))).sum() == pytest.approx(1 - 1 / 1000)


def test_evidence_of_one_look_by_hand():
    """One sample in one region: the wealth of each bet is written out."""
    looks = [calib.look_sums([1], [0.75])]
    stakes = 0.75 * 0.6 ** np.arange(12)
    costs = -np.log(1 - stakes) - stakes
    up = np.exp(stakes * (0.25 - 0.02) - costs * 0.25**2).mean()
    down = np.exp(stakes * (-0.25 - 0.02) - costs * 0.25**2).mean()
    # level, slope, six regions
    bets = (up + down) / 4 + (up + down) / 8 + (up + down + 10) / 48
    wealth = (bets + 1) / 2  # half of the wealth waits for later looks
    assert np.exp(calib.drift_evidence(looks).log_evidence) == pytest.approx(wealth)


CONFIDENCES, RARE_EVENT = (5, 2), (0.5, 5)  # of beta distributions


def first_alarm(looks, tolerance):
    """Return the week of the first alarm, from 1; infinite where there is none."""
    for week in range(1, len(looks) + 1):
        if calib.drift_evidence(looks[:week], tolerance=tolerance).breaks(0.05):
            return week
    return np.inf


def first_alarms(model, tolerance, n_models):
    rng = np.random.default_rng(0)
    return [first_alarm(model.looks(rng), tolerance) for _ in range(n_models)]


@pytest.mark.slow
@pytest.mark.parametrize("shape", [CONFIDENCES, RARE_EVENT])
@pytest.mark.parametrize("tolerance", [0.0, 0.02])
def test_a_promise_that_is_kept_is_hardly_ever_called_broken(shape, tolerance):
    """60 models looked at in 104 weeks: at 5 of 100, 9 alarms or more come once in 500 runs."""
    model = WeeklyModel(100, tolerance, tolerance, shape)
    assert np.isfinite(first_alarms(model, tolerance, 60)).sum() <= 8


def test_without_the_cost_of_squares_the_promise_breaks(monkeypatch):
    monkeypatch.setitem(calib.drift_evidence.__globals__, "COSTS", 0 * sequential.COSTS)
    model = WeeklyModel(100, 0, 0, CONFIDENCES)
    assert np.isfinite(first_alarms(model, 0, 60)).sum() > 8


def test_a_drift_of_five_points_is_seen_within_ten_weeks():
    model = WeeklyModel(1000, 0, 0.05, CONFIDENCES)
    assert all(
        0 < alarm - model.change <= 10 for alarm in first_alarms(model, 0.02, 10)
    )


@pytest.mark.slow
def test_the_interval_holds_the_mean_offset_at_every_look():
    """The offset drifts; what the interval is of drifts with it."""
    rng, missed = np.random.default_rng(1), 0
    for _ in range(60):
        expected, sums, misses = [], [], []
        for week in range(40):
            p = rng.beta(5, 2, size=100)
            offset = np.clip(0.05 * np.sin(week), -p, 1 - p)
            sums.append(calib.look_sums(rng.random(100) < p + offset, p))
            expected += offset.tolist()
            _, low, high = calib.offset_sequence(sums)
            misses.append(not low <= np.mean(expected) <= high)
        missed += any(misses)
    assert missed <= 8


def test_sums_of_two_halves_are_those_of_the_whole():
    rng = np.random.default_rng(0)
    p = rng.random(1000)
    y = rng.random(1000) < p
    halves = calib.look_sums(y[:500], p[:500]) + calib.look_sums(y[500:], p[500:])
    np.testing.assert_allclose(calib.look_sums(y, p), halves, atol=1e-9)


@pytest.mark.parametrize("shift", [-0.6, 0.0, 0.4])
def test_a_shift_of_the_log_odds_is_found_and_leaves_nothing(shift):
    rng, p_values = np.random.default_rng(2), []
    for _ in range(40):
        p = rng.beta(2, 3, size=2000)
        moved = 1 / (1 + (1 - p) / p * np.exp(-shift))
        estimate, p_value = calib.log_odds_shift(
            [calib.look_sums(rng.random(2000) < moved, p)]
        )
        assert estimate == pytest.approx(shift, abs=0.25)
        p_values.append(p_value)
    assert np.mean(np.array(p_values) < 0.05) <= 0.2


def test_what_no_shift_repairs_is_told():
    rng = np.random.default_rng(0)
    p = rng.beta(2, 2, size=4000)
    sharper = 1 / (1 + ((1 - p) / p) ** 2)
    assert (
        calib.log_odds_shift([calib.look_sums(rng.random(4000) < sharper, p)])[1]
        < 0.001
    )


def test_as_many_labels_as_are_said_tell():
    rng = np.random.default_rng(0)
    p = rng.beta(5, 2, size=500)
    looks = [calib.look_sums(rng.random(500) < p, p)]
    more = calib.labels_to_tell(looks, tolerance=0.05)
    grown = [looks[0] * (1 + more / 500)]
    assert calib.labels_to_tell(grown, tolerance=0.05) == 0
    fewer = [looks[0] * (1 + (more - 2) / 500)]
    assert calib.labels_to_tell(fewer, tolerance=0.05) > 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: calib.look_sums([2], [0.5]), "hit: row 0 is 2"),
        (lambda: calib.look_sums([1], [1.5]), "score: row 0 is 1.5"),
        (lambda: calib.drift_evidence(np.zeros((1, 4))), r"looks: shape \(1, 4\)"),
        (lambda: calib.drift_evidence("a week"), "looks: an array of type"),
        (
            lambda: calib.drift_evidence(np.full((1, 6, 6), np.nan)),
            "looks: expected finite",
        ),
        (
            lambda: calib.drift_evidence(np.ones((1, 6, 6)), tolerance=-1),
            "tolerance: -1",
        ),
        (lambda: calib.offset_sequence(np.zeros((1, 6, 6))), "looks: no sample"),
        (
            lambda: calib.offset_sequence(np.ones((1, 6, 6)), confidence_level=2),
            "confidence_level: 2",
        ),
        (lambda: calib.log_odds_shift(np.zeros((1, 6, 6))), "looks: all probabilities"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_a_shift_leaves_is_judged_by_hand():
    """Of .3 happens .36, of .7 .64: no shift, two squares of 6 ** 2 / 21, one degree left.

    Ten samples of .02 and ten of .98 have too few events for a normal distribution.
    """
    frequent = calib.look_sums(
        np.r_[np.arange(100) < 36, np.arange(100) < 64], np.repeat([0.3, 0.7], 100)
    )
    rare = calib.look_sums(
        np.r_[np.arange(10) < 1, np.arange(10) < 9], np.repeat([0.02, 0.98], 10)
    )
    for looks in ([frequent], [frequent, rare]):
        shift, p_value = calib.log_odds_shift(looks)
        assert shift == pytest.approx(0, abs=1e-9)
        assert p_value == pytest.approx(stats.chi2.sf(2 * 36 / 21, 1))


@pytest.mark.parametrize(
    "n, p_value", [(25, stats.chi2.sf(9 / 42 + 9 / 6, 1)), (20, 1)]
)
def test_a_region_counts_from_a_variance_of_five_on(n, p_value):
    """200 samples of .3, and some of .6 with a variance of .24 each: 3 events too many, too few."""
    p = np.repeat([0.3, 0.6], [200, n])
    happened = np.r_[np.arange(200) < 63, np.arange(n) < 0.6 * n - 3.5]
    assert calib.log_odds_shift([calib.look_sums(happened, p)]) == (
        pytest.approx(0, abs=1e-9),
        pytest.approx(p_value),
    )


@pytest.mark.parametrize("shift", [-2, -0.5, 1, 2, 4])
@pytest.mark.parametrize("shape", [(5, 5), (0.5, 5), (5, 2), (0.1, 3), (1, 1)])
def test_the_shift_is_that_of_the_samples(shape, shift):
    """As many events as the shifted probabilities expect, but for half of one."""
    p = np.random.default_rng(0).beta(*shape, size=2000)
    expected = special.expit(special.logit(p) + shift).sum()
    happened = np.arange(2000) < np.round(expected)
    exact = optimize.brentq(
        lambda s: special.expit(special.logit(p) + s).sum() - happened.sum(), -9, 9
    )
    estimate, _ = calib.log_odds_shift([calib.look_sums(happened, p)])
    assert estimate == pytest.approx(exact, abs=0.002 if abs(shift) <= 2 else 0.1)


@pytest.mark.parametrize("many, few", [(0.6, 0.81), (0.81, 0.6), (0.96, 0.999)])
@pytest.mark.parametrize("n_events", [1, 60, 99])
def test_the_shift_of_two_probabilities_in_a_region_is_exact(many, few, n_events):
    p = np.repeat([many, few], [90, 10])
    happened = np.arange(100) < n_events
    halves = [calib.look_sums(happened[::2], p[::2])]
    halves += [calib.look_sums(happened[1::2], p[1::2])]
    shift, _ = calib.log_odds_shift(halves)
    moved = special.expit(special.logit(p) + shift)
    assert moved.sum() == pytest.approx(n_events, abs=1e-6)


def test_the_shift_of_a_model_that_is_far_too_unsure():
    """Confidences from .3 to .9, of which 990 of 1000 are right."""
    p = np.linspace(0.3, 0.9, 1000)
    shift, _ = calib.log_odds_shift([calib.look_sums(np.arange(1000) < 990, p)])
    assert special.expit(special.logit(p) + shift).sum() == pytest.approx(990, abs=0.01)


@pytest.mark.parametrize(
    "p, shift", [(1e-8, np.log(1e8)), (1e-12, np.log(1e12)), (1e-14, np.inf)]
)
def test_the_shift_of_what_was_nearly_impossible_is_large(p, shift):
    """Up to 30, of what happens in half of the samples."""
    looks = [calib.look_sums(np.arange(100) < 50, np.full(100, p))]
    assert calib.log_odds_shift(looks)[0] == pytest.approx(shift, abs=1e-4)


@pytest.mark.parametrize("offset, tells", [(0.0193, True), (0.0197, False)])
def test_what_more_than_ten_million_labels_tell_is_not_told(offset, tells):
    """Six millions tell .0193 from the tolerance of .02, more than thirty .0197."""
    n = 10_000
    happened = np.arange(n) < n * (0.5 + offset)
    more = calib.labels_to_tell([calib.look_sums(happened, np.full(n, 0.5))])
    assert (more is not None) == tells
    assert more is None or 5_000_000 < more <= 10_000_000


def test_labels_tell_of_the_other_event_as_soon():
    hit, p = np.arange(400) < 180, np.full(400, 0.4)
    more = [
        calib.labels_to_tell([calib.look_sums(event, score)])
        for event, score in ((hit, p), (~hit, 1 - p))
    ]
    assert more[0] == more[1] > 0


def test_the_shift_of_the_other_event_is_opposite():
    rng = np.random.default_rng(0)
    p = rng.beta(2, 5, size=500)
    happened = rng.random(500) < 0.6
    shift, p_value = calib.log_odds_shift([calib.look_sums(happened, p)])
    other = calib.log_odds_shift([calib.look_sums(~happened, 1 - p)])
    np.testing.assert_allclose(other, (-shift, p_value), rtol=1e-6)


@pytest.mark.parametrize("happened, shift", [(1, np.inf), (0, -np.inf)])
def test_no_shift_gives_what_always_or_never_happens(happened, shift):
    """Of one score, and of scores from .2 to .9: a look at 100 samples."""
    for score in (np.full(100, 0.3), np.linspace(0.2, 0.9, 100)):
        looks = [calib.look_sums(np.full(100, happened), score)]
        assert calib.log_odds_shift(looks) == (shift, 0.0)


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_what_is_certain_does_not_move(certain):
    """Of .5 one in four happens: the log odds fall by log 3, whatever is 0 or 1 beside it."""
    p = np.repeat([certain, 0.5], [50, 80])
    happened = np.r_[np.full(50, certain), np.arange(80) < 20]
    shift, _ = calib.log_odds_shift([calib.look_sums(happened, p)])
    assert shift == pytest.approx(-np.log(3))
    # all that can move happens, or nothing of it
    p = np.repeat([certain, abs(certain - 0.04)], 50)
    happened = np.repeat([certain, 1 - certain], 50)
    shift, _ = calib.log_odds_shift([calib.look_sums(happened, p)])
    assert shift == (-np.inf if certain else np.inf)


@pytest.mark.parametrize(
    "certain, other, numbers", [(1.0, 0.9999, (38, 52)), (0.0, 0.01, (25, 23))]
)
def test_rounding_takes_no_typical_probability_out_of_its_region(
    certain, other, numbers
):
    """One beyond 0 or 1 has no log odds; all that can move happens, or nothing of it."""
    p = np.repeat([certain, other], numbers)
    looks = [calib.look_sums(np.full(len(p), certain), p)]
    assert calib.log_odds_shift(looks) == (np.inf if certain else -np.inf, 0.0)


@pytest.mark.parametrize(
    "offset, pattern, region",
    [
        ([0.1, 0.1, 0.1, 0.1], "more frequent", (0, 1)),
        ([-0.1, -0.1, -0.1, -0.1], "less frequent", (0, 1)),
        ([-0.1, -0.1, 0.1, 0.1], "too near a half", (0, 1)),
        ([0.1, 0.1, -0.1, -0.1], "too far from a half", (0, 1)),
        ([0.1, 0.0, 0.0, 0.0], "more frequent", (0.047, 0.182)),
        ([0.0, -0.1, 0.0, 0.0], "less frequent", (0.182, 0.5)),
        ([0.0, 0.0, 0.0, -0.1], "less frequent", (0.818, 0.953)),
    ],
)
def test_the_pattern_that_speaks_most_is_named(offset, pattern, region):
    """Of 1000 samples each of .1, .3, .7 and .9, so many more happened."""
    p = np.array([0.1, 0.3, 0.7, 0.9])
    happened = [np.arange(1000) < 1000 * f for f in np.round(p + offset, 3)]
    looks = [calib.look_sums(np.concatenate(happened), p.repeat(1000))]
    told = calib.drift_evidence(looks)
    assert told.breaks() and told.pattern == pattern
    assert told.region == pytest.approx(region, abs=1e-3)
