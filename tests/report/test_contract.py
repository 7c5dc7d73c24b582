"""The application imports public names and constants of the library; the contract has ten lines."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import calib
import calib_report
from calib_report.commands.arguments import parser
from calib_report.contract import (
    CONTRACT,
    Doubter,
    DoubtError,
    NotSaidError,
    OptionError,
    ReadingError,
    all_called,
    as_typed,
    flag_of,
    is_called,
    is_called_scores,
    is_exactly_called,
    kind_of,
    listed,
    name_like,
    normalised,
)

ROOM = Path(calib_report.__file__).parent
PUBLIC = {*calib.__all__, "__version__"}


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda p: p.stem)
def test_only_public_names_are_imported(path):
    imports = [
        node for node in ast.walk(ast.parse(path.read_text())) if hasattr(node, "names")
    ]
    for node in imports:
        room = getattr(node, "module", None) or ""
        names = {name.name for name in node.names if isinstance(name, ast.alias)}
        assert not room.startswith("calib.") or room == "calib.constants", room
        assert not {name for name in names if name.startswith("calib.")}
        assert room != "calib" or names <= PUBLIC, names - PUBLIC


def test_each_rule_is_used_and_each_use_has_a_rule():
    code = "".join(path.read_text() for path in ROOM.rglob("*.py"))
    table = tomllib.loads((ROOM / "contract.toml").read_text("utf-8"))
    assert {*re.findall(r'NOTED\["(\w+)"\]', code)} == {*table["noted"]}
    lists = [name for name in table["names"] if f'"{name}"' not in code]
    assert not {*lists} - {"logits", "probabilities", "log-probabilities", "odds"}


@pytest.mark.parametrize("place", ["README.md", "chapters/use/files-and-options.md"])
def test_the_contract_is_the_same_wherever_it_stands(place):
    assert CONTRACT in (ROOM.parent / place).read_text("utf-8")


def test_the_contract_has_ten_lines_and_stands_in_the_error():
    assert len(CONTRACT.splitlines()) == 10
    with pytest.raises(NotSaidError) as caught:
        calib_report.read({"a": [1, 2]})
    assert caught.value.__notes__ == [CONTRACT] and caught.value.role == "y"


@pytest.mark.parametrize(
    ("changes", "typed"),
    [
        ({"y": "gold", "scores": None, "where": ()}, "--y gold"),
        ({"pairs": True}, "--pairs"),
        ({"pairs": False, "leave_out_empty": ("a",)}, "--no-pairs --leave-out-empty a"),
        ({"percent": 100.0}, "--percent"),
        ({"percent": 255.0}, "--percent 255"),
        ({"atol": 0.05}, "--atol 0.05"),
        ({"classes": ("a", "b")}, "--classes a,b"),
        ({"classes": ("-1", "1")}, "--classes=-1,1"),
        ({"classes": "names.txt"}, "--classes names.txt"),
        ({"ignore_index": (-100, 7)}, "--ignore-index=-100 --ignore-index 7"),
        ({"labels_from": 0}, "--labels-from 0"),
    ],
)  # fmt: skip
def test_options_are_typed_as_a_command_line_has_them(changes, typed):
    assert " ".join(as_typed(changes)) == typed


def test_an_error_shows_its_file_and_what_can_be_typed():
    error = ReadingError("it is odd", {"y": "a b"}, {"pairs": True}, source="a.csv")
    assert str(error) == "a.csv: it is odd: --y 'a b', or --pairs"
    assert str(ReadingError("it  is\nodd")) == "it is odd"


def test_a_doubt_is_raised_or_noted_where_it_is_overruled():
    with pytest.raises(DoubtError, match=r"^it is odd: --y a$"):
        Doubter(overruled=False).raise_or_note("it is odd", {"y": "a"})
    doubter = Doubter(overruled=True)
    doubter.raise_or_note("it is odd", {"y": "a"})
    assert [str(note) for note in doubter.notes] == [
        "Read as said, although it is odd."
    ]


def test_a_list_of_names_is_cut():
    assert listed([]) == "nothing" and listed(["a", 1]) == "'a', '1'"
    assert listed("abcde", 4) == "'a', 'b', 'c', 'd', …"
    assert listed("abcd", 4) == "'a', 'b', 'c', 'd'"


def test_names_are_alike_but_for_what_people_vary():
    assert normalised("New_York-2.1 x") == normalised("new york21X") == "newyork21x"
    assert normalised("a") != normalised("b")


@pytest.mark.parametrize(
    ("name", "role", "is_so"),
    [
        ("Gold", "labels", True),
        (" label ", "labels", True),
        ("doc.label", "labels", True),
        ("label.doc", "labels", False),
        ("goldfish", "labels", False),
        ("pred", "labels", False),
    ],
)
def test_a_name_or_its_last_part_is_called_so(name, role, is_so):
    assert is_called(name, role) == is_called(name, "classes", role) == is_so
    assert all_called([name, "x"], role) == ([name] if is_so else [])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("model_logits", "logits"),
        ("Prob_cat", "probabilities"),
        ("log_prob_cat", "log-probabilities"),
        ("log_odds", "logits"),
        ("odds_of_it", "odds"),
        ("z", "logits"),
        ("score", None),
        ("improbable", None),
    ],
)
def test_a_name_says_a_kind(name, kind):
    assert kind_of(name) == kind
    assert is_called_scores(name) == (kind is not None or name == "score")


@pytest.mark.parametrize(
    ("name", "is_so"),
    [(" Split ", True), ("fold", True), ("doc.split", False), ("splits of", False)],
)
def test_a_whole_name_is_of_a_role_whatever_its_case(name, is_so):
    assert is_exactly_called(name, "label", "parting") == is_so


def test_the_first_name_that_is_a_word_but_for_its_case_is_found():
    names = ["my_confidence", " Confidence", "confidence"]
    assert name_like(names, "confidence") == " Confidence"
    assert name_like(names[:1], "confidence") is None


def test_an_option_is_called_by_python_in_python_and_as_it_is_typed_on_the_command_line():
    error = OptionError("max_risk", "3, expected max_risk: a share", {"y": "gold"})
    problem = "3, expected max_risk: a share: --y gold"
    assert str(error) == f"max_risk: {problem}"
    assert error.as_typed() == f"--max-risk: {problem}"


@pytest.mark.parametrize("source", ["a.csv", "max_risk", "of/my max_risk: b"])
def test_a_file_is_called_as_it_is_whatever_option_an_error_is_of(source):
    error = OptionError("max_risk", "3")
    error.source = source
    assert str(error) == f"{source}: max_risk: 3"
    assert error.as_typed() == f"{source}: --max-risk: 3"


@pytest.mark.parametrize("command", ["report", "check", "compare", "apply", "look"])
def test_each_option_of_a_command_has_the_flag_that_names_it(command):
    (commands,) = (a for a in parser()._actions if isinstance(a.choices, dict))
    for action in commands.choices[command]._actions:
        if action.option_strings and action.dest != "help":
            assert flag_of(action.dest) in action.option_strings
