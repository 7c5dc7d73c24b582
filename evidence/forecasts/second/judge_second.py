"""Judge the lines of the second set: each has an answer, or a reason why it has none."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evidence.forecasts.second import network_frames, table_frames
from evidence.forecasts.second.line_rules import RULES
from evidence.forecasts.second.registered import FramesWithNotes, Line, NoAnswerError

# the reason of a line whose rule raised what it does not name
BREAKS = "the rule breaks"
# the list, its files and spreads, the stand-ins, and what they give
FROZEN_SECOND = (
    "forecasts/registered-2.csv",
    "forecasts/registered-2-files.csv",
    "forecasts/registered-2-spreads.csv",
    "forecasts/stand-ins-2.npz",
    "forecasts/stand-ins-2-tasks.csv",
    "forecasts/stand-ins-2-subjects.csv",
    "forecasts/outcomes-2.csv",
)


def read_folder(folder: Path | str) -> FramesWithNotes:
    """Return what a folder holds of the second set, as `evidence.forecasts.second` lays it out."""
    readings = (
        network_frames.read_networks(folder),
        table_frames.read_tasks(folder),
        table_frames.read_subjects(folder),
    )
    frames: dict[str, pd.DataFrame] = {}
    notes: tuple[str, ...] = ()
    for reading in readings:
        frames |= reading.frames
        notes += reading.notes
    return FramesWithNotes(frames, notes)


def judge_lines(lines: list[Line], frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one row a line: ``true`` (1 or 0), ``number``, ``n``, and why there is no answer."""
    return pd.DataFrame([judge_line(line, frames) for line in lines])


def judge_line(line: Line, frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Return what the evidence says of a line.

    An error that no rule names would be a mistake of ours. It stops one line and not the others,
    and is told apart: on stand-ins there is none.
    """
    empty = {"id": line.id, "true": np.nan, "number": np.nan, "n": 0, "reason": ""}
    if line.frame not in frames:
        return empty | {"reason": f"no evidence: {line.frame}"}
    try:
        answer = RULES[line.rule](frames[line.frame], line.fewest, **line.parameters)
    except NoAnswerError as error:
        return empty | {"reason": f"no answer: {error}"}
    except Exception as error:
        return empty | {"reason": f"{BREAKS}: {type(error).__name__}: {error}"}
    true = np.nan if answer.true is None else float(answer.true)
    return empty | {"true": true, "number": answer.number, "n": answer.n}


def answered(judged: pd.DataFrame) -> pd.Series:
    """Return which lines have an answer."""
    return judged["reason"] == ""
