"""The calibration set of a file: its columns, what is said of it, and its errors."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from calib_report.arrays import Arrays, Named
from calib_report.columns.rows import chosen_rows
from calib_report.columns.samples import Samples
from calib_report.columns.sets import names_in_file, row_options_of_sets, sets_of
from calib_report.contract import (
    Changes,
    ReadingError,
    all_called,
    is_called_scores,
)
from calib_report.options import OF_CALIBRATION_SET, Options


@dataclass(frozen=True, eq=False)
class CalibrationSet:
    """Arrays of a calibration set, by their names without the word of the set, such as ``val``.

    Attributes
    ----------
    named : dict of array
    full_names : dict of str
        What these arrays are called in the file.
    rows : Options
        Which of their rows are read.
    """

    named: dict[str, np.ndarray]
    full_names: Mapping[str, str]
    rows: Options

    def chosen(self) -> Arrays:
        """Return the rows that are read, and what names say of the columns."""
        y, scores = _only_called(self.named, "labels"), _only_scores(self.named)
        return chosen_rows(Arrays(self.named, y=y, scores=scores), self.rows)

    def options_like(self, samples: Samples, options: Options) -> Options:
        """Return what is said of this set, which is of the classes of the samples to judge."""
        same = {name: getattr(options, name) for name in OF_CALIBRATION_SET}
        if samples.task == "classes":
            same["classes"] = samples.classes
        # a column has the name of that of the samples, or one that the contract knows
        for role in ("y", "scores"):
            name = getattr(options, role)
            same[role] = name if name in self.named else None
        # of labels in columns, single entries are left out where these are coded
        same["leave_out_empty"] = self.rows.leave_out_empty
        return Options(**same)

    @contextmanager
    def naming_errors(self) -> Iterator[None]:
        """Say of an error that it is of the calibration set, with what can be typed."""
        try:
            yield
        except ReadingError as error:
            problem = f"calibration set (--ignore NAME leaves it out): {error.problem}"
            raise ReadingError(
                problem, *self._suggestions_to_type(error.suggestions)
            ) from None

    def _suggestions_to_type(self, suggestions: Sequence[Changes]) -> Iterator[Changes]:
        """Yield the suggestions that can be typed of this set, with the names of the file."""
        for suggestion in suggestions:
            if {*suggestion} == {"leave_out_empty"}:
                names = [
                    self.full_names[name] for name in suggestion["leave_out_empty"]
                ]
                yield {"leave_out_empty": tuple(names)}
            # the other names of columns are the set's own, without its word
            elif {*suggestion} <= {*OF_CALIBRATION_SET} - {"predicted"}:
                yield suggestion


def rows_and_calibration_set(
    arrays: Arrays, options: Options
) -> tuple[Arrays, CalibrationSet | None]:
    """Return the rows to judge of a file, and its calibration set where it holds one."""
    to_judge, calibration = sets_of(arrays.named, options)
    rows, rows_of_calibration = row_options_of_sets(calibration, options)
    # rows first: what is left out must not speak against the rest
    chosen = chosen_rows(arrays.replaced(named=to_judge), rows)
    if not calibration:
        return chosen, None
    full_names = names_in_file(calibration, arrays.named, options)
    return chosen, CalibrationSet(calibration, full_names, rows_of_calibration)


def _only_called(named: Named, what: str) -> str | None:
    names = all_called(named, what)
    return names[0] if len(names) == 1 else None


def _only_scores(named: Named) -> str | None:
    names = list(filter(is_called_scores, named))
    return names[0] if len(names) == 1 else None
