"""A reading: what is label, what is score, which rows, and what comes of it; built once."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any

from calib_report.arrays import Arrays
from calib_report.columns.labels_and_scores import samples_of
from calib_report.columns.long_table import widened_to_samples
from calib_report.columns.samples import Samples
from calib_report.contract import (
    ROW,
    Doubter,
    Note,
    ReadingError,
    as_typed,
    is_called,
)
from calib_report.doubting import doubts
from calib_report.doubting.copies import copies, refuse_rows_in_both_sets
from calib_report.doubting.signs import notes_of_signs
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.reading.calibration_set import (
    CalibrationSet,
    rows_and_calibration_set,
)
from calib_report.reading.outputs_of_samples import outputs_of
from calib_report.reading.remarks import note_of_copies, read_as, remarks


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a file.

    Attributes
    ----------
    options : Options
        What is said of the file; typed, they give this reading again.
    label : str
        Name of the labels.
    scores : tuple of str
        Names of the columns of scores, in the order of the classes, or of the one array.
    left_out : tuple of str
        Columns that are not used.
    outputs : ModelOutputs
        What is read.
    way : str
        Why it is proposed, a few words; empty of what was said.
    """

    options: Options
    label: str
    scores: tuple[str, ...]
    left_out: tuple[str, ...]
    outputs: ModelOutputs
    way: str = ""

    @property
    def accuracy(self) -> float:
        """Share of answers, of labels where these are asked one by one, that are right."""
        return float(self.outputs.pairs[1].mean())

    @property
    def mean_confidence(self) -> float:
        return float(self.outputs.pairs[0].mean())

    def command(self, *words: str) -> str:
        """Return the command line that gives this reading: the words, and the options."""
        return shlex.join(["calib", *words, *as_typed(self.options.changed())])

    def rows(self, n: int = 3) -> list[str]:
        """Return the first rows as they are understood, a sentence each."""
        return [self._row(row) for row in range(min(n, len(self.outputs)))]

    def _row(self, row: int) -> str:
        outputs, (score, hit) = self.outputs, self.outputs.pairs
        yes, no = ("yes", "no") if outputs.task == "labels" else ("right", "wrong")
        words: dict[str, Any] = {
            "name": row,
            "score": f"{score[row]:.3g}",
            "hit": yes if hit[row] else no,
        }
        if outputs.task == "labels":
            words["label"] = repr(str(outputs.groups["label"][row]))
        if outputs.task == "classes":
            words["says"] = outputs.names[outputs.prob[row].argmax()]
            words["label"] = outputs.names[outputs.y[row]]
        return ROW[outputs.task].format(**words)


@contextmanager
def naming(source: Any) -> Iterator[None]:
    """Put the name of the file before what is said of it."""
    # several files, and objects in memory, have no name
    if not isinstance(source, str | PathLike):
        yield
        return
    try:
        yield
    except ReadingError as error:
        # of two files it may be the second, which is put down already
        error.source = error.source or source
        raise
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def interpret(arrays: Arrays, options: Options) -> Reading:
    """Return the one reading that names and options give; a ReadingError says what is not clear."""
    arrays, found = rows_and_calibration_set(arrays, options)
    arrays = widened_to_samples(arrays, options)
    samples, outputs, doubted = _checked_outputs(arrays, options)
    left_out = tuple(
        name for name in arrays.named if _is_left_out(name, samples, options)
    )
    calibration, chosen = _calibration_set(found, samples, outputs, options)
    notes = [
        *arrays.notes,
        *chosen,
        *samples.notes,
        *remarks(samples, left_out, arrays),
        *doubted,
    ]
    outputs = _with_notes(outputs, notes, calibration)
    outputs = outputs.annotated(read_as=read_as(samples, outputs, options))
    return Reading(options, samples.y_name, samples.columns, left_out, outputs)


def _checked_outputs(
    arrays: Arrays, options: Options
) -> tuple[Samples, ModelOutputs, list[Note]]:
    """Return samples, their outputs, and the doubts about them that the options overrule."""
    doubter = Doubter(options.yes)
    samples = samples_of(arrays.named, arrays, options)
    samples, outputs = outputs_of(samples, options, doubter)
    # columns that are left out may still contradict what is read
    doubts.check_all(doubts.AsRead(samples, outputs, options), doubter)
    return samples, outputs, doubter.notes


def _is_left_out(name: str, samples: Samples, options: Options) -> bool:
    used = {
        *samples.columns,
        *samples.y_name.split(","),
        samples.y_name,
        options.predicted,
        # what parts, resamples or names the samples is used as well
        *(column for role, column in samples.side_columns if role != "unused"),
    }
    return name not in used and not is_called(name, "classes")


def _calibration_set(
    found: CalibrationSet | None,
    samples: Samples,
    outputs: ModelOutputs,
    options: Options,
) -> tuple[ModelOutputs | None, list[Note]]:
    """Return the outputs of the calibration set, and notes of the rows chosen of them."""
    if found is None:
        return None, []
    with found.naming_errors():
        arrays = found.chosen()
        same = found.options_like(samples, options)
        calibration = interpret(arrays, same).outputs
        _refuse_another_kind(calibration, outputs)
        refuse_rows_in_both_sets(outputs.scores, calibration.scores)
    return calibration, [Note(f"Calibration set: {note}") for note in arrays.notes]


def _refuse_another_kind(calibration: ModelOutputs, outputs: ModelOutputs) -> None:
    """Refuse a calibration set whose scores, or number of classes, are others."""
    if (calibration.kind, calibration.n_classes) != (outputs.kind, outputs.n_classes):
        raise ReadingError(
            f"it holds {calibration.kind} of {calibration.n_classes}, the other "
            f"{outputs.kind} of {outputs.n_classes}"
        )


def _with_notes(
    outputs: ModelOutputs, notes: Sequence[Note], calibration: ModelOutputs | None
) -> ModelOutputs:
    """Return outputs with notes, a calibration set, and the clusters of copies of samples."""
    notes = [*notes_of_signs(outputs), *notes]
    clusters = outputs.clusters
    if clusters is None:
        clusters = copies(outputs)
        notes += note_of_copies(clusters)
    return outputs.annotated(
        notes=tuple(notes), calibration=calibration, clusters=clusters
    )
