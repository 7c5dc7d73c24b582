"""What the index says of a run before it is trained."""

import pytest

from evidence.training import runs
from evidence.training.datasets import Dataset
from evidence.training.index_settings import settings_in_index, stopping_rule
from evidence.training.zoo_files import COLUMNS_OF_ZOO


class Ten:
    def __len__(self):
        return 10


def data_set(train):
    return Dataset(10, train, Ten(), Ten())


def test_each_setting_of_the_index_is_that_of_the_run():
    run = runs.resnet("a b", 8, 4, seed=3, loss="fl2", training_images=7)
    row = settings_in_index(run, data_set(Ten()))
    assert list(row) == [name for name in COLUMNS_OF_ZOO if name in row]
    assert (row["dataset"], row["architecture"]) == ("fashion", "resnet8")
    assert (row["family"], row["training_images"]) == ("ResNet", 7)
    for name in "block depth width loss seed epochs subset batch_norm".split():
        assert row[name] == getattr(run, name)


@pytest.mark.parametrize(("asked", "images"), [(7, 7), (0, 10)])
def test_a_run_that_names_no_number_of_images_takes_all(asked, images):
    run = runs.resnet("b", 8, 4, training_images=asked)
    assert settings_in_index(run, data_set(Ten()))["training_images"] == images


def test_of_published_weights_the_index_says_what_their_author_did():
    row = settings_in_index(runs.PUBLIC[0], data_set(None))
    assert row["dataset"] == "cifar10" and row["stopping_rule"] == "published weights"
    assert (row["training_images"], row["epochs"]) == (50_000, 200)
    unknown = ["initialisation", "subset", "precision", "seed"]
    assert [row[name] for name in unknown] == [""] * 4


def test_the_rule_by_which_a_run_stops_is_told():
    assert stopping_rule(runs.resnet("b", 8, 4, epochs=5)) == "after 5 epochs"
    early = runs.resnet("b", 8, 4, patience=4)
    assert (
        stopping_rule(early)
        == "best on the calibration set, 4 epochs without a better one"
    )
