"""The figures and sentences of the notebook on Vasilev and D'yakonov: numbers by hand."""

import json

import numpy as np
import pandas as pd
import pytest
from drawings import points, segments, ticks

from book.show import vasilev2021 as vasilev


def test_mean_ranks_reach_half_the_critical_difference_to_both_sides():
    mean = pd.Series([1.5, 2.5], ["T", "vector"])
    metrics = {f"metric {k}": (mean + k, 1.0) for k in range(6)}
    figure = vasilev.draw_mean_ranks({"printed": metrics, "public": metrics})
    ax = figure.axes[1]
    # the first method is on top, the kinds stand below one another
    assert points(ax, 0) == pytest.approx(np.array([[2.5, 1.11], [3.5, 0.11]]))
    assert points(ax, 1) == pytest.approx(np.array([[2.5, 0.89], [3.5, -0.11]]))
    assert segments(ax.collections[0])[0] == pytest.approx([2, 1.11, 3, 1.11])
    assert ax.get_title() == "metric 1"
    assert ticks(figure.axes[0].yaxis) == ["vector", "T"]


def cells():
    rows = [
        (loss, metric, method, k, k + 0.5, k + 1, k + 2)
        for loss in ("CE", "FL 3")
        for metric in ("ECE", "cwECE", "MCE")
        for k, method in enumerate(
            ("Uncalibrated", "Temperature scaling", "Histogram binning")
        )
    ]
    columns = ["loss", "metric", "method", "low", "recomputed", "high", "printed"]
    return pd.DataFrame(rows, columns=columns).assign(source="net", model="R")


def test_print_stands_upon_the_range_of_halves():
    names = {"Uncalibrated": "none", "Histogram binning": "bins"}
    figure = vasilev.draw_print_over_halves(cells(), names)
    ax = figure.axes[0]
    assert points(ax, 0) == pytest.approx(np.array([[2.5, 0], [0.5, 1]]))
    assert points(ax, 1) == pytest.approx(np.array([[4, 0], [2, 1]]))
    assert segments(ax.collections[0])[0] == pytest.approx([2, 0, 3, 0])
    assert ticks(ax.yaxis) == ["bins", "none"]
    assert [a.get_title() for a in figure.axes] == ["CE", "FL 3"] * 3


def test_namesakes_stand_from_the_first_above_to_the_last():
    part = cells()[:2].assign(model=["one", "two"])
    ax, _ = vasilev.draw_print_over_namesakes(
        {("ECE", "T"): part, ("MCE", "T"): part}
    ).axes
    assert ticks(ax.yaxis) == ["two", "one"]
    assert points(ax, 1)[:, 0].tolist() == [3, 2]
    assert (ax.get_xlabel(), ax.get_title()) == ("ECE (%)", "T")


def looked_up():
    """Two rows of Table 1, which compares losses, and one of Table 3, of accuracy."""
    columns = "table dataset model loss method metric printed ours kind".split()
    rows = [
        (1, "C10", "R", "CE", "none", "NLL", 0.5, 0.4996, "same network"),
        (1, "C10", "R", "FL 1", "none", "NLL", 0.4, np.nan, "print only"),
        (3, "C10", "R", "CE", "T", "Accuracy", 91.0, 90.0, "sibling"),
        (3, "C10", "R", "CE", "vector", "Accuracy", 92.0, 90.0, "in kind"),
        (3, "C10", "R", "FL 1", "T", "Accuracy", 93.0, 90.0, "sibling"),
    ]
    return pd.DataFrame(rows, columns=columns)


def test_a_cell_is_looked_up_with_its_rank_in_its_row():
    table = vasilev.lookup_table(looked_up())
    assert table["Rank"].tolist() == [2, 1, 2, 1, 1]
    assert table["Print"].tolist() == ["0.500", "0.400", "91.00", "92.00", "93.00"]
    assert table["Ours"].tolist() == ["0.500", "–", "90.00 s", "90.00 k", "90.00 s"]
    assert table["Table"].tolist()[1:3] == ["1 NLL (nats)", "3 Accuracy (%)"]
    assert table["Model"].tolist()[:2] == ["R (CE)", "R (FL 1)"]


def headline(**changes):
    columns = {
        "printed": [9.0, 1.0, 2.0, 3.0],
        "now": [8.0, 3.0, 1.05, 0.95],
        "by chance": 1.0,
    }
    return pd.DataFrame(columns | changes, [*vasilev.HEAD.values()])


def test_the_first_screen_tells_that_the_best_in_print_is_the_worst_here():
    vasilev.check_first_screen(headline())
    for wrong, said in (
        ({"now": [8.0, 3.0, 1.2, 0.95]}, "near chance"),
        ({"printed": [9.0, 3.0, 2.0, 3.0]}, "best in print"),
        ({"now": [8.0, 1.0, 1.05, 0.95]}, "best in print"),
    ):
        with pytest.raises(ValueError, match=said):
            vasilev.check_first_screen(headline(**wrong))


@pytest.mark.parametrize("hundred", [-2.0, -1.0])
def test_a_loss_lowers_the_error_more_on_a_hundred_classes(hundred):
    settings = [
        {"setting": f"{name}, CE to {loss}", "estimate": effect}
        for loss in ("FL 1", "FL 3", "LS 0.05")
        for name, effect in (
            ("CIFAR-100 ResNet", hundred),
            ("Fashion-MNIST ResNet, 30 epochs", -1.5),
        )
    ]
    row = {
        "id": "vasilev-losses-ece",
        "evidence": "zoo",
        "settings": json.dumps(settings),
    }
    if hundred < -1.5:
        vasilev._check_effects_of_losses(pd.DataFrame([row]))
    else:
        with pytest.raises(ValueError, match="more on CIFAR-100"):
            vasilev._check_effects_of_losses(pd.DataFrame([row]))


def test_print_is_counted_among_halves(glued):
    focal = {"source": "calibench-cifar10-resnet50-focal", "method": "Uncalibrated"}
    halves = pd.DataFrame([focal | {"metric": "ECE", "q50": 0.03}])
    printed = pd.DataFrame(
        {
            "table": 1,
            "model": "ResNet-50",
            "dataset": "CIFAR-10",
            "loss": ["CE", "FL 1", "FL 3"],
            "value": [5.0, 4.0, 3.2],
        }
    )
    networks = cells().assign(printed=[0.5, 1.5, 9] * 6)
    vasilev.glue_print_over_halves(networks, halves, printed)
    assert glued == {
        "vasilev-inside-ce": "6 of 9",
        "vasilev-inside-fl": "6 of 9",
        "vasilev-ece-medians": "1.50 to 2.50",
        "vasilev-ece-width": "1.00",
        "vasilev-mce-width": "1",
    }
    with pytest.raises(ValueError, match="exponent"):
        vasilev.glue_print_over_halves(networks, halves.assign(q50=0.05), printed)


def test_the_spread_of_a_cut_is_a_mean_over_methods(glued):
    halves = pd.DataFrame(
        {
            "source": ["net", "net", "net", "other"],
            "method": ["T", "vector", "BBQ", "T"],
            "metric": ["ECE", "ECE", "ECE", "ECE"],
            "sd": [0.002, 0.004, 9, 9],
        }
    )
    sd = vasilev.glue_spread_of_cut(cells(), halves, ["T", "vector"])
    assert (sd, glued) == (pytest.approx(0.3), {"vasilev-ece-sd": "0.30"})


def test_rows_are_close_whose_best_two_are_nearer_than_a_distance(glued):
    errors = pd.DataFrame([[1.0, 1.2, 5], [3, 2, 2.5], [1, 9, 9]])
    vasilev.glue_close_rows(errors, 0.5)
    assert glued == {"vasilev-close": "1 of 3"}


def printed_losses(worst="LS 0.05"):
    rows = [
        (1, "C10", "R", loss, "none", "ECE", value)
        for loss, value in (("CE", 5.0), ("FL 1", 4.0), ("LS 0.05", 3.0))
    ]
    rows += [
        (1, "C100", "D", loss, "none", "ECE", 9.0 if loss == worst else 1.0)
        for loss in ("CE", "FL 1", "LS 0.05")
    ]
    rows += [
        (3, "CIFAR-10", "R", "CE", "Histogram binning", "ECE", 0.5),
        (3, "CIFAR-10", "R", "CE", "T", "ECE", 0.6),
        (3, "C10", "R", "CE", "none", "ECE", 5.0),
        (3, "C10", "R", "FL 1", "none", "ECE", 4.1),
    ]
    columns = ["table", "dataset", "model", "loss", "method", "metric", "value"]
    return pd.DataFrame(rows, columns=columns)


def test_print_is_counted_where_cross_entropy_is_the_worst(glued):
    vasilev.glue_order_of_printed_losses(printed_losses())
    assert glued == {
        "vasilev-ce-worst": "1 of 2",
        "vasilev-ce-exception": "D on C100",
        "vasilev-repeated": 1,
        "vasilev-ten-wins": "1 of 1",
    }
    with pytest.raises(ValueError, match="label smoothing is"):
        vasilev.glue_order_of_printed_losses(printed_losses(worst="FL 1"))


def test_losses_of_our_networks_are_means_over_seeds(glued):
    networks = pd.DataFrame(
        {
            "loss": ["CE", "CE", "FL 1", "LS 0.05"],
            "Accuracy": [80.0, 82, 79, 83],
            "ECE": [9.0, 8, 2, 3],
        }
    )
    vasilev.glue_ece_by_loss(networks)
    assert glued == {
        "vasilev-ten-right": "79 to 83",
        "vasilev-ten-ce": "8.5",
        "vasilev-ten-others": "2.0 to 3.0",
    }
