"""From a row of the list of runs to its files, where torch is."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.training import zoo_files
from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import PUBLIC, resnet

torch = pytest.importorskip("torch")
write_run = pytest.importorskip("evidence.training.write_run")


@pytest.fixture
def data(monkeypatch):
    rng = np.random.default_rng(1)
    x = rng.integers(0, 256, (192, 1, 8, 8), np.uint8)
    y = (x[:, 0, :4].mean((1, 2)) > x[:, 0, 4:].mean((1, 2))).astype(int)
    parts = [
        Examples(x[rows], y[rows]) for rows in np.split(np.arange(192), [128, 160])
    ]
    data = Dataset(2, *parts, 0.5, 0.29)
    monkeypatch.setattr(write_run.datasets, "load", lambda name: data)
    return data


ADAM = ("adam", 0.02)
RUN = resnet(
    "b", 8, 4, training_images=0, epochs=8, curve=8, optimiser=ADAM, shift=True
)


def test_a_run_leaves_its_outputs_curve_and_metrics_under_shift(data, tmp_path):
    assert write_run.write_run(RUN, tmp_path) > 0
    assert zoo_files.is_finished(RUN, tmp_path)
    (row,) = zoo_files.index(tmp_path)
    assert (row["name"], row["test_n"], row["calibration_n"]) == (
        RUN.name,
        32,
        32,
    )
    with np.load(tmp_path / f"{RUN.name}.npz") as arrays:
        assert arrays["test_y"].tolist() == data.test.y.tolist()
        right = arrays["test_logits"].argmax(1) == data.test.y
    assert row["test_accuracy"] == right.mean() and row["parameters"] > 1000
    lines = (tmp_path / "curves" / f"{RUN.name}.csv").read_text().splitlines()
    places = [line.split(",")[:3] for line in lines[1:]]
    assert places[:3] == [
        ["0", "0.000", "train"],
        ["0", "0.000", "test"],
        ["8", "4.000", "train"],
    ]
    assert places[-1] == ["16", "8.000", "test"] and len(places) == 6


def test_a_run_without_a_curve_and_shift_leaves_one_file(data, tmp_path):
    write_run.write_run(replace(RUN, curve=0, shift=False), tmp_path)
    assert len(list(tmp_path.rglob("*"))) == 1


def test_published_weights_are_not_trained(data, tmp_path, monkeypatch):
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 2))
    result = lambda depth: (model, replace(data, train=None), "")  # noqa: E731
    monkeypatch.setattr(write_run.pretrained, "published_network", result)
    run = replace(PUBLIC[0], shift=False)
    write_run.write_run(run, tmp_path)
    (row,) = zoo_files.index(tmp_path)
    assert (row["train_accuracy"], row["parameters"]) == ("", 130)
