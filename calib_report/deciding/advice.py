"""What to do, by size, and what to report, by situation: two tables, and the rows that apply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calib_report.limits import (
    FEWEST_FOR_SETS,
    FEWEST_SAMPLES,
    MOST_CLASSES,
    SMALL_SAMPLE,
)
from calib_report.schema import AdviceRow
from calib_report.texts import TEXTS

MAPS_BY_SIZE: list[dict[str, Any]] = TEXTS["choices"]


def size_of(n_classes: int) -> str:
    """Return the word of a number of classes in `MAPS_BY_SIZE`."""
    if n_classes <= 2:
        return "two"
    return "several" if n_classes <= MOST_CLASSES else "many"


def map_by_size(n: int, n_classes: int) -> dict[str, Any]:
    """Return the row of `MAPS_BY_SIZE` for n samples; pairs are of two classes.

    Examples
    --------
    >>> map_by_size(1500, 10)["leaf"], map_by_size(5000, 500)["name"]
    ('one temperature', 'many')

    The floor is one for all numbers of classes above two:

    >>> map_by_size(100, 1000)["leaf"]
    'one temperature'
    """
    return next(row for row in MAPS_BY_SIZE if _applies(row, n, n_classes))


def _applies(row: Mapping[str, Any], n: int, n_classes: int) -> bool:
    of_classes = "classes" not in row or size_of(n_classes) in row["classes"]
    of_each = n < row.get("a_class_below", np.inf) * n_classes
    return bool(of_classes and of_each and n < row.get("below", np.inf))


def _with_method(row: Any) -> AdviceRow:
    """Return a row of advice with what to do, of each size where the map depends on it."""
    if "method" in row:
        return row
    sizes = [size for size in MAPS_BY_SIZE if size["name"] in row["choices"]]
    method = "; ".join(f"{size['said']}: {size['do']}" for size in sizes)
    # of one size the row itself says which it is
    return row | {"method": sizes[0]["do"] if len(sizes) == 1 else method}


SITUATIONS: list[AdviceRow] = [_with_method(row) for row in TEXTS["situations"]]


@dataclass(frozen=True)
class Situation:
    """What of a report says which advice applies."""

    n: int
    clusters: int
    n_classes: int
    task: str
    fields: frozenset[str]  # that are not empty, or there at all

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> "Situation":
        fields: set[str] = {"costs", "priors"} & report.keys()
        if report.get("groups"):
            fields.add("groups")
        clusters = report.get("clusters") or 0
        sizes = report["n"], clusters, report["n_classes"]
        return cls(*sizes, report["task"], frozenset(fields))

    @property
    def units(self) -> int:
        """How many samples, or clusters of them, say something of their own."""
        return self.clusters or self.n

    @property
    def has_answers(self) -> bool:
        return self.task != "labels"


# by the word of a row of advice, when it applies
WHEN: dict[str, Callable[[Situation], bool]] = {
    "few": lambda situation: situation.units < FEWEST_SAMPLES,
    "some": lambda situation: FEWEST_SAMPLES <= situation.units < SMALL_SAMPLE,
    "many": lambda situation: (
        situation.task == "classes"
        and situation.units >= SMALL_SAMPLE
        and situation.n_classes <= MOST_CLASSES
    ),
    "too_many": lambda situation: situation.n_classes > MOST_CLASSES,
    "costs": lambda situation: "costs" in situation.fields,
    "declining": lambda situation: situation.has_answers,
    "sets": lambda situation: (
        situation.task == "classes"
        and situation.n >= FEWEST_FOR_SETS
        and situation.clusters == 0
    ),
    "grouped": lambda situation: "groups" in situation.fields and situation.has_answers,
    "clustered": lambda situation: situation.clusters > 0 and situation.has_answers,
    "labels": lambda situation: situation.task == "labels",
    "pairs": lambda situation: situation.task == "pairs",
    "priors": lambda situation: "priors" in situation.fields,
}


def advice(report: Mapping[str, Any]) -> list[AdviceRow]:
    """Return the rows of the table of advice, `SITUATIONS`, that apply to what a report says.

    Of a report count ``n``, ``clusters``, ``n_classes``, ``task``, and whether it has ``costs``,
    ``priors`` or ``groups``.
    """
    situation = Situation.of(report)
    return [row for row in SITUATIONS if WHEN[row["when"]](situation)]
