"""The data sets of the zoo: where they are looked for, and what is refused."""

import tarfile

import numpy as np
import pytest

from evidence.training import datasets


def test_another_version_of_the_data_is_refused(monkeypatch):
    examples = datasets.Examples(np.zeros((3, 1, 4, 4), np.uint8), np.array([0, 1, 2]))
    with pytest.raises(
        ValueError, match=r"fashion t10k: 3 examples with fingerprint [0-9a-f]{64}"
    ):
        datasets.in_fixed_order(examples, "fashion t10k")


def test_a_missing_file_is_downloaded_and_an_archive_unpacked(tmp_path, monkeypatch):
    place = tmp_path / "downloaded"
    monkeypatch.setattr(datasets, "DOWNLOADED", place)
    monkeypatch.delenv("CALIB_DATASETS", raising=False)
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


def test_a_data_set_is_looked_for_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("CALIB_DATASETS", str(tmp_path / "sets"))
    monkeypatch.setenv("CALIB_SOURCES", str(tmp_path / "copy"))
    monkeypatch.setattr(datasets, "DOWNLOADED", tmp_path / "downloaded")
    for path in ("sets/own.gz", "copy/munikarmanish/RNTN/0a1b/trees/dev.txt"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(b"")
    assert datasets.find("own.gz") == tmp_path / "sets" / "own.gz"
    assert datasets.find("trees/dev.txt").is_relative_to(tmp_path / "copy")
    monkeypatch.delenv("CALIB_SOURCES")
    with pytest.raises(FileNotFoundError, match=r"dev.txt is .*CALIB_DATASETS names"):
        datasets.find("trees/dev.txt")


def test_a_name_that_is_none_is_refused_with_those_that_are_there():
    with pytest.raises(ValueError, match="no data set 'mnist'; there are fashion, "):
        datasets.load("mnist")


def test_all_of_cifar10_is_asked_for_by_name(monkeypatch, tmp_path):
    folder = tmp_path / "cifar-10-batches-bin"
    folder.mkdir()
    (folder / "test_batch.bin").write_bytes(bytes(3073))
    monkeypatch.setattr(datasets, "find", lambda name: tmp_path / name)
    with pytest.raises(FileNotFoundError, match="lacks data_batch_1, data_batch_2"):
        datasets.cifar10_archive()
    for i in range(1, 6):
        (folder / f"data_batch_{i}.bin").write_bytes(bytes(3073))
    with pytest.raises(ValueError, match=r"\[5, 0, .*expected 5000 of each"):
        datasets.cifar10_archive()
