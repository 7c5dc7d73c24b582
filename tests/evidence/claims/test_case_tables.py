"""Rows as tables with a row a case."""

import pandas as pd
import pytest

from evidence.claims.case_tables import case_levels, case_table, select

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


def test_a_network_of_several_blocks_is_in_each_of_them():
    rows = pd.DataFrame({"block": ["a b", "b", "c"]})
    assert select(rows, "block", "b").index.tolist() == [0, 1]
    assert select(rows, "block", ["a", "c"]).index.tolist() == [0, 2]
