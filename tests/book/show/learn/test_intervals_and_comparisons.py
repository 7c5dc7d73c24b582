"""Intervals of two errors and of their difference; how often intervals hold the truth."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import points, segments, texts, ticks

import calib
from book.show.learn import intervals_and_comparisons as intervals


def test_two_errors_stand_above_their_difference_with_their_levels_by_chance():
    found = [
        SimpleNamespace(value=v / 100, low=(v - 0.5) / 100, high=(v + 1) / 100)
        for v in (3, 2, -1)
    ]
    prob = [np.array([[0.6, 0.4], [0.9, 0.1]]), np.array([[0.7, 0.3], [0.8, 0.2]])]
    figure = intervals.draw_paired_difference(found, prob, {"one": None, "other": None})
    (ax,) = figure.axes
    assert [points(ax, i)[0].tolist() for i in range(3)] == [[3, 0], [2, 1], [-1, 2]]
    assert segments(ax.collections[0])[0] == pytest.approx([2.5, 0, 4, 0])
    chance = [100 * calib.error_if_calibrated(p.max(axis=1)) for p in prob]
    assert points(ax, 3) == pytest.approx(np.c_[chance, [0, 1]])
    assert ticks(ax.yaxis) == ["one", "other", "difference"]
    assert texts(ax)[2] == "−1.00 (−1.50 to 0.00)"


def test_a_span_is_the_least_and_the_largest_share():
    assert (
        intervals.span(pd.DataFrame([[0.91, 0.955], [0.9304, 0.92]]))
        == "91.0% to 95.5%"
    )


def test_pairing_saves_a_share_of_the_error_of_two_samples(glued, monkeypatch):
    errors = pd.DataFrame(
        {"plain": [0.5, 0.4], "by default": [0.6, 0.2], "two samples": [1.0, 0.8]},
        ["ece", "nll"],
    )
    tried = pd.DataFrame(
        {
            "world": ["a", "a", "b"],
            "split_trials": [300, 200, 400],
            "split": [0.94, 0.95, 0.99],
        }
    )
    monkeypatch.setattr(intervals, "load_results", lambda name: tried)
    intervals.glue_saved_by_pairing(errors)
    assert glued == {
        "sure-paired-ece": "50%",
        "sure-paired-ece-default": "40%",
        "sure-paired-nll": "50%",
        "sure-paired-nll-default": "75%",
        "sure-paired-worlds": 2,
        "sure-paired-trials": 200,
        "sure-paired-median": "95.0%",
    }


def kept(basic=(0.94, 0.9), percentile=(0.5, 0.95)):
    """How often intervals held the truth, by stage, kind and metric."""
    names = [*intervals.NAMES]
    index = pd.MultiIndex.from_product(
        [["after scaling", "as trained"], ["basic", "percentile"], names],
        names=["stage", "kind", "metric"],
    )
    shares = pd.Series(0.93, index)
    for kind, (ece, ks) in {"basic": basic, "percentile": percentile}.items():
        shares["after scaling", kind, "ece"] = ece
        shares["after scaling", kind, "ks_error"] = ks
    shares["as trained", "basic", "ece_mass"] = 0.88
    shares["as trained", "basic", "classwise_ece"] = 0.1
    return shares


def test_a_dot_is_how_often_the_intervals_of_a_metric_hold_the_truth():
    stored = pd.DataFrame({"n_trials": [400, 300]})
    (ax,) = intervals.draw_coverage_of_intervals(stored, kept()).axes
    places = {name: i for i, name in enumerate(intervals.NAMES)}
    promised, basic, percentile = (points(ax, i) for i in range(3))
    assert promised[:, 0].tolist() == [95, 95]
    assert basic[places["ece"]].tolist() == [94, 0]
    assert percentile[places["ks_error"]].tolist() == [95, places["ks_error"]]
    assert ticks(ax.yaxis) == list(intervals.NAMES.values())
    # of 400 trials, each of which holds it with 95 %: the middle 95 %
    low, width = ax.patches[0].get_x(), ax.patches[0].get_width()
    draws = np.random.default_rng(0).binomial(400, 0.95, 200_000) / 4
    assert [low, low + width] == np.quantile(draws, [0.025, 0.975]).tolist()


def test_the_least_share_as_trained_leaves_classes_out(glued):
    intervals.glue_coverage_of_intervals(kept())
    assert glued["sure-trained-least"] == "88%"
    assert glued["sure-ece-basic"] == "94%" and glued["sure-ks-percentile"] == "95%"
    assert len(glued) == 9
    for wrong in (kept(basic=(0.4, 0.9)), kept(percentile=(0.5, 0.8))):
        with pytest.raises(ValueError, match=r"holds (the truth|it) more often"):
            intervals.glue_coverage_of_intervals(wrong)


def test_the_report_is_tried_with_two_sizes():
    least = pd.Series([0.9, 0.93], ["ECE of the top label", "KS"])
    by_world = pd.DataFrame(
        [[0.92, 0.95], [0.93, 0.96]],
        least.index,
        pd.MultiIndex.from_tuples([("w", 1000), ("w", 5000)]),
    )
    (ax,) = intervals.draw_coverage_of_report(500, by_world, least).axes
    assert points(ax, 1).tolist() == [[92, 0], [93, 1]]
    assert points(ax, 2).tolist() == [[95, 0], [96, 1]]
    assert ax.lines[1].get_markerfacecolor() == "white"
    assert ax.lines[2].get_markerfacecolor() != "white"
    assert ticks(ax.yaxis) == ["ECE of\nthe top label", "KS"]
