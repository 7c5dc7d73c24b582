"""The lines of ``data/forecasts/registered-2.csv``: each says what one kind of evidence decides."""

import json
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from evidence.claims.frames import read_table

LEVELS = (0.9, 0.5)  # of the intervals of an amount


@dataclass(frozen=True)
class Line:
    """A forecast: a sentence that is true or not, or an amount where there is a unit."""

    id: str
    evidence: str  # its kind
    says: str
    frame: str  # the table that its rule reads
    rule: str
    parameters: dict[str, Any]
    fewest: int  # cases that count as an answer
    claim: str = ""  # of the ledger
    unit: str = ""

    @property
    def is_amount(self) -> bool:
        """Whether a number is asked for."""
        return bool(self.unit)


@dataclass(frozen=True)
class Answer:
    """What a rule says of a line: a number, and whether the sentence is true."""

    number: float
    n: int  # cases
    true: bool | None = None  # None of an amount


class NoAnswerError(ValueError):
    """Why the evidence does not answer a line."""


@dataclass(frozen=True)
class FramesWithNotes:
    """What a folder holds as frames, and notes on what could not be used."""

    frames: dict[str, pd.DataFrame] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences


def load_table() -> pd.DataFrame:
    """Return the forecasts as a table, with the columns that ``data/README.md`` explains."""
    return read_table("forecasts/registered-2.csv").fillna({"claim": "", "unit": ""})


def load_lines() -> list[Line]:
    """Return the forecasts, one `Line` each."""
    return [line_of(row) for row in load_table().to_dict("records")]


def line_of(row: dict[Any, Any]) -> Line:
    """Return the `Line` of a row of the table."""
    names = [name for name in Line.__dataclass_fields__ if name != "parameters"]
    return Line(
        **{name: row[name] for name in names}, parameters=json.loads(row["parameters"])
    )


def registered_files() -> pd.DataFrame:
    """Return the sealed files: what each is, how its SHA-256 begins, and what is needed of it."""
    files = read_table("forecasts/registered-2-files.csv").fillna("")
    return files.astype(str).set_index("name")
