"""A table of classifiers: what their names say, and what is missing."""

import io

import pandas as pd
import pytest

from evidence.sources import hierarchical_selective

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


def content(**columns):
    """A table of three classifiers as it is published: all numbers .5 but for those given."""
    table = pd.DataFrame(
        {old: [0.5, 0.5, 0.5] for old in hierarchical_selective.NAMES_OF_COLUMNS}
    )
    table["Architecture"] = ["vit.a", "vit.b", "vit.c"]
    return table.assign(**columns).to_csv(index=False).encode()


@pytest.mark.parametrize(
    ("temperature", "is_missing"),
    [(1.2, 0), (1.5, 1), (10, 0), (10.1, 1), (900, 1)],
)
def test_what_follows_a_temperature_that_went_astray_is_missing(
    temperature, is_missing
):
    rows = hierarchical_selective.classifiers(content(Temperature=temperature))
    later = ["temperature", "accuracy_after", "confidence_after", "ece_after"]
    assert (rows[later].isna() == is_missing).all(axis=None)
    assert rows[["accuracy", "confidence", "ece"]].notna().all(axis=None)


def test_fractions_are_in_percent_and_parameters_in_millions():
    columns = {"Accuracy": 75, "Parameters #": 2e6, "Temperature": 1}
    row = hierarchical_selective.classifiers(content(**columns)).iloc[0]
    assert row[["ece", "ece_after", "confidence", "confidence_after"]].eq(50).all()
    assert (row["accuracy"], row["parameters"]) == (75, 2)
    assert (row["family"], row["training"], row["recipe"]) == (
        "ViT",
        "supervised",
        "a",
    )


def test_a_table_without_a_column_is_refused():
    lacking = pd.read_csv(io.BytesIO(content())).drop(columns="ECE_15")
    with pytest.raises(ValueError, match="column 'ECE_15' is absent; there are"):
        hierarchical_selective.classifiers(lacking.to_csv(index=False).encode())


def test_a_classifier_that_is_there_twice_is_refused():
    names = ["vit.a", "vit.b", "vit.b"]
    with pytest.raises(ValueError, match=r"model: 'vit\.b' is twice"):
        hierarchical_selective.classifiers(content(Architecture=names))
