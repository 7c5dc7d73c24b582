"""Tables and predictions of others on ImageNet: read as they are written, or refused."""

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT, need_shared

from evidence.data import csv_bytes
from evidence.sources import (
    hierarchical_selective,
    imagenetx,
)
from evidence.sources.tables import how_do_vits_work, uncertainty_baselines
from evidence.studies.networks import families_at_same_accuracy
from evidence.studies.networks import imagenet_classifiers as by_group

CHOSEN = (
    b"file_name,predicted_class,predicted_probability\na.JPEG,1,0.75\nb.JPEG,0,0.5\n"
)
LABELS = b"file_name,label\na.JPEG,1\nb.JPEG,2\n"


def stored(name):
    return (ROOT / "data" / f"{name}.csv").read_bytes()


def test_first_choices_stand_beside_the_label_of_their_image():
    y, score, classes = imagenetx.first_choices(CHOSEN, LABELS)
    assert y.tolist() == [1, 2]
    assert score.tolist() == [[0.75], [0.5]] and classes.tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("chosen", "labels", "says"),
    [
        (
            CHOSEN,
            LABELS.replace(b"b.J", b"c.J"),
            "row 2: .* b.JPEG, but the label of c",
        ),
        (CHOSEN, LABELS + b"c.JPEG,0\n", "predictions: 2 images, expected 3"),
        (LABELS, LABELS, "predictions: the columns are"),
    ],
)
def test_first_choices_of_other_images_are_refused(chosen, labels, says):
    with pytest.raises(ValueError, match=says):
        imagenetx.first_choices(chosen, labels)


def test_a_way_of_training_has_a_row_for_each_set_of_images_that_it_was_tried_on(
    tmp_path,
):
    sets = ("imagenet", "c", "a", "v2")
    head = ",".join(
        ["method", *(f"{s}_{n}" for s in sets for n in ("nll", "acc", "ece"))]
    )
    path = tmp_path / "resnet50.csv"
    path.write_text(f"{head}\nA,.939,76.2,.032,3.2,40,.1,,,,,,\n")
    rows = uncertainty_baselines.rows(path)
    assert [(row["images"], row["accuracy"], row["ece"]) for row in rows] == [
        ("ImageNet", "76.2", "3.2"),
        ("ImageNet-C", "40", "10"),
    ]


def test_a_corruption_is_read_with_and_without_the_last_column():
    line = "3,fog,2.5,0.0,0.9,0.25,0.9,0,0.9,0.1,0.7,1.0,0.1,0.5,0.8,0.0625"
    rows = how_do_vits_work.rows_of_file("ImageNet-C", f"{line}\n{line},0.05\n")
    assert rows[0] == rows[1]
    assert (rows[0]["accuracy"], rows[0]["ece"], rows[0]["nll"]) == (
        "25.000",
        "6.250",
        "2.5000",
    )
    with pytest.raises(ValueError, match="line 1: 15 columns, expected 17"):
        how_do_vits_work.rows_of_file("ImageNet-C", line.rpartition(",")[0])


NAMES = {  # family, training and recipe that follow from a name
    "vit_base_patch16_224.augreg_in21k_ft_in1k": (
        "ViT",
        "pretrained",
        "augreg_in21k_ft_in1k",
    ),
    "resnetv2_50x1_bit.goog_distilled_in1k": (
        "BiT",
        "distilled",
        "goog_distilled_in1k",
    ),
    "CLIP_ViT-B/32": ("CLIP", "zero-shot", "zero-shot"),
    "vit_base_patch16_clip_224.openai_ft_in1k": (
        "CLIP",
        "pretrained",
        "openai_ft_in1k",
    ),
    "alexnet_torchvision": ("AlexNet", "supervised", "torchvision"),
    "xcit_nano_12_p8_224.fb_in1k": ("xcit", "supervised", "fb_in1k"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_says_what_a_classifier_is(name):
    facts = (
        hierarchical_selective.family(name),
        hierarchical_selective.training(name),
        hierarchical_selective.recipe(name),
    )
    assert facts == NAMES[name]


def test_what_follows_a_temperature_that_went_astray_is_missing():
    columns = pd.DataFrame(
        {old: [0.5, 0.5, 0.5] for old in hierarchical_selective.COLUMNS}
    )
    columns["Architecture"] = ["vit.a", "vit.b", "vit.c"]
    columns["Temperature"] = [1.2, 1.5, 900]
    rows = hierarchical_selective.classifiers(columns.to_csv(index=False).encode())
    assert rows["ece"].tolist() == [50, 50, 50]
    assert rows[["temperature", "ece_after"]].isna().all(axis=1).tolist() == [
        False,
        True,
        True,
    ]
    with pytest.raises(ValueError, match=r"model: 'vit\.a' is twice"):
        hierarchical_selective.classifiers(
            columns.iloc[[0, 0]].to_csv(index=False).encode()
        )


def table(n, **columns):
    rows = {"family": "ViT", "training": "pretrained", "recipe": "r", "pixels": 224}
    rows |= {"temperature": 1.1}
    rows |= {
        "parameters": 10.0 ** np.arange(n),
        "over": -1.0,
        "ece": 2.0 + 3 * np.arange(n),
    }
    rows |= {"accuracy": 70.0 + np.arange(n), "ece_after": 1.0 * np.arange(n)}
    return pd.DataFrame(rows | columns, index=range(n))


def test_a_group_has_the_ends_of_its_line_against_the_sizes():
    row = by_group.group_row("recipe", table(4))
    assert (row["parameters_low"], row["parameters_high"], row["n"]) == ("1", "1000", 4)
    assert float(row["ece_smallest"]) == pytest.approx(2)
    assert float(row["ece_largest"]) == pytest.approx(11)
    assert float(row["ece"]) == 6.5 and row["under"] == "1" and row["rank_ece"] == "1"


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


def test_a_classifier_stands_beside_the_nearest_in_accuracy_within_a_point():
    first = table(4, accuracy=[70.0, 75.0, 80.0, 81.0])
    second = table(3, accuracy=[70.4, 69.8, 80.9])
    left, right = families_at_same_accuracy.nearest_in_accuracy(first, second)
    assert left["accuracy"].tolist() == [70, 80, 81]
    assert right["accuracy"].tolist() == [69.8, 80.9, 80.9]


def test_the_stored_groups_are_large_enough_and_hold_each_classifier_once():
    rows = pd.read_csv(ROOT / "data/results/networks/imagenet_classifiers.csv")
    assert (rows["n"] >= by_group.FEWEST).all()
    total = rows.groupby("level")["n"].sum()
    assert total["all"] == 1116 and total["recipe"] < total["family"] <= total["all"]


@pytest.mark.shared
def test_the_stored_tables_are_those_of_the_files(monkeypatch):
    content = need_shared("unsealed/originals/models_comparison_full.csv").read_bytes()
    monkeypatch.setattr(by_group, "read_source", lambda name: content)
    assert csv_bytes(list(by_group.rows())) == stored(
        "results/networks/imagenet_classifiers"
    )
    monkeypatch.setattr(families_at_same_accuracy, "read_source", lambda name: content)
    assert csv_bytes(list(families_at_same_accuracy.rows())) == stored(
        "results/networks/families_at_same_accuracy"
    )
