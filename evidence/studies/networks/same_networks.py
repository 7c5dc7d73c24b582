"""Compute same_networks.csv: one network measured by two groups, theirs less CalArena's.

`python -m evidence.studies same_networks` from the root. The numbers of
eugeneberta/LogisticCalibrationBenchmark are of networks that CalArena has too. It states no
licence: the differences alone are kept. In points, the NLL in nats.
"""

from collections.abc import Iterator

from evidence.claims.frames import calarena
from evidence.data import csv_rows
from evidence.rows import Row
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
KEYS = ["dataset", "model", "method", "metric"]
METHODS = {"base": "Uncalibrated", "ts": "Temperature scaling"}
PUBLISHED_METRICS = {
    "accuracy": ("Accuracy", 100),
    "ece-15": ("ECE", 100),
    "logloss": ("NLL", 1),
}


def rows() -> Iterator[Row]:
    """Yield one row a network, map and metric."""
    there = calarena().set_index(KEYS)["value"]
    for file in FILES:
        for network in csv_rows(read_source(file)):
            for key, value in numbers_of(network):
                head = dict(zip(KEYS, key, strict=True))
                yield head | {"difference": value - there[key]}


def numbers_of(network: dict[str, str]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the numbers of a row of the source by the `KEYS` of CalArena, in its units."""
    name = DATA_SETS[network["dataset"]], MODELS[network["model"]]
    for short, method in METHODS.items():
        for column, (metric, unit) in PUBLISHED_METRICS.items():
            value = unit * float(network[f"{short}_{column}"])
            yield (*name, method, metric), value
