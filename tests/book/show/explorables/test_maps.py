"""The interval of a mean, worked by hand."""

from book.show.explorables.maps import mean_interval


def test_the_interval_of_a_mean_has_the_error_of_a_sample():
    # squares 1 + 1 + 1 + 1 around 2 over three, and a root of four
    error = 3.18245 * (4 / 3) ** 0.5 / 2  # Student's, three degrees of freedom
    assert mean_interval([1, 3, 1, 3]) == [2, round(2 - error, 5), round(2 + error, 5)]
