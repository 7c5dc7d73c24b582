"""Factors of networks, agreement with others and Table 1 of Guo et al.: numbers by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import points

from book.show import guo2017


def test_a_factor_has_the_networks_of_its_block_and_data_set():
    networks = pd.DataFrame(
        {
            "block": [
                "guo-depth",
                "guo-depth guo-width",
                "guo-text-depth",
                "guo-depth",
            ],
            "dataset": ["fashion", "fashion-mnist", "20news", "cifar10"],
        }
    )
    parts = guo2017.networks_by_factor(networks)
    assert parts["Fashion-MNIST", "depth"].index.tolist() == [0, 1]
    assert parts["Fashion-MNIST", "width"].index.tolist() == [1]
    assert parts["20 Newsgroups", "depth"].index.tolist() == [2]
    assert parts["CIFAR-100 (10 000)", "depth"].empty
    assert list(parts) == list(guo2017.FACTORS)


def parts(rise=0.05, fit=0.02):
    """Networks of each factor, three seeds of its first and its last level."""
    found = {}
    for (data, factor), (_, first, last) in guo2017.FACTORS.items():
        rows = [
            {
                guo2017.factor_column(factor): level,
                "ECE": 0.1 + step * rise + seed / 1000,
                "error": 0.2 - step * 0.02 + seed / 1000,
                "accuracy": 0.8 + step * 0.02 - seed / 1000,
                "confidence": 0.9 + step * 0.02,
                "train_accuracy": 0.9 + step * fit,
                "setting": f"net-{step}",
                "loss": "ce",
            }
            for step, level in enumerate((first, last))
            for seed in (-1, 0, 1)
        ]
        found[data, factor] = pd.DataFrame(rows)
    return found


def test_an_effect_is_a_difference_of_means_with_its_verdict():
    table = guo2017.effects_of_factors(parts())
    row = table.loc["Fashion-MNIST", "weight decay"]
    # sd .001 of four degrees of freedom: 2.776 * .1 * sqrt(2 / 3) points
    assert row["ECE"] == "+5.0 [+4.8,\N{NO-BREAK SPACE}+5.2]"
    assert (row["the ECE"], row["error"]) == (
        "rises",
        "−2.0 [−2.2,\N{NO-BREAK SPACE}−1.8]",
    )
    assert (row["step"], row["right in training (%)"]) == ("0 → 0.01", "90.0 → 92.0")
    assert table.loc[("Fashion-MNIST", "batch norm"), "step"] == "no → yes"


def test_errors_stand_over_the_levels_of_each_factor():
    figure = guo2017.draw_errors_by_factor(parts())
    titles = [f"{data}: {factor}" for data, factor in guo2017.FACTORS]
    assert [ax.get_title() for ax in figure.axes] == titles
    ax = figure.axes[titles.index("CIFAR-100 (22 500): weight decay")]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "25"]
    assert points(ax, 1)[:, 1] == pytest.approx([10, 15])


def test_agreement_with_the_slides_is_counted_factor_by_factor(glued):
    found = parts()
    networks = pd.DataFrame(
        {"setting": ["fashion-cnn2-w16", "fashion-resnet14-w8"], "ECE": [0.01, 0.02]}
    )
    guo2017.glue_effects_of_factors(networks, found, guo2017.effects_of_factors(found))
    decays = sum(factor == "weight decay" for _, factor in guo2017.FACTORS)
    assert (
        glued["guo-agrees"] == f"{14 - decays} of 14"
    )  # where it decays, the ECE should fall
    assert glued["guo-seeds"] == 3 and glued["guo-era-cnn-ECE"] == "1.00"
    assert glued["guo-other-way"].startswith("weight decay CIFAR-100 (22 500); ")
    assert glued["guo-fits-against"] == 0  # the fit rises with the ECE
    assert (
        glued["guo-half-with-ECE"] == "15.0" and glued["guo-half-without-ECE"] == "10.0"
    )
    assert glued["guo-decay-lowest"] == "0" and glued["guo-decay-most"] == "+10.0"
    assert glued["guo-decay-error"] == "0.01"


@pytest.mark.parametrize(
    ("rise", "fit", "n"),
    [(0.05, -0.02, 14), (-0.05, 0.02, 14), (0.05, -0.009, 0)],
)
def test_fit_and_error_are_apart_where_they_move_in_other_ways(rise, fit, n):
    found = parts(rise, fit)
    assert (
        len(guo2017._fit_and_ece_apart(found, guo2017.effects_of_factors(found))) == n
    )


def test_runs_of_a_setting_are_drawn_with_their_mean():
    nll = pd.DataFrame(
        {"net-a-s1": [1.0, 2], "net-a-s2": [3.0, 4], "net-b-s1": [9.0, 9]}
    )
    log = pd.DataFrame({"loss": np.full(20, 5.0), "error": np.full(20, 40.0)})
    figure = guo2017.draw_nll_and_error_in_training(nll, 10 * nll, log, {"net-a": "A"})
    first, second, *twins = figure.axes
    assert points(second, 0)[:, 1].tolist() == [1, 2]
    assert points(second, 2)[:, 1].tolist() == [2, 3]  # the mean
    assert len(second.lines) == 3
    assert points(twins[1], 2)[:, 1].tolist() == [20, 30]
    assert np.nanmax(points(first, 1)[:, 1]) == 5


def agreement(move=0.0, deep=0.02, dense=0.0):
    """Numbers of others and ours of three networks, in per cent."""
    index = pd.MultiIndex.from_tuples(
        [("CIFAR-10", "R"), ("ImageNet", "DenseNet-161"), ("ImageNet", "ResNet-152")],
        names=["dataset", "model"],
    )
    ours = pd.DataFrame({"Accuracy": [90.0, 77, 77], "ECE": [5.0, 6, 6]}, index)
    apart = pd.DataFrame(
        {"Accuracy": [move, dense, 100 * deep], "ECE": [0.0, 0.5, 1]}, index
    )
    return ours + apart, ours


def test_others_agree_but_on_one_network(glued):
    theirs, ours = agreement()
    guo2017.glue_agreement_with_others(theirs, ours, 0.123)
    assert glued["guo-agree-matrix"] == "0.12" and glued["guo-agree-same"] == 1
    assert (
        glued["guo-agree-deep-theirs"] == "79.0"
        and glued["guo-agree-dense-apart"] == "0.50"
    )


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (agreement(move=0.01), "same accuracy and ECE"),
        (agreement(deep=0.007), "whose accuracy is another.*ResNet-152"),
        (agreement(dense=0.9), "whose accuracy is another.*DenseNet-161"),
    ],
)
def test_other_agreements_stop_the_build(numbers, said):
    # three standard errors of an accuracy of 77 % on 25 000 images are 0.8 points
    with pytest.raises(ValueError, match=said):
        guo2017.glue_agreement_with_others(*numbers, 0.1)


def test_a_standard_error_is_scaled_to_ten_thousand_images(monkeypatch):
    intervals = pd.DataFrame(
        {
            "metric": "ece",
            "samples": "held out",
            "calibrator": ["temperature"] * 3 + ["none"],
            "source": [*"abca"],
            "standard_error": [0.002, 0.001, 0.004, 9],
        }
    )
    sizes = pd.DataFrame(
        {"samples": "held out", "source": [*"abc"], "n": [40_000, 10_000, 2500]}
    )
    tables = {"metric_intervals": intervals, "metrics_of_public_networks": sizes}
    monkeypatch.setattr(guo2017, "load_results", tables.get)
    assert guo2017._standard_error() == pytest.approx(
        0.2
    )  # the median of .4, .1 and .2


def test_bins_at_hand_are_of_a_network_of_this_accuracy(monkeypatch):
    bins = pd.DataFrame(
        {"count": [60, 40], "score_sum": [30.0, 36], "hit_sum": [30.0, 35]}
    )
    bins["source"] = "kull-cifar100-resnet110"
    monkeypatch.setattr(guo2017, "load_results", lambda name: bins)
    assert guo2017.chance_of_sibling(0.65).endswith(" (20 bins)")
    with pytest.raises(ValueError, match="another accuracy"):
        guo2017.chance_of_sibling(0.66)


def errors(column, name, none, temperature, vector):
    """The ECE of a network as it is and after two maps, a row each."""
    values = {"none": none, "temperature": temperature, "vector": vector}
    rows = [{column: name, "calibrator": c, "value": v} for c, v in values.items()]
    return pd.DataFrame(rows).assign(metric="ece")


def test_new_networks_are_public_ones_and_settings_of_ours(glued, monkeypatch):
    public = pd.concat(
        [errors("source", "a", 0.1, 0.04, 0.06), errors("source", "b-noisy", 9, 9, 9)]
    ).assign(samples="held out")
    matrix = pd.DataFrame(
        [{"source": "a", "calibrator": "matrix", "metric": "ece", "value": 0.03}]
    )
    tables = {"metric_intervals": public, "more_maps_and_networks": matrix}
    monkeypatch.setattr(guo2017, "load_results", tables.get)
    monkeypatch.setattr(
        guo2017, "share_with_interval", lambda won: f"{won.sum()} of {len(won)}"
    )
    zoo = [errors("name", "n1", 0.2, 0.05, 0.08), errors("name", "n2", 0.2, 0.25, 0.1)]
    networks = pd.DataFrame({"name": ["n1", "n2"], "setting": ["s1", "s2"]})
    networks = networks.assign(loss="ce", label_noise=0)
    guo2017._glue_new_networks(pd.concat(zoo), networks)
    # a temperature leaves 40, 25 and 125 %, and is behind by 1, -3 and 15 points
    assert glued == {
        "guo-new-public": 1,
        "guo-new-zoo": 2,
        "guo-new-lowest": "1 of 3",
        "guo-new-improved": "67%",
        "guo-new-halved": "67%",
        "guo-new-removed": "60%",
        "guo-new-behind": "1.00",
    }
