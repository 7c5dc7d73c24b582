"""``calib apply``: a saved map on new outputs, which are written as they came."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from calib_report.applying.apply_map import TABLES, apply_map
from calib_report.commands.arguments import reading_options
from calib_report.commands.printing import say, say_notes
from calib_report.files.extras import ending_of


def run(arguments: argparse.Namespace) -> None:
    if arguments.output == "-":
        _apply_to_stdout(arguments)
        return
    _apply_to(arguments.output, arguments)
    say(f"wrote {arguments.output}")


def _apply_to(place: Any, arguments: argparse.Namespace) -> None:
    options = reading_options(arguments)
    say_notes(apply_map(arguments.map, arguments.predictions, place, **options))


def _apply_to_stdout(arguments: argparse.Namespace) -> None:
    # the name of a file has to be invented, since its ending is a format
    ending = ending_of(arguments.predictions)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"out{ending if ending in TABLES else '.npz'}"
        _apply_to(place, arguments)
        sys.stdout.flush()
        sys.stdout.buffer.write(place.read_bytes())
