"""The list of runs, the index and the committed files of the zoo agree."""

import csv
import sys

import numpy as np
import pytest
from helpers import ROOT

sys.path.insert(0, str(ROOT))
from data.training import zoo
from data.training.runs import RUNS

RUN = {run.name: run for run in RUNS}


@pytest.fixture(scope="module")
def rows():
    with open(zoo.ZOO / "zoo.csv", newline="") as file:
        return list(csv.DictReader(file))


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_index_is_what_the_files_say(rows):
    expected = [{key: str(value) for key, value in row.items()} for row in zoo.index()]
    assert rows == expected


def test_outputs_are_finite_and_as_accurate_as_the_index_says(rows):
    for row in rows:
        with np.load(zoo.ZOO / f"{row['name']}.npz", allow_pickle=False) as arrays:
            for part in ("calibration", "test"):
                logits, y = arrays[f"{part}_logits"], arrays[f"{part}_y"]
                assert logits.dtype == np.float16 and y.dtype == np.uint8
                assert np.isfinite(logits).all()
                assert len(logits) == len(y) == int(row[f"{part}_n"])
                assert y.max() < logits.shape[1]
            accuracy = np.mean(logits.argmax(1) == y)
        ties = 3e-3  # float16 can tie the two largest logits
        assert accuracy == pytest.approx(float(row["test_accuracy"]), abs=ties), row["name"]


def test_runs_of_one_data_set_are_paired_by_row(rows):
    labels = {}
    for row in rows:
        with np.load(zoo.ZOO / f"{row['name']}.npz", allow_pickle=False) as arrays:
            y = arrays["calibration_y"], arrays["test_y"]
        for mine, first in zip(y, labels.setdefault(row["dataset"], y), strict=True):
            np.testing.assert_array_equal(mine, first)
