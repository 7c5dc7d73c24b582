"""What a report advises for the networks that were sealed."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers import need_shared

import calib
from evidence import load_results
from evidence.studies.maps import report_on_registered_networks


@pytest.mark.shared
def test_a_split_of_an_opened_network_is_computed_again():
    arrays = np.load(need_shared("unsealed/originals/verified_vgg16_c10.npz"))
    logits = np.log(arrays["probs"].astype(float))
    (row,) = report_on_registered_networks.splits(
        "cifar10-vgg16", arrays["labels"], logits, n_splits=1
    )
    (stored,) = (
        load_results("report_on_registered_networks")
        .query("network == @row['network'] and split == 0")
        .to_dict("records")
    )
    for name, value in row.items():
        number = isinstance(value, float)
        assert stored[name] == (pytest.approx(value, rel=1e-6) if number else value)


def test_opened_files_that_are_absent_are_named(tmp_path, monkeypatch):
    monkeypatch.delenv(report_on_registered_networks.FOLDER, raising=False)
    with pytest.raises(FileNotFoundError, match="CALIB_OPENED names no folder"):
        list(report_on_registered_networks.rows())
    monkeypatch.setenv(report_on_registered_networks.FOLDER, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"cifar10-vgg16, .*by the SHA-256"):
        list(report_on_registered_networks.rows())


@pytest.fixture(scope="module")
def network():
    """Labels and logits of a network that is three times too sure, and the halves of a split."""
    rng = np.random.default_rng(3)
    z = 2 * rng.standard_normal((400, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    fit, test = np.array_split(np.random.default_rng(2026).permutation(400), 2)
    return y, 3 * z, fit, test


@pytest.fixture
def vector_is_recommended(monkeypatch, tmp_path):
    """A report that recommends vector scaling, in the place of one that tries all maps."""

    def analyse(outputs):
        fitted = calib.VectorScaling().fit(outputs.logits, outputs.y)
        calib.save_map(fitted, tmp_path / "map.json")
        content = (tmp_path / "map.json").read_bytes()
        numbers = {"recommended": {"name": "vector scaling"}}
        return SimpleNamespace(map_file=content, numbers=numbers)

    monkeypatch.setattr(report_on_registered_networks, "analyse", analyse)


@pytest.mark.usefixtures("vector_is_recommended")
def test_maps_see_one_half_and_are_judged_on_the_other(network):
    y, logits, fit, test = network
    row = report_on_registered_networks.on_fresh_half(*network)
    vector = calib.VectorScaling().fit(logits[fit], y[fit])
    assert row["nll_report"] == pytest.approx(
        calib.nll(y[test], vector.predict_proba(logits[test]))
    )
    assert (row["n_fit"], row["n_test"]) == (200, 200)
    one = calib.TemperatureScaling().fit(logits[fit], y[fit])
    after = one.predict_proba(logits[test])
    assert row["nll_temperature"] == calib.nll(y[test], after)
    assert row["nll_none"] == calib.nll(y[test], calib.softmax(logits[test]))
    assert row["accuracy_none"] == (logits[test].argmax(axis=1) == y[test]).mean()
    assert row["recommended"] == "vector scaling"


def test_a_report_that_advises_no_map_leaves_the_network_as_it_is(network, monkeypatch):
    report = SimpleNamespace(map_file=None, numbers={"recommended": {"name": "none"}})
    monkeypatch.setattr(report_on_registered_networks, "analyse", lambda _: report)
    row = report_on_registered_networks.on_fresh_half(*network)
    assert row["nll_report"] == row["nll_none"] != row["nll_temperature"]


@pytest.mark.usefixtures("vector_is_recommended")
def test_each_split_is_another_random_half(network):
    y, logits, *halves = network
    rows = report_on_registered_networks.splits("net", y, logits, n_splits=2)
    first, second = rows
    assert (first["network"], first["split"], second["split"]) == ("net", 0, 1)
    expected = report_on_registered_networks.on_fresh_half(y, logits, *halves)
    assert first == {"network": "net", "split": 0} | expected
    assert second["nll_none"] != first["nll_none"]


def test_a_label_of_probability_zero_has_an_infinite_loss():
    p = np.array([[1.0, 0.0]])
    assert report_on_registered_networks.nll(np.array([1]), p) == np.inf


TABLE = pd.DataFrame(
    {
        "recommended": ["isotonic", "isotonic", "none"],
        "nll_none": [1.0, 1.0, 1.0],
        "nll_report": [0.75, 0.5, 1.0],
        "nll_temperature": [0.5, 0.75, 0.25],
        "accuracy_temperature": [0.75, 0.75, 0.75],
        "accuracy_report": [0.75, 0.5, 0.7],
    }
)


def test_harm_is_what_the_report_loses_against_one_temperature():
    harm = report_on_registered_networks.harm_of(TABLE)
    assert harm.tolist() == [0.25, -0.25, 0.75]


def test_splits_are_summed_up_in_words():
    words = report_on_registered_networks.splits_in_words("net", TABLE)
    assert words == (
        "net: {'isotonic': 2, 'none': 1}; mean NLL as it is 1.0000, recommended 0.7500, "
        "temperature 0.5000; harm +0.2500, worst +0.7500; accuracy lost +10.00, "
        "worst +25.00; infinite in 0"
    )


def test_the_worst_harm_of_all_networks_of_a_folder_is_printed(
    tmp_path, monkeypatch, capsys
):
    tables = {"a": TABLE.iloc[:1], "b": TABLE}
    monkeypatch.setattr(
        report_on_registered_networks, "splits", lambda name, *rest: tables[name]
    )
    for name in "ba":
        np.savez(tmp_path / f"{name}.npz", y=[0], logits=[[0.0, 1.0]])
    report_on_registered_networks.print_harm(str(tmp_path))
    first, second, worst = capsys.readouterr().out.splitlines()
    assert (first[:2], second[:2], worst) == ("a:", "b:", "worst harm +0.7500 nats")


def test_a_folder_without_networks_is_refused(tmp_path):
    with pytest.raises(SystemExit, match=r"it holds no NAME\.npz"):
        report_on_registered_networks.print_harm(str(tmp_path))
