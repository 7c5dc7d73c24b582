"""Gaps of groups that are drawn by lot, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.promises import group_chance as study

Z = np.log([[0.8, 0.2]] * 8)
Y = np.array([0, 0, 1, 0, 0, 0, 1, 0])
GROUP = np.array(["a", "b"] * 4)


def test_groups_of_the_other_half_are_drawn_and_their_gaps_told(monkeypatch):
    lots = []

    def errors(hit, score, group):
        lots.append("".join(group))
        assert len(hit) == len(score) == 4
        return SimpleNamespace(
            gap=np.array([-0.3, 0.1, 0.2]),
            low=np.array([-0.5, -0.1, 0.1]),
            high=np.array([-0.1, 0.3, 0.3]),
            p_value=np.array([0.049, 0.5, 0.051]),
            spread=0.7,
        )

    monkeypatch.setattr(study.calib, "group_errors", errors)
    rows = [*study.chance_rows("x", Z, Y, GROUP, GROUP)]
    assert [row["draw"] for row in rows] == [*range(200)]
    for row in rows:
        assert (row["largest"], row["spread"]) == (0.3, 0.7)
        assert row["mean_gap"] == pytest.approx(0.2)
        # the second interval holds zero, and one p-value is below 5 %
        assert (row["outside"], row["refused"]) == (2, 1)
    # of the same sizes
    assert len({*map("".join, map(sorted, lots))}) == 1 and len({*lots}) > 1
