"""A map of anyone's beside those of calib: fitted to the bundled sets and ranked."""

import runpy
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from calib.files import write_whole
from evidence.arena.arena_metrics import ARENA_METRICS
from evidence.arena.bundled_sets import (
    bundle_folder,
    bundled,
    fit_to_bundle,
    others_file,
    six_decimals,
)
from evidence.arena.ranked_cases import (
    CASE,
    by_dataset,
    common_ranks,
    rank_cases,
    student_interval,
)
from evidence.data import csv_bytes
from evidence.fit_and_measure import note_on


class MapFromFile:
    """A map whose class a Python file defines, which is run; it can be sent to other processes.

    The file may import what lies in its folder. The class, called without arguments, gives a map
    with ``fit(logits, y)``, which returns the map, and ``predict_proba(logits)``. A ValueError says
    that the file cannot be run or has no such class, or the class not these two methods.
    """

    def __init__(self, path: str | Path, name: str) -> None:
        self.path, self.name = str(Path(path).resolve(strict=True)), name
        if Path(path).suffix != ".py":
            raise ValueError(f"{path}: expected a file that ends in .py")
        try:
            factory = self._new_map()
        except (Exception, SystemExit) as error:
            raise ValueError(f"{path}: {note_on(error)}") from None
        for method in ("fit", "predict_proba"):
            if not callable(getattr(factory, method, None)):
                raise ValueError(f"{path}: {name} has no method {method}")

    def _new_map(self) -> Any:
        with self._in_its_folder():
            factory = runpy.run_path(self.path).get(self.name)
            if not isinstance(factory, type):
                raise NameError(f"it defines no class {self.name!r}")
            return factory()

    @contextmanager
    def _in_its_folder(self) -> Any:
        """Let the file import from its folder, and add its line to an error."""
        sys.path.insert(0, str(Path(self.path).parent))
        try:
            yield
        except (Exception, SystemExit) as error:
            frames = traceback.extract_tb(error.__traceback__)
            # of the frames that lie in the file the last is where it went wrong
            if lines := [
                frame.lineno for frame in frames if frame.filename == self.path
            ]:
                error.add_note(f"{Path(self.path).name}, line {lines[-1]}")
            raise
        finally:
            sys.path.remove(str(Path(self.path).parent))

    def fit(self, logits: np.ndarray, y: np.ndarray) -> "MapFromFile":
        """Fit a new map of the class."""
        self.map_ = self._new_map()
        with self._in_its_folder():
            self.map_.fit(logits, y)
        return self

    def predict_proba(self, logits: np.ndarray) -> np.ndarray:
        """Return probabilities of all classes."""
        with self._in_its_folder():
            return self.map_.predict_proba(logits)


class Ranked(NamedTuple):
    """Maps in order."""

    cases: pd.DataFrame  # as `rank_cases` returns them
    table: pd.DataFrame  # one row a map, largest gain first


def rank_among(mine: pd.DataFrame, others: pd.DataFrame) -> Ranked:
    """Rank maps, `mine` as `fit_to_bundle` returns them, among the others."""
    rows = pd.concat([others, mine], ignore_index=True)
    fitted = rows[rows["n"] > 0]
    # the map "none" has size 0, and counts at each size of its set
    none = (
        rows[rows["n"] == 0]
        .drop(columns="n")
        .merge(fitted[["set", "n"]].drop_duplicates())
    )
    ranked = rank_cases(pd.concat([none[rows.columns], fitted], ignore_index=True))
    table = student_interval(by_dataset(ranked, "gain")).rename(
        columns={"mean": "gain"}
    )
    table["rank"] = common_ranks(ranked).mean()
    for name in ("failed", "ece", "ece_chance"):
        table[name] = by_dataset(ranked, name).mean()
    return Ranked(ranked, table.sort_values("gain", ascending=False))


class RankedMap(NamedTuple):
    """A map of a file among those of calib."""

    table: pd.DataFrame  # of `Ranked`
    failures: list[str]  # one line a fit that failed


def rank_map(
    file: str | Path,
    name: str,
    output: str | Path,
    *,
    folder: Path | None = None,
    n_jobs: int = 2,
    progress: bool = False,
) -> RankedMap:
    """Fit a map of a file to the bundled sets, and write its cases to a csv file.

    For file and name see `MapFromFile`, for the folder `fit_to_bundle`. Where something is not as
    described, or every fit fails, nothing is written.
    """
    output, folder = Path(output), folder or bundle_folder()
    if output.suffix != ".csv" or not output.parent.is_dir():
        raise ValueError(f"{output}: expected NAME.csv in a folder that is there")
    user_map = MapFromFile(file, name)
    peers = pd.read_csv(others_file())
    peers = peers[peers["set"].isin(list(bundled(folder)))]
    if name in set(peers["map"]):
        raise ValueError(
            f"{name}: a map of calib has this name; give the class another"
        )
    mine = fit_to_bundle(
        {name: user_map}, folder=folder, n_jobs=n_jobs, progress=progress
    )
    ranked, table = rank_among(mine, peers)
    its_rows = ranked[ranked["map"] == name]
    failed = its_rows[its_rows["failed"]].sort_values(CASE)
    failures = [
        f"{row.failure}, on {row.set}, {row.n} samples" for row in failed.itertuples()
    ]
    if len(failures) == len(its_rows):
        raise ValueError(
            f"{name}: all of its {len(its_rows)} fits failed, the first: {failures[0]}"
        )
    columns = [
        "set",
        "dataset",
        "classes",
        "n",
        "gain",
        "rank",
        *ARENA_METRICS,
        "failure",
    ]
    write_whole(output, csv_bytes(six_decimals(its_rows[columns])))
    return RankedMap(table, failures)
