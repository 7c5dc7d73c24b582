"""Tidy the results of CalArena: `python data/tables/calarena_maps.py FOLDER`.

FOLDER: the folder `results` of probkit/CalArena. A row an experiment, a column a metric of a map
(`nll TS`), empty where the benchmark lacks the map. Variants of CatBoost that only one benchmark
has are left out.
"""

import csv
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VARIANTS = {"CB", "CB-monotone", "CB-tiny", "CB-tiny-monotone"}
KEY = ("benchmark", "dataset", "model")
METRICS = {"brier": "brier", "logloss": "nll", "ece-15": "ece"}


def experiments(folder):
    """Return the rows of all benchmarks, five digits."""
    found = {}
    for path in sorted(folder.glob("*/*.csv")):
        if path.stem in VARIANTS:
            continue
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = path.parent.name, row["dataset"], row["model"]
                cells = found.setdefault(key, dict(zip(KEY, key, strict=True)))
                for old, new in METRICS.items():
                    text = row[f"{path.stem}_{old}"]
                    cells[f"{new} {path.stem}"] = f"{float(text):.5g}" if text else ""
    return list(found.values())


def main():
    found = experiments(Path(sys.argv[1]))
    columns = dict.fromkeys(name for row in found for name in row)
    with open(HERE / "calarena_maps.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    print(f"calarena_maps.csv: {len(found)} rows")


if __name__ == "__main__":
    main()
