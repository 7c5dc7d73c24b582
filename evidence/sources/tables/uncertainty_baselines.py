"""Tidy a table of google/uncertainty-baselines: one ResNet-50, trained in 17 ways.

A row is a way of training and a set of images. PATH is
``derived/imagenet_readme_resnet50.csv``, the first table of ``baselines/imagenet/README.md`` with
a column for each of its numbers.
"""

from decimal import Decimal
from pathlib import Path

from evidence.data import csv_rows

IMAGES = {
    "imagenet": "ImageNet",
    "c": "ImageNet-C",
    "a": "ImageNet-A",
    "v2": "ImageNet-V2",
}


def rows(path: Path) -> list[dict[str, object]]:
    """Return a row a way of training and a set of images: NLL (nats), accuracy and ECE (%)."""
    return [
        {
            "training": row["method"],
            "images": images,
            "nll": f"{Decimal(row[f'{short}_nll']).normalize()}",
            "accuracy": row[f"{short}_acc"],
            "ece": f"{(100 * Decimal(row[f'{short}_ece'])).normalize():f}",
        }
        for row in csv_rows(path.read_bytes())
        for short, images in IMAGES.items()
        if row[f"{short}_ece"]
    ]
