"""Tidy a table of google/uncertainty-baselines: one ResNet-50, trained in 17 ways.

`python -m evidence.sources.uncertainty_baselines TABLE` writes
``data/tables/uncertainty_baselines.csv``, a row a way and a set of images. TABLE is
``derived/imagenet_readme_resnet50.csv``, the first table of ``baselines/imagenet/README.md`` with
a column for each of its numbers.
"""

import sys
from decimal import Decimal
from pathlib import Path

from evidence.data import csv_bytes, csv_rows

TABLE = (
    Path(__file__).resolve().parents[2]
    / "data"
    / "tables"
    / "uncertainty_baselines.csv"
)
IMAGES = {
    "imagenet": "ImageNet",
    "c": "ImageNet-C",
    "a": "ImageNet-A",
    "v2": "ImageNet-V2",
}


def measured(content: bytes) -> list[dict[str, object]]:
    """Return a row a way of training and a set of images: NLL (nats), accuracy and ECE (%)."""
    return [
        {
            "training": row["method"],
            "images": images,
            "nll": f"{Decimal(row[f'{short}_nll']).normalize()}",
            "accuracy": row[f"{short}_acc"],
            "ece": f"{(100 * Decimal(row[f'{short}_ece'])).normalize():f}",
        }
        for row in csv_rows(content)
        for short, images in IMAGES.items()
        if row[f"{short}_ece"]
    ]


if __name__ == "__main__":
    TABLE.write_bytes(csv_bytes(measured(Path(sys.argv[1]).read_bytes())))
