"""Labels and scores, row by row, and what stands beside them."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from calib_report.contract import NAMES, Note, ReadingError, ScoreKind
from calib_report.values import Column


@dataclass(frozen=True, eq=False)
class Samples:
    """Labels and scores, row by row, and what stands beside by (what it is for, name).

    Labels are as the file holds them until `coded`, then numbers from 0.
    """

    y: np.ndarray
    scores: np.ndarray
    y_name: str
    columns: tuple[str, ...]
    classes: tuple[str, ...] | None = None
    kind: ScoreKind | None = None
    task: str = "classes"
    side_columns: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    coded: bool = False

    def replaced(self, **changes: object) -> "Samples":
        return replace(self, **changes)  # type: ignore[arg-type]

    @cached_property
    def labels(self) -> Column:
        return Column(self.y_name, self.y)

    @property
    def in_one_column(self) -> bool:
        return self.scores.size == len(self.scores) and len(self.columns) == 1

    def names_of(self, role: str) -> list[str]:
        """Return the names of what stands beside for something, such as "ids"."""
        return [name for other, name in self.side_columns if other == role]

    def with_rows(
        self, chosen: np.ndarray, y: np.ndarray, scores: np.ndarray
    ) -> "Samples":
        """Return other labels and scores, and what stands beside the chosen rows."""
        last = int(np.max(chosen, initial=0))
        for (role, name), array in self.side_columns.items():
            # what stands beside has to reach the last row that is chosen
            if len(array) <= last or array.ndim != 1:
                raise ReadingError(
                    f"{name!r} ({role}): shape {array.shape}, and {len(self.y)} labels",
                    {"ignore": (name,)},
                )
        side_columns = {key: array[chosen] for key, array in self.side_columns.items()}
        return self.replaced(y=y, scores=scores, side_columns=side_columns)


def says_confidence(name: str) -> bool:
    """Tell whether a name says that a column is the confidence in an answer."""
    words = name.lower().replace("-", "_").replace(" ", "_").split("_")
    return not {*words}.isdisjoint(NAMES["confidence"])
