"""Tidy the tables of Misakaaaaaz/calibench: PATH is its folder `shengjie/LogitsGap`."""

import re
from collections.abc import Iterator
from pathlib import Path

from evidence.data import csv_rows

Row = dict[str, str]

METRIC_COLUMNS = {
    "acc": "Accuracy",
    "ece": "ECE",
    "cece": "cwECE",
    "adaece": "ECE mass",
    "nll": "NLL",
}
DATASETS = {
    "cifar10": "CIFAR-10",
    "cifar100": "CIFAR-100",
    "imagenet": "ImageNet",
}
SHIFTS = {
    "": "none",
    "lt": "long-tailed",
    "sketch": "sketch",
    "c": "corrupted",
}
MODELS = {
    "resnet50": "ResNet-50",
    "wide_resnet": "Wide ResNet",
    "densenet121": "DenseNet-121",
    "swin_b": "Swin-B",
    "vit_b_16": "ViT-B/16",
    "vit_b_32": "ViT-B/32",
}
METHODS = {
    "Uncalibrated": "Uncalibrated",
    "TS": "Temperature scaling",
    "ETS": "Ensemble temperature scaling",
    "HB": "Histogram binning",
    "BBQ": "BBQ",
    "VS": "Vector scaling",
}


def rows(folder: Path) -> Iterator[Row]:
    """Yield one row a number; `spread` is what the table prints after its plus-minus sign."""
    for short, metric in METRIC_COLUMNS.items():
        for stem in ("bin15", "all_bins"):
            for row in csv_rows((folder / f"{short}_{stem}.csv").read_bytes()):
                yield from numbers_of_row(
                    row, metric, "tables" if stem == "bin15" else "bins"
                )


def numbers_of_row(row: Row, metric: str, file: str) -> Iterator[Row]:
    match = re.fullmatch(
        r"(cifar100?|imagenet)(?:_(lt|sketch|c))?_(.+)", row["experiment"]
    )
    if match is None:
        raise ValueError(f"experiment: {row['experiment']!r} names no data set")
    dataset, shift, model = match.groups()
    for short, method in METHODS.items():
        value, _, spread = (row.get(short) or "").partition("±")
        if value:
            yield {
                "file": file,
                "dataset": DATASETS[dataset],
                "shift": SHIFTS[shift or ""],
                "model": MODELS[model],
                "method": method,
                "metric": metric,
                "bins": row.get("bin", "15"),
                "value": f"{float(value):.6g}",
                "spread": spread,
            }
