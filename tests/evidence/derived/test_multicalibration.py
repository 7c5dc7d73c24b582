"""Multicalibration: no cell is left, and few patches are needed."""

import numpy as np
import pytest

from evidence.derived.multicalibration import Multicalibration


@pytest.mark.parametrize("alpha", [0.005, 0.01, 0.03])
def test_multicalibration_leaves_no_cell_and_needs_few_patches(alpha):
    """Overlapping groups; one is underconfident, one overconfident above one half."""
    rng = np.random.default_rng(0)
    groups, score = rng.random((5000, 12)) < 0.3, 0.02 + 0.96 * rng.random(5000)
    true = np.clip(
        score + 0.15 * groups[:, 3] - 0.2 * (groups[:, 5] & (score > 0.5)), 0, 1
    )
    hit = rng.random(5000) < true
    fitted = Multicalibration(alpha).fit(score, hit, groups)
    after = fitted.predict(score, groups)
    level = np.minimum((after * 10).astype(int), 9)
    for cell in (groups[:, g] & (level == m) for g in range(12) for m in range(10)):
        gap_sum = (hit - after)[cell].sum()
        assert gap_sum**2 <= (alpha**2 + 1e-12) * cell.sum() * 5000
    lowered = np.mean((hit - score) ** 2) - np.mean((hit - after) ** 2)
    assert 0 < len(fitted.patches_) <= lowered / alpha**2 <= 1 / alpha**2


def test_by_default_chance_alone_seldom_makes_a_patch():
    rng, patched = np.random.default_rng(0), []
    for _ in range(100):
        score, groups = rng.random(500), rng.random((500, 10)) < 0.3
        fitted = Multicalibration().fit(score, rng.random(500) < score, groups)
        patched.append(len(fitted.patches_) > 0)
    assert fitted.alpha_ == pytest.approx(np.sqrt(np.log(2 * 100 / 0.05) / 1000))
    assert np.mean(patched) <= 0.05
