"""A whole file of each kind that is read, what reads it, and what may come of a changed one.

A *sealed* file carries a checksum: a changed one is refused, or computed anew, or the change lay
where nothing is read and the content is the same. Any other file is refused by a ValueError of the
reader, or read as numbers.
"""

import io
import json
import pickle
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from unittest import mock

import numpy as np
from helpers import ROOT, mutated
from maps import LOGIT_MAPS, SCORE_MAPS
from test_readers import torch_file

import calib
from book import executor, site
from book.evidence.sources import answers, json_lines
from book.evidence.sources import readers as foreign
from calib import pickles, readers
from calib.calibrators.base import ScoreCalibrator, clone
from calib.files import sealed
from calib.reading import read as read_outputs

SECONDS = 5  # of processor time that no reading may take
RNG = np.random.default_rng(0)
Z = np.round(2 * RNG.standard_normal((40, 3)), 3)
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
SCORE = RNG.random(40)
HIT = RNG.random(40) < SCORE
PARTS = {"y": Y, "logits": Z, "calibration_y": Y, "calibration_logits": Z}
TAO = ",".join(["", *answers.TAO_COLUMNS]) + "\n0,law,A,A,0.9,0.5,0.95,7\n1,law,B,,,0.5,0.9,7\n"


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def table():
    rows = [f"{y},{','.join(f'{p:.6f}' for p in row)}" for y, row in zip(Y, P, strict=True)]
    return "\n".join(["y,cat,dog,owl", *rows]).encode()


def plain():
    """Files without a checksum, by what reads them: a suffix, the bytes, the reader of a path."""

    def of_bytes(read, *options):
        return lambda path: read(path.read_bytes(), *options)

    def tao(content):
        return answers.ANSWER_READERS["tao"](TAO_ROW, ["net"], [content])["outcome"]

    pairs = [P, Y]
    return {
        "read_npy": (".npy", npy(Z), of_bytes(readers.read_npy)),
        "read_npz": (".npz", npz(**PARTS), readers.read_npz),
        "read_outputs, logits": (".npz", npz(**PARTS), read_outputs),
        "read_outputs, probabilities": (".npz", npz(y=Y, probabilities=P), read_outputs),
        "read_outputs, csv": (".csv", table(), lambda p: read_outputs(p, kind="probabilities")),
        "read_csv": (".csv", table().partition(b"\n")[2], of_bytes(foreign.read_csv)),
        "read_pickled_arrays": (
            ".p",
            pickle.dumps(pairs, protocol=3),
            of_bytes(pickles.read_pickled_arrays),
        ),
        "read_torch": (".pt", torch_file(Z.astype(np.float32)), of_bytes(pickles.read_torch)),
        "json_lines": (".json", b'{"uid": "a"}\n{"uid": [1, 2.5]}\n', of_bytes(json_lines)),
        "answers of Tao et al.": (".csv", TAO.encode(), of_bytes(tao)),
    }


TAO_ROW = {"name": "net", "model": "net", "dataset": "set"}


def maps(folder):
    """Saved maps of all classes, and what tells that a map is the one that was saved."""
    found = {}
    for calibrator in SCORE_MAPS + LOGIT_MAPS:
        of_pairs = isinstance(calibrator, ScoreCalibrator)
        fitted = clone(calibrator).fit(*((SCORE, HIT) if of_pairs else (Z, Y)))
        path = folder / "whole.npz"
        calib.save_map(fitted, path)

        def read(path, x=SCORE if of_pairs else Z):
            loaded = calib.load_map(path)
            for method in ("predict_proba", "predict_score", "predict"):
                if hasattr(loaded, method):
                    return getattr(loaded, method)(x)
            return loaded

        found[f"load_map, {type(calibrator).__name__}"] = (".npz", path.read_bytes(), read)
    return found


def records(folder):
    """Records of what was built or computed; a changed one counts as none."""
    notebook = folder / "one.ipynb"
    notebook.write_text('{"cells": []}')

    def of_notebook(path):
        """The record lies beside the notebook; here the record is changed."""
        beside = path.with_suffix(".ipynb")
        beside.write_bytes(notebook.read_bytes())
        with mock.patch.object(executor, "executed_path", lambda *_: beside):
            return executor._record(None, None)

    def of_tampered(path):
        """And here the notebook."""
        path.with_suffix(".json").write_text(json.dumps(kept))
        with mock.patch.object(executor, "executed_path", lambda *_: path):
            return executor._record(None, None)

    kept = sealed(*executor.RECORD, {"key": "k", "seconds": 1.0}, [notebook.read_bytes()])
    built = sealed(*site.RECORD, {"inputs": "a", "frame": "b", "site": "c"})
    cache = folder / "cache"
    rows = study(cache)
    (entry,) = cache.glob("*.json")

    def again(path):
        """A study whose cache holds the changed file; its rows are the same in any case."""
        own = path.with_suffix("")
        own.mkdir(exist_ok=True)
        (own / entry.name).write_bytes(path.read_bytes())
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            if study(own) != rows:
                raise AssertionError("the changed cache entry was believed")
        return rows

    return {
        "record of a notebook": (".json", json.dumps(kept).encode(), of_notebook),
        "executed notebook": (".ipynb", notebook.read_bytes(), of_tampered),
        "record of the site": (".json", json.dumps(built).encode(), site._read),
        "cache of a study": (".json", entry.read_bytes(), again),
    }


def study(folder):
    found = calib.run_study(
        {"one": (Z, Y, Z, Y)},
        {"none": None},
        {"ECE": calib.ece},
        n_jobs=1,
        progress=False,
        cache_folder=folder,
    )
    return found.drop(columns=found.columns[found.columns.str.contains("second")]).to_csv()


def corpus(folder):
    """All files by name: (suffix, bytes, reader of a path, whether a checksum seals it)."""
    open_files = {name: (*file, False) for name, file in plain().items()}
    shut = maps(folder) | records(folder)
    return open_files | {name: (*file, True) for name, file in shut.items()}


def outcome(read, path, whole, shut):
    """Read a changed file; return "same", "other", "refused", or what is wrong."""
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            value = read(path)
        nothing = isinstance(value, dict) and not value  # a record that is not believed
        found = "refused" if nothing else "same" if alike(value, whole) else "other"
        if shut and found == "other":
            found = "a changed file was believed"
    except (ValueError, TypeError) as error:
        inner = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
        ours = any(inner.is_relative_to(ROOT / room) for room in ("calib", "book"))
        found = "refused" if ours else f"foreign {type(error).__name__}: {str(error)[:80]}"
    except BaseException as error:
        found = f"foreign {type(error).__name__}: {str(error)[:80]}"
    if time.process_time() - start > SECONDS:
        found = f"took {time.process_time() - start:.0f} s"
    return found


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
    suffix, content, read, shut = file
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng([seed, *name.encode()])
    (folder / f"whole{suffix}").write_bytes(content)
    whole = read(folder / f"whole{suffix}")
    counts, wrong = Counter(), {}
    for number in range(n_changes):
        path = folder / f"changed{number}{suffix}"
        path.write_bytes(mutated(content, rng))
        found = outcome(read, path, whole, shut)
        path.unlink()
        known = found in ("same", "other", "refused")
        counts[found if known else "wrong"] += 1
        if not known:
            wrong.setdefault(found, f"change {number}, seed {seed}")
    return counts, wrong
