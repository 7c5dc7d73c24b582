"""Which columns are labels and scores, by their names."""

import numpy as np
import pytest
from refusals import refuses

from calib_report.columns.roles import (
    find_labels,
    find_scores,
    is_column,
    is_mask,
    keeps_pairs,
    labels_occurring_in,
    scores_option,
)
from calib_report.columns.score_columns import ScoreColumns
from calib_report.contract import NotJudgedError, NotSaidError, ReadingError
from calib_report.options import Options
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import HIT, LOGITS, TOP, P, Y, prefixed

CELLS = np.array([0.2, 0.8])
WORDS = np.array(["a", "b"])


def test_errors_carry_their_role_and_suggestions():
    with pytest.raises(NotSaidError) as caught:
        read({"y": Y, "labels": Y, "logits": LOGITS})
    assert caught.value.role == "y" and caught.value.suggestions == (
        {"y": "y"},
        {"y": "labels"},
    )


BESIDE = prefixed("score_", [1, 2], LOGITS[:, :2]).assign(label=HIT, prob=TOP)


LOOSE = prefixed("prob_", ["0", "1", "x"]).assign(label=Y)


REFUSED = {
    "classes and a confidence": ({"probs": P, "correct": HIT, "confidence": TOP}, {}, "--y NAME"),
    "a confidence and a label": ({"label": HIT, "conf": TOP}, {}, "none has a name that says the"),
    "a single score": ({"logits": np.inf, "y": Y}, {}, "none has a name that says the sc"),
    "a probability beside": (BESIDE, {}, "none has a name that says the scores"),
    "an array alone": (P, {}, "none has a name that says the labels"),
    "a name among numbers": (LOOSE, {}, "no column is of the label '2'"),
}  # fmt: skip
test_roles_that_are_not_clear_are_refused = refuses(REFUSED)


def table(*names, label=WORDS):
    """Columns of numbers by name, beside a label."""
    return {name: CELLS for name in names} | {"label": label}


def scores_of(*names, **options):
    """The columns that are the scores of the labels a and b, and the classes of each."""
    scores = find_scores(dict.fromkeys(names, CELLS), ["a", "b"], Options(**options))
    return scores.columns, scores.classes, scores.kind


def test_the_label_is_what_the_contract_calls_so_or_an_option_names():
    assert find_labels(table("x", "gold"), Options()) == "label"
    assert find_labels(table("x", "gold"), Options(y="gold")) == "gold"
    assert find_labels(table("x", "gold"), Options(y="x, gold")) == "x, gold"
    with pytest.raises(ReadingError, match="y: there is no 'z'"):
        find_labels(table("x"), Options(y="x,z"))


@pytest.mark.parametrize("names", [("Time", "event"), (" duration", "Death ", "x")])
def test_times_to_an_event_are_not_judged(names):
    with pytest.raises(NotJudgedError, match="times to an event"):
        find_labels(dict.fromkeys(names, CELLS), Options())


@pytest.mark.parametrize("names", [("time", "x"), ("x", "event")])
def test_times_alone_or_events_alone_may_be_judged(names):
    message = f"none has a name that says the labels; the file holds '{names[0]}'"
    with pytest.raises(NotSaidError, match=message) as caught:
        find_labels(dict.fromkeys(names, CELLS), Options())
    assert caught.value.suggestions == ({"y": "NAME"}, {"labels": "FILE"})


def test_scores_begin_as_the_contract_says_and_end_as_the_labels():
    of_ab = (("p_a", "p_b"), ("a", "b"), "probabilities")
    assert scores_of("p_a", "p_b", "x") == of_ab
    assert scores_of("logit_b", "logit_a")[2] == "logits"
    assert scores_of("a", "b", "c") == (("a", "b"), ("a", "b"), None)
    assert scores_of("p_b") == (("p_b",), ("a", "b"), "probabilities")
    assert scores_of("P_a", "P_b", "p_") == (
        ("P_a", "P_b"),
        ("a", "b"),
        "probabilities",
    )
    assert scores_of(" a", "b ") == ((" a", "b "), ("a", "b"), None)
    assert scores_of("s_a", "s_b", "x", scores="s_") == (
        ("s_a", "s_b"),
        ("a", "b"),
        None,
    )


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (("p_a", "p_b", "logit_a", "logit_b"), {}, "may all be the scores"),
        (("p_a", "p_x"), {}, "no column is of the label 'b': found 'p_a', 'p_x'"),
        (("p_x", "p_z"), {}, "say not which is whose"),
        (("s_a", "x"), {"scores": "s_"}, "scores: there is no 's_'"),
        (("s_a", "x"), {"scores": "s_a,s_b"}, "scores: there is no 's_b'"),
    ],
)
def test_scores_of_which_it_is_not_said_whose_they_are_are_refused(
    names, options, message
):
    with pytest.raises(ReadingError, match=message):
        scores_of(*names, **options)


def test_two_labels_of_one_column_are_not_those_of_two():
    with pytest.raises(NotSaidError, match="none has a name that says the scores"):
        find_scores({"p_a": CELLS, "p_b": CELLS}, ["A", "a"], Options())


def test_a_label_without_a_column_may_mark_what_is_left_out():
    columns = {"p_0": CELLS, "p_1": CELLS}
    with pytest.raises(ReadingError, match="--ignore-index=-100"):
        find_scores(columns, ["-100", "0", "1"], Options())
    assert is_mask("255") and is_mask("-1") and not is_mask("25") and not is_mask("-a")


def test_predictions_alone_are_no_scores():
    with pytest.raises(NotSaidError, match="'prediction' holds decisions"):
        find_scores({"prediction": WORDS}, ["a", "b"], Options())


def test_pairs_are_a_confidence_and_a_hit_beside_no_label():
    pairs = {"Confidence": CELLS, "correct": CELLS}
    assert keeps_pairs(pairs, Options())
    assert not keeps_pairs(pairs, Options(y="correct"))
    assert not keeps_pairs(pairs | {"label": WORDS}, Options())
    assert not keeps_pairs(pairs | {"probs": np.eye(2)}, Options())


def test_many_columns_are_named_by_their_beginning_if_no_other_has_it():
    names = tuple(f"p_{k}" for k in range(9))
    scores = ScoreColumns(names, tuple(map(str, range(9))))
    assert scores_option(scores, dict.fromkeys(names, CELLS)) == "p_"
    assert scores_option(scores, dict.fromkeys((*names, "p_x"), CELLS)) == ",".join(
        names
    )


def test_a_word_for_nothing_is_a_label_where_a_column_bears_it():
    labels = np.array(["NA", "EU", ""])
    assert labels_occurring_in(table(label=labels), "label", ["p_EU"]) == ["EU"]
    assert labels_occurring_in(table(label=labels), "label", ["p_NA"]) == ["EU", "NA"]


@pytest.mark.parametrize(
    ("shape", "is_found"), [((2, 2), True), ((2, 1), False), ((2, 3, 1), False)]
)
def test_an_array_of_the_contract_has_more_than_one_column(shape, is_found):
    arrays = {"logits": np.ones(shape), "x": CELLS}
    if is_found:
        scores = find_scores(arrays, [], Options())
        assert scores == ScoreColumns(("logits",), None, "logits")
        return
    with pytest.raises(NotSaidError, match="none has a name that says the scores"):
        find_scores(arrays, [], Options())


def test_columns_are_of_numbers_truths_or_words_on_one_axis():
    for cells in (CELLS, WORDS, CELLS > 0.5, np.array([1, 2])):
        assert is_column(cells)
    assert not is_column(np.eye(2)) and not is_column(np.array(["2026"], "datetime64"))


@pytest.mark.parametrize(
    ("names", "options", "columns", "classes"),
    [
        # named with commas: the order is that in which they stand
        ("s_a s_b", {"scores": "s_b, s_a"}, "s_b s_a", "b a"),
        ("u v", {"scores": "u,v"}, "u v", "u v"),
        # by their beginning: as names of classes order them, else as labels do
        ("s_a s_b s_x", {"scores": "s_", "classes": ("b", "a")}, "s_b s_a", "b a"),
        ("s_a s_b s_x", {"scores": "s_"}, "s_a s_b s_x", "a b x"),
        ("s_u s_v", {"scores": "s_"}, "s_u s_v", "u v"),
        ("s_u s_v", {"scores": "s_", "classes": ("a", "b")}, "s_u s_v", "a b"),
        ("s(a) s(b)", {"scores": "s"}, "s(a) s(b)", "a b"),
    ],
)
def test_columns_that_an_option_names_bear_classes(names, options, columns, classes):
    scores = scores_of(*names.split(), **options)
    assert scores[:2] == (tuple(columns.split()), tuple(classes.split()))


@pytest.mark.parametrize("n", [8, 9])
def test_more_than_eight_columns_are_named_by_their_beginning(n):
    names = tuple(f"p_{k}" for k in range(n))
    scores = ScoreColumns(names, tuple(map(str, range(n))))
    typed = scores_option(scores, dict.fromkeys(names, CELLS))
    assert typed == (",".join(names) if n == 8 else "p_")
    # an array, or columns of no class, have no beginning
    assert scores_option(ScoreColumns(names), dict.fromkeys(names, CELLS)) == ",".join(
        names
    )


@pytest.mark.parametrize("width", [198, 199])
def test_a_line_of_more_than_two_hundred_signs_is_shortened(width):
    names = ("p", "p" + "x" * (width - 1))
    scores = ScoreColumns(names, ("", "x" * (width - 1)))
    typed = scores_option(scores, dict.fromkeys(names, CELLS))
    assert typed == (",".join(names) if width == 198 else "p")


def test_a_label_that_no_column_bears_is_told_by_how_many_lack_one():
    with pytest.raises(NotSaidError) as caught:
        find_scores({"p_a": CELLS, "p_b": CELLS}, ["a", "b", "c"], Options())
    assert "no column is of the label 'c': found 'p_a', 'p_b'" in str(caught.value)
    assert caught.value.role == "scores" and caught.value.suggestions == ()
    # one column alone may be anything
    with pytest.raises(NotSaidError, match="none has a name that says the scores"):
        find_scores({"p_a": CELLS}, ["x", "y"], Options())


def test_decisions_are_predictions_of_the_labels_alone():
    columns = {"prediction": np.array(["a", "z"])}
    with pytest.raises(NotSaidError) as caught:
        find_scores(columns, ["a", "b"], Options())
    assert "decisions" not in str(caught.value)
    assert labels_occurring_in(columns, "label", []) == []
