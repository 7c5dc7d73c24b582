"""What ensembles of Jordy-VL/uncertainty-bench gain over their members: text, three data sets.

A row is an ensemble of five networks that differ in the seed alone. PATH has the rows of the files
``experiments/raw_results/in-domain/*.xlsx`` together, a row a run. It is GPL-3.0: of its numbers
only the differences are kept. Left out are data of several labels, whose accuracy is another
thing, and predictions with dropout, which are of the same networks.
"""

import re
from pathlib import Path

import numpy as np

from evidence.data import csv_rows

DATA_SETS = {"20news": "20 Newsgroups", "CLINC150": "CLINC150", "imdb": "IMDB"}
METRIC_COLUMNS = {
    "Acc": "accuracy",
    "NLL(↓)": "nll",
    "ECE(↓)": "ece",
    "Brier(↓)": "brier",
}
PERCENT = ("accuracy", "ece")
MEMBER = re.compile(r"M\d__")  # in the name of the ensemble, in place of its last "_"


Run = dict[str, str]


def rows(path: Path) -> list[dict[str, str]]:
    """Return a row an ensemble: its metrics less the means of its members, some in points."""
    runs = {
        run["version"]: run
        for run in csv_rows(path.read_bytes())
        if run["sampling"] == "nonbayesian"
    }
    table = []
    for version, whole in runs.items():
        members = members_of(version, runs)
        if members and whole["dataset"] in DATA_SETS:
            table.append(gain_over(members, whole))
    return table


def members_of(version: str, runs: dict[str, Run]) -> list[Run]:
    """Return the members of an ensemble: their names have a number, M3 say, where its has none."""
    return [
        run
        for name, run in runs.items()
        if name != version and MEMBER.sub("_", name) == version
    ]


def gain_over(members: list[Run], whole: Run) -> dict[str, str]:
    """Return the metrics of an ensemble less the means of its members."""
    row = {
        "dataset": DATA_SETS[whole["dataset"]],
        "network": how_trained(whole["version"]),
        "members": f"{len(members)}",
    }
    for column, metric in METRIC_COLUMNS.items():
        mean = np.mean([float(member[column]) for member in members])
        factor = 100 if metric in PERCENT else 1
        row[metric] = f"{(float(whole[column]) - mean) * factor:.4g}"
    return row


def how_trained(version: str) -> str:
    """Return how the networks of an ensemble were trained, from its name."""
    return " ".join(part for part in version.split("_")[1:-1] if part != "M5")
