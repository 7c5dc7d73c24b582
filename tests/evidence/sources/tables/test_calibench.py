"""Tables of calibench: a row a number, or refused."""

import pytest

from evidence.sources.tables import calibench


def test_a_cell_is_parted_into_its_value_and_its_spread():
    row = {
        "experiment": "cifar100_lt_vit_b_16",
        "bin": "20",
        "TS": "0.0250±0.001",
        "HB": "",
    }
    (cell,) = calibench.numbers_of_row(row, "ECE", "bins")
    assert cell == {
        "file": "bins",
        "dataset": "CIFAR-100",
        "shift": "long-tailed",
        "model": "ViT-B/16",
        "method": "Temperature scaling",
        "metric": "ECE",
        "bins": "20",
        "value": "0.025",
        "spread": "0.001",
    }


def test_without_a_shift_and_a_number_of_bins_they_are_none_and_fifteen():
    row = {"experiment": "imagenet_resnet50", "Uncalibrated": "3"}
    (cell,) = calibench.numbers_of_row(row, "NLL", "tables")
    assert (cell["dataset"], cell["shift"], cell["bins"]) == (
        "ImageNet",
        "none",
        "15",
    )
    assert cell["spread"] == ""


def test_an_experiment_of_no_data_set_is_refused():
    with pytest.raises(ValueError, match="'mnist_resnet50' names no data set"):
        list(calibench.numbers_of_row({"experiment": "mnist_resnet50"}, "ECE", "bins"))
