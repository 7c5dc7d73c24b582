"""Pools of networks: what they say, how far they are off, and how often one way wins."""

import numpy as np
import pandas as pd
import pytest
from drawings import points, texts

from book.show.learn import several_networks


def test_a_pool_is_drawn_by_bins_and_by_what_both_say():
    said = np.linspace(0, 1, 101)
    pool, hit = np.array([0.12, 0.18, 0.95]), np.array([0, 1, 1])
    (ax,) = several_networks.draw_hits_of_pool(hit, pool, said**2, said).axes
    assert points(ax, 1) == pytest.approx(100 * np.c_[said, said**2])
    dots = points(ax, 2)
    filled = dots[~np.isnan(dots[:, 0])]
    assert filled == pytest.approx(np.array([[15, 50], [95, 100]]))
    assert points(ax, 3) == pytest.approx(np.array([[80, 80], [80, 64]]))


def rows_of(p):
    return np.c_[p, 1 - np.asarray(p)]


def test_the_lead_is_the_mean_difference_of_losses_with_its_standard_error(glued):
    shy, last = np.array([0.6, 0.7, 0.6, 0.7]), np.array([0.5, 0.75, 0.45, 0.75])
    ways = {"one": rows_of(last), "T, then pool": rows_of(shy)}
    several_networks.glue_lead_of_pool(ways, np.zeros(4, int), rows_of(last))
    differences = np.log(shy / last)
    assert glued == {
        "networks-lead-by": f"{differences.mean():.4f}",
        "networks-lead-error": f"{differences.std() / 2:.4f}",
    }


@pytest.mark.parametrize(
    ("shy", "last", "y", "said"),
    [
        ([0.5, 0.6], [0.6, 0.7], [0, 0], "lowest NLL"),
        ([0.6, 0.7], [0.5, 0.6], [0, 1], "not sure enough"),
        ([0.6, 0.7] * 4, [0.5, 0.6] * 4, [0] * 8, "told apart"),
    ],
)
def test_pools_that_are_not_as_the_text_says_stop_the_build(shy, last, y, said):
    ways = {"T, then pool": rows_of(shy), "pool, then T": rows_of(last)}
    if said == "not sure enough":
        ways["pool, then T"] = rows_of([0.1, 0.9])
    with pytest.raises(ValueError, match=said):
        several_networks.glue_lead_of_pool(ways, np.array(y), rows_of(last))


WAYS = ["members", "pooled", "members, calibrated", "calibrated, then pooled"]
LAST = "pooled, then calibrated"


def ensembles():
    gaps = {"a": [0.2, 0.1, 0.0, -0.1], "b": [0.1, -0.05, 0.01, -0.04]}
    rows = [
        {"setting": s, "way": way, "gap": gap, "accuracy": accuracy, "n": 400}
        for s, accuracy in (("a", 0.9), ("b", 0.8))
        for way, gap in zip(WAYS, gaps[s], strict=True)
    ]
    return pd.DataFrame(rows)


def test_the_gap_of_a_pool_stands_over_that_of_its_members():
    (ax,) = several_networks.draw_gaps_of_pools(ensembles()).axes
    assert points(ax, 0) == pytest.approx(np.array([[20, 10], [10, -5]]))
    assert points(ax, 1) == pytest.approx(np.array([[0, -10], [1, -4]]))
    chance = 196 * np.sqrt(0.8 * 0.2 / 400)  # where accuracy scatters most
    low, high = (
        ax.patches[0].get_y(),
        ax.patches[0].get_y() + ax.patches[0].get_height(),
    )
    assert (low, high) == pytest.approx((-chance, chance))
    assert "members calibrated" in texts(ax)


def settings():
    """Numbers of three settings by metric and way."""
    first = "calibrated, then pooled"
    columns = {
        ("gap", "members"): [0.2, 0.1, 0.1],
        ("gap", "pooled"): [0.1, 0.2, 0.0],
        ("gap", first): [-0.1, 0.1, -0.1],
        ("ece_low", first): [0.01, -0.01, -0.02],
        ("ece", "members"): [0.2, 0.2, 0.2],
        ("ece", "pooled"): [0.1, 0.3, 0.1],
        ("ece", "members, calibrated"): [0.03, 0.03, 0.03],
        ("ece", first): [0.05, 0.04, 0.02],
        ("ece", LAST): [0.02, 0.02, 0.01],
        ("accuracy", "members, calibrated"): [0.8, 0.8, 0.8],
        ("accuracy", first): [0.9, 0.9, 0.7],
        ("nll", "members"): [1, 1, 1],
        ("nll", "pooled"): [0.9, 0.8, 0.7],
        ("nll", "members, calibrated"): [0.9, 0.9, 0.9],
        ("nll", first): [0.8, 0.8, 1.0],
        ("nll", LAST): [0.9, 0.7, 0.9],
    }
    return pd.DataFrame(columns)


def test_settings_are_counted_in_which_pooling_lowers_or_raises(glued):
    several_networks.glue_effects_of_pooling(settings())
    assert glued == {
        "networks-settings": 3,
        "networks-gap": "2",
        "networks-under": "2",
        "networks-against": "1",
        "networks-then-ece": "all",
        "networks-then-by": "2.0",
        "networks-gains": "2",
        "networks-gains-under": "1",
    }


def test_a_way_is_counted_where_it_has_the_lower_number():
    table = several_networks.settings_with_less(settings())
    assert table.index.name == "of 3 settings"
    assert table["NLL"].tolist() == [3, 2, 2]
    assert table["ECE"].tolist() == [2, 1, 3]


def test_networks_of_text_are_counted(glued, monkeypatch):
    changes = pd.DataFrame({"nll": [-0.1, 0.1, -0.2], "ece": [1.04, -1, 3]})
    monkeypatch.setattr(several_networks, "read_declared", lambda path: path)
    monkeypatch.setattr(several_networks, "csv_frame", lambda path: changes)
    several_networks.glue_effects_on_text()
    expected = {"n": 3, "nll": 2, "ece": 2, "by": "1.0"}
    assert glued == {f"networks-text-{name}": value for name, value in expected.items()}
