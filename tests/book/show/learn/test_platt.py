"""What a free number costs; changes of loss, gaps of classes and groups of log-odds by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import ends_of_bars, labelled, points, texts, ticks
from scipy.special import expit

import calib
from book.show.learn import platt
from calib import MatrixScaling, PlattScaling, TemperatureScaling, VectorScaling
from evidence.derived.metrics_by_chance import most_ece_by_chance
from evidence.mean_intervals import half_width
from evidence.network_outputs import Outputs


def change(value, low, high):
    return SimpleNamespace(value=value, low=low, high=high)


CHANGES = {
    ("story", "vector"): change(-0.02, -0.03, -0.01),
    ("story", "matrix"): change(-0.04, -0.05, -0.03),
    ("R1", "vector"): change(-0.001, -0.003, 0.001),
    ("R1", "matrix"): change(0.01, 0.005, 0.015),
    ("R2", "vector"): change(0.002, -0.001, 0.005),
    ("R2", "matrix"): change(0.004, -0.002, 0.01),
}


def test_groups_of_log_odds_have_one_size_and_the_interval_of_their_share():
    log_odds, hit = np.array([3, 1, 2, 0, 5, 4.0]), np.array([1, 0, 1, 0, 1, 0])
    rows = platt.means_by_log_odds(log_odds, hit, n_groups=2)
    assert rows["log_odds"].tolist() == [1, 4]
    assert rows["share"].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert rows["half"].tolist() == pytest.approx([1.96 * np.sqrt(2 / 27)] * 2)


def test_a_frequency_stands_at_the_mean_log_odds_of_its_group_beside_the_map():
    log_odds = np.append(np.linspace(-3, 3, 40), [-12.5, 30])
    hit = np.append(np.tile([0, 1], 20), [1, 0])
    fitted = PlattScaling().fit(expit(log_odds[:40]), hit[:40])
    figure = platt.draw_frequency_by_log_odds(expit(log_odds), hit, fitted, "coat")
    (ax,) = figure.axes
    x, said = points(ax, 0).T
    assert said == pytest.approx(100 * expit(x))
    assert points(ax, 1)[:, 1] == pytest.approx(100 * fitted.predict(expit(x)))
    groups = np.linspace(-3, 3, 40).reshape(20, 2)  # those beyond 12 are in none
    assert points(ax, 2) == pytest.approx(np.c_[groups.mean(axis=1), [50.0] * 20])
    half = 100 * 1.96 * np.sqrt(0.25 / 2)
    assert ends_of_bars(ax, 0)[3] == pytest.approx([50 - half, 50 + half])
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        "log-odds of coat, as trained",
        "it is a coat, %",
    )


def probabilities(name, parameters, logits):
    """Probabilities of a map with all of its parameters, free or not."""
    k = logits.shape[1]
    if name == "temperature":
        return calib.softmax(logits * parameters[0])
    scales = parameters[: len(parameters) - k]
    matrix = np.diag(scales) if name == "vector" else scales.reshape(k, k)
    return calib.softmax(logits @ matrix.T + parameters[-k:])


@pytest.mark.parametrize(
    ("name", "n_parameters"), [("temperature", 1), ("vector", 8), ("matrix", 20)]
)
def test_the_free_numbers_of_a_map_are_those_that_move_a_probability(
    name, n_parameters
):
    """Counted as the rank of the derivatives: a number added to all logits moves nothing."""
    rng = np.random.default_rng(0)
    logits, at = rng.normal(size=(60, 4)), rng.uniform(0.5, 1.5, n_parameters)
    moves = [
        (
            probabilities(name, at + 1e-5 * step, logits)
            - probabilities(name, at - 1e-5 * step, logits)
        ).ravel()
        / 2e-5
        for step in np.eye(n_parameters)
    ]
    free = np.linalg.matrix_rank(np.array(moves), tol=1e-6)
    assert platt.cost_of_map(name, 4, 50) == free / 100
    needed = platt.samples_for_map(name, 4, nats=0.02)
    assert platt.cost_of_map(name, 4, needed) == pytest.approx(0.02)


def test_dots_are_means_of_simulations_and_lines_the_law():
    loss = {"matrix": np.array([[0.01, 0.03], [0.2, 0.4]])}
    (ax,) = platt.draw_excess_by_class_number(loss, [2, 4], 100).axes
    x, law = labelled(ax)["matrix"].T
    assert law == pytest.approx((x**2 - 1) / 200)
    assert points(ax, 1) == pytest.approx(np.array([[2, 0.02], [4, 0.3]]))
    assert ends_of_bars(ax, 0) == pytest.approx(np.array([[0.01, 0.03], [0.2, 0.4]]))


def test_a_change_stands_beside_its_network_with_its_interval():
    (ax,) = platt.draw_changes_of_loss(CHANGES).axes
    assert ticks(ax.yaxis) == ["story", "R1", "R2"]
    drawn = [points(ax, i)[0].tolist() for i in range(6)]
    assert drawn[:3] == [[-0.02, -0.15], [-0.04, 0.15], [-0.001, 0.85]]
    assert ends_of_bars(ax, 1, "x")[0] == pytest.approx([-0.05, -0.03])


PRINTED = pd.DataFrame(
    {"Temperature scaling": [2.0, 1.0, 4.0], "Matrix scaling": [2.2, np.nan, 40.0]},
    index=pd.MultiIndex.from_tuples([("SST-2", "a"), ("SVHN", "b"), ("Birds", "c")]),
)


def test_the_printed_error_of_matrix_scaling_is_a_multiple_of_a_temperatures():
    (ax,) = platt.draw_printed_ece_of_matrix(PRINTED).axes
    assert points(ax, 1) == pytest.approx(
        np.array([[2, 1.1], [10, np.nan], [200, 10]]), nan_ok=True
    )
    chance = 100 * most_ece_by_chance(1 / 4, np.array([1821, 2897]), 15)
    assert points(ax, 0)[:, 1] == pytest.approx(chance / [2, 4])


def test_the_gap_of_a_class_is_its_mean_probability_less_its_frequency():
    logits = np.log([[0.7, 0.3], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]])
    split = Outputs(np.array([0, 1, 1, 1]), logits=logits)
    same = SimpleNamespace(predict_proba=calib.softmax)
    fitted = {"temperature": same, "vector": same}
    figure = platt.draw_gaps_of_classes(fitted, (split, split), ["no", "yes"])
    for ax in figure.axes:
        for number, up in ((0, -0.15), (1, 0.15)):
            drawn = points(ax, number)
            assert drawn == pytest.approx(np.array([[25, up], [-25, 1 + up]]))
            half = half_width([70 - 100, 60, 20, 50])
            ends = ends_of_bars(ax, number, "x")[0]
            assert ends == pytest.approx([25 - half, 25 + half])


def test_a_penalty_lies_between_the_levels_of_matrix_and_vector():
    penalties, losses = np.array([0.1, 1, 10]), [0.3, 0.2, 0.1]
    levels = {"matrix": 0.4, "vector": 0.05}
    (ax,) = platt.draw_excess_by_penalty(penalties, losses, levels, 1.0).axes
    assert points(ax, 0).tolist() == [[0.1, 0.3], [1, 0.2], [10, 0.1]]
    assert [points(ax, i)[0, 1] for i in (1, 2)] == [0.4, 0.05]
    assert points(ax, 3)[:, 0].tolist() == [1, 1]
    assert texts(ax)[:2] == ["matrix", "vector"]


def test_some_classes_are_numbered_anew_and_share_all_probability():
    split = Outputs(np.array([0, 3, 1, 3]), logits=np.log(np.full((4, 4), 0.25)))
    split.logits[1] = np.log([0.1, 0.2, 0.3, 0.4])
    label, log_prob = platt.of_classes(split, [0, 3])
    assert label.tolist() == [0, 1, 1]
    assert np.exp(log_prob[1]) == pytest.approx([0.2, 0.8])


def test_an_affine_map_gives_the_probabilities_of_the_fitted_one():
    rng = np.random.default_rng(0)
    logits, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    assert platt.as_affine(TemperatureScaling().fit(logits, y))["T"] > 0
    for fit in (VectorScaling().fit(logits, y), MatrixScaling(lam=1).fit(logits, y)):
        affine = platt.as_affine(fit)
        same = calib.softmax(logits @ np.transpose(affine["W"]) + affine["b"])
        assert same == pytest.approx(fit.predict_proba(logits), abs=1e-9)


def test_offsets_of_classes_cost_a_temperature_and_no_vector():
    maps = {"temperature": TemperatureScaling(), "vector": VectorScaling()}
    without, with_offsets = (
        platt.excess_of(maps, offset, n=3000, n_classes=5) for offset in (0, 2)
    )
    assert (
        maps["temperature"].temperature_ > 1.5
    )  # and offsets look like too large logits
    assert abs(without["temperature"]) < 0.01 and abs(without["vector"]) < 0.01
    assert with_offsets["temperature"] > 0.1 > 0.01 > with_offsets["vector"]


def test_of_ten_classes_99_free_numbers_need_4950_samples(glued):
    loss = {"matrix": np.array([[0.1], [2 * 15 / 200]])}
    platt.glue_samples_for_matrix(loss, [2, 4], 100)
    assert glued == {
        "platt-pay-10": "4\N{NO-BREAK SPACE}950",
        "platt-pay-1000": "49\N{NO-BREAK SPACE}999\N{NO-BREAK SPACE}950",
    }
    with pytest.raises(ValueError, match="about twice"):
        platt.glue_samples_for_matrix(loss, [2, 3], 100)


def test_losses_are_counted_on_all_networks_but_the_one_of_the_story(glued):
    platt.glue_changes_of_loss(CHANGES, "story")
    assert glued == {
        "platt-matrix-worse": "2 of 2",
        "platt-matrix-resolved": "1",
        "platt-vector-gain": "0.0010",
        "platt-story-vector-gain": "0.0200",
        "platt-story-vector-span": "0.0100 to 0.0300",
        "platt-story-matrix-gain": "0.0400",
        "platt-story-matrix-span": "0.0300 to 0.0500",
    }
    clear = {("R1", "vector"): change(-0.01, -0.02, -0.001)}
    with pytest.raises(ValueError, match="beyond its interval"):
        platt.glue_changes_of_loss(CHANGES | clear, "story")
    unclear = {("story", "matrix"): change(-0.04, -0.09, 0.01)}
    with pytest.raises(ValueError, match="gains on this network: matrix"):
        platt.glue_changes_of_loss(CHANGES | unclear, "story")


def test_print_is_compared_up_to_20_classes_and_from_100_on(glued):
    platt.glue_printed_ece_of_matrix(PRINTED)
    assert glued == {
        "platt-guo-small": "1.1",
        "platt-guo-large": "10.0",
        "platt-guo-pairs": "2",
    }


def test_penalties_are_counted_where_they_lower_the_loss(glued):
    table = pd.DataFrame(
        {
            "simulated, excess": [0.0, 0.1, 0.4, 0.3, 0.2],
            "a": [0.5, 0.4, 0.45, 0.4, 0.42],
            "b": [0.5, 0.4, 0.6, 0.7, 0.55],
        },
        index=["temperature", "vector", "matrix", "ODIR", "structured"],
    )
    platt.glue_effects_of_penalties(table, ["a", "b"])
    assert glued == {
        "platt-structured-t": "1 of 2",
        "platt-structured-change": "0.1500",
        "platt-odir-lower": "1 of 2",
    }
    table.loc["ODIR", "simulated, excess"] = 0.05
    with pytest.raises(ValueError, match="stays ahead"):
        platt.glue_effects_of_penalties(table, ["a", "b"])


def test_a_gain_is_clear_where_its_interval_is_below_zero(glued):
    changes = {"a": change(-0.02, -0.03, -0.01), "b": change(-0.02, -0.05, 0.01)}
    platt.glue_clear_gains_of_structured(changes)
    assert glued == {
        "platt-structured-clear": 1,
        "platt-structured-gains": "a by 0.0200 (0.0100 to 0.0300)",
    }


def test_log_odds_of_sure_scores_are_finite():
    fitted = PlattScaling().fit([0.2, 0.4, 0.6, 0.8] * 5, [0, 1, 0, 1] * 5)
    score = np.append(expit(np.linspace(-2, 2, 40)), [0, 1])
    figure = platt.draw_frequency_by_log_odds(score, np.ones(42), fitted, "coat")
    assert np.isfinite(points(figure.axes[0], 2)).all()
