"""Groups: gaps by hand, chance's share by simulation, and the guarantee of patching."""

import numpy as np
import pytest

import calib
from calib.bands import poisson_binomial
from calib.groups import p_value_if_calibrated


def draw(n_groups, size, seed, spread=0.0):
    """Pairs in groups whose true gaps have the standard deviation `spread`."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_groups), size)
    true = spread * rng.normal(size=n_groups)
    score = 0.3 + 0.4 * rng.random(len(group))
    return score, rng.random(len(group)) < score + true[group], group, true


def test_by_hand():
    found = calib.group_errors([1, 0, 1, 1], [0.5, 0.5, 0.6, 0.8], ["b", "b", "a", "a"])
    assert found.group.tolist() == ["a", "b"]
    np.testing.assert_allclose(found.gap, [0.3, 0.0], atol=1e-12)
    squares = 0.01 + 0.01, 0.25 + 0.25  # around the gaps 0.3 and 0
    of_scores = (0.5 * 0.5 * 2 + 0.6 * 0.4 + 0.8 * 0.2) / 4  # more than the mean of the squares
    expected = (np.array(squares) + of_scores) / 4
    np.testing.assert_allclose(found.standard_error**2, expected)
    np.testing.assert_allclose(found.high - found.gap, 1.959964 * expected**0.5, rtol=1e-6)


def test_one_group_is_the_whole():
    score, hit, _, _ = draw(1, 300, 0)
    found = calib.group_errors(hit, score, np.zeros(300))
    assert found.gap[0] == pytest.approx(hit.mean() - score.mean())
    assert found.spread == 0 and found.spread_p_value == 1


def test_chance_alone_seldom_finds_a_group():
    """Without Holm's correction, 30 groups at 5 % would show one nearly always."""
    found = [
        calib.group_errors(hit, score, group)
        for score, hit, group, _ in (draw(30, 200, seed) for seed in range(150))
    ]
    raw = np.mean([(np.abs(f.gap) > 1.96 * f.standard_error).any() for f in found])
    assert raw > 0.6
    assert np.mean([f.p_value.min() < 0.05 for f in found]) <= 0.05
    assert 0.02 < np.mean([f.spread_p_value < 0.05 for f in found]) < 0.09
    covered = np.mean([(f.low < 0) & (f.high > 0) for f in found])
    assert covered == pytest.approx(0.95, abs=0.01)


def test_hits_without_a_spread_are_not_certain():
    found = calib.group_errors(np.ones(1000, int), np.full(1000, 0.5), np.zeros(1000))
    assert found.p_value[0] < 1e-9 and found.standard_error[0] == pytest.approx(0.5 / 1000)


def test_a_group_for_each_sample_says_next_to_nothing():
    score, hit, _, _ = draw(1, 30, 0)
    found = calib.group_errors(hit, score, np.arange(30))
    assert (found.high - found.low > 1.5).all() and found.p_value.min() == 1
    sure = calib.group_errors(np.ones(4, int), np.ones(4), [0, 0, 1, 1])
    assert sure.gap.tolist() == [0, 0] and sure.p_value.tolist() == [1, 1]


def test_sure_scores_do_not_raise_the_rate_of_false_calls():
    """Small groups, scores near one: from the variance of each group, 31 % of draws have a call."""
    rng, called, spread = np.random.default_rng(0), [], []
    group = np.repeat(np.arange(30), np.linspace(20, 100, 30).astype(int))
    for _ in range(200):
        score = 0.25 + 0.75 * rng.beta(2.2, 0.55, len(group))
        found = calib.group_errors(rng.random(len(group)) < score, score, group)
        called.append(found.p_value.min() < 0.05)
        spread.append(found.spread_p_value < 0.05)
    noise = 2 * np.sqrt(0.05 * 0.95 / 200)
    assert np.mean(called) <= 0.05 + noise
    assert abs(np.mean(spread) - 0.05) <= noise


def test_the_distribution_of_hits_is_a_product_of_polynomials():
    score = np.random.default_rng(0).random(37)
    expected = np.ones(1)
    for p in score:
        expected = np.convolve(expected, [1 - p, p])
    np.testing.assert_allclose(poisson_binomial(score), expected, atol=1e-14)
    np.testing.assert_allclose(poisson_binomial(np.array([0.9, 0.8])), [0.02, 0.26, 0.72])


def test_p_value_by_hand():
    score, one = np.array([0.9, 0.8]), np.ones(2)
    assert p_value_if_calibrated(score, np.array([0, 0]), one) == pytest.approx(2 * 0.02)
    assert p_value_if_calibrated(score, np.array([1, 1]), one) == 1
    assert p_value_if_calibrated(np.ones(1), np.zeros(1), one[:1]) == 0


def test_p_value_of_parts_of_samples_is_near_that_of_whole_ones():
    score, hit, _, _ = draw(1, 3000, 0)
    hit = hit | (np.arange(3000) % 10 == 0)
    whole = p_value_if_calibrated(score, hit, np.ones(3000))
    parts = p_value_if_calibrated(score, hit, np.full(3000, 1 + 1e-9))
    assert 0 < whole < 0.5 and parts == pytest.approx(whole, rel=0.1)


def test_shrunken_gaps_are_nearer_to_the_truth():
    raw, shrunken, spread = [], [], []
    for seed in range(100):
        score, hit, group, true = draw(25, 60, seed, spread=0.05)
        found = calib.group_errors(hit, score, group)
        raw.append(((found.gap - true) ** 2).mean())
        shrunken.append(((found.shrunken - true) ** 2).mean())
        spread.append(found.spread**2)
    assert np.mean(shrunken) < 0.5 * np.mean(raw)
    assert np.mean(spread) == pytest.approx(0.05**2, rel=0.15)


def test_weights_are_repetitions():
    score, hit, group, _ = draw(4, 20, 0)
    weight = np.arange(80) % 3
    weighted = calib.group_errors(hit, score, group, sample_weight=weight)
    repeated = calib.group_errors(*(np.repeat(a, weight) for a in (hit, score, group)))
    for name in ("gap", "standard_error", "p_value", "shrunken", "weight"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name))


def test_groups_need_one_name_a_sample():
    with pytest.raises(ValueError, match="groups: shape"):
        calib.group_errors([1, 0], [0.5, 0.5], [["a"], ["b"]])


def overlapping(n=5000, seed=0):
    """Overlapping groups; one is underconfident, one overconfident above one half."""
    rng = np.random.default_rng(seed)
    groups = rng.random((n, 12)) < 0.3
    score = 0.02 + 0.96 * rng.random(n)
    true = np.clip(score + 0.15 * groups[:, 3] - 0.2 * (groups[:, 5] & (score > 0.5)), 0, 1)
    return score, rng.random(n) < true, groups, true


class TestMulticalibration:
    @pytest.mark.parametrize("alpha", [0.005, 0.01, 0.03])
    def test_no_cell_is_left_and_the_patches_are_few(self, alpha):
        score, hit, groups, _ = overlapping()
        fitted = calib.Multicalibration(alpha).fit(score, hit, groups)
        after = fitted.predict(score, groups)
        for g in range(12):
            level = np.minimum((after * 10).astype(int), 9)
            for m in range(10):
                cell = groups[:, g] & (level == m)
                if cell.any():
                    gap = (hit - after)[cell].mean()
                    assert cell.mean() * gap**2 <= alpha**2 + 1e-12
        lowered = np.mean((hit - score) ** 2) - np.mean((hit - after) ** 2)
        assert 0 < len(fitted.patches_) <= lowered / alpha**2 <= 1 / alpha**2

    def test_it_nears_the_truth_on_new_samples(self):
        score, hit, groups, _ = overlapping(20_000)
        fitted = calib.Multicalibration(0.01).fit(score, hit, groups)
        score, _, groups, true = overlapping(20_000, 1)
        before = np.mean((score - true) ** 2)
        assert np.mean((fitted.predict(score, groups) - true) ** 2) < 0.4 * before

    def test_calibrated_scores_are_left_alone(self):
        rng = np.random.default_rng(0)
        score = rng.random(20_000)
        groups = rng.random((20_000, 5)) < 0.5
        hit = rng.random(20_000) < score
        assert len(calib.Multicalibration(0.02).fit(score, hit, groups).patches_) == 0

    def test_by_default_chance_alone_seldom_makes_a_patch(self):
        rng, patched = np.random.default_rng(0), []
        for _ in range(100):
            score, groups = rng.random(500), rng.random((500, 10)) < 0.3
            fitted = calib.Multicalibration().fit(score, rng.random(500) < score, groups)
            patched.append(len(fitted.patches_) > 0)
        assert fitted.alpha_ == pytest.approx(np.sqrt(np.log(2 * 100 / 0.05) / 1000))
        assert np.mean(patched) <= 0.05

    def test_by_default_it_nears_the_truth_on_new_samples(self):
        score, hit, groups, _ = overlapping(20_000)
        fitted = calib.Multicalibration().fit(score, hit, groups)
        score, _, groups, true = overlapping(20_000, 1)
        before = np.mean((score - true) ** 2)
        assert np.mean((fitted.predict(score, groups) - true) ** 2) < 0.4 * before

    def test_one_group_of_all_and_one_level_is_the_mean(self):
        score, hit, _, _ = overlapping(500)
        everyone = np.ones((500, 1), bool)
        fitted = calib.Multicalibration(0.001, n_bins=1).fit(score * 0.4 + 0.3, hit, everyone)
        after = fitted.predict(score * 0.4 + 0.3, everyone)
        assert after.mean() == pytest.approx(hit.mean(), abs=0.001)

    def test_weights_are_repetitions(self):
        score, hit, groups, _ = overlapping(400)
        weight = np.arange(400) % 3
        weighted = calib.Multicalibration(0.02).fit(score, hit, groups, sample_weight=weight)
        repeated = calib.Multicalibration(0.02).fit(
            np.repeat(score, weight), np.repeat(hit, weight), np.repeat(groups, weight, axis=0)
        )
        np.testing.assert_allclose(weighted.patches_, repeated.patches_)

    def test_refusals(self):
        score, hit, groups, _ = overlapping(50)
        with pytest.raises(ValueError, match=r"groups: float64 of shape \(50, 12\)"):
            calib.Multicalibration().fit(score, hit, groups.astype(float))
        with pytest.raises(ValueError, match="alpha: 2"):
            calib.Multicalibration(alpha=2).fit(score, hit, groups)
        with pytest.raises(ValueError, match="is not fitted"):
            calib.Multicalibration().predict(score, groups)
        fitted = calib.Multicalibration().fit(score, hit, groups)
        with pytest.raises(ValueError, match="11 groups, expected 12"):
            fitted.predict(score, groups[:, :11])
