"""Classifiers of ImageNet in groups: their rows by hand, and as stored."""

import pandas as pd
import pytest
from helpers import ROOT, need_shared
from imagenet_rows import table

from evidence.rows import table_bytes
from evidence.studies.networks import imagenet_classifiers as by_group


def test_a_group_has_the_ends_of_its_line_against_the_sizes():
    row = by_group.group_row("recipe", table(4))
    assert (row["parameters_low"], row["parameters_high"], row["n"]) == (1, 1000, 4)
    assert row["ece_smallest"] == pytest.approx(2)
    assert row["ece_largest"] == pytest.approx(11)
    assert row["ece"] == 6.5 and row["under"] == 1
    assert row["rank_ece"] == pytest.approx(1)


def test_no_group_rests_on_fewer_than_three_classifiers_or_sizes():
    pair, alike = table(2), table(3, family="BiT", parameters=[5.0, 5.0, 7.0])
    tables = pd.concat([pair, alike, table(3, family="Mixer")])
    groups = [
        (level, *sorted(set(group["family"])))
        for level, group in by_group.groups(tables)
    ]
    assert groups == [
        ("all", "BiT", "Mixer", "ViT"),
        ("family", "BiT"),
        ("family", "Mixer"),
        ("recipe", "Mixer"),
    ]


def test_the_stored_groups_are_large_enough_and_hold_each_classifier_once():
    rows = pd.read_csv(ROOT / "data/results/networks/imagenet_classifiers.csv")
    assert (rows["n"] >= by_group.FEWEST).all()
    total = rows.groupby("level")["n"].sum()
    assert total["all"] == 1116 and total["recipe"] < total["family"] <= total["all"]


@pytest.mark.shared
def test_the_stored_table_is_that_of_the_file(monkeypatch):
    content = need_shared("unsealed/originals/models_comparison_full.csv").read_bytes()
    monkeypatch.setattr(by_group, "read_source", lambda name: content)
    stored = ROOT / "data/results/networks/imagenet_classifiers.csv"
    assert table_bytes(list(by_group.rows()), by_group.DIGITS) == stored.read_bytes()
