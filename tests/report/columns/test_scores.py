"""Scores by their kind, and how far sums of probabilities may be off."""

import pytest

import calib_report


@pytest.mark.parametrize("scores, is_more", [((0.9, 0.3), False), ((0.9, 0.345), True)])
def test_a_tolerance_is_offered_only_where_it_allows_for_more(scores, is_more):
    """Of one digit sums may be off by 0.1, and --atol 0.05 would allow for less."""
    columns = {"label": ["a", "b"], "p_a": [scores[0]] * 2, "p_b": [scores[1]] * 2}
    with pytest.raises(calib_report.ReadingError) as caught:
        calib_report.read(columns)
    assert ("--atol" in str(caught.value)) == is_more
