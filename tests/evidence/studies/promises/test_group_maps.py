"""What multicalibration bounds: the worst cell of a group and a level."""

import numpy as np
import pytest

from evidence.studies.parts.samples_in_groups import MappedHalf
from evidence.studies.promises import group_maps
from evidence.studies.promises.group_maps import worst_group


def test_the_worst_cell_is_weighed_by_its_size():
    """Of ten samples: a cell of four that is off by .25, one of one that is off by .45."""
    score = np.array([0.25] * 4 + [0.45] + [1.0] * 5)
    hit = np.array([1, 1, 0, 0] + [0] + [1] * 5)
    everyone = np.ones((10, 1), bool)
    assert worst_group(score, hit, everyone) == pytest.approx(np.sqrt(4 * 0.25**2 / 10))
    alone = np.arange(10)[:, None] == 4
    assert worst_group(score, hit, alone) == pytest.approx(np.sqrt(0.45**2 / 10))


def test_gaps_of_two_groups_that_cancel_are_seen_in_each():
    score, hit = np.full(8, 0.5), np.repeat([1, 0], 4)
    group = hit[:, None] == [1, 0]
    assert worst_group(score, hit, np.ones((8, 1), bool)) == 0
    assert worst_group(score, hit, group) == pytest.approx(np.sqrt(4 * 0.5**2 / 8))


def test_a_row_is_the_mean_of_a_map_over_splits(monkeypatch):
    """Scores 1, .5 and .25 of which the first two are right: one is patched beyond its range."""
    half = MappedHalf(
        np.array([True, True, True]),
        np.array([1, 1, 0]),
        "map",
        np.array([1.0, 0.5, 0.25]),
    )
    monkeypatch.setattr(group_maps, "after_maps", lambda *_: [half])
    monkeypatch.setattr(group_maps, "N_SPLITS", 2)
    group, attribute = np.array([*"aab"]), np.array([*"xxx"])
    (row,) = group_maps.map_rows("a", None, None, group, attribute)
    assert (row["source"], row["map"], row["n_groups"]) == ("a", "map", 2)
    assert row["brier"] == pytest.approx((0 + 0.25 + 0.0625) / 3)
    nll = -(np.log(1 - 1e-6) + np.log(0.5) + np.log(0.75)) / 3
    assert row["nll"] == pytest.approx(nll)
    assert row["ece"] == pytest.approx((0 + 0.5 + 0.25) / 3)
    # a is off by half of .5, b by .25
    assert row["mean_gap"] == pytest.approx(0.25)
