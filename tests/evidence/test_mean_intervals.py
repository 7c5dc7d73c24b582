"""Half of Student's interval: by a table of quantiles, and by how often it holds the mean."""

import numpy as np
import pandas as pd
import pytest

from evidence.mean_intervals import half_width


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 3], 12.706 * 1),  # squares 1 + 1, one degree of freedom: sd / sqrt(2) is 1
        ([1, 2, 3, 4, 5], 2.776 * np.sqrt(2.5 / 5)),
        ([1, np.nan, 3], 12.706),  # a missing value is not counted
        ([2, 2, 2], 0),
    ],
)
def test_a_half_width_is_a_printed_quantile_times_the_standard_error(values, expected):
    assert half_width(values) == pytest.approx(expected, rel=2e-4)
    columns = half_width(pd.DataFrame({"a": values, "b": np.multiply(values, 3)}))
    assert columns.to_list() == pytest.approx([expected, 3 * expected], rel=2e-4)


def test_of_one_value_nothing_is_known():
    assert np.isnan(half_width([0.5]))


def test_nineteen_intervals_of_twenty_hold_the_mean_however_few_the_values():
    draws = np.random.default_rng(0).normal(7, 2, (4, 10_000))
    holds = np.abs(draws.mean(axis=0) - 7) <= half_width(draws)
    assert 0.944 < holds.mean() < 0.956
