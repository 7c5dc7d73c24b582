"""Load the evidence: published tables, the zoo's predictions and computed results.

The files lie in the checkout's folder ``data``; the environment variable ``CALIB_DATA`` names
another one. Every function here checks what it reads before it returns it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import tomllib
import zipfile
import zlib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evidence.network_outputs import Outputs

if TYPE_CHECKING:
    import pandas as pd

PAPERS_WITH_TABLES = ("guo2017", "nixon2019", "gupta2021", "vasilev2021")
PAPERS = (*PAPERS_WITH_TABLES, "minderer2021")
NAMES = tomllib.loads(Path(__file__).with_name("names.toml").read_text("utf-8"))
DATA_SETS = NAMES["data_sets"]
SEED_OF_NAME = re.compile(r"-s(\d+)$")


class UndeclaredDataError(RuntimeError):
    """A chapter read a file that its front matter does not declare."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """What one network said, and what is known about it."""

    name: str
    known: str  # "logits", "probabilities", "top5" or "top1"
    # to fit maps on; None where the source has only one set
    calibration: Outputs | None
    test: Outputs
    # data set, model, licence and so on
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def to_fit(self) -> Outputs:
        """The calibration set; a ValueError says that the source has only one set."""
        if self.calibration is None:
            raise ValueError(f"{self.name}: there is no calibration set")
        return self.calibration

    def __repr__(self) -> str:
        calibration = (
            "" if self.calibration is None else f"calibration={len(self.calibration)}, "
        )
        sizes = f"{calibration}test={len(self.test)}"
        return f"Predictions({self.name!r}, known={self.known!r}, {sizes})"


def check_paired(first: Outputs, second: Outputs) -> np.ndarray:
    """Return the labels that two outputs share, which are then of the same samples in one order.

    A ValueError says that they are not. Equal labels are not enough: files exist whose images are
    shuffled within each class.
    """
    if first.order is None or first.order != second.order:
        raise ValueError(
            f"order: {first.order!r} and {second.order!r} cannot be paired by sample"
        )
    if not np.array_equal(first.y, second.y):
        raise ValueError(
            f"y: the labels differ although both splits are {first.order!r}"
        )
    return first.y


def data_folder() -> Path:
    """The folder of the evidence: ``CALIB_DATA``, or ``data`` in the checkout."""
    folder = Path(
        os.environ.get("CALIB_DATA") or Path(__file__).resolve().parents[1] / "data"
    )
    if not (folder / "published").is_dir():
        raise FileNotFoundError(
            f"{folder}: not the book's data; CALIB_DATA is the folder `data`"
        )
    return folder


def read_declared(relative: str) -> bytes:
    """The bytes of a file under `data_folder`, refused where a chapter has not declared it.

    ``CALIB_DECLARED`` holds the patterns that a chapter declares; unset, all may be read.
    """
    declared = os.environ.get("CALIB_DECLARED")
    patterns = declared.split(os.pathsep) if declared is not None else ["*"]
    if not any(fnmatchcase(relative, pattern) for pattern in patterns):
        declare = "add it to `calib: {data: […]}` in the front matter of the chapter"
        raise UndeclaredDataError(f"{relative} is read but not declared: {declare}")
    return (data_folder() / relative).read_bytes()


def load_published(paper: str, table: int | None = None) -> pd.DataFrame:
    """Cells of the tables of one of `PAPERS_WITH_TABLES`, or of the one of a number, one a row.

    The columns are paper, table, metric, dataset, model, loss, method, value. Values are floats in
    the unit that the paper prints, percent for most metrics; `loss` is empty where none is named.

    Examples
    --------
    >>> cells = load_published("gupta2021", table=1)
    >>> cells[(cells.model == "ResNet-110") & (cells.dataset == "CIFAR-10")].value.tolist()
    [4.75, 0.916, 0.996, 0.977, 1.06, 0.643]
    """
    import pandas as pd

    if paper not in PAPERS_WITH_TABLES:
        names = ", ".join(PAPERS_WITH_TABLES)
        raise ValueError(f"paper: {paper!r} is not one of {names}")
    content = io.BytesIO(read_declared(f"published/{paper}.csv"))
    cells = pd.read_csv(content, keep_default_na=False).astype({"value": float})
    if table is None:
        return cells
    if table not in set(cells.table):
        raise ValueError(
            f"table: {paper} has no table {table}, only {sorted(set(cells.table))}"
        )
    return cells[cells.table == table].reset_index(drop=True)


def zoo_index() -> pd.DataFrame:
    """What is known of each network of the zoo, one a row, as ``data/zoo/README.md`` describes."""
    return csv_frame(read_declared("zoo/zoo.csv"))


def setting_of(names: pd.Series) -> pd.Series:
    """Return the names of networks without their seeds: the settings that were trained.

    Examples
    --------
    >>> import pandas as pd
    >>> setting_of(pd.Series(["resnet8-w8-s1", "resnet8-w8-s12", "resnet20"])).tolist()
    ['resnet8-w8', 'resnet8-w8', 'resnet20']
    """
    return names.str.replace(SEED_OF_NAME, "", regex=True)


def seed_of(name: str) -> int | None:
    """Return the seed that a name ends in, None of a network without siblings.

    Examples
    --------
    >>> seed_of("resnet8-w8-s12"), seed_of("resnet20")
    (12, None)
    """
    found = SEED_OF_NAME.search(name)
    return int(found[1]) if found else None


def is_first_seed(name: str) -> bool:
    """Say whether a network of the zoo is the first of its setting, or the only one.

    Examples
    --------
    >>> [is_first_seed(f"resnet8{seed}") for seed in ("", "-s1", "-s2", "-s10")]
    [True, True, False, False]
    """
    return seed_of(name) in (None, 1)


def generator(*names: object, seed: int | None = None) -> np.random.Generator:
    """A generator of its own for each combination of names."""
    # a checksum, since Python's own hash of a text changes from run to run
    key = zlib.crc32(" ".join(map(str, names)).encode())
    return np.random.default_rng(key if seed is None else [seed, key])


def load_zoo(name: str) -> Predictions:
    """Held-out logits of a network of `zoo_index`: for a calibration set and for a test set.

    A ValueError says that there is no such network, or that its file is not the one that the index
    describes.

    Examples
    --------
    >>> load_zoo("fashion-resnet8-w8-s1").test.logits.shape[1]
    10
    """
    index = {row["name"]: row for row in csv_rows(read_declared("zoo/zoo.csv"))}
    if name not in index:
        raise ValueError(
            f"name: {name!r} is not in the zoo; it holds {', '.join(sorted(index))}"
        )
    about, path = index[name], f"zoo/{name}.npz"
    arrays = read_npz(check_sha256(path, read_declared(path), about.pop("sha256")))
    sets = {}
    for split in ("calibration", "test"):
        order, logits = f"zoo/{about['dataset']}/{split}", arrays[f"{split}_logits"]
        sets[split] = Outputs(arrays[f"{split}_y"], order=order, logits=logits)
    about |= json.loads(arrays["about"].item())
    return Predictions(name, "logits", sets["calibration"], sets["test"], about)


def load_results(name: str) -> pd.DataFrame:
    """A table that was computed from the evidence, by the stem of its file in ``data/results``."""
    tables = {path.stem: path for path in (data_folder() / "results").rglob("*.csv")}
    if name not in tables:
        there = ", ".join(sorted(tables))
        raise ValueError(f"name: no results {name!r}; there are {there}")
    relative = tables[name].relative_to(data_folder())
    return csv_frame(read_declared(relative.as_posix()))


def check_sha256(name: str, content: bytes, expected: str) -> bytes:
    """Return the content if it has the expected checksum; otherwise raise a ValueError."""
    actual = hashlib.sha256(content).hexdigest()
    if actual != expected:
        raise ValueError(f"{name}: its SHA-256 is {actual}, expected {expected}")
    return content


def read_npz(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of an npz file by name; a ValueError names another file, and one with objects."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise ValueError("this is no npz file, or not a whole one")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def csv_frame(content: bytes) -> pd.DataFrame:
    """The DataFrame of a CSV file in which only empty fields are missing."""
    import pandas as pd

    return pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=[""])


def csv_rows(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file as strings by column."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"))))


def csv_bytes(rows: list[dict[str, Any]], table: str = "the table") -> bytes:
    """The CSV file of dictionaries that have the same keys; there is one at least.

    A ValueError names the table, the row and the keys that it lacks or has beside the first row's.
    """
    if not rows:
        raise ValueError(f"{table}: there is no row, so that its columns are not known")
    for number, row in enumerate(rows):
        lacks, more = rows[0].keys() - row.keys(), row.keys() - rows[0].keys()
        if lacks or more:
            raise ValueError(
                f"{table}: row {number} has not the keys of row 0: it lacks "
                f"{sorted(lacks)} and has {sorted(more)} beside them"
            )
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()
