"""What commands print: lines that steer no terminal, notes beside them, numbers as JSON."""

import sys
from collections.abc import Iterable
from typing import Any

from calib_report.contract import Note
from calib_report.wording.rendering import json_text, visible


def say(text: str, **where: Any) -> None:
    """Print lines; what steers a terminal is written as its code."""
    # a name in a file may hold codes that rewrite the screen
    print("\n".join(map(visible, text.split("\n"))), **where)


def print_json(numbers: Any) -> None:
    print(json_text(numbers))


def say_notes(notes: Iterable[Note | str]) -> None:
    """Print notes where they are in nobody's way: numbers may be piped."""
    for note in notes:
        say(f"calib: note: {note}", file=sys.stderr)
