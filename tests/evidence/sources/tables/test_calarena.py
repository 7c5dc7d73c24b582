"""Results of CalArena on images: a row a number, errors in percent."""

from evidence.data import csv_bytes
from evidence.sources.tables import calarena


def test_shares_are_percentages_and_losses_stay(tmp_path):
    row = {
        "dataset": "c10",
        "model": "resnet110_SD",
        "cal_size": 5000,
        "test_size": 10_000,
    }
    row |= {
        "TS_accuracy": 0.9375,
        "TS_ece-15": 0.0125,
        "TS_logloss": 0.25,
        "TS_brier": 0.125,
    }
    folder = tmp_path / "results" / "cv-multiclass"
    folder.mkdir(parents=True)
    (folder / "TS.csv").write_bytes(csv_bytes([row]))
    rows = list(calarena.rows(tmp_path))
    values = {line["metric"]: line["value"] for line in rows}
    assert values == {
        "Accuracy": "93.75",
        "ECE": "1.25",
        "NLL": "0.25",
        "Brier": "0.125",
    }
    assert {(line["dataset"], line["model"]) for line in rows} == {
        ("CIFAR-10", "ResNet-110 (SD)")
    }
    assert {line["method"] for line in rows} == {"Temperature scaling"}
    assert {(line["n_calibration"], line["n"]) for line in rows} == {("5000", "10000")}
