"""Published files of weights: where they are looked for, and that they are the right ones."""

import hashlib

import pytest

from evidence.training import weights


@pytest.fixture
def own_weights(monkeypatch, tmp_path):
    """A folder of downloads, and a file of weights whose name holds the start of its digest."""
    content = b"weights"
    name = f"resnet20-{hashlib.sha256(content).hexdigest()[:8]}.th"
    monkeypatch.setattr(weights, "FILES", {20: name})
    monkeypatch.setattr(weights, "DOWNLOADED", tmp_path / "downloaded")
    monkeypatch.delenv("CALIB_SOURCES", raising=False)

    def download(address, path):
        assert address.endswith(f"{weights.COMMIT}/pretrained_models/{name}")
        path.parent.mkdir()
        path.write_bytes(content)

    monkeypatch.setattr(weights.datasets, "download", download)
    return tmp_path / "downloaded" / name


def test_weights_are_downloaded_once(own_weights, monkeypatch):
    assert weights.weights_file(20) == own_weights
    monkeypatch.setattr(weights.datasets, "download", None)
    assert weights.weights_file(20).read_bytes() == b"weights"


def test_a_copy_that_the_environment_names_comes_first(
    own_weights, monkeypatch, tmp_path
):
    monkeypatch.setenv("CALIB_SOURCES", str(tmp_path))
    assert weights.weights_file(20) == own_weights  # the copy lacks it
    listed = tmp_path / weights.FOLDER / own_weights.name
    listed.parent.mkdir(parents=True)
    listed.write_bytes(b"weights")
    assert weights.weights_file(20) == listed


def test_other_weights_than_those_of_the_name_are_refused(own_weights):
    weights.weights_file(20).write_bytes(b"others")
    with pytest.raises(
        ValueError, match=r"SHA-256 [0-9a-f]{64} is not the one in the name"
    ):
        weights.weights_file(20)
