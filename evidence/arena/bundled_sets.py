"""The prediction sets that come with the book, for a map of your own; maps fitted to them."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evidence.arena.arena_metrics import ARENA_METRICS, as_rows
from evidence.arena.ranked_cases import SIZES
from evidence.data import csv_rows, data_folder, read_npz
from evidence.fit_and_measure import measure_maps
from evidence.network_outputs import Outputs

HEAD = ["set", "dataset", "classes", "n", "order", "map"]


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


def six_decimals(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of fits with six decimals, empty where there is no number."""
    rounded = table.round(6).astype(object)
    return rounded.where(rounded.notna(), "").to_dict("records")


def fit_to_bundle(
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
    return rows[[*HEAD, *ARENA_METRICS, "failure"]]
