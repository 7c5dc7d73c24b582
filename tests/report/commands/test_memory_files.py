"""A memory that an earlier version wrote is read by this one, and says what it said."""

from pathlib import Path

from calib_report.commands.memory import report_lines
from calib_report.commands.memory_files import FORM, read_memory

FOLDER = Path(__file__).parent / "golden"


def test_a_memory_that_was_written_says_what_it_said():
    memory = read_memory(FOLDER / f"{FORM}.json")
    assert memory.promise.model == "golden" and len(memory.looks) == 3
    status, lines = report_lines(memory)
    assert status == "not enough labels"
    assert (
        "600 samples: what happens less what is said is 0.5 points (-5.9 to 7.0)"
        in lines[1]
    )
