"""The figures of the notebook on Nixon et al.: numbers by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import ends_of_bars, heights, labelled, points, ticks

from book.show import nixon2019


def test_a_class_keeps_its_place_after_a_temperature():
    before = pd.DataFrame(
        {"error": [3.0, 1, 2], "calibrated_high": [9.0, 7, 8]}, [*"abc"]
    )
    after = pd.DataFrame({"error": [0.1, 0.2, 0.3]}, [*"cab"])
    panels = {"net": (before, after), "other": (before, after)}
    ax, _ = nixon2019.draw_errors_of_classes(panels).axes
    assert points(ax, 0).tolist() == [[0, 1], [1, 2], [2, 3]]
    assert points(ax, 1).tolist() == [[0, 0.3], [1, 0.1], [2, 0.2]]
    assert heights(ax)[:, 3].tolist() == [7, 8, 9]


def test_a_weight_falls_by_its_decay_for_each_point_of_score():
    at = np.array([0.48, 0.5, 0.53])
    bias = {
        (kind, d): d * at for kind in ("even", "odd") for d in nixon2019.DECAY_LOOKS
    }
    weights, even, _ = nixon2019.draw_weights_and_bias_of_psce(at, bias).axes
    assert labelled(weights)["decay 0.9"][:, 1] == pytest.approx([0.81, 1, 0.729])
    assert labelled(even)["decay 0.5"] == pytest.approx(np.c_[at, at / 2])
    assert even.get_title() == "even scores"


@pytest.mark.slow
def test_errors_in_training_are_drawn_in_per_cent_under_the_papers_names():
    curves = pd.DataFrame({"split": ["training", "test"] * 2, "step": [1, 1, 2, 2]})
    for k, name in enumerate(nixon2019.TRAINING_ERRORS, 1):
        curves[name] = k / 100 * curves["step"]
    figure = nixon2019.draw_errors_in_training(curves)
    first, second = figure.axes
    assert [ax.get_title() for ax in figure.axes] == ["training images", "test images"]
    assert points(first, 2) == pytest.approx(np.array([[1, 3], [2, 6]]))
    assert len(second.lines) >= 6
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["ECE", "TACE", "SCE", "ACE", "PSCE", "KS"]


def test_simulated_errors_have_their_scatter_and_trained_ones_are_points():
    columns = [*nixon2019.NOISE_LOOKS]
    levels = {"noise": [0, 0, 0.2, 0.2]}
    simulated = pd.DataFrame(levels | {name: [1.0, 3, 5, 5] for name in columns})
    trained = pd.DataFrame({name: [2.0, 4] for name in columns}, [0.1, 0.3])
    left, right = nixon2019.draw_errors_by_noise(simulated, trained).axes
    assert points(left, 0).tolist() == [[0, 2], [0.2, 5]]
    assert ends_of_bars(left, 0)[0] == pytest.approx([2 - np.sqrt(2), 2 + np.sqrt(2)])
    assert points(right, 1).tolist() == [[0.1, 2], [0.3, 4]]


def test_first_weights_stand_in_their_order():
    networks = pd.DataFrame(
        {
            "initialisation": ["he", "glorot", "he"],
            "ECE": [0.1, 0.2, 0.3],
            "error": [0.4, 0.5, 0.6],
        }
    )
    (ax,) = nixon2019.draw_errors_by_initialisation(networks).axes
    assert points(ax, 0) == pytest.approx(np.array([[1, 10], [0, 20], [1, 30]]))
    assert labelled(ax)["ECE"] == pytest.approx(np.array([[0, 20], [1, 20]]))
    assert ticks(ax.xaxis) == ["glorot", "he", "normal-0.1", "normal-0.3"]
