"""What is asked of a report, checked against the outputs."""


def test_a_share_that_is_none_is_refused_in_one_line(refused_line):
    line = "report outputs.npz -o a.html --coverage 2"
    assert "coverage: 2.0, expected a number between" in refused_line(line)
