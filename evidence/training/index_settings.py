"""What the list of runs says of a run, in the terms of the zoo's index."""

from typing import Any

from evidence.training.datasets import Dataset
from evidence.training.runs import Run

FAMILIES = {
    "resnet": "ResNet",
    "convnet": "ConvNet",
    "cnn": "two-layer CNN",
    "vit": "ViT",
    "mixer": "MLP-Mixer",
    "dan": "DAN",
    "treelstm": "TreeLSTM",
}


# what their authors say of published networks, and what is not known of them
OF_PUBLISHED = {
    "initialisation": "",
    "subset": "",
    "precision": "",
    "epochs": 200,
    "stopping_rule": "published weights",
    "seed": "",
}


def settings_in_index(run: Run, data: Dataset) -> dict[str, Any]:
    """What the list of runs says of a run, in the index's terms."""
    n_training = (
        50_000 if data.train is None else run.training_images or len(data.train)
    )
    settings = {
        "block": run.block,
        "dataset": run.dataset.removesuffix("-test"),
        "architecture": f"{run.architecture}{run.depth}",
        "family": FAMILIES[run.architecture],
        "depth": run.depth,
        "width": run.width,
        "batch_norm": run.batch_norm,
        "initialisation": run.initialisation,
        "loss": run.loss,
        "weight_decay": run.weight_decay,
        "label_noise": run.label_noise,
        "training_images": n_training,
        "subset": run.subset,
        "augmentation": run.augmentation,
        "precision": run.precision,
        "epochs": run.epochs,
        "stopping_rule": stopping_rule(run),
        "seed": run.seed,
    }
    return settings | (OF_PUBLISHED if run.is_published else {})


def stopping_rule(run: Run) -> str:
    if run.patience:
        return (
            f"best on the calibration set, {run.patience} epochs without a better one"
        )
    return f"after {run.epochs} epochs"
