"""Errors under shift, and what corruption takes from two families: by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import labelled, points, segments

from book.show.minderer2021 import shift


def test_what_corruption_takes_is_told_in_points_and_as_a_share(glued, monkeypatch):
    rows = [
        {
            "family": family,
            "name": f"{family}{seed}",
            "severity": s,
            "value": value + seed,
        }
        for family, values in (
            ("ViT", {0: 90.0, 5: 45.0}),
            ("ResNet", {0: 90.0, 5: 60.0}),
        )
        for s, value in values.items()
        for seed in (-1, 1)
    ]
    zoo = pd.DataFrame(rows).assign(
        block="minderer-family", metric="Accuracy", method="Uncalibrated"
    )
    monkeypatch.setattr(shift.claims, "zoo_folder", lambda name: zoo)
    ledger = pd.DataFrame(
        [{"id": "minderer-vit-robust", "evidence": "zoo", "estimate": -15.0}]
    )
    shift.glue_loss_by_corruption(ledger)
    assert glued == {"minderer-robust-points": "15.0", "minderer-robust-share": "−0.17"}
    with pytest.raises(ValueError, match="both units"):
        shift.glue_loss_by_corruption(ledger.assign(estimate=-14.0))


def test_an_arrow_leads_from_clean_to_shifted_images():
    columns = pd.MultiIndex.from_product(
        [["none", "corrupted", "sketch"], ["error", "ECE"]]
    )
    index = pd.MultiIndex.from_tuples(
        [("transformer", "ViT-B/32"), ("CNN", "ResNet-50")]
    )
    networks = pd.DataFrame(
        [[20, 3, 40, 9, 60, 20], [24, 4, 50, 12, 70, 25]], index, columns
    )
    alexnet = pd.DataFrame({"error": [43.0, 70], "ECE": [3.0, 9]}, [0, 5])
    resnets = pd.DataFrame(
        [[24, 4, 60, 12], [22, 5, 50, 8]],
        ["plain", "augmented"],
        pd.MultiIndex.from_product([["ImageNet", "ImageNet-C"], ["error", "ECE"]]),
    )
    axes = shift.draw_errors_under_corruption(networks, alexnet, resnets).axes
    assert points(axes[0], 0).tolist() == [[20, 3]]
    assert [tuple(text.xy) for text in axes[1].texts[::2]] == [(60, 20), (70, 25)]
    assert labelled(axes[2])["AlexNet"].tolist() == [[43, 3], [70, 9]]
    names = [text.get_text() for text in axes[2].texts]
    assert names == ["0", "5", "", "ResNet-50, plain", "", "ResNet-50, augmented"]


@pytest.mark.slow
def test_lines_of_a_family_are_ranked_by_their_parameters():
    rows = [
        (metric, method, family, n, s, 10 * s + n)
        for metric, method in (
            ("ECE", "Uncalibrated"),
            ("ECE", "Temperature scaling"),
            ("Accuracy", "Uncalibrated"),
        )
        for family, sizes in (("ResNet", (10, 20)), ("ViT", (5,)), ("MLP-Mixer", (1,)))
        for n in sizes
        for s in (0, 5)
    ]
    rows += [
        (m, k, "ResNet, CIFAR-10", 3, s, 1)
        for m, k, _, _, s, _ in rows[:1]
        for s in (0, 5)
    ]
    names = ["metric", "method", "family", "parameters", "severity"]
    lines = pd.DataFrame(rows, columns=[*names, "value"]).set_index(names)["value"]
    first, _, last = shift.draw_errors_by_severity(lines).axes
    drawn = [points(first, i).tolist() for i in range(2)]
    assert [[0, 10], [5, 60]] in drawn and [[0, 20], [5, 70]] in drawn
    thick = [line.get_linewidth() for line in first.lines[:2]]
    assert thick[1] > thick[0]
    assert [0, 90] in points(last, 0).tolist()  # the error, from the accuracy


def test_effects_stand_side_by_side_about_their_severity():
    methods, names = [*shift.TITLES], [*shift.OUR_LOOKS]
    index = pd.MultiIndex.from_product([methods, names, [0, 5]])
    changes = pd.DataFrame({"effect": 2.0, "low": 1.0, "high": 4.0}, index).sort_index()
    above, below = shift.draw_largest_less_smallest(changes).axes
    for i, name in enumerate(names):
        expected = np.array([0, 5]) + 0.06 * (i - 1.5)
        assert labelled(above)[name] == pytest.approx(np.c_[expected, [2, 2]])
        assert segments(above.collections[i])[0, [1, 3]].tolist() == [1, 4]
    assert (above.get_title(), below.get_title()) == ("as trained", "scaled")


def test_networks_on_the_front_are_joined_in_the_order_of_their_errors():
    columns = pd.MultiIndex.from_product([["clean", "sketch"], ["error", "ECE"]])
    networks = pd.DataFrame(
        [[20, 3, 40, 9], [10, 4, 50, 12], [30, 9, 60, 20]], [*"abc"], columns
    )
    first, _ = shift.draw_errors_under_natural_shifts(
        networks, {"clean": ["a", "b"], "sketch": ["a"]}
    ).axes
    assert points(first, 0).tolist() == [[20, 3], [10, 4], [30, 9]]
    assert points(first, 1).tolist() == [[10, 4], [20, 3]]
    assert [text.get_text() for text in first.texts] == [*"abc"]
