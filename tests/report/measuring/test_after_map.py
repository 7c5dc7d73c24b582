"""What a report says to do keeps its promise: costs, declined answers, groups, time."""

import numpy as np

import calib_report
from calib_report import analyse


def test_a_stated_certainty_counts_as_the_page_says():
    """Stated 1.0 has infinite log odds; the factor alone would leave it."""
    rng = np.random.default_rng(0)
    confidence = rng.choice([0.6, 0.8, 0.9, 0.99, 1.0], 2000)
    right = (rng.random(2000) < 0.3 + 0.3 * confidence).astype(int)
    outputs = calib_report.read({"confidence": confidence, "correct": right})
    report = analyse(outputs)
    numbers, outcomes = report.numbers, report.outcomes
    names = [row["name"] for row in numbers["comparison"]]
    assert names[1] == "one factor on the log odds" and "isotonic regression" in names
    stated = outcomes["one factor on the log odds"].score
    assert stated[confidence == 1].max() < 0.95
    if numbers["recommended"]["name"] == names[1]:
        assert f"0 and 1 count as {numbers['floor']:.2g}" in numbers["decision"]
