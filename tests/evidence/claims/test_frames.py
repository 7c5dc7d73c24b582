"""What the claims read: networks of others, which are ours and measured as ours."""

import numpy as np
import pandas as pd
import pytest

from evidence import load_results
from evidence.claims.frames import calarena, case_levels, case_table
from evidence.data import NAMES

RESNET = "kull-cifar10-resnet110"


def accuracies_apart(case, name):
    """How many standard errors two sources of one network are apart, of images that both have."""
    of_all = load_results("metrics_of_public_networks").query(
        "calibrator == 'none' and samples == 'all' and metric == 'accuracy'"
    )
    ours = of_all.set_index("source").loc[name]
    before = calarena().query("method == 'Uncalibrated' and metric == 'Accuracy'")
    theirs = before.set_index("case").loc[case]
    error = ours.value * (1 - ours.value) * (1 / theirs.n - 1 / ours.n)
    rounding = 1e-5  # theirs are float32
    return abs(theirs.value / 100 - ours.value) / max(np.sqrt(error), rounding)


def test_networks_that_are_said_to_be_the_same_are_right_alike():
    for case, name in NAMES["same_networks"].items():
        assert accuracies_apart(case, name) < 3, (case, name)
    # one name, another network
    resnet = "imagenet-resnet-152", "imagenet-resnet152"
    assert accuracies_apart(f"calarena-{resnet[0]}", f"northcutt-{resnet[1]}") > 7


def test_calarena_measures_as_we_do():
    """Accuracy, ECE, NLL and Brier score of ResNet-110, as trained and after one temperature."""
    theirs = calarena().query("dataset == 'CIFAR-10' and model == 'ResNet-110'")
    theirs = theirs.set_index(["method", "metric"])["value"]
    ours = load_results("metrics_of_public_networks").query(
        "source == @RESNET and samples == 'held out'"
    )
    ours = ours.set_index(["calibrator", "metric"])["value"]
    for method, calibrator in (
        ("Uncalibrated", "none"),
        ("Temperature scaling", "temperature"),
    ):
        for metric, unit in {"Accuracy": 100, "NLL": 1, "Brier": 1, "ECE": 100}.items():
            value = unit * ours[calibrator, metric.lower()]
            assert value == pytest.approx(theirs[method, metric], rel=1e-3, abs=0.005)


# rows of two seeds of a network by two methods, on one data set, by one metric
SEEDS = pd.DataFrame(
    {
        "dataset": "d",
        "case": "n",
        "model": "m",
        "metric": "ECE",
        "method": ["A", "A", "B", "B"],
        "seed": [1, 2, 1, 2],
        "value": [1.0, 3.0, 5.0, 9.0],
    }
)


def test_seeds_of_a_network_are_averaged_and_all_else_is_told_apart():
    table = case_table(SEEDS)
    assert table.to_dict("index") == {("d", "n"): {"A": 2, "B": 7}}
    two = pd.concat([SEEDS, SEEDS.assign(metric="NLL", value=SEEDS["value"] + 1)])
    assert case_table(two)["A"].to_dict() == {
        ("d", "ECE", "n"): 2,
        ("d", "NLL", "n"): 3,
    }


@pytest.mark.parametrize(
    ("column", "changed", "levels"),
    [
        ("method", {}, ["dataset", "case"]),
        ("method", {"metric": list("xyxy")}, ["dataset", "metric", "case"]),
        ("method", {"twin": list("xyxy")}, ["dataset", "case", "twin"]),
        ("metric", {}, ["dataset", "method", "case"]),
        ("metric", {"method": "A"}, ["dataset", "case"]),
        ("model", {}, ["dataset", "method"]),
        ("model", {"loss": list("xyxy")}, ["dataset", "loss", "method"]),
        ("dataset", {}, ["method", "case"]),
    ],
)
def test_networks_are_always_told_apart_and_cells_where_there_are_several(
    column, changed, levels
):
    assert case_levels(SEEDS.assign(**changed), column) == levels


def test_in_print_a_network_is_its_data_set_and_model():
    printed = SEEDS.drop(columns="case").assign(loss=["CE", "FL", "CE", None])
    assert case_levels(printed, "method") == ["dataset", "model", "loss"]
    # a cell without a loss stays: its level is empty
    assert ("d", "m", "") in case_table(printed).index
