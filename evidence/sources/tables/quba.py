"""Tidy the table of 326 ImageNet networks of visinf/beyond-accuracy, "QUBA": PATH is that file."""

import re
from collections.abc import Iterator
from pathlib import Path

from evidence.data import csv_rows

Row = dict[str, str]

NAMES_OF_COLUMNS = {
    "Model": "model",
    "Architecture": "architecture",
    "Dataset": "pretraining",
    "Setup": "setup",
    "Accuracy": "accuracy",
    "Calibration Error": "calibration_error",
    "Corruption Robustness": "corruption_robustness",
    "OOD Robustness": "ood_robustness",
    "Parameters": "parameters",
}
FAMILIES = (
    "VGG ResNet ResNeXt WRN DenseNet ShuffleNet-v2 MnasNet BagNet EfficientNet-B EfficientNet-v2 "
    "RegNet-y BiTM ViT SwinV2 Swin DeiT3 DeiT ConViT CaiT CrossViT XCiT LeViT PiT CoaT MaxViT "
    "MViTv2 TinyViT ConvNextV2 ConvNeXt EfficientFormer DaViT Hiera EVA02 InceptionNext FastViT "
    "CLIP MobileCLIP SigLIP2 SigLIP MetaCLIP Inception MobileNetV3"
).split()
PRETRAINING = {"imagenet-1k": "ImageNet-1k", "imagenet-21k": "ImageNet-21k"}
SETUPS = {"A[1,2,3]": "supervised (recipes A1 to A3)"}


def rows(path: Path) -> Iterator[Row]:
    """Yield the networks, the columns that the book uses, the symbols before words dropped."""
    for row in csv_rows(path.read_bytes()):
        out = {new: row[old].strip() for old, new in NAMES_OF_COLUMNS.items()}
        for column in ("pretraining", "setup"):
            # symbols stand before the words
            words = re.sub(r"^\W+ ", "", out[column])
            out[column] = SETUPS.get(words, words.removesuffix(" learning").lower())
        out["pretraining"] = PRETRAINING.get(out["pretraining"], "larger")
        yield {"model": out.pop("model"), "family": family(row["Model"]), **out}


def family(model: str) -> str:
    """Return the family of a network: the first name that its own begins with, or none.

    The batch-normalised VGG are a family of their own, and so are the ViT of DINO, DINOv2 and MAE.
    """
    if model.endswith("-bn"):
        return "VGG-BN"
    suffix = next(
        (s for s in ("DINOv2", "DINO", "MAE") if s.lower() in model.lower()), ""
    )
    # the longest name first: SwinV2 before Swin
    for name in sorted(FAMILIES, key=len, reverse=True):
        if re.match(rf"{name}(?![a-z])", model, re.IGNORECASE):
            return f"{name} {suffix}".strip()
    return ""
