"""What is promised of a dress, and means of bins by loops."""

import numpy as np
import pytest
from drawings import heights, labelled, points

import calib
from book.show.learn import what_calibration_means


def test_promises_are_bars_that_say_whether_they_were_kept(monkeypatch):
    monkeypatch.setattr(what_calibration_means, "photograph", lambda place: np.eye(2))
    shown = [(0.9, False), (0.05, True), (0.05, True), (0.95, True)]
    figure = what_calibration_means.draw_promises_about_dress(shown, [90, 5, 5, 95])
    ax = figure.axes[1]
    assert heights(ax)[:, 2].tolist() == [90, 5, 5, 95]
    assert ax.texts[0].get_text() == "says 90.0 %: false"
    assert ax.texts[3].get_text() == "says 95.0 %: true"
    colours = [patch.get_facecolor() for patch in ax.patches]
    assert colours[0] != colours[1] == colours[2] == colours[3]


@pytest.mark.parametrize("weight", [None, np.array([1.0, 3, 1, 1, 2, 2])])
def test_means_of_bins_of_equal_mass_are_weighted_and_in_per_cent(weight):
    score, hit = np.array([0.1, 0.2, 0.4, 0.6, 0.8, 0.9]), np.array([0, 1, 0, 1, 0, 1])
    means = what_calibration_means.bin_means(score, hit, weight, n_bins=2)
    w = np.ones(6) if weight is None else weight
    first = score < (0.5 if weight is None else 0.45)
    for part, mean_score, mean_hit in zip((first, ~first), *means, strict=True):
        assert mean_score == pytest.approx(
            100 * np.average(score[part], weights=w[part])
        )
        assert mean_hit == pytest.approx(100 * np.average(hit[part], weights=w[part]))


def test_a_view_shows_the_truth_of_all_labels_and_the_samples():
    rng = np.random.default_rng(0)
    p, y = rng.dirichlet(np.ones(3), 300), rng.integers(0, 3, 300)
    labels, predictions = np.tile(np.arange(3), 300), np.repeat(p, 3, axis=0)
    figure = what_calibration_means.draw_hits_by_view(
        (labels, predictions, predictions[np.arange(900), labels]), p, y
    )
    views = [
        calib.top_label,
        calib.one_vs_rest(0),
        calib.top_r(2),
        calib.within_top_r(2),
    ]
    for ax, view in zip(figure.axes, views, strict=True):
        # labels that are weighted by their probability are hit as often as the score says
        truth = labelled(ax)["truth"]
        assert truth[:, 0] == pytest.approx(truth[:, 1], abs=1e-6)
        expected = what_calibration_means.bin_means(*view(y, p))
        assert points(ax, 2) == pytest.approx(np.transpose(expected))
        assert len(expected[0]) == 12
