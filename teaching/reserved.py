"""Networks with labels that nobody can look up: real logits, labels drawn from a hidden distortion.

The true probability of each image is a distorted version of the network's own. It is known to the
scorer, so that the distance of a submission from the truth is known as well, without any noise.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np

import calib
from calib.files import write_whole
from evidence.constants import ROUNDED_95
from evidence.data import read_npz
from evidence.simulate import drawn_labels


def true_probabilities(logits: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return true probabilities: flattened, and drawn a little towards some of the classes."""
    p = calib.softmax(np.asarray(logits, float) / rng.uniform(1.4, 2.2))
    share = rng.uniform(0.02, 0.08)
    favoured = calib.softmax(rng.normal(scale=0.4, size=(1, p.shape[1])))
    bent = p * (1 - share) + share * favoured
    return bent / bent.sum(axis=1, keepdims=True)


def write_reserved(
    logits: np.ndarray, seed: int, folder: Path, n_labelled: int = 2000
) -> None:
    """Write what students get, `reserved.npz`, and what the scorer keeps, `labels-keep.npz`."""
    rng = np.random.default_rng(seed)
    logits = np.asarray(logits, float)[rng.permutation(len(logits))]
    logits = logits[:, rng.permutation(logits.shape[1])]
    prob = true_probabilities(logits, rng)
    y = drawn_labels(prob, rng)
    head, tail = slice(None, n_labelled), slice(n_labelled, None)
    handed_out: dict[str, Any] = {
        "logits": logits[head],
        "y": y[head],
        "test_logits": logits[tail],
    }
    hidden: dict[str, Any] = {"y": y[tail], "true_prob": prob[tail]}
    folder.mkdir(parents=True, exist_ok=True)
    for name, arrays in (("reserved", handed_out), ("labels-keep", hidden)):
        content = io.BytesIO()
        np.savez_compressed(content, **arrays)
        write_whole(folder / f"{name}.npz", content.getvalue())


def measures_of(labels: Path, submission: Path) -> dict[str, float]:
    """Score a submission: NLL with its interval, ECE, and its distance from the truth.

    The distance is the mean over images of half the sum of absolute differences of probabilities.
    A file without one row of probabilities for each image is a ValueError.
    """
    hidden = read_npz(labels.read_bytes())
    y, true = hidden["y"], hidden["true_prob"]
    q = _probabilities(submission, true.shape)
    rows, top = np.arange(len(y)), q.argmax(axis=1)
    with np.errstate(divide="ignore"):
        losses = -np.log(q[rows, y])
    finite = np.isfinite(losses).all()
    half = ROUNDED_95 * losses.std() / np.sqrt(len(y)) if finite else np.inf
    distance = np.abs(true - q).sum(axis=1).mean() / 2
    ece = calib.ece(top == y, q[rows, top])
    return {"NLL": losses.mean(), "half": half, "ECE": ece, "distance": distance}


def _probabilities(submission: Path, shape: tuple[int, ...]) -> np.ndarray:
    """Return the probabilities of a file, or raise a ValueError that says what they are not."""
    handed_in = read_npz(submission.read_bytes())
    if "prob" not in handed_in:
        raise ValueError(f"{submission.name}: it holds no array prob")
    q = np.asarray(handed_in["prob"], float)
    if q.shape != shape:
        raise ValueError(
            f"{submission.name}: prob has the shape {q.shape}, expected {shape}"
        )
    between = np.isfinite(q).all() and q.min() >= 0
    if not between or not np.allclose(q.sum(axis=1), 1, atol=1e-4):
        raise ValueError(f"{submission.name}: the rows of prob are no probabilities")
    return q


def leaderboard(labels: Path, submissions: dict[str, Path | None]) -> str:
    """Return a table of places by NLL; below it, what could not be scored and why."""
    scored, faults = _scores(labels, submissions)
    scored.sort(key=lambda row: row["NLL"])
    lines = [f"place  name{'NLL (95 %)':>45}{'ECE':>15}  from the truth"]
    for place, row in enumerate(scored, 1):
        if place > 1 and row["NLL"] - row["half"] <= scored[place - 2]["NLL"]:
            row["name"] += " (undecided)"
        lines.append(
            f"{place:5}  {row['name'][:36]:36}  {row['NLL']:.4f} ± {row['half']:.4f}"
            f"  {row['ECE']:9.4f}  {row['distance']:14.4f}"
        )
    return "\n".join([*lines, *faults])


def _scores(
    labels: Path, submissions: dict[str, Path | None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the scores of what can be scored, and why the others cannot."""
    scored, faults = [], []
    for name, path in submissions.items():
        if path is None:
            continue
        try:
            scored.append({"name": name} | measures_of(labels, path))
        except (OSError, ValueError) as problem:
            faults.append(f"  -  {name}: {problem}")
    return scored, faults
