"""Read the table of 1116 ImageNet classifiers of shanigoren/Hierarchical-Selective-Classification.

It states no licence: no row of it is kept, only what
`evidence.studies.networks.imagenet_classifiers` computes.
"""

import re

import numpy as np
import pandas as pd

from evidence import data

FEWEST = 3  # classifiers, on which a row of a table that is kept may rest
NAMES_OF_COLUMNS = {
    "Architecture": "model",
    "Parameters #": "parameters",
    "input size": "pixels",
    "Temperature": "temperature",
    "Accuracy": "accuracy",
    "Accuracy_TS": "accuracy_after",
    "Confidence Mean": "confidence",
    "Confidence Mean_TS": "confidence_after",
    "ECE_15": "ece",
    "ECE_15_TS": "ece_after",
}
# temperatures: where the search of the source begins, and above what no network needs
START_OF_SEARCH, HIGHEST = 1.5, 10
FRACTIONS = ("confidence", "confidence_after", "ece", "ece_after")
AFTER = ("accuracy_after", "confidence_after", "ece_after")
FAMILIES = (  # the first that a name has; else what it begins with
    ("clip", "CLIP"),
    ("^alexnet", "AlexNet"),
    ("^vgg.*bn", "VGG-BN"),
    ("^(tv_)?vgg", "VGG"),
    (r"resnetv2.*bit|bitm|^bit_|_bit\b", "BiT"),
    ("^wide_?resnet", "WRN"),
    ("resnext", "ResNeXt"),
    ("^densenet", "DenseNet"),
    ("^deit", "DeiT"),
    ("^swin", "Swin"),
    ("^eva", "EVA"),
    ("^beit", "BEiT"),
    ("^(flexi)?vit", "ViT"),
    ("mixer|^resmlp|^gmlp", "Mixer"),
    ("^squeezenet", "SqueezeNet"),
    ("^(resnet|tv_resnet|gluon_resnet|resnetv2|ssl_resnet|swsl_resnet)", "ResNet"),
    ("efficientnet", "EfficientNet"),
    ("mobilenet", "MobileNet"),
    ("inception|^googlenet", "Inception"),
    ("regnet", "RegNet"),
    ("convnext", "ConvNeXt"),
)
DISTILLED = "distilled|dist_|noisy|_ns"
ZERO_SHOT, FINE_TUNED = "zero|^clip|^openclip|clip_vit.*openai$", "_ft_|ft_in"
PRETRAINED = (
    "in21k|in22k|in12k|laion|jft|swsl|_ssl|ig\\d|ig1b|m38m|m30m|mae|dino|beit|seer|miil|22kto1k|"
    "_22k|_21k|bitm|openai|augreg|swag|instagram|yfcc|fb_swsl|fb_ssl|goldg|cvst|_pt"
)


def classifiers(content: bytes) -> pd.DataFrame:
    """Return a row a classifier: numbers in percent, parameters in millions, and what it is.

    `family` and `training` follow from its name by rules that were fixed before anything of the
    table was computed. `recipe` is what stands behind the point in a name of timm, "zero-shot" for
    CLIP as it is, and for others what follows the last underscore. A temperature that went astray
    (`START_OF_SEARCH`, or above `HIGHEST`) is missing, and so is what was measured after it.
    """
    table = data.csv_frame(content)
    absent = [column for column in NAMES_OF_COLUMNS if column not in table]
    if absent:
        raise ValueError(
            f"column {absent[0]!r} is absent; there are {list(table)[:9]} and others"
        )
    table = table[list(NAMES_OF_COLUMNS)].rename(columns=NAMES_OF_COLUMNS)
    if table["model"].duplicated().any():
        raise ValueError(
            f"model: {table['model'][table['model'].duplicated()].iloc[0]!r} is twice"
        )
    for column in FRACTIONS:
        table[column] *= 100
    temperature = table["temperature"]
    astray = (temperature == START_OF_SEARCH) | (temperature > HIGHEST)
    table.loc[astray, ["temperature", *AFTER]] = np.nan
    return table.assign(
        parameters=table["parameters"] / 1e6,
        family=table["model"].map(family),
        training=table["model"].map(training),
        recipe=table["model"].map(recipe),
    )


def family(name: str) -> str:
    """Return the family of a classifier, from its name."""
    name = name.lower()
    for pattern, of_family in FAMILIES:
        if re.search(pattern, name):
            return of_family
    return re.split(r"[_.\d]", name)[0]


def training(name: str) -> str:
    """Return how a classifier was trained, from its name: supervised where that says nothing.

    "augreg" counts as pretrained, also where a network had only the 1000 classes: the rule is as
    it was fixed.
    """
    name = name.lower()
    if re.search(DISTILLED, name):
        return "distilled"
    if re.search(ZERO_SHOT, name) and not re.search(FINE_TUNED, name):
        return "zero-shot"
    return "pretrained" if re.search(PRETRAINED, name) else "supervised"


def recipe(name: str) -> str:
    """Return what a name says of the training alone."""
    if training(name) == "zero-shot":
        return "zero-shot"
    return name.partition(".")[2] or name.rpartition("_")[2]
