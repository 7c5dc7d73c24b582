"""What is typed: options as the command reads them, and its help."""

import pytest

from calib_report.commands.arguments import (
    TYPED_AGAIN,
    parser,
    reading_options,
    typed_words,
)
from calib_report.commands.main import main
from calib_report.contract import CONTRACT, as_typed
from calib_report.options import Options


@pytest.mark.parametrize("classes", [("a", "b"), ("-1", "1")])
def test_options_are_typed_as_the_command_reads_them(classes):
    """What an error or a proposal shows is what argparse takes."""
    changes = {
        "y": "gold",
        "scores": "p_a,p b",
        "pairs": False,
        "positive": "-1",
        "percent": 100.0,
        "classes": classes,
        "where": ("split=test", "fold=0"),
        "ignore_index": (-100, 255),
    }
    arguments = parser().parse_args(["check", "a.csv", *as_typed(changes)])
    assert Options.of(**reading_options(arguments)).changed() == changes


OF_LABELS_AND_ROWS = {
    "labels",
    "where",
    "long",
    "calibration",
    "labels_from",
    "leave_out_empty",
    "ignore_index",
}
# what was typed, less the options of reading
TYPED = [
    "report a.csv b.csv --cost alarm=a,miss=2 --coverage 0.8 --seed 3 -o a.html",
    "check a.csv --max ece=0.1 --max nll=1 --max-risk 0.05 --against report.json",
    "check a.csv --memory g.json --tolerance 0.0 --by-class --model-name m",
    "compare a.npz b.npz --json",
    "apply map.json a.csv -o b.csv",
]


@pytest.mark.parametrize("line", TYPED)
def test_a_command_is_typed_again_with_all_its_options_but_those_of_reading(line):
    words = line.split()
    assert sorted(typed_words(parser().parse_args(words))) == sorted(words)
    if words[0] != "apply":
        more = [*words, "--kind", "logits"]
        assert sorted(typed_words(parser().parse_args(more))) == sorted(words)


FILES = {"predictions", "first", "second", "map", "output"}
READING = {*Options.__dataclass_fields__}


def names_of(command):
    """The names of all that a command may be given."""
    commands = parser()._subparsers._group_actions[0].choices
    return {action.dest for action in commands[command]._actions} - {"help"}


@pytest.mark.parametrize(
    ("command", "without"),
    [
        ("report", set()),
        ("check", set()),
        ("look", set()),
        # two models are compared as a whole
        ("compare", {"groups"}),
        # of new outputs there are no labels, and each row is written
        ("apply", OF_LABELS_AND_ROWS | {"groups", "clusters"}),
    ],
)
def test_a_command_that_reads_has_the_options_of_reading(command, without):
    assert READING - names_of(command) == without


@pytest.mark.parametrize("command", ["report", "check", "look", "compare", "apply"])
def test_each_option_is_of_reading_or_typed_again(command):
    """One that is neither would be lost where a command is proposed."""
    assert names_of(command) <= READING | FILES | {*TYPED_AGAIN}


NUMBERS = {"percent", "class_axis", "atol", "labels_from", "ignore_index"}
FLAGS = {"multilabel", "yes", "pairs"}


def options_typed(*words):
    return reading_options(parser().parse_args(["report", "a.csv", *words]))


@pytest.mark.parametrize("name", sorted(READING))
def test_what_is_typed_is_the_option_of_its_name(name):
    value = {"kind": "logits"} | dict.fromkeys(NUMBERS, "1")
    words = [] if name in FLAGS else [value.get(name, "x")]
    options = options_typed("--" + name.replace("_", "-"), *words)
    without = options_typed()
    assert [other for other in without if options[other] != without[other]] == [name]


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("--percent", "percent", 100.0),
        ("--no-pairs", "pairs", False),
        ("--where a=b --where c=d", "where", ("a=b", "c=d")),
        ("--groups a --groups b", "groups", ("a", "b")),
        ("--ignore-index -1 --ignore-index 7", "ignore_index", (-1, 7)),
    ],
)
def test_an_option_without_its_value_or_with_several(line, name, value):
    assert Options.of(**options_typed(*line.split())).changed() == {name: value}


def test_who_looks_is_given_a_report_to_type():
    words = typed_words(parser().parse_args(["look", "a.csv", "--groups", "g"]))
    assert words == ["report", "a.csv", "-o", "report.html"]


def test_calib_alone_prints_help_and_each_help_says_what_a_file_must_look_like(capsys):
    assert main([]) == 0
    assert "calib report predictions.csv --groups orchard" in capsys.readouterr().out
    for command in ("report", "check"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        output = capsys.readouterr().out
        assert CONTRACT in output and "reading:" in output
