"""A map of anyone's beside those of calib: fitted to the bundled sets and ranked."""

import runpy
import sys
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from calib.bands import error_if_calibrated
from calib.files import write_whole
from calib.metrics import accuracy, brier, classwise_ece, ece, nll
from evidence.arena.ranked_cases import (
    CASE,
    LOSSES,
    SIZES,
    by_dataset,
    common_ranks,
    rank_cases,
    student_interval,
)
from evidence.data import csv_bytes, csv_rows, data_folder, read_npz
from evidence.fit_and_measure import SECONDS, measure_maps, note_on
from evidence.network_outputs import Outputs

HEAD = ["set", "dataset", "classes", "n", "order", "map"]


def on_half(y_true: np.ndarray, y_prob: np.ndarray, *, metric: Any, half: int) -> float:
    """Return a score of the first or of the second half of the samples."""
    n = len(y_true) // 2
    rows = slice(n) if half == 1 else slice(n, None)
    return metric(y_true[rows], y_prob[rows])


def top_label_chance(y_true: np.ndarray, y_prob: np.ndarray) -> float:
    """Return the ECE of the top label that a calibrated model would show."""
    return error_if_calibrated(np.max(y_prob, axis=1))


ARENA_METRICS: dict[str, Callable[..., float]] = {
    **{f"nll_{half}": partial(on_half, metric=nll, half=half) for half in (1, 2)},
    **{f"brier_{half}": partial(on_half, metric=brier, half=half) for half in (1, 2)},
    "ece": ece,
    "ece_chance": top_label_chance,
    "classwise_ece": classwise_ece,
    "accuracy": accuracy,
}


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


def bundle_folder() -> Path:
    """Return the folder of the bundled sets."""
    return data_folder() / "arena" / "sets"


def others_file() -> Path:
    """Return the table of what calib's own maps make of the bundled sets."""
    return data_folder() / "arena" / "others.csv"


def bundled(folder: Path) -> dict[str, dict[str, str]]:
    """Return what is known of each bundled set, by name: data set, classes, source, licence."""
    return {row["set"]: row for row in csv_rows((folder / "about.csv").read_bytes())}


def load_bundled(path: Path) -> tuple[Outputs, Outputs]:
    """Return the calibration and the test set of a file of the bundle."""
    arrays = read_npz(path.read_bytes())
    calibration = Outputs(arrays["calibration_y"], logits=arrays["calibration_logits"])
    return calibration, Outputs(arrays["y"], logits=arrays["logits"])


def fit_all(
    maps: dict[str, Any],
    *,
    folder: Path | None = None,
    n_jobs: int = 2,
    progress: bool = False,
) -> pd.DataFrame:
    """Fit maps, given by name, to every set of a folder at every size: a table for `rank_cases`.

    The folder is the bundle if none is named.
    """
    folder = folder or bundle_folder()
    about = bundled(folder)
    sets: dict[str, Any] = {
        name: partial(load_bundled, folder / f"{name}.npz") for name in about
    }
    table = measure_maps(
        sets, maps, ARENA_METRICS, sizes=SIZES, n_jobs=n_jobs, progress=progress
    )
    rows = as_rows(table).replace({"failure": {"": np.nan}}).assign(order=0)
    rows["dataset"] = [about[name]["dataset"] for name in rows["set"]]
    rows["classes"] = [int(about[name]["classes"]) for name in rows["set"]]
    return rows[[*HEAD, *LOSSES, "failure"]]


def as_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a fit of the `ARENA_METRICS`, as `measure_maps` returns it.

    It has `set`, `n` and `map`; the metrics; the processor seconds where the table tells them; and
    `failure`, empty where there is none: an error, or a probability of zero for a label.
    """
    keys = ["prediction", "n", "calibrator"]
    rows = table.pivot(index=keys, columns="metric", values="value")
    fits = table.groupby(keys)
    rows["failure"] = fits["note"].first()
    rows = rows.join(
        fits[[name for name in SECONDS if name in table]].first()
    ).reset_index()
    # an infinite NLL is a probability of zero for a label that occurs
    zero = ~np.isfinite(rows["nll_1"] + rows["nll_2"]) & (rows["failure"] == "")
    rows.loc[zero, "failure"] = "probability of zero"
    return rows.rename(columns={"prediction": "set", "calibrator": "map"})


class Ranked(NamedTuple):
    """Maps in order."""

    cases: pd.DataFrame  # as `rank_cases` returns them
    table: pd.DataFrame  # one row a map, largest gain first


def rank_among(mine: pd.DataFrame, others: pd.DataFrame) -> Ranked:
    """Rank maps, `mine` as `fit_all` returns them, among the others."""
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

    For file and name see `MapFromFile`, for the folder `fit_all`. Where something is not as
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
    mine = fit_all({name: user_map}, folder=folder, n_jobs=n_jobs, progress=progress)
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
    columns = ["set", "dataset", "classes", "n", "gain", "rank", *LOSSES, "failure"]
    rounded = its_rows[columns].round(6).astype(object)
    rows = rounded.where(rounded.notna(), "").to_dict("records")
    write_whole(output, csv_bytes(rows))
    return RankedMap(table, failures)
