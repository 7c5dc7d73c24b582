"""What is known of a network's samples: views of it by hand, and what is refused."""

import numpy as np
import pytest

from evidence.network_outputs import Outputs

P = np.array([[0.5, 0.25, 0.25], [0.125, 0.25, 0.625]])
Y = [2, 1]


def test_the_most_probable_classes_come_first_and_of_equal_ones_the_first():
    scores, classes = Outputs(Y, probabilities=P).ranked
    assert scores.tolist() == [[0.5, 0.25, 0.25], [0.625, 0.25, 0.125]]
    assert classes.tolist() == [[0, 1, 2], [2, 1, 0]]


# the view, its scores and its hits
VIEWS = {
    "the second class": (lambda outputs: outputs.top_r_pairs(2), [0.25, 0.25], [0, 1]),
    "among two": (lambda outputs: outputs.within_top_r_pairs(2), [0.75, 0.875], [0, 1]),
    "among all": (lambda outputs: outputs.within_top_r_pairs(3), [1, 1], [1, 1]),
    "the top label": (lambda outputs: outputs.pairs, [0.5, 0.625], [0, 0]),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_has_its_score_and_whether_it_holds_the_label(name):
    view, scores, hits = VIEWS[name]
    score, hit = view(Outputs(Y, probabilities=P))
    assert (score.tolist(), hit.tolist()) == (scores, hits)


def test_of_the_first_few_the_same_views_are_known_and_no_vector():
    scores, classes = (array[:, :2] for array in Outputs(Y, probabilities=P).ranked)
    few = Outputs(Y, scores=scores, classes=classes)
    assert few.top_r_pairs(2)[1].tolist() == [0, 1]
    assert few.pairs[0].tolist() == [0.5, 0.625]
    with pytest.raises(ValueError, match="only the top 2 of the probabilities"):
        _ = few.prob


def test_sums_of_rounded_scores_are_at_most_one():
    rounded = Outputs([0], scores=[[0.75, 0.375]], classes=[[0, 1]])
    assert rounded.within_top_r_pairs(2)[0].tolist() == [1]


def test_pairs_alone_are_outputs_with_the_same_pairs():
    outputs = Outputs.of_pairs(np.array([0.75, 0.5]), np.array([1, 0]))
    score, hit = outputs.pairs
    assert (score.tolist(), hit.tolist()) == ([0.75, 0.5], [1, 0])


def test_a_probability_of_zero_has_the_logarithm_of_the_floor():
    logits = Outputs([0], probabilities=[[1.0, 0.0]]).as_logits()
    assert logits[0].tolist() == pytest.approx([0, np.log(1e-12)])


def test_rows_are_taken_with_their_labels_and_order():
    taken = Outputs(Y, order="some", probabilities=P).take(np.array([1]))
    assert taken.prob.tolist() == [P[1].tolist()] and taken.order == "some"
    assert taken.y.tolist() == [1]


REFUSED = {
    "nothing": ({}, "give logits, or probabilities, or scores with classes"),
    "the smaller first": (
        {"scores": [[0.5, 0.25], [0.25, 0.5]], "classes": [[0, 1], [0, 1]]},
        "scores: row 1, expected the largest first",
    ),
    "a label that is no class": (
        {"probabilities": P[:, :2] / P[:, :2].sum(1)[:, None]},
        "y",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_output_is_refused(name):
    known, words = REFUSED[name]
    with pytest.raises(ValueError, match=words):
        Outputs(Y, **known)
