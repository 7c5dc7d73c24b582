"""Labels and scores, row by row, and what stands beside the rows that are chosen."""

import numpy as np
import pytest

from calib_report.columns.samples import Samples, says_confidence
from calib_report.contract import ReadingError


def samples(scores, **side_columns):
    """Three samples, beside which stand columns of groups."""
    columns = {
        ("groups", name): np.array(column) for name, column in side_columns.items()
    }
    return Samples(
        np.arange(3), np.array(scores), "y", ("score",), side_columns=columns
    )


def test_what_stands_beside_goes_with_its_rows():
    chosen = samples([0.1, 0.2, 0.3], ward=["a", "b", "c"]).with_rows(
        np.array([2, 0, 2]), np.array([1, 0, 1]), np.array([0.3, 0.1, 0.3])
    )
    assert chosen.side_columns["groups", "ward"].tolist() == ["c", "a", "c"]
    assert chosen.y.tolist() == [1, 0, 1] and chosen.scores.tolist() == [0.3, 0.1, 0.3]
    assert chosen.names_of("groups") == ["ward"] and chosen.names_of("ids") == []


@pytest.mark.parametrize("column", [["a", "b"], [["a"], ["b"], ["c"]]])
def test_what_does_not_reach_the_last_chosen_row_is_refused(column):
    side_columns = samples([0.1, 0.2, 0.3], ward=column)
    with pytest.raises(ReadingError, match="--ignore ward"):
        side_columns.with_rows(np.array([0, 2]), np.zeros(2), np.zeros(2))


def test_scores_in_one_column_are_one_a_row_under_one_name():
    assert samples([0.1, 0.2, 0.3]).in_one_column
    assert samples([[0.1], [0.2], [0.3]]).in_one_column
    assert not samples(np.ones((3, 2))).in_one_column
    assert not samples([0.1, 0.2, 0.3]).replaced(columns=("a", "b")).in_one_column


def test_a_confidence_is_a_word_of_a_name():
    assert says_confidence("Answer Confidence") and says_confidence("model-conf")
    assert not says_confidence("conflict") and not says_confidence("score")
