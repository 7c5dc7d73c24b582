"""Compute changed_files.csv: what comes of changed files, of each kind that is read.

`python -m evidence.studies changed_files` from the root changes each whole file 1250 times: half an
hour of a quiet core. An example of what is wrong is printed.

A file of predictions is changed, and read without any option. **Wrong** is a page that is written
at once although its label, event, order or score differs from what the file states. The judge knows
what it states, row by row: a row of the changed file that also stands in the whole one, to the
byte, must be read as it was there, with the same class, the same score of each class, and the same
kind of scores; each row that is stated is read once, and none is lost or made. A row that was
changed itself states something else, and nobody could know what it was, so it does not count.
Neither do names that changed places, which state another order. Of a *sealed* file, which carries
checksums, every row must be what it was. An error of several lines, a warning, or an error that is
not of the reader is wrong too.

A saved map has no rows: it is refused, or predicts probabilities.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np

import calib
import calib_report
from calib.maps.base import clone
from calib_report import ModelOutputs
from evidence.files_with_truth.case import proposals
from evidence.files_with_truth.of_tools import CASES
from evidence.files_with_truth.saved_maps import LOGIT_MAPS, SCORE_MAPS, outputs
from evidence.rows import Row
from evidence.studies.parts.outcomes_of_calls import (
    HIT,
    SCORE,
    SEED,
    Outcome,
    Y,
    Z,
    count_outcomes,
    judged,
    row_of_counts,
)
from evidence.studies.parts.stated_rows import File, is_other_order, rows_of

N_CHANGES = 1250
SEALED = (".npz", ".gz", ".bz2", ".xz", ".zip", ".xlsx")
OFF = 1e-5  # that a score may be: probabilities are divided by their sum
HEADING = 400  # bytes, about, in which half of the changes lie
Places = Sequence[int] | np.ndarray
RIGHT = ("same", "other", "refused")


def predictions(folder: Path) -> Iterator[tuple[str, File]]:
    """Predictions as people save them, by one row a sample, see `files_with_truth`."""
    for case in CASES:
        path = folder / case.name
        case.write(path)
        readings, _ = proposals(case, folder)
        if case.options or not readings or not path.is_file():
            continue
        if {"leave_out_empty", "ignore_index"} & {*readings[0].options.changed()}:
            continue  # a row of the file is none of the reading
        truth = readings[0].outputs
        file = File(path.suffix.lower(), path.read_bytes(), calib_report.read, truth)
        n_rows = len(rows_of(file, file.content, len(truth)))
        if file.suffix in SEALED or n_rows == len(truth):
            yield f"read, {case.name}", file


def maps(folder: Path) -> Iterator[tuple[str, File]]:
    """Saved maps, of each class in `saved_maps`."""
    calibrator: Any
    for calibrator in SCORE_MAPS + LOGIT_MAPS:
        x, y = (SCORE, HIT) if calibrator in SCORE_MAPS else (Z, Y)
        path = folder / "whole.json"
        calib.save_map(clone(calibrator).fit(x, y), path)

        def read(path: Path, x: np.ndarray = x) -> np.ndarray:
            return outputs(calib.load_map(path), x)

        file = File(".json", path.read_bytes(), read, read(path))
        yield f"load_map, {type(calibrator).__name__}", file


def corpus(folder: Path) -> dict[str, File]:
    """All files by name."""
    return dict(predictions(folder)) | dict(maps(folder))


def outcome(file: File, path: Path) -> str:
    """Read a changed file; return "same", "other", "refused", or what is wrong."""
    judgement, value = judged(lambda: file.read(path), (ValueError, TypeError))
    if judgement == "refused" and "\n" in value:
        return "an error of several lines"
    if judgement != "returned":
        return judgement
    if not hasattr(file.truth, "y"):
        return "same" if np.array_equal(value, file.truth) else "other"
    return verdict(file, path.read_bytes(), value)


def verdict(file: File, content: bytes, read: ModelOutputs) -> str:
    """Hold what was read at once to what the changed file states."""
    if file.suffix in SEALED:
        return verdict_of_sealed(file.truth, read)
    whole = rows_of(file, file.content, len(file.truth))
    stated = rows_of(file, content, len(read))
    if len(stated) != len(read):
        return f"{len(stated)} rows are stated, and {len(read)} read"
    if is_other_order(file, content):
        return "other"
    unchanged = places_of_unchanged(whole, stated)
    if not are_alike(file.truth, read, *unchanged):
        return "a stated row was read as another"
    return "same" if stated == whole else "other"


def verdict_of_sealed(truth: ModelOutputs, read: ModelOutputs) -> str:
    """Hold what was read of a file with checksums to what stood in it."""
    places = np.arange(len(truth))
    is_same = len(read) == len(truth) and are_alike(truth, read, places, places)
    return "same" if is_same else "a changed file was believed"


def places_of_unchanged(
    whole: Sequence[Any], stated: Sequence[Any]
) -> tuple[list[int], list[int]]:
    """Return where rows that are stated as in the whole file stand there, and where they do now."""
    place_of = {row: place for place, row in enumerate(whole)}
    now = [place for place, row in enumerate(stated) if row in place_of]
    return [place_of[stated[place]] for place in now], now


def are_alike(
    truth: ModelOutputs, read: ModelOutputs, of_truth: Places, of_read: Places
) -> bool:
    """Tell whether rows have the same classes, kind of scores, labels and scores."""
    if sort_of(read) != sort_of(truth):
        return False
    columns = columns_of(truth, read)
    if columns is None:
        return False
    label = np.argsort(columns)[read.y[of_read]]
    entries = read.scores[of_read][:, columns]
    same = np.isclose(entries, truth.scores[of_truth], rtol=OFF, atol=OFF)
    return bool(same.all() and np.array_equal(label, truth.y[of_truth]))


def sort_of(read: ModelOutputs) -> tuple[object, ...]:
    """Return what outputs are of: their task, the kind of their scores, how many classes."""
    return read.task, read.kind, read.n_classes


def columns_of(truth: ModelOutputs, read: ModelOutputs) -> list[int] | None:
    """Return where each class stands in what was read; None where one that is a label does not.

    A class that no label is may have another name: the file states that one. So may all choices of
    questions, which are named where all questions have the same.
    """
    names = [folded(name) for name in truth.names]
    names_read = [folded(name) for name in read.names]
    if not {*names} & {*names_read}:
        return list(range(truth.n_classes))
    unknown = [k for k, name in enumerate(names) if name not in names_read]
    if np.isin(unknown, truth.y).any():
        return None
    more = iter(k for k, name in enumerate(names_read) if name not in names)
    return [
        names_read.index(name) if name in names_read else next(more) for name in names
    ]


def folded(name: str) -> str:
    """Return the letters and digits of a name, in one case."""
    return re.sub(r"[\W_]", "", normalize("NFKC", name).casefold())


def with_bytes_changed(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with a few bytes changed, cut out, repeated or swapped."""
    edited = bytearray(content)
    kind = rng.integers(5)
    at, to = sorted(rng.integers(len(content), size=2))
    if kind == 0:
        for place in rng.integers(len(content), size=rng.integers(1, 9)):
            edited[place] ^= 1 << rng.integers(8)
    elif kind == 1:
        del edited[at:]
    elif kind == 2:
        del edited[at:to]
    elif kind == 3:
        edited[at:at] = edited[at:to]
    else:
        edited[at : at + 8] = rng.bytes(8)
    return bytes(edited)


def changed(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with a few bytes changed: anywhere, or in its heading."""
    if rng.random() < 0.5 or len(content) <= HEADING:
        return with_bytes_changed(content, rng)
    line = content.find(b"\n")
    end = line if 0 < line < HEADING else HEADING
    return with_bytes_changed(content[:end], rng) + content[end:]


def mutate(
    name: str, file: File, n_changes: int, folder: Path, seed: int = 0
) -> tuple[Counter[str], dict[str, str]]:
    """Read n changed files of one kind; return counts, and examples of what is wrong."""
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng([seed, *name.encode()])
    path = folder / f"changed{file.suffix}"

    def outcomes() -> Iterator[Outcome]:
        for number in range(n_changes):
            path.write_bytes(changed(file.content, rng))
            yield outcome(file, path), f"change {number}, seed {seed}"

    return count_outcomes(outcomes(), RIGHT)


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, file in corpus(folder).items():
            outcomes = mutate(kind, file, N_CHANGES, folder / "changed", SEED)
            yield row_of_counts("file", kind, (*RIGHT, "wrong"), outcomes)
