"""The list of runs: each has its own name, and a setting of several blocks is trained once."""

from dataclasses import fields, replace

import pytest

from evidence.data import csv_rows, read_declared
from evidence.training import runs


def test_a_name_tells_every_setting_that_is_not_the_usual_one():
    plain = runs.resnet("some", 8, 4)
    assert plain.name == "fashion-resnet8-w4-s1"
    changed = replace(plain, loss="fl2", weight_decay=0.005, epochs=5, seed=3)
    assert changed.name == "fashion-resnet8-w4-fl2-wd0.005-e5-s3"
    assert replace(plain, batch_norm=False).name == "fashion-resnet8-w4-nobn-s1"


# another value of each field that makes another network
CHANGED = {
    "dataset": "cifar100",
    "architecture": "vit",
    "depth": 14,
    "width": 8,
    "batch_norm": False,
    "initialisation": "he",
    "loss": "fl2",
    "weight_decay": 0.005,
    "label_noise": 0.1,
    "training_images": 100,
    "epochs": 5,
    "optimiser": runs.ADAM,
    "subset": "drawn",
    "augmentation": "crop+flip",
    "precision": "bfloat16",
    "stem": 1,
    "patience": 4,
    "seed": 3,
}


def test_two_networks_that_differ_in_one_setting_have_two_names():
    of_network = {field.name for field in fields(runs.Run)} - {
        "block",
        "curve",
        "shift",
    }
    assert of_network == {*CHANGED}
    plain = runs.resnet("some", 8, 4)
    others = [replace(plain, **{name: value}) for name, value in CHANGED.items()]
    assert len({run.name for run in [plain, *others]}) == len(CHANGED) + 1


def test_a_setting_that_the_papers_do_not_vary_is_named_too():
    plain = runs.resnet("some", 8, 4)
    changed = replace(plain, optimiser=runs.ADAM, subset="drawn", patience=4)
    assert changed.name == "fashion-resnet8-w4-patience4-adam0.001-drawn-s1"
    assert replace(plain, augmentation="crop+flip").name.endswith("-crop+flip-s1")
    assert runs.cnn2("some", batch_norm=True).name == "fashion-cnn2-w16-bn-s1"


def test_two_different_runs_of_one_name_are_refused():
    public = runs.PUBLIC[0]
    with pytest.raises(ValueError, match="cifar10-resnet20: two different runs"):
        runs.without_repeats([public, replace(public, epochs=1)])


def test_a_run_of_two_blocks_is_one_with_what_either_asks_for():
    first, second = runs.resnet("a", 8, 4), runs.resnet("b", 8, 4, curve=9)
    (run,) = runs.without_repeats([first, second])
    assert (run.block, run.curve) == ("a b", 9)


def test_ends_of_each_comparison_are_in_its_block():
    for block, setting, *ends in runs.COMPARISONS:
        of_block = [run for run in runs.RUNS if block in run.block.split()]
        assert {*ends} <= {getattr(run, setting) for run in of_block}, block


SETTINGS = "depth width loss weight_decay label_noise batch_norm augmentation".split()


def test_each_network_of_the_zoo_is_of_a_run_and_has_its_settings():
    by_name = {run.name: run for run in runs.RUNS}
    for row in csv_rows(read_declared("zoo/zoo.csv")):
        run = by_name[row["name"]]
        settings = {name: str(getattr(run, name)) for name in SETTINGS}
        assert {name: row[name] for name in SETTINGS} == settings, run.name
