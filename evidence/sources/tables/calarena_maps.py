"""Tidy all results of probkit/CalArena, an experiment a row: PATH is its folder."""

from pathlib import Path

from evidence.data import csv_rows

Row = dict[str, str]

OF_ONE_BENCHMARK = ("CB", "CB-monotone", "CB-tiny", "CB-tiny-monotone")


def rows(folder: Path) -> list[Row]:
    """Return a row an experiment of all benchmarks, a column a metric of a map, five digits.

    A cell is empty where the benchmark lacks the map. Variants of CatBoost that only one benchmark
    has are left out.
    """
    maps: dict[tuple[str, str, str], Row] = {}
    for path in sorted(folder.glob("results/*/*.csv")):
        if path.stem in OF_ONE_BENCHMARK:
            continue
        for row in csv_rows(path.read_bytes()):
            key = path.parent.name, row["dataset"], row["model"]
            names = ("benchmark", "dataset", "model")
            cells = maps.setdefault(key, dict(zip(names, key, strict=True)))
            for old, new in (("brier", "brier"), ("logloss", "nll"), ("ece-15", "ece")):
                text = row[f"{path.stem}_{old}"]
                cells[f"{new} {path.stem}"] = f"{float(text):.5g}" if text else ""
    columns: Row = {}
    for row in maps.values():
        columns |= dict.fromkeys(row, "")
    return [columns | row for row in maps.values()]
