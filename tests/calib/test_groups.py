"""Groups: gaps by hand, and chance's share by simulation."""

import numpy as np
import pytest
from draws import FACTORS, uneven_weights
from scipy.stats import chi2, norm

import calib
from calib.groups import p_value_if_calibrated


def draw(n_groups, size, seed, spread=0.0):
    """Pairs in groups whose true gaps have the standard deviation `spread`."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_groups), size)
    true = spread * rng.normal(size=n_groups)
    score = 0.3 + 0.4 * rng.random(len(group))
    return score, rng.random(len(group)) < score + true[group], group, true


def test_by_hand():
    errors = calib.group_errors(
        [1, 0, 1, 1], [0.5, 0.5, 0.6, 0.8], ["b", "b", "a", "a"]
    )
    assert errors.group.tolist() == ["a", "b"]
    np.testing.assert_allclose(errors.gap, [0.3, 0.0], atol=1e-12)
    squares = 0.01 + 0.01, 0.25 + 0.25  # around the gaps 0.3 and 0
    # more than the mean of the squares
    of_scores = (0.5 * 0.5 * 2 + 0.6 * 0.4 + 0.8 * 0.2) / 4
    expected = (np.array(squares) + of_scores) / 4
    np.testing.assert_allclose(errors.standard_error**2, expected)
    np.testing.assert_allclose(
        errors.high - errors.gap, 1.959964 * expected**0.5, rtol=1e-6
    )


@pytest.mark.slow
def test_chance_alone_seldom_finds_a_group():
    """Without Holm's correction, 30 groups at 5 % would show one nearly always."""
    results = [
        calib.group_errors(hit, score, group)
        for score, hit, group, _ in (draw(30, 200, seed) for seed in range(150))
    ]
    raw = np.mean([(np.abs(f.gap) > 1.96 * f.standard_error).any() for f in results])
    assert raw > 0.6
    assert np.mean([f.p_value.min() < 0.05 for f in results]) <= 0.05
    assert 0.02 < np.mean([f.spread_p_value < 0.05 for f in results]) < 0.09
    covered = np.mean([(f.low < 0) & (f.high > 0) for f in results])
    assert covered == pytest.approx(0.95, abs=0.01)


def test_the_smallest_groups():
    score, hit, _, _ = draw(1, 300, 0)
    single = calib.group_errors(hit, score, np.zeros(300))
    assert single.gap[0] == pytest.approx(hit.mean() - score.mean())
    assert single.spread == 0 and single.spread_p_value == 1
    each = calib.group_errors(hit[:30], score[:30], np.arange(30))
    assert (each.high - each.low > 1.5).all() and each.p_value.min() == 1
    sure = calib.group_errors(np.ones(4, int), np.ones(4), [0, 0, 1, 1])
    assert sure.gap.tolist() == [0, 0] and sure.p_value.tolist() == [1, 1]
    perfect = calib.group_errors(np.ones(1000, int), np.full(1000, 0.5), np.zeros(1000))
    assert perfect.p_value[0] < 1e-9 and perfect.standard_error[0] == pytest.approx(
        0.5 / 1000
    )


@pytest.mark.slow
def test_sure_scores_do_not_raise_the_rate_of_false_calls():
    """Small groups, scores near one: from the variance of each group, 31 % of draws have a call."""
    rng, called, spread = np.random.default_rng(0), [], []
    group = np.repeat(np.arange(30), np.linspace(20, 100, 30).astype(int))
    for _ in range(200):
        score = 0.25 + 0.75 * rng.beta(2.2, 0.55, len(group))
        errors = calib.group_errors(rng.random(len(group)) < score, score, group)
        called.append(errors.p_value.min() < 0.05)
        spread.append(errors.spread_p_value < 0.05)
    noise = 2 * np.sqrt(0.05 * 0.95 / 200)
    assert np.mean(called) <= 0.05 + noise
    assert abs(np.mean(spread) - 0.05) <= noise


def test_p_value_by_hand():
    score, both_hit = np.array([0.9, 0.8]), np.ones(2)
    assert p_value_if_calibrated(
        score, np.array([0, 0]), both_hit, both_hit
    ) == pytest.approx(2 * 0.02)
    assert p_value_if_calibrated(score, np.array([1, 1]), both_hit, both_hit) == 1
    assert (
        p_value_if_calibrated(np.ones(1), np.zeros(1), both_hit[:1], both_hit[:1]) == 0
    )
    score, hit, _, _ = draw(1, 3000, 0)
    hit = hit | (np.arange(3000) % 10 == 0)
    whole = p_value_if_calibrated(score, hit, *np.ones((2, 3000)))
    # taken for normal
    p_values = p_value_if_calibrated(score, hit, *np.full((2, 3000), 1 + 1e-9))
    assert 0 < whole < 0.5 and p_values == pytest.approx(whole, rel=0.1)


def test_shrunken_gaps_are_nearer_to_the_truth():
    raw, shrunken, spread = [], [], []
    for seed in range(60):
        score, hit, group, true = draw(25, 60, seed, spread=0.05)
        errors = calib.group_errors(hit, score, group)
        raw.append(((errors.gap - true) ** 2).mean())
        shrunken.append(((errors.shrunken - true) ** 2).mean())
        spread.append(errors.spread**2)
    assert np.mean(shrunken) < 0.5 * np.mean(raw)
    assert np.mean(spread) == pytest.approx(0.05**2, rel=0.15)


def test_gaps_are_shrunk_by_the_noise_of_all_samples_with_about_their_score():
    """Samples of the same tenth of the score lend each other their noise; and one more sample."""
    score = np.array([0.52, 0.58, 0.55, 0.91, 0.93, 0.99, 0.95, 0.53])
    hit = np.array([1, 0, 1, 1, 1, 0, 1, 0])
    group = np.array([0, 0, 1, 1, 1, 2, 2, 2])
    gap = np.array([(hit - score)[group == g].mean() for g in range(3)])
    squares = (hit - score - gap[group]) ** 2
    one_more = max(squares.mean(), (score * (1 - score)).mean())
    tenth = np.where(score < 0.6, 5, 9)
    noise = np.array([squares[tenth == t].mean() for t in tenth])
    variance = [
        (noise[group == g].sum() + one_more) / (group == g).sum() ** 2 for g in range(3)
    ]
    expected, spread, q = calib.shrink(gap, variance)
    errors = calib.group_errors(hit, score, group)
    np.testing.assert_allclose(errors.shrunken, expected)
    assert errors.spread == pytest.approx(spread)
    assert errors.spread_p_value == pytest.approx(chi2.sf(q, df=2))


@pytest.mark.parametrize(
    ("gap", "variance", "told"),
    [
        ([0.1, np.nan], [1, 1], r"gap: nan in row 1"),
        ([0.1, 0.2], [1], r"variance: shape \(1,\), expected \(2,\)"),
        ([0.1, 0.2], [1, -1], r"variance: -1.0 in row 1, expected 0 or more"),
        ([], [], r"gap: shape \(0,\)"),
    ],
)
def test_shrinking_names_what_is_wrong(gap, variance, told):
    with pytest.raises(ValueError, match=told):
        calib.shrink(gap, variance)


def test_a_group_whose_samples_happen_to_agree_pulls_no_other():
    """Ten coins each: all heads in one group is luck, so that all have the same weight."""
    groups = np.repeat(["a", "b", "c", "d"], 10)
    hit = np.concatenate([np.arange(10) < heads for heads in (4, 5, 6, 10)])
    errors = calib.group_errors(hit, np.full(40, 0.5), groups)
    np.testing.assert_allclose(errors.gap, [-0.1, 0.0, 0.1, 0.5])
    assert errors.standard_error[3] < errors.standard_error[0]
    assert errors.shrunken.mean() == pytest.approx(errors.gap.mean())


def test_guesses_are_drawn_to_the_mean_of_gaps_that_differ_by_more_than_chance():
    """DerSimonian and Laird by hand: the spread of true gaps adds to each variance."""
    gap, variance = np.array([0.0, 0.2, 0.4]), np.array([0.001, 0.01, 0.04])
    w = 1 / variance
    centre = sum(w * gap) / sum(w)
    q = sum(w * (gap - centre) ** 2)
    between = (q - 2) / (sum(w) - sum(w**2) / sum(w))
    w = 1 / (variance + between)
    mean = sum(w * gap) / sum(w)
    guess, spread, _ = calib.shrink(gap, variance)
    assert between > 0 and abs(mean - centre) > 0.03
    assert spread == pytest.approx(between**0.5)
    expected = (between * gap + variance * mean) / (between + variance)
    np.testing.assert_allclose(guess, expected, rtol=1e-6)


@pytest.mark.parametrize("factor", FACTORS)
def test_a_factor_of_all_weights_changes_no_group(factor):
    (score, hit, group, _), weight = draw(3, 100, 0), uneven_weights(300)
    expected = calib.group_errors(hit, score, group, sample_weight=weight)
    scaled = calib.group_errors(hit, score, group, sample_weight=factor * weight)
    for name in ("gap", "standard_error", "p_value", "shrunken", "spread_p_value"):
        np.testing.assert_allclose(
            getattr(scaled, name), getattr(expected, name), rtol=1e-7
        )


def test_frequency_weights_of_groups_are_repetitions():
    score, hit, group, _ = draw(3, 100, 0)
    times = np.random.default_rng(5).integers(0, 3, 300)
    repeated = calib.group_errors(*(x.repeat(times) for x in (hit, score, group)))
    weighted = calib.group_errors(
        hit, score, group, sample_weight=times, frequency_weights=True
    )
    for name in ("gap", "standard_error", "p_value", "shrunken", "spread_p_value"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name))


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


def test_scores_above_one_by_rounding_have_a_variance():
    """A negative variance made the p-value of float32 sums not a number."""
    score = np.full(50, 1 + 1e-5)
    errors = calib.group_errors(
        np.ones(50), score, np.arange(50) % 2, sample_weight=uneven_weights(50)
    )
    assert np.isfinite(errors.p_value).all()


def test_weights_that_are_no_repetitions_have_the_normal_p_value_of_their_sum():
    score, hit = np.array([0.9, 0.8, 0.3]), np.array([0, 1, 0])
    weight = np.array([1.5, 0.5, 2.0])
    spread = np.sqrt(sum(weight**2 * score * (1 - score)))
    z = sum(weight * (hit - score)) / spread
    p_value = p_value_if_calibrated(score, hit, weight, weight**2)
    assert p_value == pytest.approx(2 * norm.cdf(-abs(z)))


@pytest.mark.parametrize("n_groups", [1, 2, 3])
def test_the_p_value_of_the_spread_is_that_of_cochrans_q(n_groups):
    score, hit, group, _ = draw(n_groups, 200, seed=1, spread=0.3)
    errors = calib.group_errors(hit, score, group)
    noise = calib.groups._SamplesByGroup(
        score, hit, np.ones(len(hit)), np.ones(len(hit)), group
    ).variance_of_all()
    mean = np.average(errors.gap, weights=1 / noise)
    q = np.sum((errors.gap - mean) ** 2 / noise)
    expected = chi2.sf(q, n_groups - 1) if n_groups > 1 else 1
    assert errors.spread_p_value == pytest.approx(expected)


def test_each_groups_p_value_is_that_of_its_own_rows():
    """Holm's procedure multiplies them, the smallest by the number of groups."""
    score, hit, group, _ = draw(4, 60, seed=3, spread=0.3)
    one = np.ones(60)
    rows = [np.flatnonzero(group == name) for name in np.unique(group)]
    alone = [p_value_if_calibrated(score[r], hit[r], one, one) for r in rows]
    order = np.argsort(alone)
    by_hand = np.maximum.accumulate(np.array(alone)[order] * [4, 3, 2, 1])
    p_value = calib.group_errors(hit, score, group).p_value
    assert p_value[order] == pytest.approx(np.minimum(by_hand, 1))
