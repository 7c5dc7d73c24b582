"""From one row of the list of runs to its files."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import calib
from evidence.training import datasets, pretrained, train_trees, zoo_files
from evidence.training.corruptions import CORRUPTIONS, SEVERITIES, corrupt
from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import Run
from evidence.training.train import Watch, labels_of, logits_of, train

FAMILIES = {
    "resnet": "ResNet",
    "convnet": "ConvNet",
    "cnn": "two-layer CNN",
    "vit": "ViT",
    "mixer": "MLP-Mixer",
    "dan": "DAN",
    "treelstm": "TreeLSTM",
}
SHIFT_IMAGES = 2000
CURVE_METRICS = (
    "accuracy nll brier ece mce classwise_ece ace tace psce ks_error".split()
)
SHIFT_METRICS = ("accuracy", "nll", "brier", "ece", "ks_error")


def write_run(run: Run, folder: Path) -> float:
    """Train (or load) the network of a run; write its outputs, its curve and shift if asked for.

    Returns the processor seconds it took.
    """
    start = time.process_time()
    curve: list[dict[str, Any]] = []
    train_accuracy: float | str
    if run.dataset == "cifar10-test":
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
        zoo_files.write_rows(
            folder / "shift" / f"{run.name}.csv", metrics_under_shift(model, data)
        )
    calibration = logits_of(model, data.calibration.x, data), data.calibration.y
    test = logits_of(model, data.test.x, data), data.test.y
    about = settings_in_index(run, data) | {
        "parameters": sum(p.numel() for p in model.parameters()),
        "train_accuracy": train_accuracy,
        "test_accuracy": float(np.mean(test[0].argmax(1) == test[1])),
        "calibration_n": len(calibration[1]),
        "test_n": len(test[1]),
        "float16_note": zoo_files.float16_note(test[1], test[0]),
    }
    zoo_files.write_outputs(run.name, calibration, test, about, folder)
    return time.process_time() - start


def settings_in_index(run: Run, data: Dataset) -> dict[str, Any]:
    """What the list of runs says of a run, in the index's terms."""
    trained = run.dataset != "cifar10-test"
    n_training = (
        50_000 if data.train is None else run.training_images or len(data.train)
    )
    return {
        "block": run.block,
        "dataset": run.dataset.removesuffix("-test"),
        "architecture": f"{run.architecture}{run.depth}",
        "family": FAMILIES[run.architecture],
        "depth": run.depth,
        "width": run.width,
        "batch_norm": run.batch_norm,
        "initialisation": run.initialisation if trained else "",
        "loss": run.loss,
        "weight_decay": run.weight_decay,
        "label_noise": run.label_noise,
        "training_images": n_training,
        "subset": run.subset if trained else "",
        "augmentation": run.augmentation,
        "precision": run.precision if trained else "",
        "epochs": run.epochs if trained else 200,
        "stopping_rule": stopping_rule(run) if trained else "published weights",
        "seed": run.seed if trained else "",
    }


def stopping_rule(run: Run) -> str:
    if run.patience:
        return (
            f"best on the calibration set, {run.patience} epochs without a better one"
        )
    return f"after {run.epochs} epochs"


def metrics_as_text(
    y: np.ndarray, p: np.ndarray, names: Sequence[str]
) -> dict[str, str]:
    return {name: f"{getattr(calib, name)(y, p):.6g}" for name in names}


def curve_watch(
    rows: list[dict[str, Any]], data: Dataset, examples: Examples, y: np.ndarray
) -> Watch:
    """A `watch` for `train` that appends one row for the training and one for the test examples."""

    def watch(model: Any, step: int, epoch: float) -> None:
        for split, x, labels in (
            ("train", examples.x, y),
            ("test", data.test.x, data.test.y),
        ):
            # in double precision, as the tables of the book are
            p = calib.softmax(logits_of(model, x, data).astype(float))
            rows.append(
                {"step": step, "epoch": f"{epoch:.3f}", "split": split}
                | metrics_as_text(labels, p, CURVE_METRICS)
            )

    return watch


def metrics_under_shift(model: Any, data: Dataset) -> list[dict[str, Any]]:
    """Metrics on the first test images, clean and corrupted, as they are and temperature-scaled."""
    temperature = calib.TemperatureScaling().fit(
        logits_of(model, data.calibration.x, data).astype(float), data.calibration.y
    )
    # the same images for every network and corruption: differences are paired
    x, y = np.asarray(data.test.x[:SHIFT_IMAGES]), data.test.y[:SHIFT_IMAGES]
    cases = [("clean", "clean", 0)]
    for name, (_, group) in CORRUPTIONS.items():
        cases += [(name, group, severity) for severity in SEVERITIES]
    rows = []
    for name, group, severity in cases:
        images = x if name == "clean" else corrupt(x, name, severity)
        z = logits_of(model, images, data).astype(float)
        case = {"corruption": name, "group": group, "severity": severity}
        predicted = {
            "none": calib.softmax(z),
            "temperature": temperature.predict_proba(z),
        }
        for calibrator, p in predicted.items():
            rows.append(
                case | {"calibrator": calibrator} | metrics_as_text(y, p, SHIFT_METRICS)
            )
    return rows
