"""How far each map stays behind the best one, worked by hand."""

import pandas as pd

from book.show.regret import regrets_by_map


def test_the_best_is_the_best_map_and_not_the_network_as_it_was():
    columns = ["Uncalibrated", "Temperature scaling", "BBQ"]
    errors = pd.DataFrame([[9, 3, 4], [1, 3, 2]], ["one", "two"], columns)
    expected = [[6, 0, 1], [-1, 1, 0]]
    pd.testing.assert_frame_equal(
        regrets_by_map(errors), pd.DataFrame(expected, ["one", "two"], columns)
    )
