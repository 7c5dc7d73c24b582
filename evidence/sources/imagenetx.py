"""Read the predictions of facebookresearch/imagenetx: the first choice for each image, by name.

Four networks on the 50 000 validation images of ImageNet: DINO, SimCLR, a ViT and a ResNet-50.
"""

from typing import NamedTuple

import numpy as np

from evidence import data


class FirstChoices(NamedTuple):
    """What a network chose first for each image, and with which score."""

    y: np.ndarray  # shape (n,): labels, by name as the classes
    scores: np.ndarray  # shape (n, 1)
    classes: np.ndarray  # shape (n, 1)


def first_choices(predictions: bytes, labels: bytes) -> FirstChoices:
    """Return the first choices, from two files' bytes.

    A ValueError says where the files name other images, or not in the same order.
    """
    chosen, true = (data.csv_frame(content) for content in (predictions, labels))
    columns = {
        "predictions": (
            chosen,
            ["file_name", "predicted_class", "predicted_probability"],
        ),
        "labels": (true, ["file_name", "label"]),
    }
    for name, (table, expected) in columns.items():
        if list(table) != expected:
            raise ValueError(
                f"{name}: the columns are {list(table)[:9]}, expected {expected}"
            )
    if len(chosen) != len(true):
        raise ValueError(
            f"predictions: {len(chosen)} images, expected {len(true)} as the labels"
        )
    other = np.flatnonzero(chosen["file_name"] != true["file_name"])
    if len(other):
        first, second = (table["file_name"][other[0]] for table in (chosen, true))
        raise ValueError(
            f"row {other[0] + 1}: predictions of {first}, but the label of {second}"
        )
    return FirstChoices(
        y=true["label"].to_numpy(),
        scores=chosen["predicted_probability"].to_numpy(float)[:, None],
        classes=chosen["predicted_class"].to_numpy()[:, None],
    )
