"""What is typed: options as the command reads them, and its help."""

import pytest

from calib_report.commands.arguments import parser, reading_options, typed_words
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
