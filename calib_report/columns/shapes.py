"""Samples of any shape with one label and one row of scores each: axes, masks, many labels."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

from collections.abc import Sequence

import numpy as np

from calib_report.columns.samples import Samples
from calib_report.contract import Note, OptionError, ReadingError
from calib_report.options import Options


def one_a_row(samples: Samples, options: Options) -> Samples:
    """Return samples with one label and one row of scores each, without those to leave out."""
    samples = samples.replaced(scores=classes_last(samples.scores, options.class_axis))
    samples = _without_axes(samples, options)
    if samples.y.ndim == 2 and samples.y.shape[1] > 1:
        samples = _with_labels_in_columns(samples, options)
    samples = samples.replaced(y=samples.y.reshape(-1))
    if len(samples.y) != len(samples.scores):
        raise ReadingError(
            f"y: {len(samples.y)} labels, expected {len(samples.scores)}"
        )
    return _without_ignored(samples, options)


def classes_last(scores: np.ndarray, axis: int | None) -> np.ndarray:
    """Return scores with the axis of the classes at the end."""
    if axis is None:
        return scores
    if not -scores.ndim <= axis < scores.ndim:
        problem = f"{axis}, and scores have the shape {scores.shape}"
        raise OptionError("class_axis", problem)
    return np.moveaxis(scores, axis, -1)


def _without_axes(samples: Samples, options: Options) -> Samples:
    """Read places of a sample, such as tokens or pixels, as rows of their own in one cluster."""
    shape, places = samples.scores.shape, samples.y.shape
    if len(shape) <= 2:
        _refuse_first_axis(shape, places)
        return samples
    _refuse_axes(shape, places, options)
    spread = _one_row_a_label(samples, samples.scores.reshape(-1, shape[-1]))
    note = Note("The axes before the last are places of one sample, and a cluster.")
    return spread.replaced(notes=(*spread.notes, note))


def _refuse_first_axis(shape: tuple[int, ...], places: tuple[int, ...]) -> None:
    """Refuse scores (K, n) beside n labels."""
    if len(shape) == 2 and len(places) == 1 and shape[0] != places[0] == shape[1]:
        raise ReadingError(
            f"scores: shape {shape}, and {places[0]} labels: if classes are on the first axis",
            {"class_axis": 0},
        )


def _refuse_axes(
    shape: tuple[int, ...], places: tuple[int, ...], options: Options
) -> None:
    """Refuse scores whose classes may be on another axis than the last, or are on none."""
    axes = [
        axis for axis in range(1, len(shape)) if _fits_without_axis(shape, places, axis)
    ]
    # (n, n, K) of tokens fits with classes on two axes
    is_clear = shape[:-1] == places and not _fits_without_axis(shape, places, 1)
    if not is_clear and options.class_axis is None and axes:
        raise ReadingError(
            f"scores: shape {shape}, and labels {places}: on which axis are the classes",
            *({"class_axis": axis} for axis in axes),
        )
    if shape[:-1] != places:
        raise ReadingError(
            f"scores: shape {shape}, and labels {places}: expected classes on the last of two "
            "axes: numpy.moveaxis(scores, AXIS, -1).reshape(-1, K), labels.reshape(-1)"
        )


def _fits_without_axis(
    shape: tuple[int, ...], places: tuple[int, ...], axis: int
) -> bool:
    """Tell whether labels have the axes of scores, but for one of classes."""
    return shape[:axis] + shape[axis + 1 :] == places


def _one_row_a_label(samples: Samples, scores: np.ndarray) -> Samples:
    """Return a row for each label of a sample, which is a cluster."""
    # tokens of a text, or pixels, are no independent samples
    rows = np.repeat(np.arange(len(samples.y)), samples.y[0].size)
    spread = samples.with_rows(rows, samples.y.reshape(-1), scores)
    if spread.names_of("clusters"):
        return spread
    return spread.replaced(side_columns=spread.side_columns | {("clusters", ""): rows})


def _with_labels_in_columns(samples: Samples, options: Options) -> Samples:
    """Read labels (n, K) of 0 and 1: one-hot, or a yes-or-no question a label."""
    _refuse_entries(samples, options)
    # a row of a single 1 each is one label, unless the user says that it is chance
    if (samples.y.sum(axis=1) == 1).all() and not options.multilabel:
        return samples.replaced(y=samples.y.argmax(axis=1), coded=True)
    n, k = samples.y.shape
    spread = _one_row_a_label(samples, samples.scores.reshape(-1))
    names = samples.classes or tuple(map(str, range(k)))
    note = Note(
        f"{k} labels, of which a sample may have any number: each is a yes-or-no question. Errors "
        "are of the stated probability of a yes; intervals resample samples."
    )
    return spread.replaced(
        side_columns=spread.side_columns | {("groups", "label"): np.tile(names, n)},
        classes=("no", "yes"),
        task="labels",
        notes=(*spread.notes, note),
    )


def _refuse_entries(samples: Samples, options: Options) -> None:
    """Refuse labels in columns that are not as many as scores, or neither 0, 1 nor masked."""
    y, shape = samples.y, samples.scores.shape
    if y.shape != shape or y.dtype.kind not in "biuf":
        raise ReadingError(f"y: shape {y.shape}, expected {shape} of 0 and 1, or (n,)")
    masked = np.isin(y, options.ignore_index) | (
        samples.labels.empty_entries & bool(options.leave_out_empty)
    )
    strange = np.argwhere(~(np.isin(y, (0, 1)) | masked))
    if len(strange):
        _refuse_entry(samples, *strange[0])


def _refuse_entry(samples: Samples, row: int, column: int) -> None:
    value = samples.y[row, column]
    # what is empty, and what a number masks, is left out by two options
    empty = bool(np.isnan(float(value)))
    suggestion = (
        {"leave_out_empty": (samples.y_name,)}
        if empty
        else {"ignore_index": (int(value),)}
    )
    raise ReadingError(
        f"y: row {row} holds {value:g}, expected 0 or 1; it is masked by", suggestion
    )


def _without_ignored(samples: Samples, options: Options) -> Samples:
    ignored = _rows_to_leave_out(samples, options)
    samples = samples.replaced(
        notes=(*samples.notes, *_notes_of_unknown_labels(samples, options))
    )
    if not ignored.any():
        return samples
    labels = " or ".join(map(str, options.ignore_index)) or "that is empty"
    note = Note(f"{ignored.sum()} samples with the label {labels} are left out.")
    chosen = np.flatnonzero(~ignored)
    rows = samples.with_rows(chosen, samples.y[chosen], samples.scores[chosen])
    return rows.replaced(notes=(*samples.notes, note))


def _notes_of_unknown_labels(samples: Samples, options: Options) -> list[Note]:
    """Say which labels are to be left out, and never occur: these may be typed wrong."""
    return [
        Note(f"No sample has the label {label}, with which samples are left out.")
        for label in options.ignore_index
        if not _rows_labelled(samples, [label]).any()
    ]


def _rows_to_leave_out(samples: Samples, options: Options) -> np.ndarray:
    """Tell which samples have a label to leave out; of questions, which have none."""
    ignored = _rows_labelled(samples, options.ignore_index)
    return (
        ignored | samples.labels.empty_entries if samples.task == "labels" else ignored
    )


def _rows_labelled(samples: Samples, labels: Sequence[int]) -> np.ndarray:
    if samples.y.dtype.kind == "U":
        return np.isin(samples.labels.texts, [*map(str, labels)])
    return np.isin(samples.y, labels)
