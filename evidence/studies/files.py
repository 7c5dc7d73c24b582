"""Compute data/results/files.csv: what comes of each file as tools and people write them.

`python -m evidence.studies files` from the root, a quarter of a minute. Each is read; where it is
not read at once, with the options that are proposed first, or that its case says: `typed`.
"""

import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from calib_report.contract import as_typed
from evidence.files_with_truth.of_tools import CASES, Case, proposals, reading
from evidence.pieces import Row


def outcome(case: Case, folder: Path) -> Row:
    """Return a file, who writes it, what has to be typed, and what comes of it."""
    outputs, error = reading(case, folder, {})
    typed = ""
    if outputs is None:
        readings, error = proposals(case, folder)
        for proposal in readings[:1]:
            outputs, typed = proposal.outputs, proposal.command().removeprefix("calib ")
    if outputs is None and case.option:
        outputs, error = reading(case, folder, case.option)
        typed = shlex.join(as_typed(case.option))
    place = f"{folder}/"
    answer = error if outputs is None else f"{outputs.kind}, {len(outputs)} rows"
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
