"""What is typed: options as the command reads them, and its help."""

import pytest

from calib_report.command import main
from calib_report.commands.arguments import parser, reading_options
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


def test_calib_alone_prints_help_and_each_help_says_what_a_file_must_look_like(capsys):
    assert main([]) == 0
    assert "calib report predictions.csv --groups orchard" in capsys.readouterr().out
    for command in ("report", "check"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        output = capsys.readouterr().out
        assert CONTRACT in output and "reading:" in output
