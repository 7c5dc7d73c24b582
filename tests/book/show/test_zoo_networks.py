"""Our networks with what was measured of them."""

import pandas as pd

from book.show.zoo_networks import in_block, measured_networks

INDEX = pd.DataFrame({
    "name": ["net-s0", "net-s1", "other", "unmeasured"],
    "block": ["main wide", "main", "mainly", "wide"],
})  # fmt: skip


def results():
    """An ECE before and after temperature scaling, and an accuracy, of three networks."""
    rows = []
    for name, before, after, accuracy in (
        ("net-s0", 0.10, 0.02, 0.9),
        ("net-s1", 0.12, 0.03, 0.8),
        ("other", 0.05, 0.04, 0.7),
    ):
        rows += [
            (name, "none", "ece", before),
            (name, "temperature", "ece", after),
            (name, "none", "accuracy", accuracy),
        ]
    return pd.DataFrame(rows, columns=["name", "calibrator", "metric", "value"])


def test_a_network_has_its_errors_before_a_map_and_its_ece_after_temperature_scaling():
    rows = measured_networks(INDEX, results()).set_index("name")
    assert list(rows.index) == ["net-s0", "net-s1", "other"]
    assert rows.ECE.tolist() == [0.10, 0.12, 0.05]
    assert rows.scaled.tolist() == [0.02, 0.03, 0.04]
    assert rows.error.round(9).tolist() == [0.1, 0.2, 0.3]
    assert rows.setting.tolist() == ["net", "net", "other"]


def test_a_block_is_one_of_the_names_of_a_network_and_no_part_of_one():
    assert in_block(INDEX, "main").name.tolist() == ["net-s0", "net-s1"]
