"""The first table: which group stands for a family, and what the text says of it."""

import numpy as np
import pandas as pd
import pytest

from book.show.minderer2021 import first_screen


def groups():
    rows = [
        ("ViT", "pretrained", "x", 1.0),
        ("ViT", "supervised", "x", 9),
        ("BiT", "pretrained", "x", 2),
        ("Mixer", "pretrained", "x", 3),
        ("other", "pretrained", "fb_wsl_ig1b_ft_in1k", 4),
        ("CLIP", "zero-shot", "x", 5),
        ("CLIP", "pretrained", "x", 9),
    ]
    return pd.DataFrame(rows, columns=["family", "training", "recipe", "ece"])


def test_one_group_of_classifiers_stands_for_a_family():
    chosen = first_screen.standing_for(groups())
    assert chosen["ece"].to_dict() == {
        "ViT": 1,
        "BiT": 2,
        "MLP-Mixer": 3,
        "ResNeXt-WSL": 4,
        "CLIP": 5,
    }


def test_a_lone_network_has_its_error_after_a_temperature_of_a_fifth():
    names = list(first_screen.ALONE.values())
    plane = pd.DataFrame({"ece": [3.0, 4], "accuracy": [56.0, 70]}, names)
    index = pd.MultiIndex.from_product([names, [0.2, 0.5]], names=["name", "share"])
    after = pd.DataFrame({"ece": [1.0, 9, 2, 9], "low": 0.5, "high": 2.5}, index)
    scaled = pd.concat({"temperature-top5": after}, axis=1)
    rows = first_screen.lone_networks(plane, scaled)
    assert rows.index.tolist() == ["AlexNet", "SimCLR"]
    assert rows["ece_after"].tolist() == [1, 2] and rows["n"].tolist() == [1, 1]
    assert rows["after_high"].tolist() == [2.5, 2.5]


def headline(**ece):
    names = ["ViT", "BiT", "MLP-Mixer", "ResNeXt-WSL", "CLIP", "AlexNet", "SimCLR"]
    columns = {
        "ece": [2.0, 3, 7, 6, 4, 5, 6],
        "n": 12.0,
        "error": 20.0,
        "ece_after": 1.0,
    }
    table = pd.DataFrame(columns, names)
    table.loc["SimCLR", "ece_after"] = np.nan
    table.loc[list(ece), "ece"] = list(ece.values())
    return table


def glue(table):
    grouped = table.iloc[:5].assign(
        ece_q25=1.5, ece_q75=8.0, ece_after_q25=0.5, ece_after_q75=2
    )
    alone = table.iloc[5:].assign(
        ece_low=4.5, ece_high=7.5, after_low=0.75, after_high=3
    )
    first_screen.glue_headline(table, grouped, alone)


def test_a_group_has_its_middle_half_and_a_network_its_interval(glued):
    glue(headline())
    assert glued["minderer-head-vit-ece"] == "2.0 (1.5 to 8.0)"
    assert glued["minderer-head-alexnet-ece"] == "5.0 (4.5 to 7.5)"
    assert glued["minderer-head-vit-scaled"] == "1.0 (0.5 to 2.0)"
    assert glued["minderer-head-simclr-scaled"] == "–"
    assert (
        glued["minderer-head-mixer-n"] == "12"
        and glued["minderer-head-clip-error"] == "20.0"
    )


@pytest.mark.parametrize(
    ("ece", "said"),
    [
        ({"AlexNet": 7.5}, "AlexNet has a smaller"),
        ({"CLIP": 7.5}, "better calibrated than"),
    ],
)
def test_other_errors_than_the_text_tells_stop_the_build(ece, said):
    with pytest.raises(ValueError, match=said):
        glue(headline(**ece))


def test_the_highest_level_by_chance_is_told(glued, monkeypatch):
    diagrams = pd.DataFrame({"name": [*"aabb"], "count": [5, 0, 5, 5]})
    monkeypatch.setattr(first_screen, "load_results", lambda name: diagrams)
    monkeypatch.setattr(
        first_screen, "chance_of_bins", lambda rows, rng: len(rows) / 100
    )
    first_screen.glue_highest_chance()
    assert glued == {"minderer-head-chance": "2.0"}  # a bin without images is none
