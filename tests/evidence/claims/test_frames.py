"""What the claims read: networks of others, which are ours and measured as ours."""

import numpy as np
import pandas as pd
import pytest

from evidence import load_results
from evidence.claims import frames
from evidence.claims.frames import calarena
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


@pytest.mark.parametrize("case", NAMES["same_networks"])
def test_networks_that_are_said_to_be_the_same_are_right_alike(case):
    assert accuracies_apart(case, NAMES["same_networks"][case]) < 3


def test_one_name_may_be_that_of_another_network():
    resnet = "imagenet-resnet-152", "imagenet-resnet152"
    assert accuracies_apart(f"calarena-{resnet[0]}", f"northcutt-{resnet[1]}") > 7


@pytest.mark.parametrize(
    ("method", "calibrator"),
    [("Uncalibrated", "none"), ("Temperature scaling", "temperature")],
)
@pytest.mark.parametrize(
    ("metric", "unit"), [("Accuracy", 100), ("NLL", 1), ("Brier", 1), ("ECE", 100)]
)
def test_calarena_measures_resnet_110_as_we_do(method, calibrator, metric, unit):
    theirs = calarena().query("dataset == 'CIFAR-10' and model == 'ResNet-110'")
    theirs = theirs.set_index(["method", "metric"])["value"]
    ours = load_results("metrics_of_public_networks").query(
        "source == @RESNET and samples == 'held out'"
    )
    ours = ours.set_index(["calibrator", "metric"])["value"]
    value = unit * ours[calibrator, metric.lower()]
    assert value == pytest.approx(theirs[method, metric], rel=1e-3, abs=0.005)


def test_metrics_have_the_names_and_units_of_the_papers():
    rows = pd.DataFrame(
        {
            "metric": ["ece", "nll", "brier", "ece", "no metric"],
            "calibrator": ["none", "temperature", "none", "no map", "none"],
            "value": 0.5,
        }
    )
    frame = frames.as_printed(rows)
    assert frame[["metric", "method", "value"]].to_numpy().tolist() == [
        ["ECE", "Uncalibrated", 50],
        ["NLL", "Temperature scaling", 0.5],
        ["Brier", "Uncalibrated", 0.5],
    ]


def test_a_network_of_the_zoo_has_its_setting_error_and_size(networks):
    row = frames.zoo_cases().iloc[1]
    assert (row["case"], row["dataset"], row["siblings"]) == (
        "cnn-w8",
        "cifar10",
        "cnns",
    )
    assert (row["error"], row["log_parameters"]) == (25, 3)


@pytest.mark.parametrize(
    ("kind", "cases"),
    [
        (None, ["guo-a", "cnn-w8"]),
        ("public", ["guo-a"]),
        ("zoo", ["cnn-w8"]),
    ],
)
def test_rows_of_one_kind_have_a_case_and_a_data_set(networks, kind, cases):
    rows = pd.DataFrame({"name": ["guo-a", "guo-b", "cnn-w8-s2"]})
    frame = frames.with_cases(rows, kind, left_out=("guo-b",))
    assert frame["case"].tolist() == cases
    datasets = {"guo-a": "CIFAR-10", "cnn-w8": "cifar10"}
    assert frame["dataset"].tolist() == [datasets[case] for case in cases]


def test_another_best_method_is_as_frequent_as_in_splits_of_either_order(
    networks,
):
    columns = ["first", "second", "differs", "worst_differs", "methods"]
    rows = [
        ("ece", "nll", 0.5, 0.25, "guo"),
        ("nll", "ece", 1.0, 0.75, "guo"),
        ("ece", "ece", 0.125, 0.0, "guo"),
        ("ece", "nll", 0.0, 0.0, "gupta"),
    ]
    table = pd.DataFrame(rows, columns=columns).assign(name="guo-a")
    networks("results/maps/best_maps_of_halves.csv", table)
    chance = frames.chance_of_another_best
    assert chance("guo", "ECE", by="NLL") == chance("guo", "NLL", by="ECE") == 0.75
    assert chance("guo", "ECE", by="NLL", worst=True) == 0.5
    assert chance("guo", "ECE") == 0.125
    assert np.isnan(chance("guo", "KS")) and np.isnan(chance("guo", "ECE", "zoo"))


def test_calibration_sets_of_several_sizes_are_of_single_networks(networks):
    rows = [{"source": "cnn-w8-s2", "value": 1.0}]
    networks("results/maps/calibration_set_sizes.csv", rows)
    (row,) = frames.sizes().to_dict("records")
    assert (row["case"], row["dataset"]) == ("cnn-w8-s2", "cifar10")


@pytest.fixture
def measured(networks, monkeypatch):
    """Metrics of two public networks, and of others of which one is known to be the first."""

    def row(source, metric, samples="held out"):
        about = {"source": source, "metric": metric, "samples": samples}
        return about | {"calibrator": "none", "value": 0.25}

    rows = [
        row("guo-a", "ece"),
        row("guo-a", "ece", "all"),
        row("guo-b", "accuracy"),
    ]
    networks("results/networks/metrics_of_public_networks.csv", rows)
    more = [row("guo-b", "ece"), row(frames.REPEATED[0], "ece")]
    networks("results/networks/more_maps_and_networks.csv", more)
    theirs = [
        {"dataset": "CIFAR-10", "model": model, "metric": metric, "value": 9.0}
        for model in ("Res (1)", "VGG", "New")
        for metric in ("ECE", "NLL")
    ]
    networks("tables/calarena.csv", theirs)
    same = {
        "calarena-cifar-10-res-1": "guo-a",
        "calarena-cifar-10-vgg": "guo-b",
    }
    monkeypatch.setitem(NAMES, "same_networks", same)


def cells(rows):
    return {(row.case, row.metric): row.value for row in rows.itertuples()}


def test_metrics_of_held_out_samples_are_joined_with_what_is_known(measured):
    rows = frames.held_out()
    assert cells(rows) == {
        ("guo-a", "ECE"): 25,
        ("guo-b", "Accuracy"): 25,
        ("guo-b", "ECE"): 25,
    }
    assert rows["dataset"].tolist() == ["CIFAR-10", "SVHN", "SVHN"]


def test_on_one_sample_a_network_that_is_ours_is_not_taken_from_others(
    measured,
):
    value_of = cells(frames.on_one_sample())
    new = {("calarena-cifar-10-new", name): 9 for name in ("ECE", "NLL")}
    assert value_of == cells(frames.held_out()) | new


def test_a_metric_that_both_measured_counts_once(measured):
    """Ours of a network of whole vectors; theirs where we have first choices alone."""
    value_of = cells(frames.public_metrics())
    assert ("calarena-cifar-10-res-1", "ECE") not in value_of
    assert value_of["guo-a", "ECE"] == 25
    assert ("guo-b", "ECE") not in value_of
    assert value_of["calarena-cifar-10-vgg", "ECE"] == 9
    assert value_of["guo-b", "Accuracy"] == 25


def test_metrics_of_the_zoo_have_what_the_index_says(networks):
    rows = [
        {
            "name": "cnn-w8-s1",
            "metric": "ece",
            "calibrator": "none",
            "value": 0.5,
        }
    ]
    networks("results/networks/metrics_of_zoo.csv", rows)
    (row,) = frames.zoo_metrics().to_dict("records")
    assert (row["case"], row["metric"], row["value"]) == ("cnn-w8", "ECE", 50)


DETAILS = {
    "name": "guo-a",
    "ece": 0.25,
    "ece_highest": 0.375,
    "ece_lowest": 0.25,
    "two_heaviest_bins": 0.75,
    "class_gap_p": np.nan,
    "ece_range_chance": 0.0625,
    "ks_top_3_chance": 0.03125,
}


def test_details_of_an_ece_are_rows_without_those_that_are_empty(networks):
    networks("results/networks/ece_details.csv", [DETAILS])
    rows = frames.details("public")
    assert rows.set_index("metric")["value"].to_dict() == {
        "ece_range": 12.5,
        "ece_relative_range": 0.5,
        "two_heaviest_bins": 0.75,
        "ece_range by chance": 6.25,
        "KS top-3 by chance": 3.125,
    }


def test_the_third_choice_of_a_kind_stands_beside_its_chance(networks):
    networks("results/networks/ece_details.csv", [DETAILS | {"name": "cnn-w8-s1"}])
    about = {"name": "cnn-w8-s1", "calibrator": "none", "value": 0.5}
    rows = [about | {"metric": metric} for metric in ("ks_top_3", "ece")]
    networks("results/networks/metrics_of_zoo.csv", rows)
    rows = frames.third_choice("zoo")
    result = rows.set_index("metric")["value"].to_dict()
    assert result == {"KS top-3": 50, "KS top-3 by chance": 3.125}


def test_siblings_are_a_family_with_one_way_of_training(give_table):
    about = {"pretraining": "none", "setup": "A1", "calibration_error": 0.25}
    about |= {"accuracy": 0.75, "parameters": 1e6}
    rows = [about | {"model": "RN50", "family": "ResNet"}]
    give_table("tables/quba.csv", [*rows, about | {"model": "Odd", "family": None}])
    first, second = frames.quba().to_dict("records")
    assert first["siblings"] == "ResNet, none, A1" and pd.isna(second["siblings"])
    assert (first["case"], first["value"]) == ("rn50", 0.25)
    assert (first["error"], first["log_parameters"]) == (0.25, 6)


def test_vision_transformers_are_told_from_other_networks(give_table):
    rows = [{"dataset": "ImageNet", "model": name} for name in ("ViT-B", "VGG", "Swin")]
    give_table("tables/calibench.csv", rows)
    frame = frames.calibench()
    assert frame["kind"].tolist() == ["transformer", "CNN", "transformer"]
    assert frame["case"].tolist() == [
        "ImageNet ViT-B",
        "ImageNet VGG",
        "ImageNet Swin",
    ]


def test_two_groups_metrics_are_clean_or_shifted_and_not_of_ensembles(
    give_table,
):
    about = {"dataset": "ImageNet", "model": "VGG", "method": "Uncalibrated"}
    about |= {"metric": "ECE", "value": 1.0}
    theirs = [
        about | {"file": file, "shift": shift}
        for file, shift in (
            ("tables", "none"),
            ("tables", "sketch"),
            ("more", "none"),
        )
    ]
    theirs.append(theirs[0] | {"dataset": "CIFAR-10"})
    give_table("tables/calibench.csv", theirs)
    numbers = {"accuracy": 0.5, "ece": np.nan, "nll": 2.0}
    others = [
        {"training": training, "images": images} | numbers
        for training in ("Deterministic", "MIMO Ensemble4")
        for images in ("ImageNet", "ImageNet-C", "ImageNet-A")
    ]
    give_table("tables/uncertainty_baselines.csv", others)
    rows = frames.shifted()
    results = [*zip(rows["case"], rows["away"], rows["metric"], strict=True)]
    baseline = "ImageNet ResNet-50, Deterministic"
    assert results[:2] == [
        ("ImageNet VGG", "clean", "ECE"),
        ("ImageNet VGG", "shifted", "ECE"),
    ]
    assert sorted(results[2:]) == [
        (baseline, away, metric)
        for away in ("clean", "shifted")
        for metric in ("Accuracy", "NLL")
    ]


@pytest.fixture
def curves(networks, tmp_path, monkeypatch):
    """The curve of one network of the two."""
    monkeypatch.setattr(frames.data, "data_folder", lambda: tmp_path)
    (tmp_path / "zoo" / "curves").mkdir(parents=True)
    (tmp_path / "zoo" / "curves" / "cnn-w8-s2.csv").touch()
    rows = [{"epoch": 1, "ece": 0.5, "nll": 2.0}]
    networks("zoo/curves/cnn-w8-s2.csv", rows)


def test_curves_are_of_the_networks_that_have_them(curves):
    rows = frames.zoo_folder("curves").set_index("metric")
    assert rows["value"].to_dict() == {"ECE": 50, "NLL": 2}
    assert (rows["case"] == "cnn-w8").all() and (rows["epoch"] == 1).all()
    assert (rows["method"] == "Uncalibrated").all()


def test_where_no_network_has_curves_the_frame_is_empty(curves):
    rows = frames.zoo_folder("shift")
    assert rows.empty and {"metric", "method", "dataset", "case"} <= {*rows}
