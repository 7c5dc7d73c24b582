"""A saved map, and what its file says of the outputs that it was fitted on."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import calib
from calib_report.checked_numbers import number_in_json
from calib_report.measuring.tables import ENDS_OF_RANGES, confidences

MOST_COUNTED = 2**53  # samples, beyond which floats do not count


@dataclass(frozen=True)
class Confidences:
    """The mean confidence of samples, and how many lie in each range."""

    mean: float
    counts: np.ndarray

    @classmethod
    def of(cls, p: np.ndarray) -> "Confidences":
        """Return those of probabilities, (n, K)."""
        numbers = confidences(p)
        return cls(numbers["mean"], np.array(numbers["counts"]))

    @classmethod
    def saved(cls, numbers: Any, path: Any) -> "Confidences":
        """Return those that a file of a map holds, or say what is wrong with them."""
        fields = numbers if isinstance(numbers, dict) else {}
        mean = number_in_json(fields.get("mean"), f"{path}: confidences: mean")
        counts = fields.get("counts")
        if not 0 <= mean <= 1:
            raise ValueError(f"{path}: confidences: mean is {mean}, expected 0 to 1")
        if not _are_counts(counts):
            expected = f"{len(ENDS_OF_RANGES)} counts, not all of them 0"
            raise ValueError(
                f"{path}: confidences: counts {counts!r:.40}, expected {expected}"
            )
        return cls(mean, np.array(counts))


def _are_counts(counts: Any) -> bool:
    """Tell whether there is a number of samples for each range, and any sample at all."""
    if not isinstance(counts, list) or len(counts) != len(ENDS_OF_RANGES):
        return False
    whole = all(type(count) is int and 0 <= count < MOST_COUNTED for count in counts)
    return whole and any(counts)


@dataclass(frozen=True)
class SavedMap:
    """A fitted map, and what its file says of the outputs that it was fitted on."""

    path: Any
    fitted: Any
    about: dict[str, Any]

    @classmethod
    def read(cls, path: Any) -> "SavedMap":
        """Return the map that a file holds, checked, and all that the file says of it."""
        fitted = calib.load_map(path)
        return cls(path, fitted, json.loads(Path(path).read_text("utf-8")))

    @property
    def classes(self) -> list[str] | None:
        return self.about["classes"]

    @property
    def is_of_questions(self) -> bool:
        """Whether each score is the answer to a yes-or-no question of its own."""
        return self.about.get("task") == "labels"

    def confidences(self) -> Confidences | None:
        """Return those that it was fitted on, checked; None where its file does not tell."""
        if "confidences" not in self.about:
            return None
        return Confidences.saved(self.about["confidences"], self.path)
