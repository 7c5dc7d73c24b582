"""The table of ImageNet networks: what a name and the words of a cell say."""

import pytest

from evidence.data import csv_bytes
from evidence.sources.tables import quba

FAMILIES = {
    "VGG16-bn": "VGG-BN",
    "VGG16": "VGG",
    "SwinV2-t": "SwinV2",
    "Swin-t": "Swin",
    "ResNeXt50": "ResNeXt",
    "ResNet50-DINO": "ResNet DINO",
    "ViT-b-dinov2-reg": "ViT DINOv2",
    "ConvNeXt-t": "ConvNeXt",
    "ConvNextV2-t": "ConvNextV2",
    "DeiT3-b": "DeiT3",
    "ViTamin-b": "",
    "AlexNet": "",
}


@pytest.mark.parametrize("model", FAMILIES)
def test_a_family_is_the_longest_name_that_a_model_begins_with(model):
    assert quba.family(model) == FAMILIES[model]


def test_symbols_before_words_are_dropped(tmp_path):
    cells = dict.fromkeys(quba.NAMES_OF_COLUMNS, " 0.5")
    cells |= {"Model": "ViT-b", "Dataset": "▲ ImageNet-21k", "Setup": "■ A[1,2,3]"}
    other = cells | {"Dataset": "● LAION-2B", "Setup": "◆ Self-supervised learning"}
    path = tmp_path / "table.csv"
    path.write_bytes(csv_bytes([cells, other]))
    first, second = quba.rows(path)
    assert (first["model"], first["family"], first["accuracy"]) == (
        "ViT-b",
        "ViT",
        "0.5",
    )
    assert first["pretraining"] == "ImageNet-21k"
    assert first["setup"] == "supervised (recipes A1 to A3)"
    assert (second["pretraining"], second["setup"]) == ("larger", "self-supervised")
