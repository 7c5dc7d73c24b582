"""The files of the zoo and their index: written, read again, and as committed."""

import numpy as np
import pytest

from evidence.data import csv_rows, data_folder
from evidence.training import zoo_files
from evidence.training.runs import resnet

ZOO = data_folder() / "zoo"


@pytest.fixture(scope="module")
def rows():
    return csv_rows((ZOO / "zoo.csv").read_bytes())


@pytest.mark.slow
def test_index_is_what_the_files_say(rows):
    expected = [
        {key: str(value) for key, value in row.items()} for row in zoo_files.index(ZOO)
    ]
    assert rows == expected


@pytest.mark.slow
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


def test_logits_too_large_for_float16_are_counted_from_their_row_maximum():
    large = np.array([[70_000.0, 69_990.0, -70_000.0], [3.0, 1.0, 2.0]])
    stored = zoo_files.as_float16(large)
    assert stored.tolist() == [[0, -10, -60_000], [0, -2, -1]]
    small = np.array([[60_000.0, 1.0]])
    assert zoo_files.as_float16(small).tolist() == [[60_000, 1]]


def test_what_rounding_moves_by_a_ten_thousandth_is_told():
    """Near 1000 float16 tells halves apart: 1000.3 is 1000.5, so that the gap grows by .2."""
    y, close = np.zeros(4, int), np.array([[1000.3, 1000.0]])
    exact, rounded = (np.log1p(np.exp(-gap)) for gap in (0.3, 0.5))
    note = zoo_files.float16_note(y, close.repeat(4, 0))
    assert f"nll={rounded - exact:+.5f}" in note.split()
    # of a hundred samples one is moved: by so much less
    many = np.vstack([close, np.tile([[8.0, 0.0]], (999, 1))])
    moved = zoo_files.float16_note(np.zeros(1000, int), many)
    assert moved == ""
    some = np.vstack([close, np.tile([[8.0, 0.0]], (399, 1))])
    told = zoo_files.float16_note(np.zeros(400, int), some)
    assert f"nll={(rounded - exact) / 400:+.5f}" in told.split()


def test_the_index_says_of_outputs_how_many_and_how_right_they_are():
    logits = np.array([[2.0, 0.0], [0.0, 2.0], [2.0, 0.0], [0.0, 2.0]])
    test, calibration = (logits, np.array([0, 1, 1, 1])), (logits[:3], np.zeros(3))
    assert zoo_files.about_outputs(calibration, test) == {
        "test_accuracy": 0.75,
        "calibration_n": 3,
        "test_n": 4,
        "float16_note": "",
    }


def test_a_run_is_finished_when_all_of_its_files_are_there(tmp_path):
    run = resnet("b", 8, 4, curve=10, shift=True)
    paths = zoo_files.files_of_run(run, tmp_path)
    assert [path.parent.name for path in paths[1:]] == ["curves", "shift"]
    for path in paths:
        assert not zoo_files.is_finished(run, tmp_path)
        zoo_files.write(path, b"")
    assert zoo_files.is_finished(run, tmp_path)


def test_seconds_are_noted_by_name_and_a_second_run_takes_the_place_of_the_first(
    tmp_path,
):
    for name, seconds in (("b", 7.4), ("a", 2.6), ("b", 9.0)):
        zoo_files.add_seconds(name, seconds, tmp_path)
    assert (tmp_path / "seconds.csv").read_text() == "name,seconds\na,3\nb,9\n"
