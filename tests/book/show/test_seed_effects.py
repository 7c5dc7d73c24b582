"""The effect of a setting on networks with several seeds, worked by hand."""

import numpy as np
import pytest

from book.show.seed_effects import difference_of_means, effect_in_words, pooled_sd

SPACE = "\N{NO-BREAK SPACE}"


def test_a_standard_deviation_is_pooled_over_settings_by_their_degrees_of_freedom():
    # squares 1 + 1 around 2, and 1 + 1 + 4 around 3; one and two degrees of freedom
    sd, free = pooled_sd([[1, 3], [2, 2, 5]])
    assert (sd, free) == (pytest.approx(np.sqrt(8 / 3)), 3)


def test_the_interval_of_a_difference_is_students():
    """Of 3 degrees of freedom the quantile is 3.182, which tables print."""
    settings = [[1, 3], [2, 2, 5]]
    effect, low, high = difference_of_means(*settings, settings)
    reach = 3.182 * np.sqrt(8 / 3) * np.sqrt(1 / 2 + 1 / 3)
    assert effect == 1
    assert (low, high) == pytest.approx((1 - reach, 1 + reach), abs=0.001)


@pytest.mark.parametrize(
    ("interval", "said", "verdict"),
    [
        ((0.02, 0.01, 0.03), f"+2.0 [+1.0,{SPACE}+3.0]", "rises"),
        ((-0.02, -0.03, -0.01), f"−2.0 [−3.0,{SPACE}−1.0]", "falls"),
        ((0.02, -0.01, 0.05), f"+2.0 [−1.0,{SPACE}+5.0]", "not resolved"),
        ((0.02, 0.0, 0.04), f"+2.0 [+0.0,{SPACE}+4.0]", "not resolved"),
        ((0.02, np.nan, np.nan), "+2.0", "not resolved"),
    ],
)
def test_an_effect_rises_or_falls_where_its_interval_leaves_zero(
    interval, said, verdict
):
    assert effect_in_words(*interval) == {"effect": said, "verdict": verdict}
