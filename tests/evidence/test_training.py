"""How the zoo is made: corruptions, files, splits; and, where torch is, a run of seconds."""

import sys
import tarfile
from dataclasses import replace

import numpy as np
import pytest
from helpers import ROOT

sys.path.insert(0, str(ROOT))
from data.training import datasets, zoo
from data.training.__main__ import collect
from data.training.corruptions import CORRUPTIONS, SEVERITIES, corrupt
from data.training.runs import convnet


@pytest.fixture
def images():
    rng = np.random.default_rng(0)
    smooth = rng.integers(0, 256, (20, 1, 7, 7), np.uint8).repeat(4, 2).repeat(4, 3)
    smooth[:, :, :4] = 0
    return np.roll(smooth, 1, 3)  # so that no block of pixelate is of one value


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corruption_keeps_shape_and_range_and_grows_with_severity(images, name):
    clean = images / 255
    distance = []
    for severity in SEVERITIES:
        x = corrupt(images, name, severity)
        assert x.shape == images.shape and x.dtype == np.float32
        assert 0 <= x.min() and x.max() <= 1
        np.testing.assert_array_equal(x, corrupt(images, name, severity))
        distance.append(np.abs(x - clean).mean())
    assert distance[0] > 0
    assert distance[-1] == max(distance) > 1.2 * distance[0]


def test_another_version_of_the_data_is_refused(monkeypatch):
    examples = datasets.Examples(np.zeros((3, 1, 4, 4), np.uint8), np.array([0, 1, 2]))
    with pytest.raises(ValueError, match=r"fashion t10k: 3 examples with fingerprint [0-9a-f]{64}"):
        datasets.canonical(examples, "fashion t10k")


@pytest.fixture
def official(tmp_path, monkeypatch):
    """A place to download to, and a function that puts an official file where it can be had."""
    monkeypatch.setattr(datasets, "DOWNLOADED", tmp_path / "downloaded")
    monkeypatch.setattr(datasets, "PLACES", [tmp_path / "downloaded"])

    def offer(relative, content, suffix):
        source = tmp_path / f"official{suffix}"
        source.write_bytes(content)
        monkeypatch.setattr(datasets, "DOWNLOADS", {relative: source.as_uri()})

    return offer


def test_a_missing_file_is_downloaded(official):
    official("some/file.gz", b"content", ".gz")
    assert datasets.find("some/file.gz").read_bytes() == b"content"
    assert [path.name for path in (datasets.DOWNLOADED / "some").iterdir()] == ["file.gz"]


def test_an_archive_is_unpacked(official, tmp_path):
    (tmp_path / "cifar").mkdir()
    (tmp_path / "cifar" / "test.bin").write_bytes(b"images")
    with tarfile.open(tmp_path / "made.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "cifar", "cifar")
    official("cifar", (tmp_path / "made.tar.gz").read_bytes(), ".tar.gz")
    assert (datasets.find("cifar") / "test.bin").read_bytes() == b"images"
    assert [path.name for path in datasets.DOWNLOADED.iterdir()] == ["cifar"]


def test_held_out_examples_are_not_trained_on():
    x = np.arange(30).reshape(30, 1)
    train, held_out = datasets.split(datasets.Examples(x, np.zeros(30)), 10)
    assert len(train) == 20 and len(held_out) == 10
    assert not set(train.x.ravel()) & set(held_out.x.ravel())


def test_outputs_survive_the_round_trip_and_fill_the_index(tmp_path):
    rng = np.random.default_rng(2)
    logits, y = rng.normal(0, 3, (40, 5)), rng.integers(0, 5, 40)
    about = {"block": "b", "test_accuracy": 0.25}
    zoo.write_outputs("n", (logits, y), (logits, y), about, tmp_path)
    (row,) = zoo.index(tmp_path)
    assert row["name"] == "n" and row["test_accuracy"] == 0.25 and len(row["sha256"]) == 64
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


class TestWithTorch:
    """Trains on a few random images; skipped where torch, an optional extra, is absent."""

    @pytest.fixture(autouse=True)
    def small_data(self, monkeypatch):
        pytest.importorskip("torch", reason="torch, the training extra, is not installed")
        rng = np.random.default_rng(3)

        def part(n):
            y = rng.integers(0, 3, n)
            x = rng.integers(0, 60, (n, 1, 28, 28)) + 60 * y[:, None, None, None]
            y[::9] = (y[::9] + 1) % 3
            return datasets.Examples(x.astype(np.uint8), y.astype(np.uint8))

        small = datasets.Dataset(3, part(256), part(64), part(64), 0.3, 0.3)
        monkeypatch.setattr(datasets, "load", lambda name: small)

    def test_a_run_learns_and_writes_the_same_bytes_twice(self, tmp_path):
        from data.training.make import make

        run = replace(convnet("smoke", curve=8, shift=True), training_images=256, epochs=4)
        for folder in ("one", "two"):
            make(run, tmp_path / folder)
        files = [path.relative_to(tmp_path) for path in zoo.files(run, tmp_path / "one")]
        assert zoo.finished(run, tmp_path / "one")
        for path in files:
            other = tmp_path / "two" / path.relative_to("one")
            assert (tmp_path / path).read_bytes() == other.read_bytes()
        (row,) = zoo.index(tmp_path / "one")
        assert 0.75 < row["train_accuracy"] and row["stopping_rule"] == "after 4 epochs"

    def test_losses_agree_with_their_definitions(self):
        import torch

        from data.training.losses import LOSSES

        rng = np.random.default_rng(4)
        z, y = rng.normal(0, 2, (30, 4)), rng.integers(0, 4, 30)
        p = np.exp(z) / np.exp(z).sum(1, keepdims=True)
        p_y = p[np.arange(30), y]
        expected = {
            "ce": -np.log(p_y).mean(),
            "fl2": -((1 - p_y) ** 2 * np.log(p_y)).mean(),
            "ls0.05": -(0.95 * np.log(p_y) + 0.05 * np.log(p).mean(1)).mean(),
        }
        for name, value in expected.items():
            loss = LOSSES[name](torch.from_numpy(z), torch.from_numpy(y))
            assert float(loss) == pytest.approx(value)

    def test_label_noise_moves_the_stated_fraction_to_other_classes(self):
        from data.training.train import noisy

        y = np.zeros(1000, np.uint8)
        moved = noisy(y, 0.3, 10, np.random.default_rng(5))
        assert np.mean(moved != y) == 0.3 and moved.max() < 10

    def test_weights_that_are_not_the_published_ones_are_not_kept(self, tmp_path, monkeypatch):
        from data.training import pretrained

        monkeypatch.setenv("CALIB_SOURCES", str(tmp_path / "nothing"))
        monkeypatch.setattr(datasets, "ROOT", tmp_path)
        monkeypatch.setattr(
            pretrained.urllib.request, "urlretrieve", lambda _, path: path.write_bytes(b"other")
        )
        with pytest.raises(ValueError, match="is not the one in the name resnet20"):
            pretrained.fetch(20)
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]
