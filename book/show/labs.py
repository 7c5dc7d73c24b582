"""A lab's data for one student: of everybody's rows four fifths, drawn for the student."""

import hashlib
import json
import os
import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np

from evidence.data import Predictions, data_folder
from evidence.network_outputs import Outputs

SHARE = 0.8


def student_name() -> str:
    """Return the name in ``CALIB_STUDENT`` or in the archive's ``student.txt``; empty if none."""
    path = data_folder().parent / "student.txt"
    stored = path.read_text(encoding="utf-8") if path.is_file() else ""
    return " ".join(os.environ.get("CALIB_STUDENT", stored).split()).casefold()


def letters_alone(text: str) -> str:
    """Return the letters and digits of a name: what all of its spellings have in common."""
    simple = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in simple if character.isalnum())


def digest(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt}/{text}".encode()).hexdigest()[:16]


def seed_text() -> str:
    """Return what a student's numbers are drawn by: hexadecimal, or empty for everybody's.

    A class has a list of what its teacher drew for each name. Who learns alone has everybody's
    numbers: the seals of the book's archive are of these.
    """
    if graded := os.environ.get("CALIB_SEED", ""):
        return graded
    path = data_folder().parent / "students.json"
    if path.is_file():
        return _listed(json.loads(path.read_text(encoding="utf-8")), student_name())
    return ""


def _listed(table: dict[str, Any], name: str) -> str:
    """Return the seed of a name in a class's list: as it is spelt, or else by its letters."""
    for spelling in (f"={name}", letters_alone(name)):
        if seed := table["seeds"].get(digest(table["salt"], spelling)):
            return seed
    raise ValueError(
        f"nobody of your class is called {name!r}: write the name that your teacher's list has "
        "for you into calibration-book/student.txt, then restart this notebook"
    )


def own_seed(everybody: int = 0) -> int:
    """Return the seed of a student, or that of everybody where there is no name."""
    return int(seed_text() or hex(everybody), 16)


def my_part(data: Any) -> Any:
    """Return a student's own part of data, in the order that they have; all of it without a name.

    `data` is a network's `Predictions` or `Outputs`, a table, or a tuple of arrays of one length.
    Data of one length have one part, so that two networks stay paired.
    """
    if not seed_text():
        return data
    if isinstance(data, Predictions):
        halves = {"calibration": my_part(data.calibration), "test": my_part(data.test)}
        return replace(data, **halves)
    n = len(data[0]) if isinstance(data, tuple) else len(data)
    # drawn by the student and the length alone, so that data of one length stay paired
    rows = np.sort(np.random.default_rng(own_seed()).permutation(n)[: round(SHARE * n)])
    if isinstance(data, tuple):
        return tuple(array[rows] for array in data)
    return data.take(rows) if isinstance(data, Outputs) else data.iloc[rows]
