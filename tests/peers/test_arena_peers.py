"""The arena with other libraries: on a Dask cluster, and some of their stored fits again."""

import shutil
import sys
from argparse import Namespace

import joblib
import numpy as np
import pandas as pd
from helpers import ROOT

from evidence import load_results
from evidence.arena import arena_metrics, bundled_sets, one_map
from evidence.arena.__main__ import workers

sys.path.insert(0, str(ROOT))
from evidence.studies.arena import arena_peers as peers

SETS = ["ferrer-pneumonia-resnet50", "sst2-dan3-w100-s1", "ferrer-speaker-plda"]


def test_a_dask_cluster_of_two_processes_writes_the_same_bytes(tmp_path):
    folder = tmp_path / "sets"
    folder.mkdir()
    lines = (bundled_sets.bundle_folder() / "about.csv").read_text("utf-8").splitlines()
    rows = [lines[0], *(line for line in lines if line.split(",")[0] in SETS)]
    (folder / "about.csv").write_text("\n".join(rows) + "\n", "utf-8")
    for name in SETS:
        shutil.copy(bundled_sets.bundle_folder() / f"{name}.npz", folder)
    template = ROOT / "evidence/arena/my_map.py"
    options = Namespace(backend="dask", jobs=2, scheduler=None)
    with workers(options), joblib.parallel_config("dask"):
        one_map.rank_map(template, "MyMap", tmp_path / "many.csv", folder=folder)
    one_map.rank_map(template, "MyMap", tmp_path / "one.csv", folder=folder, n_jobs=1)
    many, single = ((tmp_path / f"{name}.csv").read_bytes() for name in ("many", "one"))
    assert many == single


def test_stored_fits_of_other_libraries_are_computed_again():
    """To a thousandth: their searches, some in single precision, may end elsewhere each time."""
    name = "sst2-dan3-w100-s1"
    stored = load_results("arena_peers").set_index(["set", "n", "map"])
    for row in peers.measure_set(name):
        there = stored.loc[(name, row["n"], row["map"])]
        assert row["failure"] == ("" if pd.isna(there["failure"]) else there["failure"])
        for metric in arena_metrics.ARENA_METRICS:
            value = float(row[metric] or np.nan)
            np.testing.assert_allclose(value, there[metric], rtol=1e-3, atol=1e-5)
