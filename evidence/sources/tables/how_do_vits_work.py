"""Tidy the tables of xxxnell/how-do-vits-work: AlexNet on corrupted images.

A row is a data set, corruption and severity. PATH is the folder ``resources/results``; its files
have no first line, and the columns are those of ``save_metrics`` in ``ops/tests.py``.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

FILES = {"imagenet": "ImageNet-C", "cifar10": "CIFAR-10-C", "cifar100": "CIFAR-100-C"}
CUT = ("accuracy", "unc", "iou", "freq")  # each of all images, and of those above 0.9
COLUMNS_OF_TABLE = [
    "severity",
    "corruption",
    "nll",
    "cut",
    "cut_sure",
    *(f"{name}{sure}" for name in CUT for sure in ("", "_sure")),
    "top5",
    "brier",
    "ece",
    "signed",
]
NUMBERS = {"nll": (1, 4), "accuracy": (100, 3), "ece": (100, 3)}  # factor and digits


def rows_of_file(dataset: str, text: str) -> list[dict[str, str]]:
    """Return a row a corruption and severity: NLL (nats), accuracy and ECE of 10 bins (%).

    The last column, a signed error, is absent from some files.
    """
    rows = []
    for number, cells in enumerate(csv.reader(text.splitlines()), 1):
        if len(cells) not in (len(COLUMNS_OF_TABLE) - 1, len(COLUMNS_OF_TABLE)):
            raise ValueError(
                f"line {number}: {len(cells)} columns, expected {len(COLUMNS_OF_TABLE)}"
            )
        named = dict(zip(COLUMNS_OF_TABLE, cells, strict=False))
        row = {
            "dataset": dataset,
            "corruption": named["corruption"],
            "severity": named["severity"],
        }
        for name, (factor, digits) in NUMBERS.items():
            row[name] = f"{factor * float(named[name]):.{digits}f}"
        rows.append(row)
    return rows


def rows(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of all files of a folder."""
    for short, dataset in FILES.items():
        path = folder / f"{short}_alexnet_dnn_corrupted.csv"
        yield from rows_of_file(dataset, path.read_text("utf-8"))
