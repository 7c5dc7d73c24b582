"""Public predictions: where they are, fetched once, verified at every read.

``data/sources/sources.csv`` lists the files with their addresses and checksums, as do the other
`LISTS`; ``make sources`` downloads them into the user's cache. The environment variable
``CALIB_SOURCES`` names a local copy to read instead, laid out as owner/repository/commit/path.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import numpy as np

from evidence import data
from evidence.network_outputs import Outputs
from evidence.sources.imagenetx import first_choices
from evidence.sources.readers import read_csv, read_npy, read_pickled_arrays, read_torch

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, str]  # of a list of sources
Pair = tuple[np.ndarray, np.ndarray]  # logits and labels

RESNET = "kull-cifar10-resnet110"  # judged by Gupta and CalArena as well
LISTS = ("sources", "sources-imagenet", "sources-language", "sources-promises")


def source_index(part: str = "sources") -> pd.DataFrame:
    """What is known of each file of one of the `LISTS`, one a row.

    The columns are name, known, dataset, model, paper, order, reader, needs, address, bytes,
    sha256, licence, what. Rows without a reader are parts that other rows need.
    """
    return data.csv_frame(data.read_declared(f"sources/{part}.csv"))


def source_names(part: str = "sources") -> list[str]:
    """The names in one of the `LISTS` that `load_source` knows."""
    return [name for name, row in known_files([part]).items() if row["reader"]]


def load_source(name: str) -> data.Predictions:
    """Public predictions of one network, of a name in `source_index` that has a reader.

    There is as much as the files hold: logits, probabilities, or the top five or the top one of
    them. ``about`` is the row of `source_index`; counts of human annotations, where the file has
    them, are its entry "human_counts", of shape (n, K). A ValueError says that there is no such
    source or that a file is not the one that was listed, a FileNotFoundError that it is not there.
    """
    row, outputs = read_whole(name, READERS)
    calibration, test = outputs.pop("calibration", None), outputs.pop("test")
    return data.Predictions(name, row["known"], calibration, test, row | outputs)


def read_whole(name: str, readers: dict[str, Callable[..., Any]]) -> tuple[Row, Any]:
    """Return the row of a source and what its reader makes of row and bytes; not in a chapter."""
    if "CALIB_DECLARED" in os.environ:
        instead = (
            "not a part of the checkout: a chapter reads load_results, not load_source"
        )
        raise data.UndeclaredDataError(f"{name} is {instead}")
    files = known_files()
    if name not in files or files[name]["reader"] not in readers:
        there = ", ".join(
            listed for listed, row in files.items() if row["reader"] in readers
        )
        raise ValueError(f"name: no source {name!r}; there are {there}")
    row = files[name]
    contents = [read_source(file) for file in (name, *row["needs"].split())]
    try:
        return row, readers[row["reader"]](row, *contents)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def read_source(name: str) -> bytes:
    """The bytes of one file of `source_index`, from the local copy, its checksum verified."""
    row = known_files()[name]
    path = local_path(row["address"])
    if not path.is_file():
        help_ = "Run `make sources` where there is a network, or set CALIB_SOURCES to a local copy."
        raise FileNotFoundError(f"{name} is not in {local_folder()}. {help_}")
    return data.check_sha256(name, path.read_bytes(), row["sha256"])


def local_folder() -> Path:
    """Where the files lie: ``CALIB_SOURCES``, or a folder in the user's cache."""
    if os.environ.get("CALIB_SOURCES"):
        return Path(os.environ["CALIB_SOURCES"])
    import pooch

    return Path(pooch.os_cache("calib")) / "sources"


def local_path(address: str) -> Path:
    """The path of a file in `local_folder`."""
    return local_folder() / unquote(urlsplit(address).path).lstrip("/")


def download(names: list[str] | None = None, *, progress: bool = True) -> list[str]:
    """Download the files that are not in the local copy yet, each to a temporary name first.

    What named ones need comes with them. Returned is a line for each file that was not to be had.
    """
    import pooch
    import requests

    files = known_files()
    queue = list(files) if names is None else list(names)
    if unknown := [name for name in queue if name not in files]:
        raise ValueError(
            f"names: no source {unknown[0]!r}; there are {', '.join(files)}"
        )
    for name in tuple(queue):
        queue += files[name]["needs"].split()
    # several rows may share one file, which is fetched once
    by_address = {files[name]["address"]: files[name] for name in queue}
    through = {"downloader": pooch.HTTPDownloader(progressbar=progress, timeout=60)}
    failures = []
    for number, (address, row) in enumerate(by_address.items(), 1):
        print(
            f"[{number}/{len(by_address)}] {row['name']} ({int(row['bytes']):,} bytes)"
        )
        digest, path = f"sha256:{row['sha256']}", local_path(address)
        try:
            pooch.retrieve(
                address, digest, fname=path.name, path=path.parent, **through
            )
        except ValueError as error:
            failures.append(f"{row['name']}: refused: {error}")
        except (requests.RequestException, OSError) as error:
            failures.append(f"{row['name']}: not reached: {error}")
    return failures


@cache
def _by_name(content: bytes) -> dict[str, Row]:
    return {row["name"]: row for row in data.csv_rows(content)}


def known_files(parts: Sequence[str] = LISTS) -> dict[str, Row]:
    """The rows of those of some lists that are there, by name."""
    files: dict[str, Row] = {}
    for part in parts:
        file = f"sources/{part}.csv"
        if (data.data_folder() / file).is_file():
            files |= _by_name(data.read_declared(file))
    return files


def _set(row: Row, y: np.ndarray, **arrays: np.ndarray) -> dict[str, Outputs]:
    return {"test": Outputs(np.ravel(y), order=row["order"], **arrays)}


def _top(
    row: Row, y: np.ndarray, scores: np.ndarray, classes: np.ndarray
) -> dict[str, Outputs]:
    """The most probable classes, sorted: the files are not."""
    # stable, so that tied classes stay in the order of the file
    rank = np.argsort(-scores, axis=1, kind="stable")
    scores, classes = (np.take_along_axis(a, rank, axis=1) for a in (scores, classes))
    return _set(row, y, scores=scores, classes=classes)


def _top1(
    row: Row, content: bytes, file: str, predicted: str, score: str
) -> dict[str, Outputs]:
    table = read_csv(content, data.NAMES["columns"][file])
    y, classes = integers(table["true_label"]), integers(table[predicted])
    return _top(row, y, table[score][:, None], classes[:, None])


def _both(
    row: Row,
    calibration: Pair,
    test: Pair,
) -> dict[str, Outputs]:
    (logits, y), (test_logits, test_y) = calibration, test
    order = f"{row['name']}, calibration"
    own = Outputs(np.ravel(y), order=order, logits=logits)
    return _set(row, test_y, logits=test_logits) | {"calibration": own}


def _npz_logits(
    row: Row, logits: np.ndarray, targets: np.ndarray
) -> dict[str, Outputs]:
    return _set(row, targets, logits=logits)


def _probabilities(
    row: Row, predictions: np.ndarray, ground_truth: np.ndarray
) -> dict[str, Outputs]:
    return _set(row, ground_truth, probabilities=predictions)


def _cifar10h(row: Row, content: bytes) -> dict[str, Any]:
    table = np.column_stack(list(read_csv(content).values()))
    y, counts = integers(table[:, 0]), integers(table[:, 1:11])
    return _set(row, y, probabilities=table[:, 11:]) | {"human_counts": counts}


def _nli(row: Row, *contents: bytes) -> dict[str, Any]:
    """The examples that a hundred people labelled."""
    test, development, counts = (json_lines(content) for content in contents)
    outputs = {line["uid"]: line for line in (*development, *test)}
    answered = [line for line in counts if line["uid"] in outputs]
    # ChaosNLI counts entailment, neutral, contradiction; the networks have the last two exchanged
    human = np.array([line["label_count"] for line in answered])[:, [0, 2, 1]]
    predictions = [outputs[line["uid"]] for line in answered]
    y = np.array([line["true"] for line in predictions])
    logits = np.array([line["logits"] for line in predictions], float)
    return _set(row, y, logits=logits) | {"human_counts": human}


def json_lines(content: bytes) -> list[dict[str, Any]]:
    """The objects of a file that has one on each line."""
    return [json.loads(line) for line in content.decode("utf-8").splitlines()]


def integers(values: np.ndarray) -> np.ndarray:
    """The values as integers; a ValueError if one is not."""
    whole = values.astype(np.int64)
    if not np.array_equal(whole, values):
        raise ValueError(f"{values[whole != values][0]} is not an integer")
    return whole


READERS: dict[str, Callable[..., dict[str, Any]]] = {
    "top1": partial(_top1, file="top1", predicted="pred_label", score="confidence"),
    "mehul0x": partial(
        _top1, file="mehul0x", predicted="predictions", score="probabilities"
    ),
    "top5": lambda row, p, classes, y: _top(
        row, read_npy(y), read_npy(p), read_npy(classes)
    ),
    "kull": lambda row, content: _both(row, *read_pickled_arrays(content)),
    "torch": lambda row, test, held: _both(row, read_torch(held), read_torch(test)),
    "netcal": lambda row, content: _probabilities(row, **data.read_npz(content)),
    "probabilities": lambda row, p, y: _probabilities(row, read_npy(p), read_npy(y)),
    "cifar10h": _cifar10h,
    "log_scores": lambda row, z, y: _set(row, read_npy(y), logits=read_npy(z)),
    "npz_logits": lambda row, content: _npz_logits(row, **data.read_npz(content)),
    "pickled": lambda row, content: _probabilities(row, *read_pickled_arrays(content)),
    "imagenetx": lambda row, chosen, labels: _top(row, *first_choices(chosen, labels)),
    "nli": _nli,
}
