"""A table of classifiers: what their names say, and what is missing."""

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
