"""What few answers show, and what they cannot tell."""

import numpy as np

from calib_report.judging.decision import lack_of
from calib_report.measuring import estimates
from calib_report.wording import words


def few_in_words(score, hit):
    """What is said of answers that are too few, and could be off by thirty points."""
    few = {"task": "pairs", "n": len(score), "clusters": None, "too_few": True}
    few["excess"] = estimates.mean_with_interval(score - hit)
    few["before"] = {"accuracy": estimates.share_with_interval(hit)}
    few["mean_confidence"] = score.mean()
    return words.cannot_tell(few, lack_of(few, 0.3))


def test_few_answers_say_what_they_show():
    score, hit = np.full(60, 0.9), np.repeat([0, 1], [24, 36])
    assert few_in_words(score, hit).startswith(
        "60 answers show that it is too sure, by 17 to 43 points; how much exactly, about"
    )
    shy = few_in_words(np.full(60, 0.3), hit)
    assert shy.startswith("60 answers show that it is not sure enough, by 17 to 43")
    assert "60 answers cannot tell" in few_in_words(np.full(60, 0.65), hit)
    assert "19 answers cannot tell" in few_in_words(score[:19], hit[11:30])
    assert "60 answers cannot tell" in few_in_words(score, np.ones(60))


def test_what_few_answers_show_of_calibrated_ones_is_seldom_wrong():
    """Where nearly all are right the interval of the mean alone would be wrong in every fifth."""
    rng = np.random.default_rng(5)
    shown, by_mean = 0, 0
    for _ in range(1000):
        score = rng.uniform(0.9, 1, 40)
        hit = (rng.random(40) < score).astype(int)
        shown += "show that" in few_in_words(score, hit)
        gap = estimates.mean_with_interval(score - hit)
        by_mean += gap["low"] > 0 or gap["high"] < 0
    assert shown <= 70
    assert by_mean > 120
