"""Multicalibration: the guarantee of patching, and what chance alone does."""

import numpy as np
import pytest

from book.evidence.multicalibration import Multicalibration


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
        fitted = Multicalibration(alpha).fit(score, hit, groups)
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
        fitted = Multicalibration(0.01).fit(score, hit, groups)
        score, _, groups, true = overlapping(20_000, 1)
        before = np.mean((score - true) ** 2)
        assert np.mean((fitted.predict(score, groups) - true) ** 2) < 0.4 * before

    def test_by_default_chance_alone_seldom_makes_a_patch(self):
        rng, patched = np.random.default_rng(0), []
        for _ in range(100):
            score, groups = rng.random(500), rng.random((500, 10)) < 0.3
            fitted = Multicalibration().fit(score, rng.random(500) < score, groups)
            patched.append(len(fitted.patches_) > 0)
        assert fitted.alpha_ == pytest.approx(np.sqrt(np.log(2 * 100 / 0.05) / 1000))
        assert np.mean(patched) <= 0.05

    def test_refusals(self):
        score, hit, groups, _ = overlapping(50)
        with pytest.raises(ValueError, match=r"groups: float64 of shape \(50, 12\)"):
            Multicalibration().fit(score, hit, groups.astype(float))
        with pytest.raises(ValueError, match="alpha: 2"):
            Multicalibration(alpha=2).fit(score, hit, groups)
        with pytest.raises(ValueError, match="is not fitted"):
            Multicalibration().predict(score, groups)
        fitted = Multicalibration().fit(score, hit, groups)
        with pytest.raises(ValueError, match="11 groups, expected 12"):
            fitted.predict(score, groups[:, :11])
