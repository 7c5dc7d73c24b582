"""Bins of a table of sums, some of its rows to a bin."""

import pandas as pd
import pytest

from book.show.reliability_panels import bins_of_sums

ROWS = pd.DataFrame(
    {"count": [1, 2, 0, 2], "score_sum": [0.1, 0.7, 0, 1.8], "hit_sum": [0, 1, 0, 2]}
)


@pytest.mark.parametrize(
    ("per_bin", "edges", "count", "score_sum", "hit_sum"),
    [
        (1, [0, 0.25, 0.5, 0.75, 1], [1, 2, 0, 2], [0.1, 0.7, 0, 1.8], [0, 1, 0, 2]),
        (2, [0, 0.5, 1], [3, 2], [0.8, 1.8], [1, 2]),
    ],
)
def test_so_many_rows_are_a_bin_and_their_sums_are_its_sums(
    per_bin, edges, count, score_sum, hit_sum
):
    bins = bins_of_sums(ROWS, per_bin=per_bin)
    assert bins.edges.tolist() == edges and bins.count.tolist() == count
    assert bins.score_sum == pytest.approx(score_sum)
    assert bins.hit_sum == pytest.approx(hit_sum)
    assert bins.weight.tolist() == count
