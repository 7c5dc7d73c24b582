"""The zoo's files: one network's outputs, and the index of what is there. NumPy only."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from calib.files import write_whole
from evidence.data import csv_bytes, csv_rows
from evidence.training.runs import Run

Pair = tuple[np.ndarray, np.ndarray]  # logits (n, K) and labels (n,)

COLUMNS_OF_ZOO = (
    "name block dataset architecture family parameters depth width batch_norm initialisation loss "
    "weight_decay label_noise training_images subset augmentation precision epochs stopping_rule "
    "seed train_accuracy test_accuracy calibration_n test_n float16_note sha256"
).split()


TOLD = 1e-4  # by how much rounding moves a metric, for the index to say so
LARGEST = 60_000  # of logits in float16, which ends at 65 504


def write(path: Path, content: bytes) -> None:
    """Write a file whole, in a folder that is made where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    write(path, csv_bytes(rows))


def write_outputs(
    name: str, calibration: Pair, test: Pair, about: dict[str, Any], folder: Path
) -> None:
    """Write NAME.npz from two pairs of logits (n, K) and labels (n,)."""
    arrays: dict[str, Any] = {}
    for split, (logits, y) in {"calibration": calibration, "test": test}.items():
        arrays[f"{split}_logits"] = as_float16(logits)
        arrays[f"{split}_y"] = np.asarray(y, np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer, **arrays, about=np.array(json.dumps({"name": name} | about))
    )
    write(folder / f"{name}.npz", buffer.getvalue())


def about_outputs(calibration: Pair, test: Pair) -> dict[str, Any]:
    """What the index says of a network's outputs."""
    logits, y = test
    return {
        "test_accuracy": float(np.mean(logits.argmax(1) == y)),
        "calibration_n": len(calibration[1]),
        "test_n": len(y),
        "float16_note": float16_note(y, logits),
    }


def as_float16(logits: np.ndarray) -> np.ndarray:
    """Logits in float16, less their row's maximum where that makes them fit."""
    # a softmax does not see what all logits of a row share
    if np.abs(logits).max() > LARGEST:
        logits = np.maximum(logits - logits.max(1, keepdims=True), -LARGEST)
    return logits.astype(np.float16)


def float16_note(y: np.ndarray, logits: np.ndarray) -> str:
    """The metrics that rounding the logits to float16 moves by `TOLD` or more, and by how much."""
    import calib

    exact, rounded = (
        calib.softmax(np.float64(z)) for z in (logits, as_float16(logits))
    )
    moved = {
        metric.__name__: metric(y, rounded) - metric(y, exact)
        for metric in (calib.ece, calib.nll, calib.brier)
    }
    told = {name: by for name, by in moved.items() if abs(by) >= TOLD}
    return " ".join(f"{name}={by:+.5f}" for name, by in told.items())


def files_of_run(run: Run, folder: Path) -> list[Path]:
    """The files that a run leaves; it is finished when all are there."""
    paths = [folder / f"{run.name}.npz"]
    if run.curve:
        paths.append(folder / "curves" / f"{run.name}.csv")
    if run.shift:
        paths.append(folder / "shift" / f"{run.name}.csv")
    return paths


def is_finished(run: Run, folder: Path) -> bool:
    return all(path.exists() for path in files_of_run(run, folder))


def read_about(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as arrays:
        return json.loads(str(arrays["about"]))


def index(folder: Path) -> list[dict[str, Any]]:
    """The rows of zoo.csv, from the files alone."""
    rows = []
    for path in sorted(folder.glob("*.npz")):
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        rows.append(
            dict.fromkeys(COLUMNS_OF_ZOO, "") | read_about(path) | {"sha256": sha256}
        )
    return rows


def add_seconds(name: str, seconds: float, folder: Path) -> None:
    """Note the processor time of a run in seconds.csv, the only file that no run can repeat."""
    path = folder / "seconds.csv"
    rows = csv_rows(path.read_bytes()) if path.exists() else []
    seconds_of = {row["name"]: row["seconds"] for row in rows}
    seconds_of[name] = str(round(seconds))
    write_rows(
        path, [{"name": key, "seconds": seconds_of[key]} for key in sorted(seconds_of)]
    )


def write_index(folder: Path) -> None:
    rows = index(folder)
    if rows:
        write_rows(folder / "zoo.csv", rows)
