"""Networks with labels that nobody can look up: real logits, labels drawn from a hidden distortion.

The true probability of each image is a distorted version of the network's own. It is known to the
scorer, so that the distance of a submission from the truth is known as well, without any noise.
"""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import calib
from calib.files import write_whole
from evidence.data import read_npz
from evidence.mean_intervals import half_width
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


@dataclass(frozen=True)
class Measures:
    """What is known of a submission: the loss of each image, ECE, and distance from the truth.

    The distance is the mean over images of half the sum of absolute differences of probabilities.
    """

    name: str
    losses: np.ndarray
    ece: float
    distance: float

    @property
    def nll(self) -> float:
        return float(self.losses.mean())


def measures_of(name: str, labels: Path, submission: Path) -> Measures:
    """Measure a submission; one without a row of probabilities for each image is a ValueError."""
    hidden = read_npz(labels.read_bytes())
    y, true = hidden["y"], hidden["true_prob"]
    q = _probabilities(submission, true.shape)
    rows, top = np.arange(len(y)), q.argmax(axis=1)
    with np.errstate(divide="ignore"):
        losses = -np.log(q[rows, y])
    distance = np.abs(true - q).sum(axis=1).mean() / 2
    return Measures(name, losses, calib.ece(top == y, q[rows, top]), distance)


def half_width_of_losses(losses: np.ndarray) -> float:
    """Return half the width of the 95 % interval of a mean; infinite where a loss is."""
    return float(half_width(losses)) if np.isfinite(losses).all() else np.inf


def is_decided(measures: Measures, before: Measures) -> bool:
    """Say whether a place is worse than the one before beyond chance, at 95 %.

    Both are judged on the same images. What these have in common cancels in the differences, as in
    `calib.paired_difference`: their interval is mostly far narrower than those of the two NLLs.
    """
    if np.isinf(measures.nll):
        return bool(np.isfinite(before.nll))
    more = measures.losses - before.losses
    return bool(more.mean() > half_width_of_losses(more))


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


def table_of_places(labels: Path, submissions: dict[str, Path | None]) -> str:
    """Return the table of places by NLL; below it, what could not be scored and why."""
    by_place, faults = _measured(labels, submissions)
    by_place.sort(key=lambda measures: measures.nll)
    columns = f"{'NLL (95 %)':>45}{'ECE':>15}  from the truth"
    head = f"place  name{columns}  more than the place before"
    lines = list(map(_line, by_place))
    for place in range(1, len(by_place)):
        lines[place] += f"  {_difference(by_place[place], by_place[place - 1])}"
    places = [f"{place:5}  {line}" for place, line in enumerate(lines, 1)]
    return "\n".join([head, *places, *faults])


def _line(measures: Measures) -> str:
    return (
        f"{measures.name[:36]:36}  {_with_half(measures.losses):15}"
        f"  {measures.ece:9.4f}  {measures.distance:14.4f}"
    )


def _difference(measures: Measures, before: Measures) -> str:
    """Return how much more NLL a place has than the one before, and whether that is decided."""
    if np.isinf(measures.nll):
        return "infinite" if is_decided(measures, before) else "undecided"
    text = _with_half(measures.losses - before.losses)
    return text if is_decided(measures, before) else f"{text} undecided"


def _with_half(losses: np.ndarray) -> str:
    return f"{losses.mean():.4f} ± {half_width_of_losses(losses):.4f}"


def _measured(
    labels: Path, submissions: dict[str, Path | None]
) -> tuple[list[Measures], list[str]]:
    """Return what is known of each submission, and why nothing is of the others."""
    measured, faults = [], []
    for name, path in submissions.items():
        if path is None:
            continue
        try:
            measured.append(measures_of(name, labels, path))
        except (OSError, ValueError) as problem:
            faults.append(f"  -  {name}: {problem}")
    return measured, faults
