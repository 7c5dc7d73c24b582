"""From labels and scores in any of their usual shapes to labels (n,) and scores (n, K)."""

from typing import Any

import numpy as np

from calib.checks import (
    ATOL,
    ATOL_HALF,
    NUMBERS_OF_A_LARGE_ARRAY,
    check_labels,
    check_logits,
    check_not_masked,
    check_pairs,
    check_probabilities,
    is_bfloat16,
    refuse_probabilities,
)
from calib.reading.roles import few


def told_kind(scores: Any) -> str:
    """Return what scores are whose name does not say it: "logits" or "probabilities".

    Only what cannot be the other is told; anything else is an error.

    Examples
    --------
    >>> told_kind(np.array([[0.9, 0.1]])), told_kind(np.array([[2.0, -1.0]]))
    ('probabilities', 'logits')
    """
    if scores.dtype.kind not in "biuf" or scores.size == 0 or np.isnan(scores).any():
        return "logits"  # whose check says what is wrong
    low, high = scores.min(), scores.max()
    if scores.ndim == 1 or scores.shape[1] == 1:
        return "probabilities" if low >= 0 and high <= 1 else "logits"
    within = ATOL_HALF if scores.dtype == np.float16 or is_bfloat16(scores) else ATOL
    if low < 0 or high > 1:
        _refuse_a_few_rows(scores, within)
    if low < 0:
        return "logits"
    total = scores.sum(axis=1, dtype=float)
    if np.abs(total - 1).max() <= within:
        return "probabilities"
    if high > 1 and np.ptp(total) <= 1e-3 * total.max():
        raise ValueError(f"rows of scores sum to {total[0]:g}: divide them by it")
    if high > 1:
        return "logits"
    row = int(np.abs(total - 1).argmax())
    raise ValueError(
        f"scores between 0 and 1 whose rows do not all sum to one (row {row}: {total[row]:.6g}): "
        "say --kind logits, or --kind probabilities with --atol if they were rounded"
    )


def _refuse_a_few_rows(scores: Any, within: float) -> None:
    """Refuse probabilities of which a few are none: logits do not sum to one in most rows."""
    head = np.where(np.isneginf(scores[:1000]), 0, scores[:1000])
    off = np.abs(head.sum(axis=1, dtype=float) - 1) > within
    if np.mean(off | (head < 0).any(axis=1)) < 0.5:
        row, k = np.argwhere((scores < 0) | (scores > 1))[0]
        raise ValueError(
            f"most rows are probabilities, but row {row} holds {scores[row, k]:g}: mend it, or say "
            "--kind logits"
        )


def flattened(y: Any, scores: Any, class_axis: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels and scores of all places, and the number of the image of each.

    Scores (n, K, ...) or (n, ..., K) go with labels (n, ...).
    """
    fitting = [
        axis
        for axis in (1, scores.ndim - 1)
        if np.delete(scores.shape, axis).tolist() == list(y.shape)
    ]
    if class_axis is not None:
        fitting = [axis for axis in fitting if axis == class_axis % scores.ndim]
    if not fitting:
        raise ValueError(
            f"scores {scores.shape} and labels {y.shape}: the labels should have the shape of the "
            "scores without their axis of classes, the second or the last"
        )
    if len(set(fitting)) > 1:
        raise ValueError(f"scores {scores.shape}: which axis is the classes? --class-axis 1 or -1")
    scores = np.moveaxis(scores, fitting[0], -1)
    image = np.repeat(np.arange(len(y)), y[0].size)
    return y.reshape(-1), scores.reshape(-1, scores.shape[-1]), image


def two_columns(scores: Any, kind: Any) -> np.ndarray:
    """Return scores of the second of two classes as scores of both."""
    scores = scores.reshape(-1)
    if kind == "probabilities":
        check_pairs(scores, np.zeros(len(scores)), names=("probabilities", "y"))
        scores = scores.astype(np.promote_types(scores.dtype, np.float32), copy=False)
        return np.column_stack([1 - scores, scores])
    return np.column_stack([-scores / 2, scores / 2])


def is_zero_one(y: Any) -> bool:
    return y.dtype.kind in "biuf" and bool(np.isin(y, (0, 1)).all())


def numbered(y: Any, classes: Any, n_classes: int, labels_from: Any, name: str = "y") -> np.ndarray:
    """Return labels as numbers from 0; a label is a number, or the name of a class.

    Examples
    --------
    >>> numbered(np.array(["dog", "cat"]), ["cat", "dog"], 2, 0)
    array([1, 0])
    """
    y = y.reshape(-1) if y.ndim == 2 and y.shape[1] == 1 else y
    if y.dtype.kind in "US":
        values, place = np.unique(np.char.strip(y.astype(str)), return_inverse=True)
        named = {str(label): k for k, label in enumerate(classes or [])}
        if any(name.lstrip("-").isdecimal() for name in named):
            named = {}
        unknown = [str(v) for v in values if v not in named and not v.lstrip("-").isdecimal()]
        if unknown and not classes:
            raise ValueError(
                f"{name}: labels are names, such as {unknown[0]!r}; name the {n_classes} "
                "classes in the order of the scores: --classes FILE"
            )
        if unknown:
            row = int(np.flatnonzero(values[place] == unknown[0])[0])
            raise ValueError(
                f"{name}: row {row} is {unknown[0]!r}, expected a number or the name of a class, "
                f"{few(list(classes))}"
            )
        y = np.array([named[v] if v in named else int(v) - labels_from for v in values])[place]
    elif labels_from:
        y = y - labels_from
    if n_classes == 2 and set(np.unique(y)[:3].tolist()) == {-1, 1}:
        y = (y + 1) // 2
    return y


def advised(y: Any, n_classes: int, n: Any, name: str) -> np.ndarray:
    """Return checked labels; of labels 1 to K the error says what to do."""
    try:
        return check_labels(y, n_classes, n=n, name=name)
    except ValueError as error:
        if y.dtype.kind in "iuf" and y.size and y.min() == 1 and y.max() == n_classes:
            raise ValueError(f"{error}; if labels count from 1, say --labels-from 1") from None
        raise


def check_kind(scores: Any, kind: Any, name: str, atol: Any) -> tuple[np.ndarray, float]:
    """Return checked logits or probabilities, and how far from one sums of rows were at most."""
    if kind == "probabilities":
        atol = ATOL_HALF if atol is None and is_bfloat16(scores) else atol
        p = check_probabilities(scores, atol=atol, name=name)
        if atol is None:
            return _narrow(p), 0.0
        total = p.sum(axis=1, keepdims=True, dtype=np.float64)
        return _narrow(p / total), float(np.abs(total - 1).max())
    if atol is not None:
        raise ValueError("atol is for probabilities; this file holds logits")
    z = check_logits(scores, name=name)
    refuse_probabilities(z, name)
    return _narrow(z), 0.0


def check_set(
    y: Any, scores: Any, kind: Any, prefix: str, atol: Any
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return checked labels and scores, and how far from one sums of rows were at most."""
    scores, off = check_kind(scores, kind, f"{prefix}{kind}", atol)
    y = advised(y, scores.shape[1], len(scores), f"{prefix}y")
    if kind == "logits":
        check_not_masked(scores, y)
    return y, scores, off


def _narrow(scores: Any) -> np.ndarray:
    """Return large arrays in float32, which halves what a report needs of memory."""
    large = scores.size >= NUMBERS_OF_A_LARGE_ARRAY and scores.itemsize > 4
    return scores.astype(np.float32) if large else scores


def names_of_classes(names: Any, n_classes: int, labels_from: Any = 0) -> list[Any] | None:
    """Return names of classes as text, checked; None where there are none."""
    if not names:
        return None
    names = [str(name) for name in names]
    if len(names) != n_classes or len(set(names)) != n_classes:
        raise ValueError(f"classes: {len(set(names))} different names for {n_classes} classes")
    numbers = [str(k + labels_from) for k in range(n_classes)]
    if names != numbers and all(name.lstrip("-").isdecimal() for name in names):
        raise ValueError(
            f"classes: they are named {few(names)}, so it is not known which class a label is; "
            f"expected {labels_from} to {n_classes - 1 + labels_from} in this order, or names that "
            "are no numbers; labels that count from 1 are read with --labels-from 1"
        )
    return names
