"""How the zoo is made: corruptions, files, splits; and, where torch is, a run of seconds."""

import tarfile

import numpy as np
import pytest

from evidence.training import datasets, trees, zoo_files
from evidence.training.__main__ import collect, main
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


def test_runs_that_end_are_noted_and_those_that_fail_are_named(tmp_path, capsys):
    here, fails = convnet("here"), convnet("fails", seed=2)
    attempts = [(here, 7.4, None), (fails, None, "ValueError('no data')")]
    assert collect(attempts, tmp_path) == [fails.name]
    assert (tmp_path / "seconds.csv").read_text() == f"name,seconds\n{here.name},7\n"
    assert "no data" in capsys.readouterr().out


def test_runs_are_listed_and_a_word_that_no_run_has_is_refused(capsys):
    main(["--list", "--only", "guo-trees"])
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 6 and all(line.startswith("here") for line in listed)
    with pytest.raises(SystemExit):
        main(["--only", "guo-tress"])
    assert "--only: no name or block of a run holds 'guo-tress'" in (
        capsys.readouterr().err
    )


def test_a_name_that_is_none_is_refused_with_those_that_are_there():
    with pytest.raises(ValueError, match="no data set 'mnist'; there are fashion, "):
        datasets.load("mnist")
    with pytest.raises(ValueError, match="name: 'fog' is not one of noise, blur, "):
        corrupt(np.zeros((1, 1, 4, 4), np.uint8), "fog", 1)


BRACKETS = "(3 (2 It) (4 (2 (2 's) (3 fun)) (2 .)))"


def test_a_tree_in_brackets_is_read_bottom_up():
    tree = trees.encode_tree(BRACKETS, {"it": 1, "fun": 2}, is_binary=False)
    assert tree.label.tolist() == [2, 2, 3, 2, 2, 4, 3]
    assert tree.word.tolist() == [1, 0, 2, 0, 0, 0, 0]
    assert tree.left.tolist() == [-1, -1, -1, 1, -1, 3, 0]
    assert tree.right.tolist() == [-1, -1, -1, 2, -1, 4, 5]
    assert tree.height.tolist() == [0, 0, 0, 1, 0, 2, 3]
    two = trees.encode_tree(BRACKETS, {}, is_binary=True)
    assert two.label.tolist() == [-1, -1, 1, -1, -1, 1, 1]


def random_tree(rng, n_words):
    """Brackets around words that are paired at random."""
    parts = [f"({rng.integers(5)} w{i})" for i in range(n_words)]
    while len(parts) > 1:
        at = int(rng.integers(len(parts) - 1))
        parts[at : at + 2] = [f"({rng.integers(5)} {parts[at]} {parts[at + 1]})"]
    return parts[0]


def test_a_batch_hands_each_node_its_own_children():
    """Words summed up the levels of a batch are those below each sentence."""
    rng = np.random.default_rng(3)
    texts = [random_tree(rng, n) for n in (1, 2, 7, 20, 33)]
    rank = {f"w{i}": 10**6 + i**3 for i in range(33)}
    many = [trees.encode_tree(text, rank, is_binary=False) for text in texts]
    batch = trees.batch_of(many)
    levels = [batch.words]
    queues = [[piece] for piece in np.split(levels[0], np.cumsum(batch.waiting[0]))]
    for height, children in enumerate(batch.children, 1):
        levels.append(np.concatenate(queues[height])[children].sum(1))
        pieces = np.split(levels[-1], np.cumsum(batch.waiting[height]))
        for queue, piece in zip(queues, pieces, strict=True):
            queue.append(piece)
    sums = np.concatenate(levels)[batch.roots]
    assert sums.tolist() == [int(tree.word.sum()) for tree in many]
    labels = batch.labels[batch.roots]
    assert labels.tolist() == [tree.label[-1] for tree in many]


def test_batched_states_are_those_of_one_tree_after_the_other():
    torch = pytest.importorskip("torch")
    from evidence.training.architectures import TreeLSTM

    rng = np.random.default_rng(4)
    texts = [random_tree(rng, n) for n in (1, 3, 18, 25)]
    rank = {f"w{i}": i + 1 for i in range(25)}
    many = [trees.encode_tree(text, rank, is_binary=False) for text in texts]
    model = TreeLSTM(6, 26, 5).eval()
    with torch.no_grad():
        together = model(trees.batch_of(many))
        alone = torch.cat([model(trees.batch_of([tree])) for tree in many])
    torch.testing.assert_close(together, alone)


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
