"""A whole file of each kind that is read, what reads it, and what may come of a changed one.

A *sealed* file carries a checksum: a changed one is refused, or the change lay where nothing is
read. Any other file is refused by a ValueError of the reader, in one line, or read as numbers.
"""

from typing import Any, NamedTuple

import numpy as np
from helpers import mutated
from maps import LOGIT_MAPS, SCORE_MAPS, outputs
from saved_files import CASES, proposals

import calib
import calib_report
from calib.maps.base import clone
from fuzz.corpus import HIT, SCORE, Y, Z, judged, tally

MOST_CHANGED = 0.1  # share of rows that a few changed bytes may change
TAKEN = {
    *("plain.npz", "logp.npz", "comma.csv", "index.csv", "table.parquet", "lists.parquet"),
    *("mapping.jsonl", "tokens.npz", "lists.jsonl", "pipeline.json", "tensors.safetensors"),
    *("samples_mmlu.jsonl", "samples_uneven.jsonl"),
}


class File(NamedTuple):
    """A whole file: what ends its name, its bytes, its reader, whether it is sealed."""

    suffix: str
    content: bytes
    read: Any
    sealed: bool = False


def saved(folder):
    """Predictions as people save them, see `saved_files`."""
    found = {}
    for one in CASES:
        if one.name in TAKEN:
            path = folder / one.name
            one.write(path)

            options = proposals(one, folder)[0][0].options.changed()

            def read(path, options=options):
                return calib_report.read(path, **options)

            sealed, suffix = path.suffix == ".npz", path.suffix
            found[f"read, {one.name}"] = File(suffix, path.read_bytes(), read, sealed)
    return found


def maps(folder):
    """Saved maps of all classes."""
    found = {}
    for calibrator in SCORE_MAPS + LOGIT_MAPS:
        x, y = (SCORE, HIT) if calibrator in SCORE_MAPS else (Z, Y)
        path = folder / "whole.json"
        calib.save_map(clone(calibrator).fit(x, y), path)

        def read(path, x=x):
            return outputs(calib.load_map(path), x)

        found[f"load_map, {type(calibrator).__name__}"] = File(".json", path.read_bytes(), read)
    return found


def corpus(folder):
    """All files by name."""
    return saved(folder) | maps(folder)


def outcome(file, path, whole):
    """Read a changed file; return "same", "other", "refused", or what is wrong."""
    found, value = judged(lambda: file.read(path), (ValueError, TypeError))
    if found == "refused" and "\n" in value:
        return "an error of several lines"
    if found != "returned":
        return found
    found, truth = numbers(value), numbers(whole)
    of_rows = hasattr(value, "y")
    if np.array_equal(found, truth):
        return "same"
    if file.sealed:
        return "a changed file was believed"
    return "other" if not of_rows or alike(found, truth) else "a file was read as another"


def alike(found, truth):
    """Tell whether most rows of what was read are those that the whole file holds."""
    n_columns = min(found.shape[1], truth.shape[1])  # a damaged name may be an option more
    found, truth = (np.ascontiguousarray(part[:, :n_columns]) for part in (found, truth))
    rows = {row.tobytes() for row in np.ascontiguousarray(truth)}
    n_changed = sum(row.tobytes() not in rows for row in found)
    return n_changed <= max(2, MOST_CHANGED * len(found))  # of a file that was cut short, a few


def numbers(value):
    """Labels and scores of what was read, or the numbers themselves."""
    if not hasattr(value, "y"):
        return value
    return np.column_stack([value.y, value.probabilities if value.logits is None else value.logits])


def mutate(name, file, n_changes, folder, seed=0):
    """Read n changed files of one kind; return counts, and examples of what is wrong."""
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng([seed, *name.encode()])
    path = folder / f"whole{file.suffix}"
    path.write_bytes(file.content)
    whole = file.read(path)

    def changed():
        for number in range(n_changes):
            path.write_bytes(mutated(file.content, rng))
            yield outcome(file, path, whole), f"change {number}, seed {seed}"

    return tally(changed(), ("same", "other", "refused"))
