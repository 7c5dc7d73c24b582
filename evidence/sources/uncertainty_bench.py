"""What ensembles of Jordy-VL/uncertainty-bench gain over their members: text, three data sets.

`python -m evidence.sources.uncertainty_bench RUNS` writes ``data/tables/uncertainty_bench.csv``, a
row an ensemble of five networks that differ in the seed alone. RUNS has the rows of the files
``experiments/raw_results/in-domain/*.xlsx`` together, a row a run. It is GPL-3.0: of its numbers
only the differences are kept. Left out are data of several labels, whose accuracy is another
thing, and predictions with dropout, which are of the same networks.
"""

import re
import sys
from pathlib import Path

import numpy as np

from evidence.data import csv_bytes, csv_rows

TABLE = (
    Path(__file__).resolve().parents[2] / "data" / "tables" / "uncertainty_bench.csv"
)
DATA_SETS = {"20news": "20 Newsgroups", "CLINC150": "CLINC150", "imdb": "IMDB"}
METRICS = {"Acc": "accuracy", "NLL(↓)": "nll", "ECE(↓)": "ece", "Brier(↓)": "brier"}
PERCENT = ("accuracy", "ece")
MEMBER = re.compile(r"M\d__")  # in the name of the ensemble, in place of its last "_"


def gains(content: bytes) -> list[dict[str, str]]:
    """Return a row an ensemble: its metrics less the means of its members, some in points."""
    runs = {
        row["version"]: row
        for row in csv_rows(content)
        if row["sampling"] == "nonbayesian"
    }
    rows = []
    for version, whole in runs.items():
        of_members = [
            name
            for name in runs
            if name != version and MEMBER.sub("_", name) == version
        ]
        members = [runs[name] for name in of_members]
        if not members or whole["dataset"] not in DATA_SETS:
            continue
        row = {"dataset": DATA_SETS[whole["dataset"]], "network": network(version)}
        row["members"] = f"{len(members)}"
        for column, metric in METRICS.items():
            gain = float(whole[column]) - np.mean(
                [float(member[column]) for member in members]
            )
            row[metric] = f"{gain * (100 if metric in PERCENT else 1):.4g}"
        rows.append(row)
    return rows


def network(version: str) -> str:
    """Return how the networks of an ensemble were trained, from its name."""
    return " ".join(part for part in version.split("_")[1:-1] if part != "M5")


if __name__ == "__main__":
    TABLE.write_bytes(csv_bytes(gains(Path(sys.argv[1]).read_bytes())))
