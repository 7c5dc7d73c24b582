"""Below which confidence to decline, and what that promises of new samples."""

import numpy as np
import pytest
from tempered_models import drawn

import calib_report
from calib_report import analyse
from calib_report.measuring import declining, request
from calib_report.measuring.outcome import Outcome, outcome_as_is


def test_a_threshold_gives_on_new_samples_what_was_asked():
    y, logits = drawn(6000, 5, temperature=1.5)
    outputs = calib_report.read({"y": y, "logits": logits})
    report = analyse(outputs, coverage=0.7)
    numbers, outcomes, fitted = report.numbers, report.outcomes, report.fitted
    chosen = outcomes[numbers["recommended"]["name"]]
    for_risk = declining.threshold_to_decline(
        chosen, np.random.default_rng(0), request.Request(risk=0.1)
    )
    fresh, more = drawn(20_000, 6, temperature=1.5)
    p = fitted.predict_proba(more)
    is_answered = p.max(axis=1) >= numbers["declined"]["threshold"]
    assert is_answered.mean() == pytest.approx(0.7, abs=0.02)
    assert (
        numbers["declined"]["kept"]["low"] - 0.01
        < 0.7
        < numbers["declined"]["kept"]["high"] + 0.01
    )
    is_answered = p.max(axis=1) >= for_risk["threshold"]
    assert (p.argmax(axis=1) != fresh)[
        is_answered
    ].mean() < 0.1 and is_answered.mean() > 0.2
    with pytest.raises(ValueError, match="ask for one of them"):
        analyse(outputs, coverage=0.5, risk=0.1)


@pytest.mark.parametrize(("clusters", "fewest"), [(None, 30), (5, 3)])
def test_a_risk_is_exceeded_in_one_report_of_twenty_at_most(clusters, fewest):
    """The half that is surer is right nine times in ten: a lower threshold breaks the promise.

    One that is found on half of the samples, and is not shown to keep it, does so half the time.
    """
    rng, question, limits = np.random.default_rng(0), request.Request(risk=0.1), []
    for seed in range(100):
        sure = rng.uniform(0, 1, 2000)
        right = (rng.random(2000) < 0.75 + 0.2 * sure).astype(int)
        numbers = None
        if clusters:  # answers of a cluster are right together
            sure, right = (
                np.repeat(column[::clusters], clusters) for column in (sure, right)
            )
            numbers = np.arange(2000) // clusters
        outcome = Outcome(
            0 * sure, 0 * sure, sure, right, clusters=numbers, task="pairs"
        )
        alone = declining.threshold_to_decline(
            outcome, np.random.default_rng(seed), question
        )
        if alone["threshold"] is not None:
            assert alone["at_most"] <= 0.1
            limits.append(alone["threshold"])
    assert np.sum(np.array(limits) < 0.5) <= 10 and len(limits) > fewest


def test_no_threshold_makes_guesses_right():
    rng = np.random.default_rng(0)
    confidence, right = (
        np.round(rng.random(1000), 1),
        (rng.random(1000) < 0.3).astype(int),
    )
    outputs = calib_report.read({"confidence": confidence, "correct": right})
    assert analyse(outputs, risk=0.01).numbers["declined"]["threshold"] is None


def test_the_bound_on_errors_is_exact():
    """Of 100 worlds with one error in ten among the kept, few bounds lie below it."""
    rng, below = np.random.default_rng(0), []
    for seed in range(100):
        score = np.round(rng.uniform(0.5, 1, 400), 2)
        right = (rng.random(400) < 0.9).astype(int)
        as_is = outcome_as_is(
            calib_report.read({"confidence": score, "correct": right})
        )
        question = request.Request(coverage=0.5)
        below.append(
            declining.threshold_to_decline(
                as_is, np.random.default_rng(seed), question
            )["at_most"]
            < 0.1
        )
    assert np.mean(below) < 0.09
    a, b = (
        declining.threshold_to_decline(as_is, np.random.default_rng(0), question)
        for _ in range(2)
    )
    assert a == b


def never_wrong(n, clusters=None):
    return Outcome(
        np.zeros(n), np.zeros(n), np.full(n, 0.9), np.ones(n, int), clusters=clusters
    )


@pytest.mark.parametrize(("n", "threshold"), [(79, None), (80, 0.9)])
def test_each_of_three_beginnings_has_a_third_of_the_five_percent(n, threshold):
    """Of n right answers the share of errors is at most 1 - (1 / 60)^(1 / n), 5 % from 80 on.

    One beginning with all of the 5 % would need 59.
    """
    question = request.Request(risk=0.05)
    alone = declining.threshold_to_decline(
        never_wrong(n), np.random.default_rng(0), question
    )
    assert alone["threshold"] == threshold
    if threshold is not None:
        assert alone["at_most"] == pytest.approx(1 - 60 ** (-1 / 80))


def test_clusters_without_a_mistake_count_as_one_sample_each():
    clusters = np.array([0, 0, 0, 1, 1, 1])
    answers = declining.Answers.of(never_wrong(6, clusters))
    rows = np.ones(6, bool)
    assert answers.bound(rows, 0.95) == pytest.approx(1 - 0.05 ** (1 / 2))
    # of one cluster, and of none
    assert answers.bound(clusters == 1, 0.95) == pytest.approx(0.95)
    assert answers.bound(clusters == 2, 0.95) == 1
    # of samples that stand alone
    alone = declining.Answers.of(never_wrong(6))
    assert alone.bound(rows, 0.95) == pytest.approx(1 - 0.05 ** (1 / 6))


def test_the_bound_of_clusters_with_mistakes_is_students():
    """One mistake of four, in one of two clusters: 1/4 with a standard error of 1/4.

    With one degree of freedom the quantile of 75 % is 1.
    """
    right, clusters = np.array([1, 0, 1, 1]), np.array([0, 0, 1, 1])
    answers = declining.Answers(np.full(4, 0.9), right, clusters)
    assert answers.bound(np.ones(4, bool), 0.75) == pytest.approx(0.5)
    # no share is above one
    assert answers.bound(np.ones(4, bool), 0.95) == 1


@pytest.mark.parametrize(
    ("passing", "kept"),
    [
        ({4, 5, 6, 8}, 6),  # 7 fails, so that 8 is not tried
        ({5}, 0),  # the first beginning is at a tenth: 4 of 40
        ({12, 13}, 13),  # the second at three tenths
        ({24}, 24),  # the third at six
        ({11, 23}, 0),
        ({4, 12, 24, 25}, 25),
    ],
)
def test_shares_are_tried_in_turn_from_three_beginnings(passing, kept, monkeypatch):
    """Of 40 answers, of which each is less sure than the one before it."""
    sure = 1 - np.arange(40) / 100
    answers = declining.Answers(sure, np.ones(40, int), None)
    monkeypatch.setattr(
        declining.Answers, "bound", lambda _, rows, level: rows.sum() not in passing
    )
    expected = sure[kept - 1] if kept else np.inf
    assert answers.limit_of_risk(0.5) == expected


@pytest.mark.parametrize("clusters", [None, np.arange(40) // 2])
def test_a_threshold_of_a_share_is_tried_on_the_half_that_did_not_find_it(clusters):
    sure = 1 - np.arange(40) / 100
    answers = declining.Answers(sure, np.ones(40, int), clusters)
    found_on = answers.half(np.random.default_rng(0))
    trial = answers.at_coverage(0.5, np.random.default_rng(0))
    assert found_on.sum() == 20 and (trial.rows == ~found_on).all()
    # of its twenty, ten are kept
    assert trial.limit == sure[found_on][9]
    if clusters is not None:
        assert (found_on[::2] == found_on[1::2]).all()
