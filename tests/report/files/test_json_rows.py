"""Rows of json that differ."""

import json

import numpy as np
import pytest

from calib_report.contract import ReadingError
from calib_report.files.json_rows import flat, from_lists, from_rows, is_ranking, stack
from calib_report.reading.reader import read


def test_rows_of_json_that_differ(tmp_path):
    for rows, message in (
        ([{"y": 0, "logits": [1, 2]}, {"y": 1}], "row 1 has no 'logits'"),
        (
            [{"y": 0, "probs": {"a": 0.5, "b": 0.5}}, {"y": 1}],
            "row 1 has no scores of choices",
        ),
        (
            [{"y": 0, "p": {"a": 1}, "z": {"a": 2}}],
            "'p', 'z' hold scores of choices each",
        ),
    ):
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
        with pytest.raises(ValueError, match=message):
            read(tmp_path / "a.jsonl")
    rows = [{"y": 0, "logits": [1, 2, 3]}, {"y": 1, "logits": [1, 2]}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outputs = read(tmp_path / "a.jsonl")
    assert outputs.logits[1].tolist() == [1, 2, -np.inf]
    assert "Rows hold other numbers of scores" in " ".join(map(str, outputs.notes))


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ({"a": {"b": 1, "c": {"d": 2}}, "e": 3}, {"a.b": 1, "a.c.d": 2, "e": 3}),
        # scores of choices stay one dict
        ({"probs": {"x": 0.1, "y": 0.9}}, {"probs": {"x": 0.1, "y": 0.9}}),
        ({"probs": {"x": "a"}}, {"probs.x": "a"}),
        ({"other": {"x": 0.1}}, {"other.x": 0.1}),
        ({"probs": {}}, {}),
        # of a ranking in the order of the labels, of a list in that of the choices
        (
            {"r": [{"label": "y", "score": 0.9}, {"label": "x", "score": 0.1}]},
            {"r.x": 0.1, "r.y": 0.9},
        ),
        (
            {"probs": [{"label": "y", "prob": 0.9}, {"label": "x", "prob": 0.1}]},
            {"probs": {"x": 0.1, "y": 0.9}},
        ),
        (
            {"choices": ["u", "v"], "probs": [0.2, 0.8]},
            {"choices": ["u", "v"], "probs": {"u": 0.2, "v": 0.8}},
        ),
        (
            {"choices": ["u", "u"], "probs": [0.2, 0.8]},
            {"choices": ["u", "u"], "probs": [0.2, 0.8]},
        ),
        ({"choices": ["u", "v"], "probs": [1]}, {"choices": ["u", "v"], "probs": [1]}),
        (
            {"choices": ["u", "v"], "ages": [3, 4]},
            {"choices": ["u", "v"], "ages": [3, 4]},
        ),
    ],
)
def test_nested_names_are_joined_by_dots_and_scores_of_choices_are_one(row, names):
    assert dict(flat(row)) == names


def test_a_ranking_is_a_list_of_labels_and_scores():
    assert is_ranking([{"label": "a", "score": 1}])
    for other in (
        [],
        {"label": "a", "score": 1},
        [{"label": "a"}],
        [{"label": 1, "x": 2}],
    ):
        assert not is_ranking(other)


@pytest.mark.parametrize(
    ("rows", "scores", "classes"),
    [
        # shared choices are classes, in the order in which they stand, numbers by size
        (
            [{"b": 0.9, "a": 0.1}, {"a": 0.2, "b": 0.8}],
            [[0.9, 0.1], [0.8, 0.2]],
            ["b", "a"],
        ),
        ([{"L10": 0.9, "L2": 0.1}], [[0.1, 0.9]], ["L2", "L10"]),
        # what a row does not hold is impossible
        ([{"a": 0.9, "b": 0.1}, {"a": 1.0}], [[0.9, 0.1], [1, 0]], ["a", "b"]),
        # choices of each question are places
        ([{"a": 0.9, "b": 0.1}, {"c": 0.2, "d": 0.8}], [[0.9, 0.1], [0.2, 0.8]], None),
        # half as many again are shared still
        (
            [{"a": 0.9, "b": 0.1}, {"a": 0.2, "c": 0.8}],
            [[0.9, 0.1, 0], [0.2, 0, 0.8]],
            list("abc"),
        ),
    ],
)
def test_choices_are_classes_where_rows_share_them(rows, scores, classes):
    arrays = from_rows([{"probs": row, "label": next(iter(row))} for row in rows])
    assert arrays.named["probs"].tolist() == scores and arrays.classes == classes
    labels = arrays.named["label"].tolist()
    assert labels == (
        [0] * len(rows) if classes is None else [next(iter(row)) for row in rows]
    )
    is_short = classes is not None and any(len(row) < len(classes) for row in rows)
    assert len(arrays.notes) == is_short


def test_what_a_row_of_logits_does_not_hold_is_minus_infinity():
    arrays = from_rows([{"logits": {"a": 2.0, "b": 1.0}}, {"logits": {"a": 1.0}}])
    assert arrays.named["logits"].tolist() == [[2, 1], [1, -np.inf]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [{"logits": [1, 2]}] * 3 + [{"logits": [1]}],
            "row 3 alone holds 1 scores in 'logits', and other rows 2",
        ),
        (
            [{"p": {"a": 1, "b": 0}}] * 3 + [{"p": {"a": 1, "B": 0}}],
            "row 3 alone holds the choice 'B', which no label",
        ),
        (
            [
                {"p": {"a": 1, "b": 0}, "label": "c"},
                {"p": {"c": 1, "d": 0}, "label": "z"},
            ],
            "row 0: 'c' is no choice of it",
        ),
        ([{"boxes": [1, 2], "y": 0}], "these are detections, boxes with scores"),
        (
            [{"p": {"a": 1.0}, "z": {"a": 1.0}}],
            "'p', 'z' hold scores of choices each: keep one",
        ),
    ],
)
def test_a_damaged_row_is_refused_by_its_number(rows, message):
    with pytest.raises(ReadingError, match=message):
        from_rows(rows)


@pytest.mark.parametrize(
    ("values", "array"),
    [
        ([1, None], [1, np.nan]),
        (["a", None], ["a", ""]),
        ([True, None], ["True", ""]),
        ([True, False], [True, False]),
        ([[1, 2], [3]], ["[1, 2]", "[3]"]),
    ],
)
def test_a_value_that_is_missing_is_empty_or_no_number(values, array):
    np.testing.assert_array_equal(stack("a", values, []), np.array(array))


@pytest.mark.parametrize("name, fill", [("probs", 0), ("logits", -np.inf)])
def test_rows_of_fewer_scores_end_in_what_is_impossible(name, fill):
    notes = []
    assert stack(name, [[1, 2], [3]], notes).tolist() == [[1, 2], [3, fill]]
    assert len(notes) == 1
    assert stack(name, [[1, 2], [3, 4]], notes).shape == (2, 2) and len(notes) == 1
    with pytest.raises(
        ReadingError, match=f"row 1 has no '{name}', and other rows have"
    ):
        stack(name, [[1, 2], None], notes)


def test_lists_of_choices_stand_in_no_column():
    lists = {"q.choices": [["a", "b"]], "q.probs": [{"a": 0.5, "b": 0.5}], "y": ["a"]}
    assert list(from_lists(lists).named) == ["y", "q.probs"]
