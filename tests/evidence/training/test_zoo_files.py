"""The files of the zoo and their index: written, read again, and as committed."""

import numpy as np
import pytest

from evidence.data import csv_rows, data_folder
from evidence.training import zoo_files

ZOO = data_folder() / "zoo"


@pytest.fixture(scope="module")
def rows():
    return csv_rows((ZOO / "zoo.csv").read_bytes())


def test_index_is_what_the_files_say(rows):
    expected = [
        {key: str(value) for key, value in row.items()} for row in zoo_files.index(ZOO)
    ]
    assert rows == expected


def test_outputs_are_as_accurate_as_the_index_says_and_paired_by_row(rows):
    labels = {}
    for row in rows:
        with np.load(ZOO / f"{row['name']}.npz", allow_pickle=False) as arrays:
            for split in ("calibration", "test"):
                logits, y = arrays[f"{split}_logits"], arrays[f"{split}_y"]
                assert logits.dtype == np.float16 and y.dtype == np.uint8
                assert np.isfinite(logits).all()
                assert len(logits) == len(y) == int(row[f"{split}_n"])
                assert y.max() < logits.shape[1]
                first = labels.setdefault((row["dataset"], split), y)
                np.testing.assert_array_equal(y, first)
            accuracy = np.mean(logits.argmax(1) == y)
        ties = 3e-3  # float16 can tie the two largest logits
        assert accuracy == pytest.approx(float(row["test_accuracy"]), abs=ties), row[
            "name"
        ]


def test_outputs_survive_the_round_trip_and_fill_the_index(tmp_path):
    rng = np.random.default_rng(2)
    logits, y = rng.normal(0, 3, (40, 5)), rng.integers(0, 5, 40)
    about = {"block": "b", "test_accuracy": 0.25}
    zoo_files.write_outputs("n", (logits, y), (logits, y), about, tmp_path)
    (row,) = zoo_files.index(tmp_path)
    assert (
        row["name"] == "n" and row["test_accuracy"] == 0.25 and len(row["sha256"]) == 64
    )
    first = (tmp_path / "n.npz").read_bytes()
    zoo_files.write_outputs("n", (logits, y), (logits, y), about, tmp_path)
    assert (tmp_path / "n.npz").read_bytes() == first
    with np.load(tmp_path / "n.npz", allow_pickle=False) as arrays:
        np.testing.assert_allclose(arrays["test_logits"], logits, rtol=1e-3)
    assert [path.name for path in tmp_path.iterdir()] == ["n.npz"]
