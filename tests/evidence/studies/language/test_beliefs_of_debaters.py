"""What models that debate believe, beside the paper."""

from evidence import load_results


def test_the_sums_of_two_beliefs_are_those_that_the_paper_prints():
    """Mean beliefs of both sides, in per cent: Prasad and Nguyen (2025), abstract."""
    sums = load_results("beliefs_of_debaters").set_index(["experiment", "speech"])[
        "sum"
    ]
    itself = "a model against itself", "itself, told that it is 50 to 50"
    printed = {("two models", "opening"): 72.9, ("two models", "closing"): 83}
    printed |= {(itself[0], "opening"): 64.1, (itself[0], "closing"): 75.2}
    printed |= {(itself[1], "opening"): 50.0, (itself[1], "closing"): 57.1}
    for place, mean in printed.items():
        assert abs(50 * sums[place] - mean) < 0.4, place
