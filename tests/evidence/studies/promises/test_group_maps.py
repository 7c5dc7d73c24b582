"""What multicalibration bounds: the worst cell of a group and a level."""

import numpy as np
import pytest

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
