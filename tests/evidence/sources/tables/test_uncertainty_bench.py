"""What ensembles of others gain: read from runs, members found by their names."""

import pytest

from evidence.data import csv_bytes
from evidence.sources.tables import uncertainty_bench

HEAD = {"dataset": "imdb", "sampling": "nonbayesian", "ensemble": "1"}


def run(version, accuracy, **more):
    numbers = {"Acc": accuracy, "NLL(↓)": 0.5, "ECE(↓)": 0.1, "Brier(↓)": 0.2}
    return {"version": version, **numbers, **HEAD, **more}


def test_an_ensemble_is_compared_with_its_own_members(tmp_path):
    runs = [
        run("imdb_baseline_M5_nonbayesian", 0.9, ensemble="5.0"),
        run("imdb_baseline_M5M0__nonbayesian", 0.7),
        run("imdb_baseline_M5M1__nonbayesian", 0.8),
        run("imdb_baseline_M5M1__mc", 0.1, sampling="mc"),
        run("imdb_baseline_nonbayesian", 0.2),
        run("AAPD_baseline_M5_nonbayesian", 0.3, dataset="AAPD"),
        run("AAPD_baseline_M5M0__nonbayesian", 0.3, dataset="AAPD"),
    ]
    path = tmp_path / "runs.csv"
    path.write_bytes(csv_bytes(runs))
    (row,) = uncertainty_bench.rows(path)
    assert (
        row["dataset"] == "IMDB"
        and row["network"] == "baseline"
        and row["members"] == "2"
    )
    assert float(row["accuracy"]) == pytest.approx(15) and float(
        row["ece"]
    ) == pytest.approx(0)
