"""What rules cost, by loops over answers; where the best threshold lies, by trying all."""

import re

import numpy as np
import pandas as pd
import pytest
from drawings import labelled, points, texts

from book.show.learn import decisions


def test_all_are_looked_at_or_none(glued):
    wrong = np.array([1, 0, 0, 0])
    sure, unsure = np.array([0.9, 0.1, 0.1, 0.1]), np.array([0.1, 0.1, 0.1, 0.3])
    decisions.glue_cost_of_all_and_none(wrong, sure, unsure)
    # a look at a right answer costs 25, a wrong one that is missed 100; of 200 answers
    assert glued == {"decisions-people-all": "3750", "decisions-people-none": "5000"}
    with pytest.raises(ValueError, match="the cheapest"):
        decisions.glue_cost_of_all_and_none(wrong, unsure, sure)


def test_an_answer_is_looked_at_from_one_fifth_on():
    wrong = np.array([1.0, 0, 0, 0, 0, 0])
    at = np.array([0.2, 0.19, 0.1, 0.1, 0.1, 0.1])
    decisions.glue_cost_of_all_and_none(wrong, at, at - 0.01)
    with pytest.raises(ValueError, match="the cheapest"):
        decisions.glue_cost_of_all_and_none(wrong, at - 0.01, at - 0.01)


RULES = pd.DataFrame(
    {"cost": [50.0, 40.0, 30.0], "accepted": [900, 0, 800]},
    ["as trained", "review all", "temperature"],
)


def test_the_saving_of_a_rule_has_a_paired_interval(glued):
    hit = np.array([1, 0] * 50)
    after, before = np.full(100, 0.5), np.full(100, 0.95)
    decisions.glue_saving_of_rule(RULES, (after, before), hit, 0.1)
    # after, all are reviewed, for 0.1 each; before, all accepted, and half are wrong
    assert glued["decisions-accepted"] == "90"
    assert glued["decisions-saved"] == "40"
    text = glued["decisions-difference"].replace("−", "-")
    mean, low, high = map(float, re.findall(r"-?[\d.]+", text))
    assert mean == -400
    half = 1.96 * 1000 * 0.5 / 10
    assert (low, high) == pytest.approx((-400 - half, -400 + half), abs=12)
    with pytest.raises(ValueError, match="in which order"):
        decisions.glue_saving_of_rule(
            RULES[::-1].set_index(RULES.index), (after, before), hit, 0.1
        )


def test_a_score_is_accepted_from_one_less_the_cost_of_a_review_on(glued):
    scores = np.array([0.75, 0.74, 0.76]), np.array([0.74, 0.74, 0.74])
    decisions.glue_saving_of_rule(RULES, scores, np.ones(3), 0.25)
    # two are accepted and right in place of a review: 250 thousandths each
    assert glued["decisions-difference"].startswith("−166.7 ")


def test_savings_are_differences_of_mean_costs(glued):
    paid = {"most probable class": [5, 7], "as trained": [3, 4], "temperature": [1, 2]}
    paid = {name: np.array(costs) for name, costs in paid.items()}
    decisions.glue_saving_by_cost_matrix(paid)
    assert glued == {"decisions-priced": "2.000", "decisions-costs": "2.500"}
    for name, costs in (("temperature", [4, 4]), ("most probable class", [3, 4])):
        with pytest.raises(ValueError, match="both save"):
            decisions.glue_saving_by_cost_matrix(paid | {name: np.array(costs)})


def mean_cost(score, hit, review_cost):
    """What is accepted costs its errors, what is reviewed its review."""
    return np.mean(np.where(score >= 1 - review_cost, 1 - hit, review_cost))


def test_the_best_threshold_is_the_cheapest_of_all_that_there_are():
    rng = np.random.default_rng(0)
    score, hit = rng.uniform(size=30), rng.integers(0, 2, 30)
    figure = decisions.draw_cost_by_review_cost(
        hit, score, score**2, mean_cost, score / 2
    )
    (ax,) = figure.axes
    drawn = labelled(ax)
    for review, least in drawn["best threshold"][::50]:
        costs = [
            np.mean(np.where(score >= threshold, 1 - hit, review))
            for threshold in [*score, 2]
        ]
        assert least == pytest.approx(min(costs))
    for name, shown in (
        ("as trained", score),
        ("isotonic", score**2),
        ("temperature", score / 2),
    ):
        review, cost = drawn[name][200]
        assert cost == mean_cost(shown, hit, review)
    assert points(ax, 4)[:, 1] == pytest.approx(1 - hit.mean())


def test_the_third_curve_is_named_by_what_it_says():
    curves = {
        name: k * np.linspace(0, 0.1, 5)
        for k, name in enumerate(("always", "temperature", "as trained"), 1)
    }
    at = np.linspace(0, 1, 5)
    (ax,) = decisions.draw_waste_by_threshold(at, curves, "always 0.9", 0.25).axes
    assert labelled(ax)["always 0.9"] == pytest.approx(np.c_[at, curves["always"]])
    assert "removed: 25%" in texts(ax)
