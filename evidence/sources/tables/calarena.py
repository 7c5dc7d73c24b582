"""Tidy the results of probkit/CalArena on images of several classes: PATH is its folder."""

from collections.abc import Iterator
from pathlib import Path

from evidence.data import csv_rows

Row = dict[str, str]

METHODS = {
    "Base-model": "Uncalibrated",
    "Hist-uniform": "Histogram binning",
    "Isotonic": "Isotonic regression",
    "BBQ": "BBQ",
    "TS": "Temperature scaling",
    "VS": "Vector scaling",
    "MS": "Matrix scaling",
}
METRIC_COLUMNS = {
    "accuracy": "Accuracy",
    "ece-15": "ECE",
    "logloss": "NLL",
    "brier": "Brier",
}
DATASETS = {
    "c10": "CIFAR-10",
    "c100": "CIFAR-100",
    "birds": "Birds",
    "SVHN": "SVHN",
    "imagenet": "ImageNet",
    "derma": "DermaMNIST",
    "oct": "OCTMNIST",
}
MODELS = {
    "densenet40": "DenseNet-40",
    "densenet161": "DenseNet-161",
    "lenet5": "LeNet-5",
    "resnet_wide32": "Wide ResNet-32",
    "resnet50": "ResNet-50",
    "resnet110": "ResNet-110",
    "resnet110_SD": "ResNet-110 (SD)",
    "resnet152": "ResNet-152",
    "resnet152_SD": "ResNet-152 (SD)",
    "beit": "BEiT",
    "convnext": "ConvNeXt",
    "eva": "EVA",
    "swin": "Swin",
    "vit": "ViT",
}


def rows(folder: Path) -> Iterator[Row]:
    """Yield one row a number: images of several classes, the papers' methods, errors in percent."""
    for benchmark in ("cv-multiclass", "imagenet-multiclass"):
        for short, method in METHODS.items():
            path = folder / "results" / benchmark / f"{short}.csv"
            for row in csv_rows(path.read_bytes()) if path.is_file() else []:
                yield from numbers_of_row(row, short, method)


def numbers_of_row(row: Row, short: str, method: str) -> Iterator[Row]:
    for column, metric in METRIC_COLUMNS.items():
        value = float(row[f"{short}_{column}"])
        yield {
            "dataset": DATASETS[row["dataset"]],
            "model": MODELS[row["model"]],
            "n_calibration": row["cal_size"],
            "n": row["test_size"],
            "method": method,
            "metric": metric,
            "value": f"{value if metric in ('NLL', 'Brier') else 100 * value:.8g}",
        }
