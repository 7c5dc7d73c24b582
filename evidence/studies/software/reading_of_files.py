"""Compute reading_of_files.csv: what comes of each file as tools and people write them.

`python -m evidence.studies reading_of_files` from the root, a quarter of a minute. Each is read;
where it is not read at once, with the options that are proposed first, or that its case says:
`typed`.
"""

import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from calib_report.contract import as_typed
from evidence.files_with_truth.case import Case, proposals, reading
from evidence.files_with_truth.of_tools import CASES
from evidence.rows import Row


def outcome(case: Case, folder: Path) -> Row:
    """Return a file, who writes it, what has to be typed, and what comes of it."""
    outputs, error = reading(case, folder, {})
    typed = ""
    if outputs is None:
        readings, error = proposals(case, folder)
        for first in readings[:1]:
            outputs, typed = first.outputs, first.command().removeprefix("calib ")
    if outputs is None and case.after:
        outputs, error = reading(case, folder, case.after)
        typed = shlex.join(as_typed(case.after))
    answer = error if outputs is None else f"{outputs.kind}, {len(outputs)} rows"
    place = f"{folder}/"
    return {
        "file": case.name,
        "by": case.tool,
        "typed": typed.replace(place, ""),
        "what comes of it": answer.replace(place, ""),
    }


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            yield outcome(case, Path(folder))
