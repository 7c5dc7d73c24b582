"""A whole file of each kind that is read, what reads it, and what may come of a changed one.

A *sealed* file carries a checksum: a changed one is refused, or computed anew, or the change lay
where nothing is read and the content is the same. Any other file is refused by a ValueError of the
reader, in one line, or read as numbers; and they are the numbers that a plain second reading of the
same file finds, where there is one.
"""

import csv
import io
import json
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars
from helpers import ROOT, mutated
from maps import LOGIT_MAPS, SCORE_MAPS
from saved_files import CASES

import calib
from calib.check import MASKED
from calib.maps.base import ScoreCalibrator, clone
from calib_report import read as read_outputs

SECONDS = 5  # of processor time that no reading may take
RNG = np.random.default_rng(0)
Z = np.round(2 * RNG.standard_normal((40, 3)), 3)
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
SCORE = RNG.random(40)
HIT = RNG.random(40) < SCORE
PARTS = {"y": Y, "logits": Z, "calibration_y": Y, "calibration_logits": 1.5 * Z}


class File(NamedTuple):
    """A whole file: what ends its name, its bytes, its reader, whether it is sealed.

    `again` reads the labels and scores of the same path a second time, by simpler means.
    """

    suffix: str
    content: bytes
    read: Any
    sealed: bool = False
    again: Any = None


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def table():
    rows = [f"{y},{','.join(f'{p:.6f}' for p in row)}" for y, row in zip(Y, P, strict=True)]
    return "\n".join(["y,cat,dog,owl", *rows]).encode()


def plain():
    """Files without a checksum, by what reads them."""

    def read_table(path):
        return read_outputs(path, kind="probabilities", scores="cat,dog,owl")

    return {
        "read_outputs, logits": File(".npz", npz(**PARTS), read_outputs),
        "read_outputs, probabilities": File(".npz", npz(y=Y, probabilities=P), read_outputs),
        "read_outputs, csv": File(".csv", table(), read_table, again=csv_again),
    }


TAKEN = [
    *("table.parquet", "lists.parquet", "table.feather", "lists.jsonl"),
    *("lines.jsonl.gz", "pipeline.json", "samples_mmlu.jsonl", "samples_uneven.jsonl"),
    "tensors.safetensors",
]
SEALED = {".gz"}  # by the checksums of their archives


def saved(folder):
    """Predictions as people save them, see `tests/saved_files.py`."""
    found = {}
    for one in CASES:
        if one.name in TAKEN:
            path = folder / one.name
            one.write(path)

            def read(path, said=one.said):
                return read_outputs(path, **said)

            shut = path.suffix in SEALED
            again = AGAIN.get(one.name)
            suffix = "".join(path.suffixes)
            found[f"read, {one.name}"] = File(suffix, path.read_bytes(), read, shut, again)
    return found


def csv_again(path):
    _, *rows = csv.reader(path.read_text(encoding="utf-8-sig").splitlines())
    return [float(row[0]) for row in rows], [[float(p) for p in row[1:]] for row in rows]


def columns_again(path):
    frame = (polars.read_parquet if path.suffix == ".parquet" else polars.read_ipc)(path)
    scores = frame.to_numpy()[:, :3].astype(float)
    return [frame.columns.index(name) for name in frame["label"]], scores


def lists_again(path):
    frame = polars.read_parquet(path)
    return frame["label"].to_list(), frame["logits"].to_list()


def lines_again(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row["label"] for row in rows], filled([row["logits"] for row in rows])


def log_again(path):
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    rows = [row for row in rows if row.get("filter") == rows[0].get("filter")]
    scores = [[float(value) for value, _ in row["filtered_resps"]] for row in rows]
    return [int(row["target"]) for row in rows], filled(scores)


def filled(rows):
    most = max(map(len, rows))
    return [row + [-np.inf] * (most - len(row)) for row in rows]


def tensors_again(path):
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    head = json.loads(content[8:start])

    def array(name, code):
        first, last = head[name]["data_offsets"]
        return np.frombuffer(content[start:][first:last], code).reshape(head[name]["shape"])

    return array("labels", "<i8"), array("logits", "<f8")


AGAIN = {
    **dict.fromkeys(("table.parquet", "table.feather"), columns_again),
    **dict.fromkeys(("samples_mmlu.jsonl", "samples_uneven.jsonl"), log_again),
    **{"lists.parquet": lists_again, "lists.jsonl": lines_again},
    "tensors.safetensors": tensors_again,
}


def maps(folder):
    """Saved maps of all classes, and what tells that a map is the one that was saved."""
    found = {}
    for calibrator in SCORE_MAPS + LOGIT_MAPS:
        of_pairs = isinstance(calibrator, ScoreCalibrator)
        fitted = clone(calibrator).fit(*((SCORE, HIT) if of_pairs else (Z, Y)))
        path = folder / "whole.json"
        calib.save_map(fitted, path)

        def read(path, x=SCORE if of_pairs else Z):
            loaded = calib.load_map(path)
            for method in ("predict_proba", "predict_score", "predict"):
                if hasattr(loaded, method):
                    return getattr(loaded, method)(x)
            return loaded

        name = f"load_map, {type(calibrator).__name__}"
        found[name] = File(".json", path.read_bytes(), read)
    return found


def corpus(folder):
    """All files by name."""
    return plain() | saved(folder) | maps(folder)


def outcome(file, path, whole):
    """Read a changed file; return "same", "other", "refused", or what is wrong."""
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            value = file.read(path)
        nothing = isinstance(value, dict) and not value  # a record that is not believed
        found = "refused" if nothing else "same" if alike(value, whole) else "other"
        if file.sealed and found == "other":
            found = "a changed file was believed"
        if file.again and found == "other" and not agree(value, file.again, path):
            found = "read as what it does not hold"
    except (ValueError, TypeError) as error:
        inner = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
        ours = any(inner.is_relative_to(ROOT / room) for room in ("calib", "calib_report", "book"))
        ours = ours and "\n" not in str(error)
        found = "refused" if ours else f"foreign {type(error).__name__}: {str(error)[:80]}"
    except BaseException as error:
        found = f"foreign {type(error).__name__}: {str(error)[:80]}"
    if time.process_time() - start > SECONDS:
        found = f"took {time.process_time() - start:.0f} s"
    return found


def agree(outputs, again, path):
    """Tell whether outputs are what a second reading of their file finds; one that fails is none.

    Very low logits mask a class.
    """
    try:
        y, scores = again(path)
    except (Exception, polars.exceptions.PanicException):
        return True
    scores = np.array(scores, float)
    held = outputs.probabilities if outputs.logits is None else outputs.logits
    scores[scores < MASKED[8]] = -np.inf
    return np.array_equal(outputs.y, y) and np.array_equal(held, scores)


def alike(one, other):
    """Tell whether two things that were read hold the same."""
    if hasattr(one, "y"):
        one, other = (
            [vars(a).get(k) for k in ("y", "logits", "probabilities")] for a in (one, other)
        )
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return type(one) is type(other) and one == other


def mutate(name, file, n_changes, folder, seed=0):
    """Read n changed files of one kind; return how often what came of it, and examples of wrong."""
    suffix, content = file.suffix, file.content
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng([seed, *name.encode()])
    (folder / f"whole{suffix}").write_bytes(content)
    whole = file.read(folder / f"whole{suffix}")
    counts, wrong = Counter(), {}
    for number in range(n_changes):
        path = folder / f"changed{number}{suffix}"
        path.write_bytes(mutated(content, rng))
        found = outcome(file, path, whole)
        path.unlink()
        known = found in ("same", "other", "refused")
        counts[found if known else "wrong"] += 1
        if not known:
            wrong.setdefault(found, f"change {number}, seed {seed}")
    return counts, wrong
