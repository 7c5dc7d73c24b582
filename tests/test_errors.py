"""Calibration errors against literal loops, worked examples and identities."""

import loops
import numpy as np
import pytest
from cases import case, draw

import calib

EXACT = {"rtol": 0, "atol": 1e-12}


def guo_example():
    """The worked example of Guo's slides: 15 samples in three of five bins."""
    score = np.repeat([0.55, 0.74, 0.86], [2, 6, 7])
    hit = np.array([1, 0] + [1] * 4 + [0] * 2 + [1] * 5 + [0] * 2)
    return hit, score


def test_worked_example_of_guos_slides():
    hit, score = guo_example()
    gaps = 2 * abs(1 / 2 - 0.55) + 6 * abs(4 / 6 - 0.74) + 7 * abs(5 / 7 - 0.86)
    assert calib.ece(hit, score, n_bins=5) == pytest.approx(gaps / 15, abs=1e-15)
    printed = (2 * 0.05 + 6 * 0.07 + 7 * 0.15) / 15
    assert round(printed, 3) == 0.105
    assert calib.ece(hit, score, n_bins=5) == pytest.approx(printed, abs=0.002)
    assert calib.mce(hit, score, n_bins=5) == pytest.approx(0.86 - 5 / 7)


@case
@pytest.mark.parametrize("closed", ["right", "left"])
def test_binned_errors_are_the_loops(n, n_classes, options, closed):
    y, p = draw(n, n_classes, **options)
    weights = np.random.default_rng(1).integers(0, 4, n)
    weights[0] = 2
    for w in (None, weights):
        table = loops.width_gaps(loops.top_label(y, p), 15, closed, w)
        kwargs = {"closed": closed, "sample_weight": w}
        np.testing.assert_allclose(calib.ece(y, p, **kwargs), loops.norm(table, "l1"), **EXACT)
        np.testing.assert_allclose(calib.mce(y, p, **kwargs), loops.norm(table, "max"), **EXACT)
        np.testing.assert_allclose(
            calib.classwise_ece(y, p, **kwargs), loops.classwise_ece(y, p, 15, closed, w), **EXACT
        )


@case
def test_equal_mass_errors_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    weights = np.random.default_rng(1).integers(0, 4, n)
    weights[0] = 2
    for w in (None, weights):
        table = loops.mass_gaps(loops.top_label(y, p), 7, w)
        for norm in ("l1", "l2", "max"):
            value = calib.calibration_error(
                y, p, bins=calib.equal_mass(7), norm=norm, sample_weight=w
            )
            np.testing.assert_allclose(value, loops.norm(table, norm), **EXACT)


@case
def test_one_bin_is_accuracy_minus_mean_confidence(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    score, hit = calib.top_label(y, p)
    assert calib.ece(y, p, n_bins=1) == pytest.approx(abs(hit.mean() - score.mean()), abs=1e-12)


@case
def test_closed_left_is_closed_right_mirrored(n, n_classes, options):
    hit, score = draw(n, n_classes, **options)[0] == 0, draw(n, n_classes, **options)[1][:, 0]
    mirrored = calib.ece(~hit, 1 - score, n_bins=8, closed="left")
    if options.get("ties") or options.get("saturated"):  # 1 - score is exact
        assert calib.ece(hit, score, n_bins=8) == pytest.approx(mirrored, abs=1e-12)


def test_pairs_and_probabilities_give_the_same_number():
    y, p = draw(100, 4)
    score, hit = calib.top_label(y, p)
    assert calib.ece(hit, score) == calib.ece(y, p)


def test_sce_is_classwise_ece():
    assert calib.sce is calib.classwise_ece
