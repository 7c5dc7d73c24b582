"""Public predictions: where they are, fetched once, verified at every read.

``data/sources/sources.csv`` lists the files with their addresses and checksums, as do the other
`LISTINGS`; ``make sources`` downloads them into the user's cache. The environment variable
``CALIB_SOURCES`` names a local copy to read instead, laid out as owner/repository/commit/path.

`readers` make `Outputs` of them, from formats that `file_formats` reads without trust; `tables` are
numbers that others published. Built on `data` and `network_outputs` alone; all that compares public
networks imports `load_source` of it.

``python -m evidence.sources NAME`` fetches a source and what it needs; without a name, all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from evidence import data
from evidence.sources.readers import READERS, Row

if TYPE_CHECKING:
    import pandas as pd

RESNET = "kull-cifar10-resnet110"  # judged by Gupta and CalArena as well
LISTINGS = ("sources", "sources-imagenet", "sources-language", "sources-promises")


def source_index(listing: str = "sources") -> pd.DataFrame:
    """What is known of each file of one of the `LISTINGS`, one a row.

    The columns are name, known, dataset, model, paper, order, reader, needs, address, bytes,
    sha256, licence, what. Rows without a reader are parts that other rows need.
    """
    return data.csv_frame(data.read_declared(f"sources/{listing}.csv"))


def source_names(listing: str = "sources") -> list[str]:
    """The names in one of the `LISTINGS` that `load_source` knows."""
    files = known_files([listing])
    return [name for name, row in files.items() if row["reader"] in READERS]


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
    # only the build sets it, for chapters
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


@cache
def _rows_by_name(content: bytes) -> dict[str, Row]:
    return {row["name"]: row for row in data.csv_rows(content)}


def known_files(listings: Sequence[str] = LISTINGS) -> dict[str, Row]:
    """The rows of those of some lists that are there, by name."""
    files: dict[str, Row] = {}
    for listing in listings:
        file = f"sources/{listing}.csv"
        if (data.data_folder() / file).is_file():
            files |= _rows_by_name(data.read_declared(file))
    return files
