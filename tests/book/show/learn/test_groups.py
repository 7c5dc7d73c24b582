"""Gaps of groups, and what temperatures of their own gain, by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import band, ends_of_bars, heights, points, segments, texts

from book.show.learn import groups


def test_a_gap_has_its_interval_upon_the_range_of_chance():
    rows = pd.DataFrame(
        {"gap": [3.0, -1], "half": [1.0, 2], "lot": [0.5, 4]}, ["bag", "coat"]
    )
    (ax,) = groups.draw_gaps_of_garments(rows).axes
    assert heights(ax)[:, [0, 2]].tolist() == [[-0.5, 1], [-4, 8]]
    assert points(ax, 0).tolist() == [[3, 0], [-1, 1]]
    assert ends_of_bars(ax, 1, "x").tolist() == [[2, 4], [-3, 1]]


def test_the_first_and_the_last_of_57_subjects_are_named():
    part = pd.DataFrame(
        {"gap": np.linspace(-0.1, 0.2, 57), "group": map(str, range(57))}
    )
    ends = np.full(57, -5.0), np.full(57, 5.0)
    (ax,) = groups.draw_gaps_of_subjects(ends, part).axes
    assert points(ax, 0) == pytest.approx(np.c_[range(57), np.linspace(-10, 20, 57)])
    assert band(ax.collections[0], 30) == (-5, 5)
    assert texts(ax)[:2] == ["  0", "56  "]


def after(**changes):
    columns = {
        "source": ["a", "a", "b", "b"],
        "gap": [0.05, -0.2, 0.01, 0.03],
        "low": [0.01, -0.3, -0.03, -0.01],
        "high": [0.09, -0.1, 0.05, 0.07],
        "p_value": [0.01, 0.001, 0.5, 0.06],
        "n": [100, 300, 50, 150],
    }
    return pd.DataFrame(columns | changes)


CHANCE = pd.DataFrame(
    {
        "source": ["a", "a", "b", "c"],
        "outside": [1, 3, 2, 99],
        "largest": [0.1, 0.2, 0.09, 9],
        "spread": [0.01, 0.03, 0.012, 9],
    }
)
MAPS = pd.DataFrame(
    {
        "source": ["a", "b", "b"],
        "way": ["temperature"] * 2 + ["none"],
        "spread": [0.08, 0.05, 9],
    }
)


def test_gaps_are_counted_beyond_chance_and_by_a_test(glued):
    subjects = pd.concat([after()] * 5)
    groups.glue_gaps_of_subjects(subjects, CHANCE, ["a", "b"], MAPS)
    assert glued == {
        "groups-outside": "10 of 20",
        "groups-outside-lot": "4",
        "groups-outside-expected": "1",
        "groups-refused": 10,
        "groups-widest": "20",
        "groups-chance-largest-low": "9",
        "groups-chance-largest-high": "15",
        "groups-spread-lots": "2.0",
        "groups-spread-low": "5.0",
        "groups-spread-high": "8.0",
    }
    # the median half width of a is 0.07, a standard error of 0.036
    narrow = MAPS.assign(spread=[0.035, 0.05, 9])
    with pytest.raises(ValueError, match="wider than their noise"):
        groups.glue_gaps_of_subjects(after(), CHANCE, ["a", "b"], narrow)


def test_gaps_shrink_towards_their_weighted_mean():
    rows = pd.DataFrame(
        {
            "source": ["a", "a", "b"],
            "way": "temperature",
            "n": [100, 300, 50],
            "gap": [0.1, -0.1, 9],
            "shrunken": [0.02, -0.06, 9],
            "group": ["x", "y", "z"],
        }
    )
    rows.loc[3] = ["a", "none", 1, 9, 9, "x"]
    (ax,) = groups.draw_shrunken_gaps(pd.Series({"a": 0.1, "b": 0.2}), rows).axes
    assert segments(ax.collections[0]) == pytest.approx(
        np.array([[100, 10, 100, 2], [300, -10, 300, -6]])
    )
    assert points(ax, 2)[0, 1] == pytest.approx(100 * (0.1 * 100 - 0.1 * 300) / 400)
    assert ax.texts[0].get_position() == pytest.approx((105, 10))
    assert ax.texts[1].get_position() == pytest.approx((105, 2))


def brier(**changes):
    columns = {
        "temperature": [0.1, 0.2, 0.3],
        "temperature of the group": [0.098, 0.2, 0.2996],
    }
    return pd.DataFrame(columns | changes, ["mmlu", "cifar10-a", "cifar10-b"])


SPREADS = pd.DataFrame({"temperature": [0.1, 0.3], "none": [0.2, 0.2]})


def test_gains_are_told_in_thousandths_apart_for_texts_and_images(glued):
    groups.glue_gains_of_group_temperatures(brier(), SPREADS, after())
    assert glued == {
        "groups-own-gain-low": "2",
        "groups-own-gain-high": "2",
        "groups-own-cost": f"{1 / (2 * 150):.3f}",  # 200 and 100 samples a group
        "groups-own-text": "1 of 1",
        "groups-own-images": "1 of 2",
        "groups-one-helps": "1 of 2",
    }
    worse = brier(**{"temperature of the group": [0.098, 0.2001, 0.2996]})
    with pytest.raises(ValueError, match="no Brier score rises"):
        groups.glue_gains_of_group_temperatures(worse, SPREADS, after())


def test_calibrated_groups_lie_on_the_line_of_their_accuracy():
    part = pd.DataFrame(
        {"score_if_wrong": [0.4], "score_if_right": [0.9], "accuracy": [0.8]}
    )
    (ax,) = groups.draw_doubt_against_confidence(part).axes
    assert ax.collections[0].get_offsets().tolist() == [pytest.approx([40, 10])]
    for line, accuracy in zip(ax.lines, (0.4, 0.6, 0.8, 0.95), strict=True):
        # a calibrated group says on average what is right: mu a + (1 - mu) b = mu
        wrong = 0.3
        right = (accuracy - (1 - accuracy) * wrong) / accuracy
        assert line.get_slope() == pytest.approx((1 - right) / wrong)
