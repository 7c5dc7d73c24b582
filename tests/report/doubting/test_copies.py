"""Rows that stand twice are copies of one sample, and leaves of a tree are not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from combined_files import EVENT, P_EVENT
from helpers import ROOT

import calib_report
from calib_report.doubting.copies import (
    _keys_of_rows,
    copies,
    refuse_rows_in_both_sets,
)
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import P, Y


def test_copies_of_samples_are_clusters_and_leaves_of_a_tree_are_not():
    twice = np.repeat(np.arange(120), 2)
    outputs = read({"y": Y[twice], "p": P[twice]})
    assert (
        len(np.unique(outputs.clusters)) == 120
        and "120 of 240 rows repeat" in outputs.notes[-1].text
    )
    leaves = np.random.default_rng(4).dirichlet(np.ones(3), size=6)[np.arange(240) % 6]
    y = (leaves.cumsum(axis=1) < np.random.default_rng(5).random((240, 1))).sum(axis=1)
    assert copies(read({"y": y, "p": leaves})) is None


def numbers_of_samples_that_stand_twice():
    p = np.random.default_rng(0).dirichlet([1, 1], 90)[np.arange(180) % 90]
    return clusters_of(p, (p[:, 1] > 0.4).astype(int)).tolist()


def test_the_key_of_a_row_is_a_number_that_no_process_changes():
    keys = _keys_of_rows(np.array([[0.123456, 0.876544], [0.5, 0.5]]))
    assert keys.tolist() == [-6841863461753732883, 0]


@pytest.mark.slow
def test_copies_of_samples_are_numbered_alike_in_every_process():
    """Folds follow the numbers of clusters, so that these may not hang on how Python hashes."""
    seed = "12"[os.environ.get("PYTHONHASHSEED") == "1"]
    folders = [ROOT, ROOT / "tests/parts", Path(__file__).parent]
    path = os.pathsep.join(map(str, folders))
    code = "import test_copies as t; print(t.numbers_of_samples_that_stand_twice())"
    printed = subprocess.check_output(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
        text=True,
    )
    here = numbers_of_samples_that_stand_twice()
    assert json.loads(printed) == here
    # a row that is written with few digits may be alike by chance
    assert 90 <= len({*here}) < 100


def test_one_rounded_column_does_not_repeat_rows(folder):
    table = pd.DataFrame(
        {"ill": np.where(EVENT, "yes", "no"), "p_yes": P_EVENT.round(3)}
    )
    report = calib_report.make_report(table.rename(columns={"ill": "label"}))
    assert "repeat" not in " ".join(report["notes"])


@pytest.mark.parametrize(("n_shared", "is_refused"), [(2, False), (3, True)])
def test_more_than_one_row_in_a_hundred_may_not_stand_in_both_sets(
    n_shared, is_refused
):
    rng = np.random.default_rng(6)
    test, calibration = rng.dirichlet(np.ones(3), 200), rng.dirichlet(np.ones(3), 150)
    calibration[:n_shared] = test[:n_shared]
    if not is_refused:
        refuse_rows_in_both_sets(test, calibration)
        return
    with pytest.raises(calib_report.ReadingError, match="3 of 200 rows"):
        refuse_rows_in_both_sets(test, calibration)


def clusters_of(p, y):
    return copies(calib_report.ModelOutputs(y, probabilities=p))


def test_rows_of_few_digits_may_be_alike_by_chance():
    """Four digits tell no copy; with a fifth they do."""
    rng = np.random.default_rng(7)
    p = rng.dirichlet(np.ones(3), 100)[np.arange(200) // 2]
    y = np.full(200, 1)
    assert len(np.unique(clusters_of(p, y))) == 100
    rounded = p.round(4)
    rounded[:, 2] = 1 - rounded[:, :2].sum(axis=1)
    assert clusters_of(rounded, y) is None


@pytest.mark.parametrize(("n_repeated", "are_told"), [(5, False), (6, True)])
def test_few_repeated_rows_are_not_spoken_of(n_repeated, are_told):
    """Of 300 rows at least six, one in fifty, have to repeat."""
    rng = np.random.default_rng(8)
    p = rng.dirichlet(np.full(3, 0.9), 300)
    # of unsure rows a label would differ by chance
    p[:n_repeated] = [1 / 3 + 1e-5, 1 / 3 + 2e-5, 1 / 3 - 3e-5]
    assert (clusters_of(p, np.zeros(300, int)) is not None) == are_told


def test_rows_whose_labels_could_hardly_differ_tell_nothing():
    """Equal rows of equal labels are copies only where chance would have parted the labels."""
    sure = np.tile([[0.99999, 0.00001]], (200, 1)) + np.arange(200)[:, None] // 2 * [
        1e-8,
        -1e-8,
    ]
    assert clusters_of(sure, np.zeros(200, int)) is None
