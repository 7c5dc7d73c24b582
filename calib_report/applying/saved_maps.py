"""A saved map, and what its file says of the outputs that it was fitted on."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import calib
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
        mean, counts = fields.get("mean"), fields.get("counts")
        if not isinstance(mean, int | float) or not 0 <= mean <= 1:
            raise ValueError(f"{path}: confidences: mean {mean!r:.40}, expected 0 to 1")
        if not _are_counts(counts):
            expected = f"{len(ENDS_OF_RANGES)} counts, not all of them 0"
            raise ValueError(
                f"{path}: confidences: counts {counts!r:.40}, expected {expected}"
            )
        return cls(float(mean), np.array(counts))


def _are_counts(counts: Any) -> bool:
    """Tell whether there is a number of samples for each range, and any sample at all."""
    if not isinstance(counts, list) or len(counts) != len(ENDS_OF_RANGES):
        return False
    whole = all(type(count) is int and 0 <= count < MOST_COUNTED for count in counts)
    return whole and any(counts)


def saved_map(path: Any) -> tuple[Any, dict[str, Any]]:
    fitted = calib.load_map(path)
    return fitted, json.loads(Path(path).read_text("utf-8"))


@dataclass(frozen=True)
class SavedMap:
    """A fitted map, and what its file says of the outputs that it was fitted on."""

    fitted: Any
    about: dict[str, Any]

    @property
    def classes(self) -> list[str] | None:
        return self.about["classes"]

    @property
    def is_of_questions(self) -> bool:
        """Whether each score is the answer to a yes-or-no question of its own."""
        return self.about.get("task") == "labels"

    def confidences(self, path: Any) -> Confidences | None:
        """Return those that it was fitted on, checked before anything is written."""
        if "confidences" not in self.about:
            return None
        return Confidences.saved(self.about["confidences"], path)
