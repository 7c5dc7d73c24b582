"""Scores by their kind, and how far sums of probabilities may be off."""

import numpy as np
import pytest
from combined_files import EVENT, MARGIN, P_EVENT
from refusals import refuses

import calib_report
from calib_report.columns.scores import scores_of
from calib_report.contract import Doubter, NotSaidError, ReadingError
from calib_report.options import Options
from evidence.files_with_truth.samples import HIT, NAMED, TOP, P, Y, prefixed


@pytest.mark.parametrize("scores, is_more", [((0.9, 0.3), False), ((0.9, 0.345), True)])
def test_a_tolerance_is_offered_only_where_it_allows_for_more(scores, is_more):
    """Of one digit sums may be off by 0.1, and --atol 0.05 would allow for less."""
    columns = {"label": ["a", "b"], "p_a": [scores[0]] * 2, "p_b": [scores[1]] * 2}
    with pytest.raises(calib_report.ReadingError) as caught:
        calib_report.read(columns)
    assert ("--atol" in str(caught.value)) == is_more


BELOW = np.where(P == P[9, 1], -0.2, P)


SHORT = prefixed("logit_", values=P.round(2)).assign(label=NAMED)


HOLE = np.where(P == P[9, 1], np.nan, P)


REFUSED = {
    "one wrong row": ({"y": Y, "probs": BELOW}, {}, "row 9 holds -0.2"),
    "two-digit logits": (SHORT, {}, "--kind prob"),
    "a hole": ({"y": Y, "p": HOLE}, {}, "probabilities: row 9 holds nan"),
    "a sentinel": (
        {"label": EVENT, "score": np.r_[-1, P_EVENT[1:]]},
        {"scores": "score"},
        "row 0 holds -1",
    ),
    "log p": (
        {"label": EVENT, "score": np.log(P_EVENT)},
        {"scores": "score"},
        "--kind log-probabilities",
    ),
    "odds": (
        {"label": EVENT, "s": np.exp(MARGIN)},
        {"scores": "s", "kind": "logits"},
        "--kind odds",
    ),
    "grades": ({"correct": HIT, "confidence": 1 + Y}, {"percent": 10}, "as grades are"),
    "per cent": (
        {"label": EVENT, "prob_percent": P_EVENT},
        {"scores": "prob_percent"},
        "--percent",
    ),
    "of fractions": (
        {"correct": HIT, "confidence": TOP},
        {"percent": True},
        "fractions already",
    ),
}  # fmt: skip
test_scores_that_are_not_clear_are_refused = refuses(REFUSED)


def scores(array, of_name=None, **options):
    """Scores whose name says a kind, or nothing."""
    doubter = Doubter(overruled=False)
    return scores_of(np.asarray(array), of_name, Options(**options), doubter, ["s"])


@pytest.mark.parametrize(
    ("column", "kind", "second"),
    [
        ([0.25, 0.5], None, [0.25, 0.5]),
        ([1.0, 3.0], "odds", [0.5, 0.75]),
        (np.log([0.2, 1.0]), "log-probabilities", [0.2, 1.0]),
        ([-1e-7, 1 + 1e-7], None, [0.0, 1.0]),
    ],
)
def test_one_column_is_the_probability_of_the_second_class(column, kind, second):
    checked = scores(np.array(column), kind)
    assert checked.kind == "probabilities"
    assert checked.values[:, 1] == pytest.approx(second)
    assert checked.values.sum(axis=1) == pytest.approx(1)


def test_log_odds_are_halved_and_their_difference_stays():
    checked = scores(np.array([-2.0, 3.0]), "logits")
    assert checked.kind == "logits"
    assert checked.values.tolist() == [[1.0, -1.0], [-1.5, 1.5]]


@pytest.mark.parametrize(
    ("last", "allowed"), [([0.5, 0.3, 0.18], "0.015"), ([0.5, 0.3, 0.185], "0.0015")]
)
def test_three_numbers_may_be_off_by_three_half_units_of_their_last_digit(
    last, allowed
):
    """Of two digits by 0.015, of three by a tenth of that; rows are divided by their sums."""
    p = np.array([[0.5, 0.3, 0.2]] * 9 + [last])
    message = rf"row 9 .* sums to {sum(last):.6g}, expected .* within {allowed},"
    with pytest.raises(ReadingError, match=message):
        scores(p)
    assert scores(p, atol=0.02).values.sum(axis=1) == pytest.approx(1)


def test_sums_within_what_digits_allow_are_made_one():
    checked = scores(np.array([[0.5, 0.3, 0.2]] * 9 + [[0.33, 0.33, 0.33]]))
    assert checked.values[9] == pytest.approx([1 / 3] * 3)
    assert "within 0.01; they were divided" in checked.notes[0].text


@pytest.mark.parametrize("unit", [100, 255, 1000])
def test_rows_that_sum_to_a_usual_unit_are_parts_of_it(unit):
    parts = unit * np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
    with pytest.raises(ReadingError, match="--percent"):
        scores(parts)
    checked = scores(parts, percent=float(unit))
    assert checked.values == pytest.approx(parts / unit)


def test_decisions_are_no_probabilities_unless_all_are_one_claim():
    with pytest.raises(ReadingError, match="decisions, not probabilities"):
        scores(np.eye(3))
    assert scores([1.0, 1.0], "probabilities").values[:, 1].tolist() == [1, 1]
    both_or_none = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    assert scores(both_or_none, "logits").kind == "logits"


@pytest.mark.parametrize(
    ("column", "of_name", "options", "message"),
    [
        # a few strange numbers are faults in rows
        ([0.5] * 30 + [7], None, {}, "row 30 holds 7, expected a probability"),
        ([0.5, -0.1, 1.2, 3, 0.2], "probabilities", {}, "row 1 holds -0.1, row 2 holds 1.2, row 3"),
        ([-1, -2, -3, -4], "probabilities", {}, "row 2 holds -3, and 1 more, expected"),
        ([1.5, -2, 3], "odds", {}, "row 1 holds -2, expected odds, which are never"),
        ([-1, 0.5, 0], "log-probabilities", {}, "row 1 holds 0.5, expected logarithms"),
        ([0.5] * 39 + [-1], None, {}, "row 39 holds -1, expected a probability"),
        # many are another unit, or another kind
        ([0.5] * 18 + [-1] * 2, None, {}, "goes from -1 to 0.5, and nothing says"),
        ([1, 5, 10], None, {}, "holds the whole numbers 1 to 10: grades, not prob"),
        ([1.5, 5, 10], None, {}, "'s' goes from 1.5 to 10: if it is per cent: --percent"),
        ([1, 20, 100], None, {}, "'s' goes from 1 to 100: if it is per cent: --percent"),
        ([0.5, 1.5, 1.7], None, {}, "'s' goes from 0.5 to 1.7: if it is per cent"),
        ([1, 20, 101], None, {}, "nothing says what it is: if it is so: --kind odds"),
        ([-1.5, 0.5, 0.2], None, {}, "if it is so: --kind logits"),
        ([-1.5, -0.5, -0.2], None, {}, "if it is so: --kind log-probabilities"),
        # what may leave [0, 1] by rounding, or as far as is allowed
        ([0.5] * 30 + [1 + 2e-6], None, {}, "row 30 holds 1.000002, expected a probability"),
        ([-1, 1, 0], "log-probabilities", {}, "row 1 holds 1, expected logarithms"),
        ([0.5] * 30 + [1.03], None, {"atol": 0.02}, "row 30 holds 1.03, expected"),
        ([0, 1, 0, 1], None, {}, "scores hold only 0 and 1: these are decisions"),
        ([0.5, np.nan], None, {}, "^scores: row 1 holds nan: it is empty, or no number"),
        ([0.5, 0.7], None, {"percent": 100.0}, "no number of 's' is more than 1, so"),
    ],
)  # fmt: skip
def test_one_column_of_no_probabilities_is_refused(column, of_name, options, message):
    with pytest.raises(ReadingError, match=message):
        scores(np.array(column), of_name, **options)


def test_numbers_that_leave_0_to_1_by_what_is_allowed_count_as_0_or_1():
    checked = scores(np.array([-0.01, 0.5, 1.02]), atol=0.02, kind="probabilities")
    assert checked.values[:, 1].tolist() == [0, 0.5, 1]
    (note,) = checked.notes
    assert note.text.startswith("2 of 3 numbers of 's' leave [0, 1] by at most 0.02")
    assert scores(np.array([0.0, 0.5, 1.0])).notes == ()


THREE = [[0.5, 0.3, 0.2]] * 9


@pytest.mark.parametrize(("n_fine", "is_of_rows"), [(9, True), (5, False), (3, False)])
def test_scores_of_which_most_rows_are_fine_are_probabilities_with_faults(
    n_fine, is_of_rows
):
    rows = THREE[:n_fine] + [[2.0, -1.0, 0.0]] * (10 - n_fine)
    with pytest.raises(ReadingError) as caught:
        scores(np.array(rows))
    assert isinstance(caught.value, NotSaidError) != is_of_rows


@pytest.mark.parametrize(
    ("last", "of_name", "options", "message"),
    [
        # off by little: a tolerance is the way out
        ([0.5, 0.3, 0.23], None, {"atol": 0.01}, "sums to 1.03, .* 0.01, .*: --atol 0.05$"),
        ([0.5, 0.3, 0.4], "probabilities", {}, "row 9 .* sums to 1.2, .* digits allow$"),
        ([0.5, 0.3, 0.4], None, {}, r"sums to 1.2, .* \(or --kind logits if they are\)$"),
        # a number that is none says more than a sum
        ([0.9, -0.2, 0.3], None, {}, "row 9 holds -0.2 and sums to 1, expected"),
        ([0.5, 0.3, 0.2], "logits", {}, "these are probabilities; name them so: --kind prob"),
        ([0.5, 0.3, 0.2], "odds", {}, "kind: odds of one column are read, not those of"),
    ],
)  # fmt: skip
def test_rows_of_no_probabilities_are_refused(last, of_name, options, message):
    with pytest.raises(ReadingError, match=message):
        scores(np.array([*THREE, last]), of_name, **options)


@pytest.mark.parametrize(
    ("rows", "is_unit"),
    [
        (
            [[60, 41, 2], [50, 50, 4]],
            True,
        ),  # 103 and 104 of 100, as rounding leaves them
        ([[60, 41, 5], [50, 50, 6]], False),
        ([[60, 40, 0], [50, 39, 0], [60, 40, 0]], False),  # by more than a tenth
        ([[250, 3, 2], [100, 100, 55]], True),
    ],
)
def test_sums_near_a_unit_that_differ_little_are_parts_of_it(rows, is_unit):
    expected = "if they are parts of" if is_unit else "by their values they are no prob"
    with pytest.raises(ReadingError, match=expected):
        scores(np.array(rows))
    # who says logits knows that sums are chance
    assert scores(np.array(rows), kind="logits").kind == "logits"
