"""Errors as areas and by the number of bins; shirts in doubt; ranges over networks by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import heights, labelled, points, texts

import calib
from book.show.learn import ece_and_mce
from evidence.network_outputs import Outputs

RNG = np.random.default_rng(0)
SCORE = RNG.uniform(0.5, 1, 200)
HIT = RNG.uniform(size=200) < SCORE - 0.1
NETWORK = Outputs(1 - HIT.astype(int), logits=np.log(np.c_[SCORE, 1 - SCORE]))


def test_bars_are_as_wide_as_their_share_and_together_as_large_as_the_ece():
    (ax,) = ece_and_mce.draw_ece_as_area(HIT, SCORE, NETWORK).axes
    bars = heights(ax)[:15]
    left, _, width, gap = bars[~np.isnan(bars[:, 3])].T
    assert width.sum() == pytest.approx(100)
    assert left[1:] == pytest.approx(np.cumsum(width)[:-1] + left[0])
    ece = 100 * calib.ece(HIT, SCORE)
    assert (width * np.abs(gap)).sum() / 100 == pytest.approx(ece)
    inside = (SCORE > 14 / 15) & (SCORE <= 1)
    assert gap[-1] == pytest.approx(100 * (SCORE[inside].mean() - HIT[inside].mean()))
    assert f"MCE: the highest bar, {gap.max():.0f} %" in texts(ax)
    assert f"ECE: the whole area, {ece:.1f} %" in texts(ax)
    assert f"ECE by chance: {100 * calib.error_if_calibrated(SCORE):.1f} %" in texts(ax)


def test_the_grey_of_a_bar_is_its_range_of_chance_turned_round():
    (ax,) = ece_and_mce.draw_ece_as_area(HIT, SCORE, NETWORK).axes
    _, low, _, height = heights(ax)[15:][-1]
    chance, bins = calib.consistency_band(SCORE), calib.equal_width(15)(SCORE, HIT)
    said = bins.mean_score[-1]
    expected = 100 * (said - chance.high[-1]), 100 * (said - chance.low[-1])
    assert (low, low + height) == pytest.approx(expected)


def table(**changes):
    columns = {
        "ECE": [0.05, 0.2, 0.1],
        "MCE": [0.3, 0.5, 0.4],
        "says": [0.95, 0.9, 0.9],
        "right": [0.90, 0.705, 0.8],
        "images": [12, 30, 20],
    }
    return pd.DataFrame(columns | changes, ["story", "ResNet-20", "ResNet-32"])


def test_the_first_network_stands_apart_from_the_deeper_ones(glued):
    ece_and_mce.glue_errors_of_networks(table())
    assert glued == {
        "ece-beyond": "0.50",
        "ece-fewer": "15",
        "ece-own": "5.00%",
        "ece-own-images": "12",
        "ece-range": "10.0% to 20.0%",
        "mce-range": "40% to 50%",
        "mce-max-images": "30",
    }
    with pytest.raises(ValueError, match="confidence less accuracy"):
        ece_and_mce.glue_errors_of_networks(table(says=[0.9, 0.9, 0.9]))
    with pytest.raises(ValueError, match="largest ECE"):
        ece_and_mce.glue_errors_of_networks(table(ECE=[0.05, 0.1, 0.2]))


def test_errors_and_chance_stand_over_the_number_of_bins():
    figure = ece_and_mce.draw_ece_as_trained_and_divided(NETWORK.prob, NETWORK)
    for ax in figure.axes:
        measured = labelled(ax)
        for name, binning in (
            ("equal width", calib.equal_width),
            ("equal mass", calib.equal_mass),
        ):
            m, ece = measured[name][3]
            expected = calib.calibration_error(HIT, SCORE, bins=binning(15))
            assert (m, ece) == pytest.approx((15, expected))
        expected = calib.error_if_calibrated(SCORE)
        assert points(ax, 1)[3, 1] == pytest.approx(expected)
    assert [ax.get_title() for ax in figure.axes] == [
        "as trained",
        "logits divided by 2.4",
    ]


def test_a_class_is_in_doubt_between_1_and_99_per_cent():
    prob = np.array([[0.5, 0.5], [0.99, 0.01], [0.005, 0.995], [0.02, 0.98]])
    score, hit = ece_and_mce.in_doubt(np.array([1, 1, 0, 0]), prob, 1)
    assert score.tolist() == [0.5, 0.98]
    assert hit.tolist() == [True, False]


def test_two_bins_show_what_one_cancels(glued):
    n = 4000
    score = np.repeat([0.25, 0.75], n // 2)
    hit = np.arange(n) % 10 < np.repeat([1, 9], n // 2)
    ece_and_mce.glue_ece_of_shirts(score + np.linspace(-0.2, 0.2, n), hit)
    assert glued["ece-shirt-1"] == "0.00%"
    assert glued["ece-shirt-n"] == "4\N{NO-BREAK SPACE}000"
    chance = calib.error_if_calibrated(
        score + np.linspace(-0.2, 0.2, n), bins=calib.equal_width(2)
    )
    assert glued["ece-shirt-chance-2"] == f"{chance:.2%}"


def test_shirts_whose_error_shows_with_one_bin_stop_the_build():
    with pytest.raises(ValueError, match="two bins show"):
        ece_and_mce.glue_ece_of_shirts(np.full(100, 0.4), np.arange(100) < 20)
