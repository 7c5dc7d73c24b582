"""What is expected of each option, and errors that name it."""

import inspect

import numpy as np
import pytest
from refusals import refuses

import calib_report
from calib_report.commands.arguments import parser
from calib_report.contract import ReadingError
from calib_report.options import (
    EXPECTED,
    OF_CALIBRATION_SET,
    SEVERAL,
    Options,
    class_names,
    options_of_new_files,
)
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import P, Y


def test_each_option_says_what_is_expected_of_it():
    checked = [name for names, *_ in EXPECTED for name in names]
    assert sorted(checked) == sorted(Options.__dataclass_fields__)


NO_OPTIONS = {
    "where": [[3], 3],
    "ids": [5],
    "groups": [[0]],
    "clusters": [1.5],
    "ignore": [[None]],
    "leave_out_empty": [3],
    "percent": ["5", [1]],
    "atol": ["x", -1, True],
    "ignore_index": [True, "x", 1.5, [1, None]],
    "class_axis": [True, "1"],
    "labels_from": [True, 2],
    "pairs": ["no"],
    "classes": [3],
    "y": [True],
    "kind": [1],
}


@pytest.mark.parametrize("name", NO_OPTIONS)
def test_an_error_names_the_option_and_its_value(name):
    for value in NO_OPTIONS[name]:
        with pytest.raises(ReadingError, match=f"^{name}: .*, expected ") as caught:
            read({"y": Y, "p": P}, **{name: value})
        shown = value[-1] if isinstance(value, list) else value
        assert repr(shown) in str(caught.value)


def test_numbers_of_numpy_are_numbers_of_options():
    values = {
        "labels_from": np.int64(0),
        "atol": np.float32(0.01),
        "ignore_index": Y[:1],
    }
    outputs = read({"y": Y, "p": P}, **values)
    assert len(outputs) == (Y != Y[0]).sum()


def test_each_option_says_whether_the_calibration_set_needs_it():
    """It needs all but those that name a column; classes are the samples', and doubts count."""
    of_columns = {"y", "scores", "labels", "long", "calibration", "where", "groups"}
    of_columns |= {"clusters", "ids", "ignore", "leave_out_empty"}
    fields = {*Options.__dataclass_fields__}
    assert {*OF_CALIBRATION_SET} == fields - of_columns - {"classes", "yes"}


def test_what_can_be_said_in_python_can_be_typed():
    """An option is a field, an argument of `read`, and one of the command, by one name."""
    names = {*Options.__dataclass_fields__}
    assert {*inspect.signature(calib_report.read).parameters} == names | {"source"}
    arguments = vars(parser().parse_args(["report", "a.csv"]))
    assert names <= {*arguments} and {*SEVERAL} < names


REFUSED = {
    "a loose tolerance": ({"y": Y, "probs": P}, {"atol": 5}, "expected at most 0.05"),
    "labels in no file": ({"logits": P}, {"labels": 3}, "labels: 3, expected the path of a file"),
    "a flag that is none": ({"logits": P, "y": Y}, {"multilabel": "no"}, "expected True or False"),
    "an array of labels": (P, {"y": Y}, "y: array([2, 1, 0"),
}  # fmt: skip
test_options_that_are_not_clear_are_refused = refuses(REFUSED)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("check outputs.npz --classes none.txt", "none.txt: No such file"),
        ("check outputs.npz --classes y.npy", "y.npy: not a text file"),
    ],
)
def test_wrong_arguments_get_one_line_and_leave_nothing(line, message, refused_line):
    assert message in refused_line(line)


@pytest.mark.parametrize(
    ("typed", "name", "value"),
    [
        # one value or several are a tuple, a label is text, and `--percent` alone a hundred
        ({"groups": "ward"}, "groups", ("ward",)),
        ({"groups": ["ward", "sex"]}, "groups", ("ward", "sex")),
        ({"ignore_index": 7}, "ignore_index", (7,)),
        ({"ignore_index": np.array([7, 8])}, "ignore_index", (7, 8)),
        ({"positive": 1}, "positive", "1"),
        ({"percent": True}, "percent", 100.0),
        ({"percent": 255}, "percent", 255),
        ({"percent": False}, "percent", None),
        ({"classes": "a, b"}, "classes", ("a", "b")),
        ({"classes": [0, 1]}, "classes", ("0", "1")),
        ({"groups": None}, "groups", ()),
    ],
)
def test_what_is_typed_is_one_form(typed, name, value):
    assert getattr(Options.of(**typed), name) == value


def test_more_options_are_added_to_what_may_be_named_several_times():
    options = Options(ignore=("a",), y="y")
    assert options.with_more(ignore=("b", "a"), y="z") == Options(
        ignore=("a", "b"), y="z"
    )
    assert options.replaced(ignore=("b",)) == Options(ignore=("b",), y="y")
    assert options.changed() == {"y": "y", "ignore": ("a",)}


@pytest.mark.parametrize(
    ("typed", "is_all"),
    [
        ({"y": "a", "scores": "b"}, True),
        ({"labels": "a.csv", "scores": "b"}, True),
        ({"y": "a"}, False),
        ({"scores": "b"}, False),
    ],
)
def test_doubts_are_overruled_where_labels_and_scores_are_named(typed, is_all):
    if is_all:
        assert Options.of(**typed, yes=True).say_all
        return
    with pytest.raises(
        ReadingError, match="yes: only together with options that say all"
    ):
        Options.of(**typed, yes=True)


@pytest.mark.parametrize(
    ("typed", "needed"),
    [
        ({"y": "gold", "scores": "conf", "pairs": True}, {"scores": "conf"}),
        ({"kind": "odds", "atol": None, "positive": "1"}, {"kind": "odds"}),
        # a doubt has to be turned round in new files as well
        (
            {"pairs": True, "positive": "0", "y": "e"},
            {"pairs": True, "positive": "0", "y": "e"},
        ),
        ({"percent": 100.0, "class_axis": 0}, {"percent": 100.0, "class_axis": 0}),
    ],
)
def test_a_file_without_labels_needs_what_is_said_of_scores(typed, needed):
    assert options_of_new_files(typed) == needed


def test_names_of_classes_are_a_list_a_text_with_commas_or_a_file(folder):
    (folder / "names.txt").write_text("cat\n\n dog \n")
    (folder / "a,b").write_text("x\ny\n")
    assert (
        class_names("names.txt") == class_names(folder / "names.txt") == ("cat", "dog")
    )
    assert class_names("a,b") == ("x", "y")  # a file is called so
    assert class_names("a,c") == ("a", "c")
    assert class_names(folder / "a,b") == ("x", "y") and class_names(None) is None


@pytest.mark.parametrize("unit", [0, 0.0, 0.5, 1])
def test_a_unit_of_at_most_1_is_refused(unit):
    with pytest.raises(ValueError, match=r"percent: .* more than 1, as a number"):
        read({"y": Y, "p": P}, percent=unit)


def test_a_unit_that_is_not_said_is_none_and_true_means_a_hundred():
    units = [Options.of(percent=percent).percent for percent in (None, False, True, 7)]
    assert units == [None, None, 100.0, 7]
