"""The command line: streams, help, what it refuses, and what it prints."""

import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from processes import start
from tempered_models import outputs, write
from weeks import after, week

from calib_report import propose
from calib_report.commands import main as door
from calib_report.commands.arguments import parser, reading_options
from calib_report.commands.main import main
from calib_report.contract import ReadingError
from calib_report.gating.memory_files import write_memory
from calib_report.options import Options


def test_the_demo_is_followed_by_what_it_says_and_files_come_by_streams(
    tmp_path, monkeypatch, capfdbinary
):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "d.csv"]) == 0
    assert (
        main(capfdbinary.readouterr().out.decode().partition("now: calib ")[2].split())
        == 0
    )
    of_file = json.loads((tmp_path / "report.json").read_text())
    assert {row["group"] for row in of_file["groups"]["orchard"]} == {
        "north",
        "south",
        "west",
    }
    content = (tmp_path / "d.csv").read_bytes()

    def fed(line):
        capfdbinary.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(line.split()) == 0
        return capfdbinary.readouterr().out

    numbers = json.loads(fed("report - -o -"))
    assert numbers["before"] == of_file["before"]
    assert numbers["provenance"]["command"] == "calib report - -o -"
    applied = fed("apply report-map.json - -o -").decode().splitlines()
    assert (
        applied[0].startswith("label,orchard,probability_apple")
        and len(applied) == 3001
    )


def test_what_steers_a_terminal_is_printed_as_its_code(tmp_path, capsys):
    source = outputs(2.0, n=400)
    source["classes"] = np.array(["a", "b", "c", "d\x1b]0;PWN\x07"])
    misnamed = source | {"y": np.array(source["classes"])[source["y"]]}
    misnamed["y"][3] = "\x1b[2Jx"
    path = write(tmp_path / "a.npz", **misnamed)
    assert main(["check", path]) == 2
    assert "\x1b" not in capsys.readouterr().err
    assert main(["demo", str(tmp_path / "\x1b[2J.csv")]) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output and r"\x1b[2J" in output


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_numbers_that_cannot_be_printed_are_told(needs_a_map):
    """Standard output, too, may be a file on a full disk."""
    with open("/dev/full", "w") as full:
        code = "from calib_report.commands.main import main; raise SystemExit(main())"
        process = start(code, "check", needs_a_map, stdout=full)
        lines = process.communicate(timeout=60)[1].splitlines()
    assert (
        process.returncode == 2
        and lines[-1] == "calib: standard output: No space left on device"
    )
    assert not any("Error" in line for line in lines)


@pytest.fixture
def piped(monkeypatch):
    """What puts a text on standard input."""

    def put(text):
        content = io.BytesIO(text.encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))

    return put


def test_what_was_piped_is_proposed_as_it_was_typed(capsys, piped):
    piped("label,score\na,0.8\nb,0.4\na,1.7\n")
    assert main(["check", "-", "--memory", "gate.json"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("calib: standard input: ")
    assert "calib check - --memory gate.json --" in shown and ".csv" not in shown


# no labels, no scores, a score that is no number, no whole file
NOT_READ = ["foo,bar\n0,1\n", "y,p\n0,1\n", "y,p_1\n0,a\n1,b\n", "PK\x03\x04"]
LINES = ["check -", "look -", "report -", "compare - u.csv", "compare - -"]


@pytest.mark.parametrize("text", NOT_READ)
@pytest.mark.parametrize("line", LINES)
def test_what_was_piped_is_called_standard_input(capsys, piped, line, text):
    piped(text)
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith("calib: standard input: ") and ".csv" not in error


def test_the_reading_that_is_shown_is_run_with_its_options_and_no_others(
    folder, monkeypatch
):
    """A prediction beside the label takes back that one of the labels is the event."""
    rows = ["yes,0.9,yes", "no,0.7,yes", "yes,0.8,yes", "no,0.6,no"] * 5
    Path("a.csv").write_text("\n".join(["label,confidence,prediction", *rows]))
    words = "check a.csv --y label --scores confidence --positive no".split()
    readings = propose("a.csv", y="label", scores="confidence", positive="no")
    assert readings[0].options.positive is None
    monkeypatch.setattr(door, "run", lambda arguments: 0)
    for reading in readings:
        arguments = parser().parse_args(words)
        door._run_so(reading, arguments)
        assert Options.of(**reading_options(arguments)) == reading.options
        assert arguments.typed == reading.command("check", "a.csv")


def test_a_column_of_dates_is_proposed_for_nothing_else(folder):
    """It stands beside the samples, and is no option of reading."""
    rows = [f"2026-01-0{k % 3 + 1},{'ab'[k % 2]},0.{k + 1}" for k in range(8)]
    Path("a.csv").write_text("\n".join(["label,outcome,conf", *rows]))
    arguments = parser().parse_args(["report", "a.csv", "--time", "label"])
    arguments.predictions = "a.csv"
    readings = door.readings_proposed(ReadingError("not clear"), arguments)
    assert {reading.label for reading in readings} == {"outcome"}
    assert {reading.options.groups for reading in readings} == {()}


def test_a_report_on_what_was_piped_has_it_in_its_title(folder, piped):
    piped("label,p_1\n" + "0,0.2\n1,0.7\n" * 10)
    assert main(["report", "-", "-o", "report.md"]) == 0
    assert "standard input.csv" in Path("report.md").read_text().splitlines()[0]


def test_a_memory_that_is_joined_with_itself_is_itself(folder):
    write_memory(after([week(0), week(1)]), "gate.json")
    assert main(["join", "gate.json", "gate.json", "-o", "both.json"]) == 0
    assert Path("both.json").read_bytes() == Path("gate.json").read_bytes()


def test_a_memory_that_is_not_there_is_joined_with_none(folder, capsys):
    write_memory(after([week(0)]), "gate.json")
    before = Path("gate.json").read_bytes()
    assert main(["join", "none.json", "-o", "gate.json"]) == 2
    assert "none.json" in capsys.readouterr().err
    assert Path("gate.json").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--percent 0.5", "calib: a.npz: --percent: 0.5, expected more than 1"),
        ("--class-axis 7", "calib: a.npz: --class-axis: 7, and scores have the shape"),
        ("--max-risk 0.1", "calib: --max-risk: 40 samples, expected 200"),
        ("--memory m.json --tolerance 2", "calib: --tolerance: 2.0, expected a number"),
    ],
)
def test_an_option_that_is_wrong_is_named_as_it_was_typed_and_nothing_is_proposed(
    options, told, folder, capsys
):
    write("a.npz", **outputs(2.0, n=40))
    assert main(["check", "a.npz", *options.split()]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(told)


@pytest.mark.parametrize("line", ["compare - b.csv", "compare b.csv -", "compare - -"])
def test_either_of_two_files_is_piped(line, folder, piped, capsys):
    table = "confidence,correct\n" + "0.9,1\n0.7,0\n0.6,1\n" * 40
    (folder / "b.csv").write_text(table)
    piped(table)
    assert main([*line.split(), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert (
        rows["accuracy"]["second"] == rows["accuracy"]["first"] == pytest.approx(2 / 3)
    )


def test_a_second_file_that_is_piped_and_not_read_is_proposed_as_it_was_typed(
    folder, piped, capsys
):
    table = "confidence,correct\n" + "0.9,1\n0.7,0\n0.6,1\n" * 40
    (folder / "a.csv").write_text(table)
    piped(table.replace("correct", "gold").replace("confidence", "p"))
    assert main(["compare", "a.csv", "-"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("calib: standard input: ")
    assert "calib compare a.csv - --" in shown
