"""What is said of how a file was read."""

import numpy as np
import pytest
from typed import typed

from calib_report.reading.reader import read
from calib_report.reading.remarks import note_of_copies
from evidence.files_with_truth.samples import LOGITS, NAMED, TOP, Y, frame, prefixed


def test_what_is_left_out_is_told():
    outputs = read(
        frame(label=NAMED, entropy=TOP, age=Y, picture=np.arange(120).astype(str))
    )
    notes = " ".join(map(str, outputs.notes))
    assert "left out: 'entropy', 'age'" in notes and "named by 'picture'" in notes
    assert (
        outputs.read_as
        == "probabilities are from 'cat', 'dog', 'hen', the labels from 'label'"
    )
    logits = prefixed("logit_", values=LOGITS)
    begins = read(prefixed("prob_").join(logits).assign(label=NAMED), scores="prob_")
    assert begins.kind == "probabilities" and "left out: 'logit_cat'" in " ".join(
        map(str, begins.notes)
    )
    numbers = read(prefixed("p_").assign(label=Y), scores="p_")
    assert "Labels are numbers of the columns, as they stand: 0 is 'cat'" in " ".join(
        map(str, numbers.notes)
    )


def test_what_parts_or_names_samples_is_not_left_out():
    site, patient = np.arange(120) % 4, np.arange(120) // 2
    table = frame(label=NAMED, entropy=TOP, site=site, patient=patient)
    table["picture"] = [f"p{row}" for row in range(120)]
    beside = {"groups": "site", "clusters": "patient", "ids": "picture"}
    for chosen in ({}, {"groups": "site"}, {"clusters": "patient"}, beside):
        notes = " ".join(map(str, read(table, **chosen).notes))
        left = [n for n in ("entropy", "site", "patient") if n not in chosen.values()]
        assert f"left out: {', '.join(map(repr, left))}." in notes
        assert "named by 'picture'" in notes
    notes = " ".join(
        map(str, read(table, ignore="site", **beside | {"groups": ()}).notes)
    )
    assert "left out: 'entropy', 'site'." in notes


@pytest.mark.parametrize(
    ("text", "options", "read_as"),
    [
        (
            "y a b; 0 .9 .1; 1 .2 .8",
            {"scores": "a,b", "labels_from": 0},
            "probabilities are from 'a', 'b', the labels from 'y'",
        ),
        (
            "y x; no .9; yes .2",
            {"scores": "x", "positive": "no"},
            "'x' is the probability of 'no'; the labels are from 'y'",
        ),
        (
            "y logit; 0 -3; 1 2.5",
            {"scores": "logit"},
            "'logit' is the log odds of '1'; the labels are from 'y'",
        ),
        (
            "correct confidence; 1 .9; 0 .6",
            {},
            "'confidence' says how sure an answer is; whether it is right is from 'correct'",
        ),
        (
            "y conf pred; a .9 a; b .6 a",
            {"scores": "conf", "predicted": "pred"},
            "'conf' says how sure 'pred' is, which is right where it is 'y'",
        ),
        (
            "a b c d; 1 1 .9 .1; 0 1 .2 .8",
            {"y": "a,b", "scores": "c,d"},
            "probabilities are from 'c', 'd', the labels from 'a,b'",
        ),
    ],
)
def test_a_sentence_says_what_was_taken_for_what(text, options, read_as):
    assert read(typed(text), **options).read_as == read_as


@pytest.mark.parametrize(
    ("text", "options", "is_told"),
    [
        ("y p_a p_b; 0 .9 .1; 1 .2 .8", {"scores": "p_"}, True),
        ("y p_0 p_1; 0 .9 .1; 1 .2 .8", {"scores": "p_"}, False),  # numbers themselves
        ("y p_a p_b; a .9 .1; b .2 .8", {"scores": "p_"}, False),  # names as well
        ("y x; 0 .9; 1 .2", {"scores": "x"}, False),  # one column
        ("a b p_u p_v; 1 1 .9 .1; 0 1 .2 .8", {"y": "a,b", "scores": "p_"}, False),
    ],
)
def test_numbers_beside_columns_that_bear_names_are_told(text, options, is_told):
    notes = [note.text for note in read(typed(text), **options).notes]
    sentence = "Labels are numbers of the columns, as they stand: 0 is 'a'."
    assert notes == ([sentence] if is_told else notes)
    assert any("numbers of the columns" in note for note in notes) == is_told


def test_of_copies_it_is_told_how_many_rows_repeat_another():
    assert note_of_copies(None) == []
    (note,) = note_of_copies(np.array([0, 0, 1, 2, 2, 2]))
    assert note.text.startswith("3 of 6 rows repeat another, label included")
