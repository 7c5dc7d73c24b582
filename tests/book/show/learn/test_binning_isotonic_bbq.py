"""Maps as sums of what they say; their error by the number of bins; losses by sample size."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import ends_of_bars, heights, labelled, points

import calib
from book.show.learn import binning_isotonic_bbq as binning
from calib import HistogramBinning, IsotonicCalibration, SplineCalibration
from evidence.mean_intervals import half_width

RNG = np.random.default_rng(0)
SCORE = RNG.uniform(0.4, 1, 300)
HIT = (RNG.uniform(size=300) < SCORE).astype(int)


def test_samples_near_one_score_are_counted(glued):
    score = np.array([0.9, 0.91, 0.94, 0.949, 0.95, 0.99])
    binning.glue_samples_near_one_score(score, np.array([0, 1, 0, 1, 0, 0]))
    assert glued == {"binning-near-n": "3", "binning-near-right": "67%"}


def test_a_map_is_drawn_as_the_sum_of_what_it_says():
    (ax,) = binning.draw_sums_of_hits_and_maps(SCORE, HIT).axes
    some = np.flatnonzero(SCORE < 0.9)[:24]
    some = some[np.argsort(SCORE[some])]
    assert points(ax, 0)[:, 1].tolist() == [0, *np.cumsum(HIT[some])]
    isotonic = IsotonicCalibration().fit(SCORE[some], HIT[some]).predict(SCORE[some])
    assert points(ax, 2)[1:, 1] == pytest.approx(np.cumsum(isotonic))
    for number in (1, 2):  # chords and a taut string end where the hits do
        assert points(ax, number)[-1, 1] == pytest.approx(HIT[some].sum())


def test_an_error_is_the_mean_over_calibration_sets_with_its_interval():
    errors = np.array([[0.01, 0.02], [0.03, 0.02], [0.02, 0.05]])
    (ax,) = binning.draw_error_by_bin_number(
        errors, np.array([5, 20]), [0.02, 0.03]
    ).axes
    assert points(ax, 0).tolist() == [[5, 0.02], [20, 0.03]]
    assert points(ax, 1) == pytest.approx(np.array([[5, 0.02], [20, 0.03]]))
    half = half_width([0.01, 0.03, 0.02])
    assert ends_of_bars(ax, 0)[0] == pytest.approx([0.02 - half, 0.02 + half])


def repairs():
    return {
        "width": HistogramBinning(10).fit(SCORE, HIT),
        "mass": HistogramBinning(10, strategy="mass").fit(SCORE, HIT),
        "spline": SplineCalibration().fit(SCORE, HIT),
    }


def test_each_map_has_a_panel_and_the_scores_the_last():
    isotonic = IsotonicCalibration().fit(SCORE, HIT)
    fitted = repairs()
    *panels, last = binning.draw_fitted_maps(HIT, SCORE, isotonic, fitted).axes
    names = ["equal width", "equal mass", "isotonic", "BBQ", "spline"]
    assert [ax.get_title() for ax in panels] == names
    for ax, name in zip(panels, names, strict=True):
        x, y = points(ax, 1)[700] / 100
        if name != "BBQ":
            map_ = isotonic if name == "isotonic" else fitted[name.split()[-1]]
            assert y == pytest.approx(map_.predict([x])[0])
    assert heights(last)[:, 3].sum() == 300


def test_a_loss_stands_above_the_temperatures_with_a_paired_interval(
    glued, monkeypatch
):
    found = {"histogram": (0.02, 0.01, 0.03), "isotonic": (0.0, -0.01, 0.01)}
    found["BBQ"] = (0.1, 0.05, 0.2)

    def paired_difference(metric, y, first, second, *, rng, n_resamples):
        assert metric is calib.nll and second == "T" and n_resamples == 300
        return SimpleNamespace(
            **dict(zip(("value", "low", "high"), found[first], strict=True))
        )

    monkeypatch.setattr(calib, "paired_difference", paired_difference)
    probability = {name: name for name in found} | {"temperature": "T"}
    table = pd.DataFrame({"changed": [1, 2, 3]}, [*found])
    test = SimpleNamespace(y=None)
    binning.glue_nll_above_temperature(probability, table, test)
    assert glued == {
        "binning-histogram-nll": "0.020 (0.010 to 0.030)",
        "binning-isotonic-nll": "0.000 (−0.010 to 0.010)",
        "binning-bbq-nll": "0.100 (0.050 to 0.200)",
    }
    with pytest.raises(ValueError, match="answers change"):
        binning.glue_nll_above_temperature(probability, table * 0, test)
    found["isotonic"] = (0.1, 0.05, 0.2)
    with pytest.raises(ValueError, match="whose NLL is worse"):
        binning.glue_nll_above_temperature(probability, table, test)


def test_losses_of_draws_are_dots_about_their_mean():
    loss = {"isotonic": np.array([[0.5, 0.7], [0.4, 0.4]])}
    (ax,) = binning.draw_loss_by_sample_size(2, loss, [100, 1000], [0.6, 0.6]).axes
    assert labelled(ax)["isotonic"] == pytest.approx(
        np.array([[100, 0.6], [1000, 0.4]])
    )
    assert points(ax, 1).tolist() == [[100, 0.5], [100, 0.7], [1000, 0.4], [1000, 0.4]]
    assert labelled(ax)["as it is"][:, 1].tolist() == [0.6, 0.6]
