"""A long table, of a row for each sample and class, as one with a row a sample."""

from dataclasses import dataclass

import numpy as np

from calib_report.arrays import Arrays, Named, column_named
from calib_report.contract import Note, OptionError
from calib_report.options import Options


def widened_to_samples(arrays: Arrays, options: Options) -> Arrays:
    """Return a long table, of a row for each sample and class, with a row a sample."""
    if options.long is None:
        return arrays
    if options.y is None or options.scores is None or len(options.ids) != 1:
        raise OptionError("long", "say as well --ids, --y and --scores")
    named = arrays.named
    ids = column_named(named, options.ids[0], "ids").texts
    long = LongTable.of(ids, column_named(named, options.long, "long").texts)
    labels = column_named(named, options.y, "y").texts
    scores = column_named(named, options.scores, "scores").numbers
    long.refuse_holes()
    of_samples = {
        options.ids[0]: long.samples,
        options.y: long.labels_of_samples(labels),
        options.scores: long.wide(scores),
    }
    note = Note(
        f"{len(ids)} rows are {len(long.samples)} samples of {len(long.classes)} "
        "classes."
    )
    return arrays.replaced(
        named=long.constant(named) | of_samples,
        classes=long.classes.tolist(),
        notes=[*arrays.notes, note],
    )


@dataclass(frozen=True, eq=False)
class LongTable:
    """A table with a row for each sample and class.

    Attributes
    ----------
    samples : ndarray, shape (n,)
        Names of the samples, as they first stand.
    first_row : ndarray of int, shape (n,)
        The row where each first stands.
    classes : ndarray, shape (K,)
    sample_of_row, class_of_row : ndarray of int, shape (n * K,)
        The number of the sample, and of the class, of each row.
    """

    samples: np.ndarray
    first_row: np.ndarray
    classes: np.ndarray
    sample_of_row: np.ndarray
    class_of_row: np.ndarray

    @classmethod
    def of(cls, ids: np.ndarray, of_class: np.ndarray) -> "LongTable":
        samples, first, place = np.unique(ids, return_index=True, return_inverse=True)
        classes, column = np.unique(of_class, return_inverse=True)
        # unique sorts the ids, and the file's order is what a user knows
        order = np.argsort(first)
        number = np.argsort(order)[place]
        return cls(samples[order], first[order], classes, number, column)

    def refuse_holes(self) -> None:
        """Refuse a table that has not one row for each cell of the wide one."""
        n, k = len(self.samples), len(self.classes)
        cell = self.sample_of_row * k + self.class_of_row
        if len(cell) != n * k or len(np.unique(cell)) < len(cell):
            problem = (
                f"{len(cell)} rows are not one for each of {n} samples and {k} classes"
            )
            raise OptionError("long", problem)

    def wide(self, scores: np.ndarray) -> np.ndarray:
        """Return scores with a row a sample, and a column a class."""
        # every cell is filled: there are no holes
        wide = np.empty((len(self.samples), len(self.classes)), scores.dtype)
        wide[self.sample_of_row, self.class_of_row] = scores
        return wide

    def constant(self, named: Named) -> dict[str, np.ndarray]:
        """Return what says the same in all rows of a sample: it is of the sample."""
        columns = {name: column for name, column in named.items() if column.ndim == 1}
        return {
            n: c[self.first_row] for n, c in columns.items() if self._is_constant(c)
        }

    def _is_constant(self, column: np.ndarray) -> bool:
        return bool((column == column[self.first_row][self.sample_of_row]).all())

    def labels_of_samples(self, entries: np.ndarray) -> np.ndarray:
        """Return the label of each sample: where 1 marks its class, or as all its rows say."""
        if self._are_marks(entries):
            return self._marked_classes(entries == "1")
        self._refuse_other_labels(entries)
        return entries[self.first_row]

    def _refuse_other_labels(self, entries: np.ndarray) -> None:
        """Refuse labels that differ within a sample, with the first row that does."""
        expected = entries[self.first_row][self.sample_of_row]
        rows = np.flatnonzero(entries != expected)
        if len(rows):
            row, sample = rows[0], self.samples[self.sample_of_row[rows[0]]]
            raise OptionError(
                "long",
                f"row {row} has the label {str(entries[row])!r}, and the first row of its "
                f"sample, {str(sample)!r}, {str(expected[row])!r}",
            )

    def _are_marks(self, entries: np.ndarray) -> bool:
        """Tell whether labels are 0 and 1, and these are not the classes themselves."""
        marks = {"0", "1"}
        return {*entries.tolist()} <= marks and not marks <= {*self.classes.tolist()}

    def _marked_classes(self, is_marked: np.ndarray) -> np.ndarray:
        """Return the class of the marked row of each sample."""
        rows = np.flatnonzero(is_marked)
        counts = np.bincount(self.sample_of_row[rows], minlength=len(self.samples))
        strange = np.flatnonzero(counts != 1)
        if len(strange):
            sample = str(self.samples[strange[0]])
            raise OptionError(
                "long",
                f"{counts[strange[0]]} rows of the sample {sample!r} have the label 1, "
                "expected one",
            )
        return self.classes[
            self.class_of_row[rows[np.argsort(self.sample_of_row[rows])]]
        ]
