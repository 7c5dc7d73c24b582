"""A whole file of each kind that is read, what reads it, and what may come of a changed one.

A *sealed* file carries a checksum: a changed one is refused, or the change lay where nothing is
read. Any other file is refused by a ValueError of the reader, in one line, or read as numbers.
"""

import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from helpers import ROOT, mutated
from maps import LOGIT_MAPS, SCORE_MAPS
from saved_files import CASES

import calib
import calib_report
from calib.maps.base import clone
from fuzz.corpus import HIT, ROOMS, SCORE, SECONDS, Y, Z

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

            def read(path, option=one.option):
                return calib_report.read(path, **option)

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
            loaded = calib.load_map(path)
            ways = ("predict_proba", "predict_score", "predict")
            return next(getattr(loaded, way)(x) for way in ways if hasattr(loaded, way))

        found[f"load_map, {type(calibrator).__name__}"] = File(".json", path.read_bytes(), read)
    return found


def corpus(folder):
    """All files by name."""
    return saved(folder) | maps(folder)


def outcome(file, path, whole):
    """Read a changed file; return "same", "other", "refused", or what is wrong."""
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            value = file.read(path)
        found = "same" if np.array_equal(numbers(value), numbers(whole)) else "other"
        if file.sealed and found == "other":
            found = "a changed file was believed"
    except (ValueError, TypeError) as error:
        inner = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
        ours = any(inner.is_relative_to(ROOT / room) for room in ROOMS) and "\n" not in str(error)
        found = "refused" if ours else f"foreign {type(error).__name__}: {str(error)[:80]}"
    except BaseException as error:
        found = f"foreign {type(error).__name__}: {str(error)[:80]}"
    if time.process_time() - start > SECONDS:
        found = f"took {time.process_time() - start:.0f} s"
    return found


def numbers(value):
    """Labels and scores of what was read, or the numbers themselves."""
    if not hasattr(value, "y"):
        return value
    return np.column_stack([value.y, value.probabilities if value.logits is None else value.logits])


def mutate(name, file, n_changes, folder, seed=0):
    """Read n changed files of one kind; return how often what came of it, and examples of wrong."""
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng([seed, *name.encode()])
    path = folder / f"whole{file.suffix}"
    path.write_bytes(file.content)
    whole = file.read(path)
    counts, wrong = Counter(), {}
    for number in range(n_changes):
        path.write_bytes(mutated(file.content, rng))
        found = outcome(file, path, whole)
        known = found in ("same", "other", "refused")
        counts[found if known else "wrong"] += 1
        if not known:
            wrong.setdefault(found, f"change {number}, seed {seed}")
    return counts, wrong
