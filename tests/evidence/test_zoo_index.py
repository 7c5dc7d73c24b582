"""The list of runs, the index and the committed files of the zoo agree."""

import csv
import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers import ROOT

sys.path.insert(0, str(ROOT))
from data.training import zoo
from data.training.corruptions import CORRUPTIONS, SEVERITIES
from data.training.runs import COMPARISONS, PRECISIONS, RUNS

RUN = {run.name: run for run in RUNS}


@pytest.fixture(scope="module")
def rows():
    with open(zoo.ZOO / "zoo.csv", newline="") as file:
        return list(csv.DictReader(file))


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_no_two_runs_share_a_name():
    assert len(RUN) == len(RUNS)


def test_a_first_seed_comes_before_its_second_and_third():
    place = {run.name: i for i, run in enumerate(RUNS)}
    for run in RUNS:
        if run.epochs and run.seed > 1:
            earlier = run.name.removesuffix(str(run.seed)) + str(run.seed - 1)
            assert place[earlier] < place[run.name]


def test_every_network_of_ours_is_listed_with_three_seeds():
    seeds = {}
    in_float32 = PRECISIONS[-1].name  # beside the same seed in bfloat16, a comparison of its own
    for run in RUNS:
        if run.epochs and run.name != in_float32:
            seeds.setdefault(run.name.rpartition("-s")[0], []).append(run.seed)
    assert set(map(tuple, map(sorted, seeds.values()))) == {(1, 2, 3)}
    assert len(RUNS) >= 120


def test_comparisons_have_their_ends_and_differ_in_nothing_else():
    for block, setting, first, last in COMPARISONS:
        inside = [run for run in RUNS if block in run.block.split() and run.seed == 1]
        ends = [run for run in inside if getattr(run, setting) in (first, last)]
        assert [getattr(run, setting) for run in ends].count(first) == 1
        one, other = (replace(run, block="", **{setting: None}) for run in ends)
        assert one == other


def test_index_is_what_the_files_say(rows):
    expected = [{key: str(value) for key, value in row.items()} for row in zoo.index()]
    assert rows == expected


def test_every_file_has_its_row_in_the_list_of_runs(rows):
    for row in rows:
        run = RUN[row["name"]]
        assert set(row["block"].split()) == set(run.block.split())
        assert (row["dataset"], row["loss"]) == (run.dataset.removesuffix("-test"), run.loss)
        assert float(row["weight_decay"]) == run.weight_decay
        assert float(row["label_noise"]) == run.label_noise
        assert int(row["width"]) == run.width and int(row["depth"]) == run.depth
        if run.dataset == "cifar100-25k":
            for setting in ("subset", "augmentation", "precision"):
                assert row[setting] == getattr(run, setting)


def test_no_stray_curve_or_shift():
    for folder, wanted in (("curves", "curve"), ("shift", "shift")):
        for path in (zoo.ZOO / folder).glob("*.csv"):
            assert getattr(RUN[path.stem], wanted), path


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


def test_shift_holds_every_corruption_and_severity():
    cases = {("clean", 0)} | {(name, severity) for name in CORRUPTIONS for severity in SEVERITIES}
    for path in (zoo.ZOO / "shift").glob("*.csv"):
        table = read(path)
        for calibrator in ("none", "temperature"):
            here = [
                (row["corruption"], int(row["severity"]))
                for row in table
                if row["calibrator"] == calibrator
            ]
            assert len(here) == len(cases) and set(here) == cases
        assert all(0 <= float(row["accuracy"]) <= 1 for row in table)


def test_curves_hold_both_splits_at_every_step():
    for path in (zoo.ZOO / "curves").glob("*.csv"):
        table = read(path)
        steps = {
            split: [row["step"] for row in table if row["split"] == split]
            for split in ("train", "test")
        }
        assert steps["train"] == steps["test"] and len(set(steps["train"])) == len(steps["train"])
        assert int(steps["train"][0]) == 0


def test_the_zoo_stays_small():
    size = sum(path.stat().st_size for path in zoo.ZOO.rglob("*") if path.is_file())
    assert size < 100e6
