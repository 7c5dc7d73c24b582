"""What probabilities say of each sample, by hand."""

import numpy as np
import pytest

import calib
from calib_report.measuring.outcome import Outcome, outcome_of_parts
from calib_report.model_outputs import ModelOutputs

P = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.2, 0.6, 0.2]])
Y = np.array([0, 1, 1])


def test_losses_of_each_sample_by_hand():
    """The first is right with 0.5, the second wrong with 0.8, the third right with 0.6."""
    outcome = Outcome.of(Y, P)
    assert outcome.nll == pytest.approx(-np.log([0.5, 0.1, 0.6]))
    brier = [0.25 + 0.09 + 0.04, 0.01 + 0.81 + 0.64, 0.04 + 0.16 + 0.04]
    assert outcome.brier == pytest.approx(brier)
    assert outcome.hit.tolist() == [1, 0, 1]
    assert outcome.excess == pytest.approx([-0.5, 0.8, -0.4])
    assert outcome.event_probability is None and outcome.cost is None


def test_a_zero_costs_infinitely_much_unless_there_is_a_floor():
    p = np.array([[0.0, 1.0]])
    assert Outcome.of(np.array([0]), p).nll.tolist() == [np.inf]
    assert Outcome.of(np.array([0]), p, floor=0.01).nll == pytest.approx([np.log(100)])


def test_of_two_classes_the_event_is_the_second():
    outcome = Outcome.of(np.array([0, 1]), np.array([[0.7, 0.3], [0.6, 0.4]]))
    assert outcome.event_probability.tolist() == [
        0.3,
        0.4,
    ] and outcome.happened.tolist() == [0, 1]


def test_of_a_question_the_loss_is_of_the_stated_yes_and_no_is_an_answer_too():
    """0.2 says no: of a question whose answer is no it is right, with 0.8."""
    p = np.array([[0.8, 0.2], [0.3, 0.7]])
    outcome = Outcome.of(np.array([0, 1]), p, task="labels")
    assert outcome.brier == pytest.approx([0.04, 0.09])
    assert outcome.answer_pairs.score == pytest.approx([0.8, 0.7])
    assert outcome.answer_pairs.hit.tolist() == [True, True]


def test_the_cheapest_decision_is_taken_by_the_probabilities():
    """An alarm costs one, a miss five: above one sixth the alarm is cheaper."""
    costs = np.array([[0, 1], [5, 0]])
    p = np.array([[0.8, 0.2], [0.9, 0.1], [0.9, 0.1]])
    assert Outcome.of(np.array([0, 0, 1]), p, costs=costs).cost.tolist() == [1, 0, 5]


def test_parts_stand_in_the_order_of_the_samples_and_zeros_that_a_map_makes_are_counted():
    """Of the second and third row a class gets zero; of the third it had none before."""
    before = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.0, 0.6, 0.4]])
    outputs = ModelOutputs(Y, probabilities=before, clusters=[9, 4, 9])
    mapped = np.array([[0.4, 0.4, 0.2], [0.2, 0.0, 0.8], [0.0, 0.5, 0.5]])
    parts = [(np.array([2, 0]), mapped[[2, 0]]), (np.array([1]), mapped[[1]])]
    outcome = outcome_of_parts(outputs, parts)
    assert outcome.nll == pytest.approx([-np.log(0.4), np.inf, -np.log(0.5)])
    assert outcome.n_zeros == 1
    assert outcome.clusters.tolist() == [1, 0, 1] and outcome.n_clusters == 2


def test_sums_by_class_are_of_the_bins_of_their_probabilities():
    """Fifteen bins of equal width: 0.5 lies in the eighth, 0.2 in the third."""
    count, score, gap = Outcome.of(Y, P).by_class
    assert count[0].sum() == 3 and score[0].sum() == pytest.approx(0.5 + 0.1 + 0.2)
    assert (count[0, 7], score[0, 7], gap[0, 7]) == pytest.approx((1, 0.5, 0.5))
    assert gap.sum(axis=1) == pytest.approx([1 - 0.8, 2 - 1.0, 0 - 1.2])


def test_the_answer_to_a_question_is_yes_from_a_half_on():
    """No with 0.8 and yes with a half and 0.9: the first and the second are right."""
    score, hit = np.array([0.2, 0.5, 0.9]), np.array([0, 1, 0])
    outcome = Outcome(0 * score, 0 * score, score, hit, task="labels")
    assert outcome.answer_pairs.score.tolist() == [0.8, 0.5, 0.9]
    assert outcome.answer_pairs.hit.tolist() == [True, True, False]


@pytest.mark.parametrize(("before", "n_zeros"), [(1e-29, 1), (1e-31, 0), (0.0, 0)])
def test_a_zero_is_the_maps_where_a_number_that_counts_stood(before, n_zeros):
    outputs = ModelOutputs([0], probabilities=[[1 - before, before]])
    outcome = outcome_of_parts(outputs, [(np.array([0]), np.array([[1.0, 0.0]]))])
    assert outcome.n_zeros == n_zeros


def test_rows_with_zeros_of_a_map_are_counted_however_many_zeros_they_have():
    outputs = ModelOutputs(Y, probabilities=P)
    mapped = np.array([[0.5, 0.3, 0.2], [0.0, 0.0, 1.0], [0.0, 0.8, 0.2]])
    assert outcome_of_parts(outputs, [(np.arange(3), mapped)]).n_zeros == 2


def test_the_error_of_a_class_is_its_ece_against_the_rest():
    """No two scores of a class share a bin, so that each gap counts whole."""
    errors = Outcome.of(Y, P).class_errors
    assert errors == pytest.approx(np.array([0.8, 0.3 + 0.9 + 0.4, 1.2]) / 3)
    assert errors.mean() == pytest.approx(calib.classwise_ece(Y, P))


def test_scores_of_half_precision_are_summed_in_full():
    """Half precision counts no halves beyond a thousand."""
    p = np.tile(np.array([0.5, 0.5], np.float16), (70_000, 1))
    score = Outcome.of(np.zeros(70_000, int), p).by_class[1]
    assert score.sum(axis=1).tolist() == [35_000, 35_000]


def test_answers_alone_have_no_sums_by_class_and_classes_have_fifteen_bins():
    one = np.ones(1)
    assert Outcome(one, one, one, one).by_class.shape == (3, 0, 15)
    assert Outcome.of(Y, P).by_class.shape == (3, 3, 15)
