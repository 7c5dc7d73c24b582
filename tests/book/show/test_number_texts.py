"""Numbers with their uncertainty, as text."""

import pandas as pd

from book.show.number_texts import count_inside, count_of, mean_and_sd, with_interval

SPACE = "\N{NO-BREAK SPACE}"


def test_a_mean_stands_with_the_standard_deviation_of_a_sample_of_several():
    # deviations of 0.01 to both sides: their square sum 0.0002 over one
    assert mean_and_sd(pd.Series([0.04, 0.06])) == f"5.0{SPACE}±{SPACE}1.4"
    assert mean_and_sd(pd.Series([0.04, 0.06]), 1, 3) == f"0.050{SPACE}±{SPACE}0.014"
    assert mean_and_sd(pd.Series([0.04])) == "4.0"


def test_what_is_true_is_counted():
    assert count_of(pd.Series([True, False, True])) == "2 of 3"


def test_a_printed_number_at_the_edge_of_a_range_lies_within_it():
    rows = pd.DataFrame({"printed": [1.0, 2.0, 3.1], "low": 1.0, "high": 3.0})
    assert count_inside(rows) == "2 of 3"


def test_an_interval_has_the_signs_of_text():
    assert with_interval(-0.5, -1.25, 0.254) == "−0.50 (−1.25 to 0.25)"
    assert with_interval(1.25, 1, 2, digits=0) == "1 (1 to 2)"
