"""Networks that two groups measured."""

import numpy as np
import pandas as pd
import pytest
from helpers import need_shared

from evidence import load_results
from evidence.data import csv_bytes
from evidence.studies.networks import same_networks

NETWORK = {"dataset": "c100", "model": "resnet_wide32"} | {
    "base_accuracy": "0.75",
    "base_ece-15": "0.125",
    "base_logloss": "1.5",
    "ts_accuracy": "0.75",
    "ts_ece-15": "0.0625",
    "ts_logloss": "1.25",
}


def test_numbers_of_a_network_have_the_names_and_units_of_the_other_group():
    name = "CIFAR-100", "Wide ResNet-32"
    assert dict(same_networks.numbers_of(NETWORK)) == {
        (*name, "Uncalibrated", "Accuracy"): 75,
        (*name, "Uncalibrated", "ECE"): 12.5,
        (*name, "Uncalibrated", "NLL"): 1.5,
        (*name, "Temperature scaling", "Accuracy"): 75,
        (*name, "Temperature scaling", "ECE"): 6.25,
        (*name, "Temperature scaling", "NLL"): 1.25,
    }


def test_a_difference_is_theirs_less_that_of_calarena(monkeypatch):
    keys = [key for key, _ in same_networks.numbers_of(NETWORK)]
    there = pd.DataFrame(keys, columns=same_networks.KEYS).assign(value=1.0)
    monkeypatch.setattr(same_networks, "calarena", lambda: there)
    monkeypatch.setattr(same_networks, "FILES", ["one"])
    monkeypatch.setattr(same_networks, "read_source", lambda name: csv_bytes([NETWORK]))
    rows = [*same_networks.rows()]
    assert [row["difference"] for row in rows] == [74, 11.5, 0.5, 74, 5.25, 0.25]
    assert [tuple(row.values())[:4] for row in rows] == keys


@pytest.mark.shared
def test_another_group_measured_the_same_networks_alike(monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    again = pd.DataFrame(same_networks.rows())
    stored = load_results("same_networks")
    assert again.drop(columns="difference").equals(stored.drop(columns="difference"))
    np.testing.assert_allclose(again["difference"], stored["difference"], atol=1e-9)
    apart = stored.groupby("method")["difference"].agg(
        lambda values: values.abs().max()
    )
    assert apart["Uncalibrated"] < 1e-4 < apart["Temperature scaling"] < 0.05
