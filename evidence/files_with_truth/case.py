"""A case: a file, how it is written and read, and what it should be read as."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

import calib_report
from calib_report import ModelOutputs
from evidence.files_with_truth.samples import CLASSES, Truth
from evidence.files_with_truth.writers import Write

Options = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A file, by whom it is written, and what it should be read as.

    Attributes
    ----------
    truth : tuple or None
        Labels and probabilities; None where the file is to be refused.
    options : dict
        With what it is read from the first try on; of `labels` the name of a file beside it.
    after : dict
        What a person types after a first refusal.
    shown : str
        A part of the error at the first try.
    """

    name: str
    tool: str
    write: Write = field(repr=False)
    truth: Truth | None = field(default=CLASSES, repr=False)
    options: Options = field(default_factory=dict)
    after: Options = field(default_factory=dict)
    shown: str = ""
    atol: float = 1e-6

    def __str__(self) -> str:
        """Say which file it is and what it should be read as, for a test that fails."""
        head = f"{self.name} as {self.tool or 'somebody'} writes it"
        if self.truth is None:
            return f"{head}, to be refused: {self.shown!r}"
        y, prob = self.truth
        labels = f"{len(y)} rows, labels {y[:9].tolist()} ..."
        if prob is None:
            return f"{head}, to be read as {labels}"
        first = prob[:2].round(4).tolist()
        return f"{head}, to be read as {labels}, probabilities {first} ..."


def is_right(case: Case, outputs: ModelOutputs) -> bool:
    """Tell whether outputs are the truth of a file, whatever the order of their classes."""
    if case.truth is None:
        return False
    y, prob = case.truth
    if prob is None and outputs.prob.shape[1] > 2:  # nobody knows the scores
        return len(outputs) == len(y)
    k = outputs.n_classes
    if prob is not None and prob.shape[1] != k:
        return False
    orders = map(np.array, permutations(range(k)) if k < 5 else [range(k)])
    return any(is_right_in(order, outputs, case.truth, case.atol) for order in orders)


def is_right_in(
    order: np.ndarray, outputs: ModelOutputs, truth: Truth, atol: float
) -> bool:
    """Tell whether outputs are labels and, where known, probabilities in an order of classes."""
    y, prob = truth
    if not np.array_equal(np.argsort(order)[outputs.y], y):
        return False
    return prob is None or np.allclose(outputs.prob[:, order], prob, rtol=0, atol=atol)


def in_folder(options: Mapping[str, Any], folder: Path) -> Options:
    """Return options in which the file of labels has its whole path."""
    if "labels" not in options:
        return {**options}
    return {**options, "labels": folder / options["labels"]}


def reading(
    case: Case, folder: Path, typed: Options
) -> tuple[ModelOutputs | None, str]:
    """Write a file into a folder and read it; return outputs, or None, and the error."""
    path = folder / case.name
    case.write(path)
    try:
        return calib_report.read(path, **in_folder(case.options | typed, folder)), ""
    except ValueError as error:
        return None, str(error)


def proposals(case: Case, folder: Path) -> tuple[list[Any], str]:
    """Return how a file could be read, the likeliest first, and why not where it could not."""
    options = in_folder(case.options, folder)
    try:
        return calib_report.propose(folder / case.name, **options), ""
    except ValueError as error:
        return [], str(error)
