"""Compute same_networks.csv: one network measured by two groups, theirs less CalArena's.

`python -m evidence.studies same_networks` from the root. The numbers of
eugeneberta/LogisticCalibrationBenchmark are of networks that CalArena has too. It states no
licence: the differences alone are kept. In points, the NLL in nats.
"""

from collections.abc import Iterator

from evidence.claims.frames import calarena
from evidence.data import csv_rows
from evidence.pieces import Row
from evidence.sources import read_source

FILES = ("berta-cifar", "berta-imagenet")
DATA_SETS = {"c10": "CIFAR-10", "c100": "CIFAR-100", "imgnet": "ImageNet"}
MODELS = {
    "densenet40": "DenseNet-40",
    "densenet161": "DenseNet-161",
    "lenet5": "LeNet-5",
}
MODELS |= {"resnet110": "ResNet-110", "resnet110_SD": "ResNet-110 (SD)"}
MODELS |= {"resnet152": "ResNet-152", "resnet_wide32": "Wide ResNet-32"}
MAPS = {"base": "Uncalibrated", "ts": "Temperature scaling"}
PUBLISHED_METRICS = {
    "accuracy": ("Accuracy", 100),
    "ece-15": ("ECE", 100),
    "logloss": ("NLL", 1),
}


def rows() -> Iterator[Row]:
    """Yield one row a network, map and metric."""
    keys = ["dataset", "model", "method", "metric"]
    there = calarena().set_index(keys)["value"]
    for file in FILES:
        for row in csv_rows(read_source(file)):
            network = DATA_SETS[row["dataset"]], MODELS[row["model"]]
            for short, method in MAPS.items():
                for column, (metric, unit) in PUBLISHED_METRICS.items():
                    value = unit * float(row[f"{short}_{column}"])
                    key = (*network, method, metric)
                    yield dict(zip(keys, key, strict=True)) | {
                        "difference": value - there[key]
                    }
