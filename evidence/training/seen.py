"""What a network sees in training: which examples, under which labels, in which order, and moved.

NumPy only.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import Run
from evidence.training.trees import Tree


def labels_of(run: Run, data: Dataset) -> tuple[Examples, np.ndarray]:
    """The training examples of a run and the labels it sees, noise included."""
    if data.train is None:
        raise ValueError(f"{run.dataset}: there is nothing to train on")
    n = run.training_images or len(data.train)
    rng = np.random.default_rng(run.seed)
    is_drawn = run.subset == "drawn"
    examples = data.train.take(
        rng.permutation(len(data.train))[:n] if is_drawn else np.arange(n)
    )
    return examples, with_label_noise(examples.y, run.label_noise, data.classes, rng)


def with_label_noise(
    y: np.ndarray, fraction: float, classes: int, rng: np.random.Generator
) -> np.ndarray:
    """Replace a fraction of the labels by another class at random."""
    y = y.copy()
    # so many labels exactly, not each by a coin
    rows = rng.permutation(len(y))[: round(fraction * len(y))]
    # 1 to K - 1 classes further: never the right one
    y[rows] = (y[rows] + rng.integers(1, classes, len(rows))) % classes
    return y


def rows_of_steps(
    n: int, batch: int, epochs: int, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """Yield the rows of each step, another order each epoch.

    Whole batches alone: what is left of an epoch waits for another order.
    """
    for _ in range(epochs):
        order = rng.permutation(n)
        yield from order[: n // batch * batch].reshape(-1, batch)


def trees_of_steps(
    trees: Sequence[Tree], rng: np.random.Generator, size: int = 50
) -> Iterator[list[Tree]]:
    """Trees of about one height together, since each level costs the same; all in random order."""
    heights = [tree.height[-1] for tree in trees]
    order = np.lexsort((rng.random(len(trees)), heights))
    pieces = np.array_split(order, -(-len(trees) // size))
    for piece in rng.permutation(len(pieces)):
        yield [trees[i] for i in pieces[piece]]


def moved_and_mirrored(
    x: np.ndarray, rng: np.random.Generator, padding: int = 4
) -> np.ndarray:
    """Images (n, channels, height, width), each moved by up to 4 pixels and mirrored, or not.

    What comes in from beyond the border is black.
    """
    n, _, height, width = x.shape
    border = (padding, padding)
    # a view of all windows costs no memory; one of each image is copied below
    padded = np.pad(x, ((0, 0), (0, 0), border, border))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (height, width), (2, 3))
    down, shift = rng.integers(0, 2 * padding + 1, (2, n))
    moved = windows[np.arange(n), :, down, shift]
    mirrored = rng.random((n, 1, 1, 1)) < 0.5
    return np.where(mirrored, moved[..., ::-1], moved)


def normalised(images: np.ndarray, data: Dataset) -> np.ndarray:
    """Images of bytes, or of shares of white, less the mean of the training pixels, over its sd."""
    is_bytes = images.dtype == np.uint8
    x = (images / np.float32(255) if is_bytes else images).astype(np.float32)
    return ((x - data.mean) / data.std).astype(np.float32)


def words_in_a_row(documents: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """The words of all documents in one long row, and where in it each begins."""
    starts = np.cumsum([0] + [len(document) for document in documents[:-1]])
    return np.concatenate(documents), starts
