"""From one row of the list of runs to its files."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from evidence.training import datasets, pretrained, train_trees, zoo_files
from evidence.training.datasets import Dataset, Examples
from evidence.training.index_settings import settings_in_index
from evidence.training.measured import curve_row, metrics_under_shift
from evidence.training.runs import Run
from evidence.training.seen import labels_of
from evidence.training.train import Watch, logits_of, train


def write_run(run: Run, folder: Path) -> float:
    """Train (or load) the network of a run; write its outputs, its curve and shift if asked for.

    Returns the processor seconds it took.
    """
    start = time.process_time()
    curve: list[dict[str, Any]] = []
    train_accuracy: float | str
    if run.is_published:
        model, data, train_accuracy = pretrained.published_network(run.depth)
    else:
        data = datasets.load(run.dataset)
        examples, y = labels_of(run, data)
        watch = curve_watch(curve, data, examples, y)
        if run.architecture == "treelstm":
            model, train_accuracy = train_trees.train(run, data, examples)
        else:
            model, train_accuracy = train(run, data, examples, y, watch)
    if curve:
        zoo_files.write_rows(folder / "curves" / f"{run.name}.csv", curve)
    if run.shift:
        shifted = metrics_under_shift(partial(logits_of, model, data=data), data)
        zoo_files.write_rows(folder / "shift" / f"{run.name}.csv", shifted)
    calibration = logits_of(model, data.calibration.x, data), data.calibration.y
    test = logits_of(model, data.test.x, data), data.test.y
    about = settings_in_index(run, data) | {
        "parameters": sum(p.numel() for p in model.parameters()),
        "train_accuracy": train_accuracy,
    }
    about |= zoo_files.about_outputs(calibration, test)
    zoo_files.write_outputs(run.name, calibration, test, about, folder)
    return time.process_time() - start


def curve_watch(
    rows: list[dict[str, Any]], data: Dataset, examples: Examples, y: np.ndarray
) -> Watch:
    """A `watch` for `train` that appends one row for the training and one for the test examples."""
    splits = {"train": (examples.x, y), "test": (data.test.x, data.test.y)}

    def watch(model: Any, step: int, epoch: float) -> None:
        for split, (x, labels) in splits.items():
            logits = logits_of(model, x, data)
            rows.append(curve_row(step, epoch, split, logits, labels))

    return watch
