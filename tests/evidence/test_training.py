"""How the zoo is made: corruptions, files, splits; and, where torch is, a run of seconds."""

import tarfile

import numpy as np
import pytest

from evidence.training import datasets, zoo
from evidence.training.__main__ import collect
from evidence.training.corruptions import CORRUPTIONS, SEVERITIES, corrupt
from evidence.training.runs import convnet


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corruption_keeps_shape_and_range_and_grows_with_severity(name):
    smooth = np.random.default_rng(0).integers(0, 256, (20, 1, 7, 7), np.uint8)
    smooth = smooth.repeat(4, 2).repeat(4, 3)
    smooth[:, :, :4] = 0
    images, distance = np.roll(smooth, 1, 3), []  # no block of pixelate is of one value
    for severity in SEVERITIES:
        x = corrupt(images, name, severity)
        assert x.shape == images.shape and x.dtype == np.float32
        assert 0 <= x.min() and x.max() <= 1
        np.testing.assert_array_equal(x, corrupt(images, name, severity))
        distance.append(np.abs(x - images / 255).mean())
    assert distance[0] > 0
    assert distance[-1] == max(distance) > 1.2 * distance[0]


def test_another_version_of_the_data_is_refused(monkeypatch):
    examples = datasets.Examples(np.zeros((3, 1, 4, 4), np.uint8), np.array([0, 1, 2]))
    with pytest.raises(
        ValueError, match=r"fashion t10k: 3 examples with fingerprint [0-9a-f]{64}"
    ):
        datasets.canonical(examples, "fashion t10k")


def test_a_missing_file_is_downloaded_and_an_archive_unpacked(tmp_path, monkeypatch):
    place = tmp_path / "downloaded"
    monkeypatch.setattr(datasets, "DOWNLOADED", place)
    monkeypatch.setattr(datasets, "PLACES", [place])
    (tmp_path / "file.gz").write_bytes(b"content")
    (tmp_path / "cifar").mkdir()
    (tmp_path / "cifar" / "test.bin").write_bytes(b"images")
    with tarfile.open(tmp_path / "made.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "cifar", "cifar")
    official = {"some/file.gz": tmp_path / "file.gz", "cifar": tmp_path / "made.tar.gz"}
    official = {name: path.as_uri() for name, path in official.items()}
    monkeypatch.setattr(datasets, "DOWNLOADS", official)
    assert datasets.find("some/file.gz").read_bytes() == b"content"
    assert (datasets.find("cifar") / "test.bin").read_bytes() == b"images"
    assert sorted(path.name for path in place.iterdir()) == ["cifar", "some"]


def test_outputs_survive_the_round_trip_and_fill_the_index(tmp_path):
    rng = np.random.default_rng(2)
    logits, y = rng.normal(0, 3, (40, 5)), rng.integers(0, 5, 40)
    about = {"block": "b", "test_accuracy": 0.25}
    zoo.write_outputs("n", (logits, y), (logits, y), about, tmp_path)
    (row,) = zoo.index(tmp_path)
    assert (
        row["name"] == "n" and row["test_accuracy"] == 0.25 and len(row["sha256"]) == 64
    )
    first = (tmp_path / "n.npz").read_bytes()
    zoo.write_outputs("n", (logits, y), (logits, y), about, tmp_path)
    assert (tmp_path / "n.npz").read_bytes() == first
    with np.load(tmp_path / "n.npz", allow_pickle=False) as arrays:
        np.testing.assert_allclose(arrays["test_logits"], logits, rtol=1e-3)
    assert [path.name for path in tmp_path.iterdir()] == ["n.npz"]


def test_runs_that_end_are_noted_and_those_that_fail_are_named(tmp_path, capsys):
    here, fails = convnet("here"), convnet("fails", seed=2)
    attempts = [(here, 7.4, None), (fails, None, "ValueError('no data')")]
    assert collect(attempts, tmp_path) == [fails.name]
    assert (tmp_path / "seconds.csv").read_text() == f"name,seconds\n{here.name},7\n"
    assert "no data" in capsys.readouterr().out
