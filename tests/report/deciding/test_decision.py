"""What a report decides by its numbers; what few answers show, and what they cannot tell."""

import numpy as np
import pytest

from calib_report.deciding.decision import decide, lack_of
from calib_report.measuring import estimates
from calib_report.wording import words


def few_in_words(score, hit):
    """What is said of answers that are too few, and could be off by thirty points."""
    report = {
        "task": "pairs",
        "n": len(score),
        "clusters": None,
        "lack_of_samples": "few",
    }
    report["excess"] = estimates.mean_with_interval(score - hit)
    report["before"] = {"accuracy": estimates.share_with_interval(hit)}
    report["mean_confidence"] = score.mean()
    return words.cannot_tell(report, lack_of(report, 0.3))


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


def numbers(*, high=0.01, p_value=0.5, name="none", event_excess=None, **changes):
    """The numbers of a report that a decision rests on: by default of a calibrated source."""
    report = {
        "task": "pairs",
        "n": 1000,
        "clusters": None,
        "looks_wrong": None,
        "lack_of_samples": None,
        "excess": {"value": 0.01},
        "before": {"ECE": {"value": 0.01, "high": high, "p_value": p_value}},
        "recommended": {"name": name, "confirmed": True},
        "comparison": [{"name": "none", "accuracy_change": {"high": 0.0}}],
        "event": None,
    }
    if event_excess is not None:
        excess = {"mean probability less frequency": event_excess}
        report |= {"task": "classes", "event": {"before": excess}}
    return report | changes


@pytest.mark.parametrize(
    ("high", "p_value", "conclusion"),
    [
        (0.02, 0.06, "as_it_is"),  # two points that would not show harm nobody
        (0.021, 0.06, "bearable"),
        (0.08, 0.06, "bearable"),  # eight are borne, if they are said
        (0.081, 0.06, "cannot_tell"),
        (0.02, 0.05, "care"),  # one report of twenty rejects by chance
        (0.081, 0.04, "care"),
    ],
)
def test_without_a_map_the_error_that_would_not_show_decides(high, p_value, conclusion):
    report = numbers(high=high, p_value=p_value)
    assert decide(report).conclusion == conclusion


def test_a_suspect_file_comes_before_few_samples_and_these_before_a_map():
    recommended = {"name": "temperature scaling", "confirmed": False}
    report = numbers(recommended=recommended, comparison=[recommended])
    assert decide(report).conclusion == "unconfirmed" and decide(report).is_for_a_map
    recommended["confirmed"] = True
    assert decide(report).conclusion == "confirmed" and decide(report).is_for_a_map
    changes = {"before": {"ECE": report["before"]["ECE"], "accuracy": {"value": 1.0}}}
    changes |= {"lack_of_samples": "few", "mean_confidence": 0.9}
    assert decide(report | changes).conclusion == "cannot_tell"
    suspect = report | changes | {"looks_wrong": "rows moved"}
    assert decide(suspect).conclusion == "suspect"
    assert not decide(suspect).is_for_a_map


def test_only_what_cannot_be_told_has_a_lack():
    assert decide(numbers()).lack is None
    assert decide(numbers(high=0.5)).lack.why == "more_needed"


def test_the_further_end_of_an_event_counts_as_unseen():
    for low, high in ((-0.06, 0.01), (-0.01, 0.06)):
        excess = {"value": -0.02, "low": low, "high": high}
        decision = decide(numbers(event_excess=excess))
        assert (decision.unseen, decision.conclusion) == (0.06, "bearable")


def test_an_event_that_is_off_is_not_chance_though_its_answers_are():
    excess = {"value": 0.03, "low": 0.01, "high": 0.05}
    decision = decide(numbers(event_excess=excess))
    assert decision.chance_explains_error and not decision.chance_explains_all
    assert decision.is_event_off and decision.conclusion == "care"
    # without an interval it says nothing
    decision = decide(numbers(event_excess={"value": 0.03}))
    assert decision.chance_explains_all and not decision.is_event_off


def test_of_answers_and_their_event_what_is_further_off_is_told():
    """The mean probability is off by three points: answers by four are further off, by two not."""
    for confidence, expected in ((0.04, True), (-0.04, True), (0.02, False)):
        options = {"event_excess": {"value": -0.03}, "excess": {"value": confidence}}
        assert decide(numbers(p_value=0.01, **options)).is_of_answers == expected
        assert not decide(numbers(p_value=0.5, **options)).is_of_answers
    # pairs have no event of classes
    assert not decide(numbers(p_value=0.01, excess={"value": 0.04})).is_of_answers


@pytest.mark.parametrize(
    ("change", "task", "expected"),
    [
        ({"low": -0.03, "high": -0.01}, "classes", True),
        ({"low": -0.03, "high": 0.0}, "classes", False),
        ({"low": 0.01, "high": 0.03}, "classes", False),
        ({}, "classes", False),
        # a map of one score moves no answer but yes or no
        ({"low": -0.03, "high": -0.01}, "pairs", False),
    ],
)
def test_a_map_costs_accuracy_where_the_interval_lies_below_zero(
    change, task, expected
):
    comparison = [
        {"name": "none", "accuracy_change": {"low": -1.0, "high": -1.0}},
        {"name": "vector scaling", "accuracy_change": change},
    ]
    report = numbers(name="vector scaling", comparison=comparison, task=task)
    assert decide(report).costs_accuracy == expected


@pytest.mark.parametrize(
    ("n", "unseen", "needed"),
    [
        (200, 0.1, 800),  # of ten points a half is asked, with four times the samples
        (200, 0.2, 3200),
        (200, 0.15, 1800),
        (101, 0.1, 410),  # 404, of two digits
        (500, 0.01, 550),  # a tenth more, at least
        (200, 0.01, 220),  # which floats make a little more
        (30, 0.01, 100),  # and a hundred
        (30, 7.0, 12_000),  # no error is more than one
    ],
)
def test_samples_needed_grow_with_the_square_of_the_error(n, unseen, needed):
    assert (
        lack_of({"n": n, "clusters": None, "lack_of_samples": None}, unseen).needed
        == needed
    )
    # of clusters, clusters
    report = {"n": 9 * n, "clusters": n, "lack_of_samples": None}
    assert lack_of(report, unseen).needed == needed


def test_samples_that_are_all_right_or_none_are_alike_and_not_too_few():
    alike = {"n": 100, "clusters": None, "lack_of_samples": "one_class"}
    assert lack_of(alike, 0.3).why == "alike"


def few_shown(*, n=20, confidence=0.9, share=0.6, excess_low=0.1, task="pairs"):
    """Whether few answers, right with 0.4 to 0.8, show that a model is too sure."""
    name = {"pairs": "accuracy", "labels": "share of yes"}[task]
    before = {name: {"value": share, "low": 0.4, "high": 0.8}}
    # of labels the accuracy is another share
    before.setdefault("accuracy", {"value": 0.9, "low": 0.85, "high": 0.95})
    excess = {"value": 0.3, "low": excess_low, "high": 0.5}
    report = {
        "task": task,
        "n": n,
        "clusters": None,
        "lack_of_samples": "few",
        "before": before,
    }
    report |= {"mean_confidence": confidence, "excess": excess}
    lack = lack_of(report, 0.3)
    return (lack.why, lack.side) == ("shown", "over")


@pytest.mark.parametrize("task", ["pairs", "labels"])
def test_few_answers_show_a_side_where_both_intervals_leave_it(task):
    assert few_shown(task=task)
    assert not few_shown(task=task, n=19)
    assert not few_shown(task=task, confidence=0.8)  # the accuracy may be as high
    assert not few_shown(task=task, excess_low=0.0)  # no excess may be the truth
    assert not few_shown(task=task, share=1)  # all are alike


def test_with_a_map_the_answers_are_told_though_chance_may_explain_them():
    excess = {"value": -0.01, "low": -0.02, "high": 0.01}
    row = {"name": "vector scaling", "accuracy_change": {}}
    options = {"name": "vector scaling", "comparison": [row], "excess": {"value": 0.04}}
    decision = decide(numbers(event_excess=excess, **options))
    assert decision.chance_explains_all and decision.is_of_answers
