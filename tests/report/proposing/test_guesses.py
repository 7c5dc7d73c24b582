"""Each way to read a file."""

import numpy as np
import pandas as pd
import pytest
from combined_files import (
    BEST,
    EVENT,
    HIT,
    MARGIN,
    NAMED,
    NAMES,
    P_EVENT,
    TOP,
    N,
    P,
    Y,
    Z,
    of_classes,
)
from typed import typed

from calib_report import propose
from calib_report.options import Options
from calib_report.proposing.clues import Clues
from calib_report.proposing.guesses import (
    WAYS,
    arrays_of_classes,
    class_columns,
    label_columns,
    long_table,
    numbered_columns,
    one_of_two,
    predictions,
    stated_confidences,
    stated_doubts,
    title_of,
)
from calib_report.texts import TEXTS


def first(**columns):
    """Return the options of the first proposal."""
    return propose(pd.DataFrame(columns))[0].options.changed()


class TestWays:
    """A way a test; `class_columns` and the formats have their own in the files that are kept."""

    def test_long_table(self):
        rows = {"id": np.repeat(np.arange(N), 3), "class": NAMES * N, "prob": P.ravel()}
        options = first(**rows, label=(np.repeat(NAMED, 3) == NAMES * N).astype(int))
        assert options == {
            "y": "label",
            "scores": "prob",
            "long": "class",
            "ids": ("id",),
        }

    def test_class_columns(self):
        assert first(**of_classes("score of "), kind=NAMED)["y"] == "kind"
        assert first(**of_classes("score of "), kind=NAMED)["scores"].startswith(
            "score of cat,"
        )

    def test_label_columns(self):
        marks = {f"is_{name}": (NAMED == name).astype(int) for name in NAMES}
        assert first(**of_classes(), **marks)["y"] == "is_cat,is_dog,is_hen"

    def test_arrays_of_classes(self):
        sets = {
            "test_y": Y,
            "test_logits": Z,
            "val_y": Y[::-1],
            "val_logits": Z[::-1] + 0.1,
        }
        options = propose(sets)[0].options.changed()
        assert options == {"y": "test_y", "scores": "test_logits", "calibration": "val"}

    def test_stated_confidences(self):
        assert first(is_correct=HIT, conf=TOP) == {
            "y": "is_correct",
            "scores": "conf",
            "pairs": True,
        }

    def test_stated_doubts_are_turned_round(self):
        (reading,) = propose(pd.DataFrame({"correct": HIT, "uncertainty": 1 - TOP}))
        assert reading.options.positive == "0" and reading.outputs.read_as
        np.testing.assert_allclose(reading.outputs.pairs[0], TOP)

    def test_answers(self):
        table = {"gold": NAMED, "pred": np.array(NAMES)[BEST], "confidence": TOP}
        assert first(**table) == {
            "y": "gold",
            "scores": "confidence",
            "predicted": "pred",
        }

    def test_answers_of_two_kinds_are_answers(self):
        """Each answer has a confidence of its own; there are three labels."""
        gold, pred = ["B", "C", "A"] * 40, ["B", "A", "A"] * 40
        options = first(gold=gold, pred=pred, confidence=[0.9, 0.7, 0.8] * 40)
        assert options == {"y": "gold", "scores": "confidence", "predicted": "pred"}

    def test_one_of_two_finds_which(self):
        assert first(ill=np.where(EVENT, "a", "b"), score=P_EVENT)["positive"] == "a"
        assert (
            first(ill=np.where(EVENT, "a", "b"), score=1 - P_EVENT)["positive"] == "b"
        )

    def test_a_risk_is_that_of_the_event_beside_a_label(self):
        (reading, *_) = propose(pd.DataFrame({"outcome": EVENT, "risk": P_EVENT}))
        assert reading.options.scores == "risk" and reading.options.positive == "1"
        np.testing.assert_allclose(reading.outputs.prob[:, 1], P_EVENT)

    def test_numbered_columns(self):
        table = {f"score_{c}": Z[:, k] for k, c in enumerate("abc")}
        options = first(**table, score_time_ms=np.abs(MARGIN), label=Y)
        assert options["scores"] == "score_a,score_b,score_c"


def clues(text, **options):
    return Clues(typed(text), Options(**options))


def guesses_of(way, text, **options):
    """Guesses of a way: the label, the scores, and each other option with its value."""
    for guess in way(clues(text, **options)):
        y, scores, *others = (f"{name}={_shown(guess[name])}" for name in guess)
        first = f"{y.removeprefix('y=')}: {scores.removeprefix('scores=')}"
        yield " ".join([first, *others])


def _shown(value):
    return "+".join(value) if isinstance(value, tuple) else str(value)


def _events(y, scores, *labels):
    """Guesses that a column is the probability of each of some labels."""
    return [f"{y}: {scores} positive={label} pairs=False" for label in labels]


K_OF_AB = ["k: s_0,s_1 classes=a+b"]
HITS = ["hit: conf pairs=True", "hit: prob pairs=True"]
LONG_OF_TWO = "id k s y; a c .9 1; a d .1 0; b c .2 0; b d .8 1"
OF_THREE = (
    "k s_a s_b s_c; {0} 1 2 3; {1} 4 5 6; {2} 7 8 9; {0} 1 2 3; {1} 4 5 6; {2} 0 0 0"
)


@pytest.mark.parametrize(
    ("way", "text", "guesses"),
    [
        # a long table: two rows of each id, and as many classes
        (long_table, LONG_OF_TWO, ["y: s ids=id long=k"]),
        (long_table, "id k s y; a c .9 1; b d .1 0; e c .2 0; f d .8 1", []),
        (long_table, "id k s y; a c .9 1; a d .1 0; b c .2 0; b e .8 1", []),
        # the name of a column bears the label, whatever stands around it
        (class_columns, "k s(a) s(b); a .9 .1; b .2 .8; a 1 0; b 0 1", ["k: s(a),s(b)"]),
        (class_columns, "k s(A) s(B); a .9 .1; b .2 .8; a 1 0; b 0 1", ["k: s(A),s(B)"]),
        (class_columns, "k B A; a .9 .1; b .2 .8; a 1 0; b 0 1", ["k: B,A"]),
        (class_columns, "k s(a) s(z); a .9 .1; b .2 .8; a 1 0; b 0 1", []),
        (class_columns, "k s(a); a .9; a .8; a .7; a .6", []),
        (class_columns, "k s_2 s_1; 1 .9 .1; 2 .2 .8; 1 1 0; 2 0 1", ["k: s_1,s_2"]),
        (class_columns, "k P1BAD P0BAD; 0 .9 .1; 1 .2 .8; 1 1 0; 0 0 1", ["k: P0BAD,P1BAD"]),
        # as its numbers say, whatever stands before them; and whole names first
        (class_columns, "k P01 P00; 0 .9 .1; 1 .2 .8; 1 1 0", ["k: P00,P01"]),
        (class_columns, "k 1 0 7; 0 .1 .8 .1; 1 .7 .2 .1; 0 0 1 0", ["k: 0,1", "k: 0,1,7"]),
        (class_columns, "k B A c; a .1 .8 .1; b .7 .2 .1; a 0 1 0", ["k: B,A,c", "k: B,A"]),
        (class_columns, "k P1BAD P2BAD; 0 .9 .1; 1 .2 .8; 1 1 0; 0 0 1", []),
        # of what bears no label only what is needed for a sum of one
        (class_columns, "k s_a s_b s_z; a .9 .1 .9; b .2 .8 .8; a 1 0 1", ["k: s_a,s_b"]),
        (class_columns, "k s_a s_b s_z; a .8 .1 .1; b .2 .7 .1; a 1 0 0", ["k: s_a,s_b,s_z"]),
        (class_columns, "k s_a s_b s_z; a 80 10 10; b 20 70 10; a 99 0 0", ["k: s_a,s_b,s_z"]),
        # columns of marks, and of scores that end as they do
        (label_columns, "is_a is_b s_b s_a; 1 0 .1 .9; 0 1 .8 .2", ["is_a,is_b: s_a,s_b"]),
        (label_columns, "is_a is_b s_b s_c; 1 0 .1 .9; 0 1 .8 .2", []),
        (label_columns, "is_a s_a; 1 .9; 0 .2", []),
        (label_columns, "is_a is_b s_a s_b; 1 0 .1 .9; 0 2 .8 .2", []),
        # hits and confidences, those that are called so first
        (stated_confidences, "hit prob conf; 1 .9 .8; 0 .6 .7", HITS),
        (stated_confidences, "error conf; 1 .9; 0 .6", ["error: conf pairs=True positive=0"]),
        (stated_confidences, "hit conf; 2 .9; 0 .6", []),
        (stated_confidences, "hit conf; True .9; no .6", ["hit: conf pairs=True"]),
        # doubts: of being wrong, 0 beside a hit, and 1 beside an error
        (stated_doubts, "hit doubt; 1 .1; 0 .6", ["hit: doubt pairs=True positive=0"]),
        (stated_doubts, "wrong doubt; 0 .1; 1 .6", ["wrong: doubt pairs=True positive=1"]),
        (stated_doubts, "hit conf; 1 .1; 0 .6", []),
        # an answer, a label of its words, and a score that is alone or called so
        (predictions, "gold pred conf; a a .9; b a .6", ["gold: conf predicted=pred"]),
        (predictions, "gold pred x; a a .9; b a .6", ["gold: x predicted=pred"]),
        (predictions, "gold pred x w; a a .9 .1; b a .6 .2", []),
        (predictions, "gold pred conf; a x .9; b z .6", []),
        (predictions, "gold pred conf u; a a .9 .1; b a .6 .2", ["gold: conf predicted=pred"]),
        (predictions, "gold pred score; a a 1; b a 0", []),
        # one column of one or two labels: each of them may be the event, the usual one first
        (one_of_two, "k x; no .9; yes .6; no .2; yes .3", _events("k", "x", "yes", "no")),
        (one_of_two, "k s_no; no .9; yes .6; no .2; yes .3", _events("k", "s_no", "no", "yes")),
        (one_of_two, "k x; b .9; a .6; b .2; a .3", _events("k", "x", "b", "a")),
        # p_unwell ends in both
        (one_of_two, "k p_unwell; well .9; unwell .6", _events("k", "p_unwell", "well", "unwell")),
        (one_of_two, "k p_well; well .9; ill .6", _events("k", "p_well", "well", "ill")),
        (one_of_two, "k x; a .9; b .6; c .2; a .3; b .1; c .4", []),
        (one_of_two, "k x; normal .9; fraud .6; fraud .2", _events("k", "x", "fraud", "normal")),
        (one_of_two, "correct x; 1 .9; 0 .6", []),
        (one_of_two, "k uscore u v; a .9 .1 .2; a .6 .1 .2", _events("k", "uscore", "a")),
        (one_of_two, "k u v w_pct; a .9 .1 2.5; a .6 .1 3", _events("k", "w_pct", "a")),
        (one_of_two, "k u v predx; a .9 .1 .2; a .6 .1 .3", _events("k", "predx", "a")),
        (one_of_two, "k u v x; a .9 .1 .2; a .6 .1 .3", []),
        (one_of_two, "k score_lower x; a .9 .1; a .6 .1", _events("k", "x", "a")),
        (one_of_two, "k x; a .9; a .6", _events("k", "x", "a")),
        (one_of_two, "y risk u v; 0 .1 .2 .3; 1 .9 .8 .4", _events("y", "risk", "1", "0")),
        (one_of_two, "outcome risk u v; 0 1 .2 .3; 1 2 .8 .4", []),
        # as many columns as numbers, or numbers of as many names
        (numbered_columns, OF_THREE.format(0, 1, 2), ["k: s_a,s_b,s_c"]),
        (numbered_columns, OF_THREE.format(1, 2, 3), ["k: s_a,s_b,s_c"]),
        (numbered_columns, OF_THREE.format(2, 3, 4), []),
        (numbered_columns, OF_THREE.format(-1, 0, 1), ["k: s_a,s_b,s_c"]),
        (numbered_columns, "k s_a s_b; 0 1 2; 1 4 5; 2 7 8; 0 1 2; 1 4 5; 2 0 0", []),
        (numbered_columns, "k s_0 s_1; b 1 2; a 4 5; b 7 8; a 1 2", K_OF_AB),
        (numbered_columns, "k s_1 s_2; b 1 2; a 4 5; b 7 8; a 1 2", []),
        (numbered_columns, "k s_0 s_1 s_max; b 1 2 2; a 4 5 5; b 7 8 8", K_OF_AB),
    ],
)  # fmt: skip
def test_a_table_as_it_is_typed_gives_the_guesses_of_each_rule(way, text, guesses):
    assert list(dict.fromkeys(guesses_of(way, text))) == guesses


def test_what_a_user_says_of_the_score_lets_one_of_several_be_it():
    several = "gold pred u v; a a .9 .1; b a .6 .2"
    guesses = guesses_of(predictions, several, scores="v")
    assert list(guesses) == ["gold: u predicted=pred", "gold: v predicted=pred"]
    of_hits = guesses_of(
        stated_confidences, "hit right conf; 1 0 .9; 0 1 .6", y="right"
    )
    assert list(dict.fromkeys(of_hits)) == ["right: conf pairs=True"]


ARRAY, LABEL = np.ones((4, 3)), np.array([0, 1, 0, 1])


@pytest.mark.parametrize(
    ("labels", "scores", "options", "guesses"),
    [
        ("y", "s", {}, ["y: s"]),
        ("y", "a.s b", {}, ["y: a.s", "y: b"]),
        # labels of the same set, else of a set to judge
        ("test_y val_y", "test_s val_s", {}, ["test_y: test_s calibration=val", "val_y: val_s"]),
        ("test_y train_y", "test_s train_s", {}, ["test_y: test_s", "train_y: train_s"]),
        ("y_test y_train", "s", {}, ["y_test: s"]),
        ("y", "my_s_val", {}, ["y: my_s_val"]),
        ("y y_val", "my_s_val", {}, ["y_val: my_s_val"]),
        ("y", "s s_cal", {}, ["y: s calibration=cal", "y: s_cal"]),
        ("y", "s s_cal", {"calibration": "c"}, ["y: s calibration=c", "y: s_cal calibration=c"]),
        ("y k", "s", {"y": "k"}, ["k: s"]),
    ],
)  # fmt: skip
def test_an_array_of_scores_goes_with_the_labels_of_its_set(
    labels, scores, options, guesses
):
    arrays = dict.fromkeys(labels.split(), LABEL) | dict.fromkeys(scores.split(), ARRAY)
    found = _of_arrays(arrays, options)
    assert found == guesses


def _of_arrays(named, options):
    way = arrays_of_classes(Clues(named, Options(**options)))
    return [
        " ".join([f"{guess['y']}: {guess['scores']}", *_calibration(guess)])
        for guess in way
    ]


def _calibration(guess):
    return [f"calibration={guess['calibration']}"] if "calibration" in guess else []


def test_an_array_of_scores_holds_numbers_in_several_columns():
    words, one = np.full((4, 3), "a"), np.ones((4, 1))
    assert _of_arrays({"y": LABEL, "w": words, "o": one, "v": LABEL + 0.5}, {}) == []


def test_labels_in_an_array_are_labels_unless_others_are_named():
    arrays = {"labels": np.eye(4, 3), "k": LABEL, "s": ARRAY}
    assert "labels: s" in _of_arrays(arrays, {})
    assert _of_arrays(arrays, {"y": "k"}) == ["k: labels", "k: s"]


def test_each_way_has_a_title_that_a_user_is_told():
    assert [way.__name__ for way in WAYS] == [*TEXTS["way"]]
    assert title_of(one_of_two) == "One column and two labels"
