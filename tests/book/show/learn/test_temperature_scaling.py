"""Temperatures: what they do to one image, to errors of networks, and where the NLL bends."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import heights, points

import calib
from book.show.learn import temperature_scaling
from evidence.network_outputs import Outputs

LOGITS = np.array([[4.0, 0], [2, 1], [0, 3], [5, 1], [0, 1], [2, 2.5]])
TEST = Outputs(np.array([0, 1, 1, 0, 0, 1]), logits=LOGITS)


def test_the_errors_stand_in_the_titles_with_those_by_chance():
    scaled = calib.softmax(LOGITS / 3)
    figure = temperature_scaling.draw_diagrams_before_and_after(TEST, scaled)
    for ax, name, prob in zip(
        figure.axes, ("before", "after"), (TEST.prob, scaled), strict=True
    ):
        ece = 100 * calib.ece(TEST.y, prob)
        chance = 100 * calib.error_if_calibrated(prob.max(axis=1))
        assert ax.get_title() == f"{name}: ECE {ece:.1f} %\n(by chance {chance:.1f} %)"


@pytest.fixture
def no_photograph(monkeypatch):
    monkeypatch.setattr(temperature_scaling, "photograph", lambda place: np.eye(2))


def test_one_image_has_flatter_probabilities_at_higher_temperatures(no_photograph):
    logits = np.array([0.0, 4, 2])
    figure = temperature_scaling.draw_probabilities_by_temperature(
        logits, ["boot", "bag", "coat"], "coat"
    )
    for ax, T in zip(figure.axes[:4], (1, 2, 4, 8), strict=True):
        powers = np.exp(logits / T)
        assert heights(ax)[:, 2] == pytest.approx(powers / powers.sum())
        assert ax.get_title() == f"T = {T}"
        colours = [patch.get_facecolor() for patch in ax.patches]
        assert colours[0] == colours[1] != colours[2]


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0049, ""), (0.005, "0%"), (0.2, "20%"), (0.995, "100%"), (0.9951, ">99 %")],
)
def test_a_percentage_is_never_a_certainty(p, shown):
    assert temperature_scaling.in_percent(p) == shown


def test_the_temperature_with_the_lowest_loss_on_the_test_set_is_one_of_those_tried(
    glued,
):
    rng = np.random.default_rng(0)
    logits = 3 * rng.normal(size=(400, 3))
    y = (logits / 2 + rng.gumbel(size=logits.shape)).argmax(axis=1)
    clothes = SimpleNamespace(
        test=Outputs(y, logits=logits), to_fit=Outputs(y, logits=logits)
    )
    temperature_scaling.glue_best_temperatures(clothes, np.array([1, 2, 4]))
    fitted = calib.TemperatureScaling().fit(logits, y).temperature_
    assert glued == {
        "temperature-of-test": "2.00",
        "temperature-of-fit": f"{fitted:.2f}",
    }


def numbers(**changes):
    columns = {
        "ECE": [0.1, 0.2],
        "NLL": [0.5, 1.0],
        "accuracy": [0.9, 0.8],
        "entropy": [0.2, 0.3],
        "T": [1.0, 1.0],
    }
    return pd.DataFrame(columns | changes)


def test_errors_have_a_range_over_networks_and_the_smallest_fall_is_told(glued):
    after = numbers(
        ECE=[0.01, 0.02], NLL=[0.3825, 0.45], entropy=[0.3925, 0.42], T=[1.5, 2.25]
    )
    temperature_scaling.glue_errors_before_and_after(after, numbers())
    assert glued == {
        "temperature-ece-before": "10.0% to 20.0%",
        "temperature-ece-after": "1.0% to 2.0%",
        "temperature-nll-drop": "23 %",
        "temperature-twin": "0.030",
        "temperature-range": "1.50 to 2.25",
    }
    for wrong in (after.assign(ECE=[0.05, 0.02]), after.assign(accuracy=[0.9, 0.81])):
        with pytest.raises(ValueError, match="more than halved"):
            temperature_scaling.glue_errors_before_and_after(wrong, numbers())


def test_the_loss_is_convex_in_the_inverse_temperature_and_bends_in_the_other():
    scaling = calib.TemperatureScaling().fit(LOGITS, TEST.y)
    figure = temperature_scaling.draw_nll_by_temperature(TEST.y, LOGITS, scaling)
    left, right = figure.axes
    beta, nll = points(left, 0)[10]
    assert nll == pytest.approx(calib.nll(TEST.y, calib.softmax(beta * LOGITS)))
    best = points(left, 1)[0]
    assert best == pytest.approx(
        [1 / scaling.temperature_, nll_at(scaling.temperature_)]
    )
    assert points(right, 1)[0] == pytest.approx([1 / best[0], best[1]])
    bend, height = points(right, 2)[0]
    assert height == pytest.approx(nll_at(bend))
    step = 0.02
    before, after = (
        nll_at(t - step) + nll_at(t + step) - 2 * nll_at(t)
        for t in (bend - 0.2, bend + 0.2)
    )
    assert before > 0 > after


def nll_at(temperature):
    return calib.nll(TEST.y, calib.softmax(LOGITS / temperature))
