"""A lab's data for one student: of everybody's rows four fifths, drawn by the student's name."""

import os
import zlib
from dataclasses import replace

import numpy as np

from evidence.data import Predictions, data_folder
from evidence.network_outputs import Outputs

SHARE = 0.8


def student() -> str:
    """Return the name in ``CALIB_STUDENT`` or in the archive's ``student.txt``; empty if none."""
    path = data_folder().parent / "student.txt"
    kept = path.read_text(encoding="utf-8") if path.is_file() else ""
    return " ".join(os.environ.get("CALIB_STUDENT", kept).split()).casefold()


def own_seed(everybody: int = 0) -> int:
    """Return the seed of a student, or that of everybody where there is no name."""
    return zlib.crc32(student().encode()) if student() else everybody


def mine(data):
    """Return a student's own part of data, in the order that they have; all of it without a name.

    `data` is a network's `Predictions` or `Outputs`, a table, or a tuple of arrays of one length.
    Data of one length have one part, so that two networks stay paired.
    """
    if not student():
        return data
    if isinstance(data, Predictions):
        parts = {"calibration": mine(data.calibration), "test": mine(data.test)}
        return replace(data, **parts)
    n = len(data[0]) if isinstance(data, tuple) else len(data)
    rows = np.sort(np.random.default_rng(own_seed()).permutation(n)[: round(SHARE * n)])
    if isinstance(data, tuple):
        return tuple(array[rows] for array in data)
    return data.take(rows) if isinstance(data, Outputs) else data.iloc[rows]
