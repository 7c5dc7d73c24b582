"""Readings that are proposed: a few, each by options that can be typed."""

import numpy as np
import pandas as pd
import pytest
from combined_files import EVENT, P_EVENT
from typed import typed

from calib_report import propose, read
from calib_report.arrays import Arrays
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.contract import NotJudgedError, ReadingError
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.proposing.proposals import (
    _are_alike,
    _says_more,
    proposals_in_words,
    reading_in_words,
    readings_tried,
)

ANSWERS = "gold pred conf; a a .9; b a .6; b b .7; c a .8"
OF_ANSWERS = {"y": "gold", "scores": "conf", "predicted": "pred"}
EVENTS = "k x; no .9; yes .6; no .2"
OF_EVENT = {"y": "k", "scores": "x", "pairs": False}
OF_GROUPS, YES_NO = (
    OF_EVENT | {"groups": ("k",)},
    ({"positive": "yes"}, {"positive": "no"}),
)
SETS = "label s.a s.b split; a .9 .1 test; b .2 .8 test; a .7 .3 dev; b .4 .6 dev"
OF_SCORES = {"y": "label", "scores": "s.a,s.b"}
TEST, DEV = {"where": ("split=test",)}, {"where": ("split=dev",)}


def options_of(text, **typed_options):
    """The options of each proposal."""
    return [
        reading.options.changed() for reading in propose(typed(text), **typed_options)
    ]


@pytest.mark.parametrize(
    ("text", "typed_options", "options"),
    [
        # what says all by itself is the only reading
        ("label p_a p_b; a .9 .1; b .2 .8", {}, [{}]),
        (ANSWERS, {}, [OF_ANSWERS]),
        # what the user says is kept, and nothing else is tried
        (EVENTS, {"positive": "no"}, [OF_EVENT | {"positive": "no"}]),
        (EVENTS, {"y": "k", "groups": "k"}, [*map(OF_GROUPS.__or__, YES_NO)]),
        (EVENTS, {"y": "k"}, [*map(OF_EVENT.__or__, YES_NO)]),
        # one reading that several ways give is proposed once
        ("k s(a) s(b); a .9 .1; b .2 .8; a .6 .4", {}, [{"y": "k", "scores": "s(a),s(b)"}]),
        # what an error suggests is tried
        (SETS, {}, [OF_SCORES | more for more in (TEST, DEV, {"ignore": ("split",)})]),
    ],
)  # fmt: skip
def test_a_table_as_it_is_typed_is_proposed_with_these_options(
    text, typed_options, options
):
    assert options_of(text, **typed_options) == options


def test_of_what_is_no_question_for_calib_nothing_is_proposed():
    with pytest.raises(NotJudgedError, match="times to an event"):
        propose(typed("time event x; 3 1 .2; 4 0 .3"))


def test_the_error_of_the_likeliest_rule_is_that_of_no_reading():
    with pytest.raises(ReadingError, match="none has a name that says the labels"):
        propose(typed("u v; .5 .25; .75 1.5"))
    # the way that guessed first says more than what stands in the file
    with pytest.raises(ReadingError, match="row 1 of 'conf' is 'x', expected a number"):
        propose(typed("correct conf; 1 .9; 0 x"))


@pytest.mark.parametrize(("depth", "n"), [(0, 0), (1, 0), (2, 4)])
def test_options_that_errors_suggest_are_tried_one_after_the_other(depth, n):
    """Which of two sets is asked, then of which of two labels one column is."""
    columns = typed("label split p; a x .9; b z .2; a x .7; b z .4")
    failed = []
    tried = readings_tried(Arrays(columns), Options(scores="p"), depth, failed)
    readings = [reading.options.changed() for reading in tried]
    assert [len({*map(str, readings)}), bool(failed)] == [n, True]


def test_columns_that_are_as_many_as_labels_count_are_proposed_and_read():
    """Labels 2, 3 and 4 count five classes, of which two never occur."""
    rows = ["2 0 .1 .8 .1 0", "3 0 .1 .2 .7 0", "4 0 0 .1 0 .9", "2 0 0 .6 .4 0"]
    (reading, *_) = propose(typed("; ".join(["label o_a o_b o_c o_d o_e", *rows])))
    assert reading.scores == ("o_a", "o_b", "o_c", "o_d", "o_e")
    assert reading.outputs.y.tolist() == [2, 3, 4, 2]


def test_what_is_absurd_ends_a_trial_without_an_error():
    dates = np.array(["2026-01-01", "2026-01-02"], "datetime64[D]")
    arrays = {"label": dates, "logits": np.eye(2)}
    assert list(readings_tried(Arrays(arrays), Options(), 1, [])) == []


def test_labels_of_a_second_file_are_not_typed_again(tmp_path):
    (tmp_path / "y.csv").write_text("kind\na\nb\nb\na\n")
    columns = typed("s.a s.b; .9 .1; .2 .8; .3 .7; .6 .4")
    (reading,) = propose(columns, labels=tmp_path / "y.csv")
    assert reading.label == SECOND_LABELS
    assert reading.options.changed() == {
        "labels": tmp_path / "y.csv",
        "scores": "s.a,s.b",
    }


@pytest.mark.parametrize(
    ("name", "value", "typed_options", "says_more"),
    [
        # a word that stands for an answer is none
        ("y", "NAME", {}, False),
        ("scores", "NAMES", {}, False),
        ("classes", "FILE", {}, False),
        # what the user says is not taken back, but where an error may ask for another
        ("y", "a", {}, True),
        ("y", "a", {"y": "a"}, True),
        ("y", "a", {"y": "b"}, False),
        ("pairs", False, {"pairs": True}, False),
        ("positive", "1", {"positive": "0"}, True),
        ("predicted", None, {"predicted": "a"}, True),
        ("where", ("a=1",), {"where": ("b=2",)}, True),
        # of labels to leave out only a usual mark
        ("ignore_index", (-100,), {}, True),
        ("ignore_index", (7,), {}, False),
    ],
)
def test_what_an_error_suggests_is_tried_if_it_is_an_answer(
    name, value, typed_options, says_more
):
    assert _says_more(name, value, Options(**typed_options)) == says_more


@pytest.mark.parametrize("classes", [None, ("u", "v")])
def test_classes_that_a_second_file_names_are_not_typed(tmp_path, classes):
    (tmp_path / "y.csv").write_text("a,b\n1,0\n0,1\n1,1\n")
    scores = {"s": np.array([[0.9, 0.2], [0.3, 0.8], [0.6, 0.7]])}
    options = {"labels": tmp_path / "y.csv"} | (
        {} if classes is None else {"classes": classes}
    )
    (reading, *_) = propose(scores, **options)
    assert reading.options.changed() == options | {"scores": "s"}
    assert set(reading.outputs.groups["label"]) == {*(classes or "ab")}


TWICE = {"y": [0, 1], "probabilities": [[0.9, 0.1], [0.2, 0.8]]}


@pytest.mark.parametrize(
    "change",
    [
        {"y": [1, 1]},
        {"task": "pairs"},
        {"probabilities": [[0.8, 0.2], [0.2, 0.8]]},
        {"probabilities": [[0.9, 0.1, 0], [0.2, 0.8, 0]]},
    ],
)
def test_readings_are_alike_where_labels_scores_and_question_are(change):
    first = ModelOutputs(**TWICE)
    assert _are_alike(first, ModelOutputs(**TWICE, ids=["x", "y"]))
    assert not _are_alike(first, ModelOutputs(**TWICE | change))


def test_a_reading_in_words_is_its_command_its_rows_and_what_is_left_out():
    (reading,) = propose(typed(ANSWERS))
    *others, last = reading_in_words(reading, ["report", "a.csv"]).splitlines()
    assert others == [
        "  calib report a.csv --y gold --scores conf --predicted pred",
        "    'conf' says how sure 'pred' is, which is right where it is 'gold'",
        "    row 0: says it is right with 0.9, and is right",
        "    row 1: says it is right with 0.6, and is wrong",
        "    row 2: says it is right with 0.7, and is right",
    ]
    assert last == "    in all: right 50.0%, mean confidence 75.0%, of 4 answers"
    (reading,) = propose(typed("label p_a p_b age; a .9 .1 3; b .2 .8 4"))
    lines = reading_in_words(reading, ["look"]).splitlines()
    assert lines[-1] == "    left out: age" and lines[-2].endswith("of 2 samples")


def test_proposals_in_words_tell_the_rule_of_each():
    readings = propose(typed(EVENTS))
    words = proposals_in_words(readings, ["look", "a.csv"])
    title = "one column and two labels"
    assert words.startswith(f"It could be read so ({title}):\n  calib look a.csv --y k")
    assert words.count(f"\nor so ({title}):\n") == 1
    text = proposals_in_words(propose(typed("label p_a p_b; a .9 .1; b .2 .8")), [])
    assert text.startswith("It could be read so:\n  calib\n")


def test_at_most_three_are_proposed_and_all_can_be_typed():
    table = pd.DataFrame(
        {"label": EVENT} | {f"score_{m}": P_EVENT**m for m in range(1, 6)}
    )
    readings = propose(table)
    assert len(readings) == 3
    for reading in readings:
        again = read(table, **reading.options.changed())
        np.testing.assert_array_equal(again.prob, reading.outputs.prob)
