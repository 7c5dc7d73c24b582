"""A reading: what is label, what is score, which rows, and what comes of it; built once."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, Named
from calib_report.columns.labels_and_scores import samples_of
from calib_report.columns.long_table import widened_to_samples
from calib_report.columns.rows import chosen_rows
from calib_report.columns.samples import Samples
from calib_report.columns.second_file import APART
from calib_report.columns.sets import names_of_set, row_options_of_sets, sets_of
from calib_report.contract import (
    READ_AS,
    ROW,
    Changes,
    Note,
    ReadingError,
    Tally,
    all_called,
    as_typed,
    is_called,
    is_called_scores,
    listed,
)
from calib_report.doubting import doubts
from calib_report.doubting.copies import copies, refuse_shared
from calib_report.doubting.signs import notes_of_signs
from calib_report.model_outputs import ModelOutputs
from calib_report.options import OF_SET_TO_FIT, Options
from calib_report.reading.outputs_of_samples import outputs_of
from calib_report.values import are_whole, labels_in


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
    rule : str
        Why it is proposed, a few words; empty of what was said.
    """

    options: Options
    label: str
    scores: tuple[str, ...]
    left_out: tuple[str, ...]
    outputs: ModelOutputs
    rule: str = ""

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
            "verdict": yes if hit[row] else no,
        }
        if outputs.task == "labels":
            words["label"] = repr(outputs.groups["label"][row])
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


def interpreted(arrays: Arrays, options: Options) -> Reading:
    """Return the one reading that names and options give; a ReadingError says what is not clear."""
    tests, to_fit = sets_of(arrays.named, options)
    full_names = names_of_set(to_fit, arrays.named, options)
    rows, rows_to_fit = row_options_of_sets(to_fit, options)
    # rows first: what is left out must not speak against the rest
    arrays = widened_to_samples(chosen_rows(arrays.but(named=tests), rows), options)
    tests = arrays.named
    samples = samples_of(tests, arrays, options)
    tally = Tally(options.yes)
    samples, outputs = outputs_of(samples, options, tally)
    # columns that are left out may still contradict what is read
    doubts.raise_or_note(doubts.AsRead(samples, outputs, options), tally)
    left_out = tuple(name for name in tests if _is_left(name, samples, options))
    calibration, chosen_to_fit = None, list[Note]()
    if to_fit:
        with _of_set_to_fit(full_names):
            arrays_to_fit = _chosen_to_fit(to_fit, rows_to_fit)
            same = _options_to_fit(to_fit, samples, options)
            # of labels in columns, single entries are left out where these are coded
            same = same.but(leave_out_empty=rows_to_fit.leave_out_empty)
            calibration = _calibration(arrays_to_fit, outputs, same)
        chosen_to_fit = [
            Note(f"Calibration set: {n.text}") for n in arrays_to_fit.notes
        ]
    notes = [
        *arrays.notes,
        *chosen_to_fit,
        *samples.notes,
        *_remarks(samples, left_out, arrays),
        *tally.notes,
    ]
    outputs = _noted(outputs, notes, calibration)
    outputs = outputs.annotated(read_as=_read_as(samples, outputs, options))
    return Reading(options, samples.y_name, samples.columns, left_out, outputs)


def _is_left(name: str, samples: Samples, options: Options) -> bool:
    used = {
        *samples.columns,
        *samples.y_name.split(","),
        samples.y_name,
        options.predicted,
        # what parts, resamples or names the samples is used as well
        *(beside for role, beside in samples.beside if role != "left"),
    }
    return name not in used and not is_called(name, "classes")


def _chosen_to_fit(to_fit: dict[str, np.ndarray], rows: Options) -> Arrays:
    """Return the rows to fit maps on, and what names say of the columns."""
    y, scores = _only_called(to_fit, "labels"), _only_scores(to_fit)
    return chosen_rows(Arrays(to_fit, y=y, scores=scores), rows)


def _options_to_fit(to_fit: Named, samples: Samples, options: Options) -> Options:
    """Return what is said of the set to fit maps on, which is of the same classes."""
    same = {name: getattr(options, name) for name in OF_SET_TO_FIT}
    if samples.task == "classes":
        same["classes"] = samples.classes
    # a column has the name of that of the samples, or one that the contract knows
    for role in ("y", "scores"):
        name = getattr(options, role)
        same[role] = name if name in to_fit else None
    return Options(**same)


def _calibration(
    arrays: Arrays, outputs: ModelOutputs, options: Options
) -> ModelOutputs:
    """Return the set to fit maps on, of the same kind and number of classes."""
    calibration = interpreted(arrays, options).outputs
    if (calibration.kind, calibration.n_classes) != (outputs.kind, outputs.n_classes):
        raise ReadingError(
            f"it holds {calibration.kind} of {calibration.n_classes}, the other "
            f"{outputs.kind} of {outputs.n_classes}"
        )
    refuse_shared(outputs.known, calibration.known)
    return calibration


@contextmanager
def _of_set_to_fit(full_names: Mapping[str, str]) -> Iterator[None]:
    """Say of an error that it is of the calibration set, with the ways that can be typed."""
    try:
        yield
    except ReadingError as error:
        problem = f"calibration set (--ignore NAME leaves it out): {error.problem}"
        ways = filter(None, (_typed_of_set(way, full_names) for way in error.ways))
        raise ReadingError(problem, *ways) from None


def _typed_of_set(way: Changes, full_names: Mapping[str, str]) -> Changes | None:
    """Return options as the file names its columns; None where they cannot be typed of the set."""
    if {*way} == {"leave_out_empty"}:
        return {"leave_out_empty": tuple(full_names[n] for n in way["leave_out_empty"])}
    # the other names of columns are the set's own, without its word
    return way if {*way} <= {*OF_SET_TO_FIT} - {"predicted"} else None


def _only_called(named: Named, what: str) -> str | None:
    names = all_called(named, what)
    return names[0] if len(names) == 1 else None


def _only_scores(named: Named) -> str | None:
    names = list(filter(is_called_scores, named))
    return names[0] if len(names) == 1 else None


def _remarks(
    samples: Samples, left_out: Sequence[str], arrays: Arrays
) -> Iterator[Note]:
    """Yield what whoever reads a report should know of what was read."""
    for name in samples.names_of("ids"):
        yield Note(f"Samples are named by {name!r}.")
    if left_out:
        yield Note(f"Columns that were left out: {listed(left_out)}.")
    if samples.y_name in arrays.named:
        yield from _remark_of_numbers(samples, arrays.named[samples.y_name])


def _remark_of_numbers(samples: Samples, labels: np.ndarray) -> Iterator[Note]:
    """Yield a remark where labels are numbers, and classes in columns have names, none of them."""
    if samples.task != "classes" or len(samples.columns) < 2 or not samples.classes:
        return
    are_codes = are_whole(labels_in(labels))
    if are_codes and not are_whole(samples.classes):
        first = samples.classes[0]
        yield Note(f"Labels are numbers of the columns, as they stand: 0 is {first!r}.")


def _noted(
    outputs: ModelOutputs, notes: Sequence[Note], calibration: ModelOutputs | None
) -> ModelOutputs:
    """Return outputs with notes, a calibration set, and the clusters of copies of samples."""
    notes = [*notes_of_signs(outputs), *notes]
    clusters = outputs.clusters
    if clusters is None:
        clusters = copies(outputs)
        notes += _note_of_copies(clusters)
    return outputs.annotated(
        notes=tuple(notes), calibration=calibration, clusters=clusters
    )


def _note_of_copies(clusters: np.ndarray | None) -> list[Note]:
    if clusters is None:
        return []
    n = len(clusters) - len(np.unique(clusters))
    return [
        Note(
            f"{n} of {len(clusters)} rows repeat another, label included: copies of a sample are "
            "one cluster, which folds and intervals do not part."
        )
    ]


def _read_as(samples: Samples, outputs: ModelOutputs, options: Options) -> str:
    """Return in a sentence what was taken for what."""
    y = samples.y_name
    words = {
        "columns": listed(samples.columns, 4),
        "labels": "the second file" if y == APART else repr(y),
        "predicted": repr(options.predicted),
        "event": repr(outputs.names[1]),
        "kind": outputs.kind,
    }
    return READ_AS[_question(samples, outputs, options)].format(**words)


def _question(samples: Samples, outputs: ModelOutputs, options: Options) -> str:
    """Return what scores are of, as ``contract.toml`` names it."""
    if options.predicted is not None:
        return "predicted"
    if samples.task == "pairs":
        return "pairs"
    of_event = "probability" if outputs.kind == "probabilities" else "log_odds"
    is_event = samples.task == "classes" and samples.in_one_column
    return of_event if is_event else "classes"
