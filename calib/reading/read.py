"""One door for the outputs of any model: find the parts, bring them into shape, check them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from calib.checks import check_choice, check_count, check_flag, check_path
from calib.outputs import ModelOutputs
from calib.reading.files import load
from calib.reading.objects import as_numpy, from_object
from calib.reading.roles import find, labels_of
from calib.reading.shapes import (
    check_kind,
    check_set,
    flattened,
    is_zero_one,
    names_of_classes,
    numbered,
    told_kind,
    two_columns,
)
from calib.reading.tables import joined

KINDS = ("logits", "probabilities")


@dataclass(frozen=True)
class Choice:
    """What the user says of a file, see :func:`read`."""

    y: str | None = None
    scores: str | None = None
    kind: str | None = None
    labels_given: bool = False
    labels_from: int = 0
    classes: list[str] | None = None
    groups: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    ignore_index: int | None = None
    leave_out_empty: tuple[str, ...] = ()
    multilabel: bool = False
    pairs: bool | None = None
    class_axis: int | None = None
    atol: float | None = None


def read(
    source: Any,
    *,
    X: Any = None,
    y: Any = None,
    scores: Any = None,
    kind: Any = None,
    labels: Any = None,
    labels_from: Any = 0,
    classes: Any = None,
    groups: Any = (),
    clusters: Any = None,
    ids: Any = None,
    ignore: Any = (),
    ignore_index: Any = None,
    leave_out_empty: Any = (),
    multilabel: Any = False,
    pairs: Any = None,
    class_axis: Any = None,
    atol: Any = None,
) -> ModelOutputs:
    """Read the outputs of a model, with the labels of its samples.

    Parameters
    ----------
    source : str, Path or object
        A file, or a list of files of one layout, whose rows follow each other and whose names
        become the column ``file``. Read are npz, npy, csv, tsv, parquet, feather, json, json lines,
        torch's pt and safetensors; text may be gzipped. Or arrays, tensors, a pair (y, scores), a
        dict of them, a data frame, or a fitted classifier with `X` and `y`.
    X : array_like, optional
        Samples, where `source` is a classifier in the manner of scikit-learn.
    y : str or array_like, optional
        The labels, or the name of their array or column. Known names, such as ``labels`` or
        ``y_true``, are found without.
    scores : str, optional
        Name of the array of logits or probabilities, or what the columns of classes begin with.
    kind : {"logits", "probabilities"}, optional
        What the scores are, where neither their name nor their values say it.
    labels : str or Path, optional
        A second file, which holds the labels alone.
    labels_from : int
        The number of the first class in the labels: 0, or 1.
    classes : list of str, optional
        Names of the classes in the order of the scores.
    groups : str, sequence of str, or dict of str to array_like
        Columns whose values part the samples into groups, such as hospitals.
    clusters : str or array_like, optional
        What tells which samples belong together, such as the image of a pixel: intervals then
        resample clusters.
    ids : str or array_like, optional
        What names the samples.
    ignore : sequence of str
        Columns or arrays to leave out.
    ignore_index : int, optional
        Samples with this label are left out.
    leave_out_empty : str or sequence of str
        Columns or arrays whose empty rows are left out, such as a confidence that was not stated; a
        note says how many.
    multilabel : bool
        Read labels (n, K) of 0 and 1 as K yes-or-no questions even if each row has a single 1.
    pairs : bool, optional
        Whether the scores are the confidence in an answer, and the labels say whether it was right.
        By default names such as ``confidence`` and ``correct`` say so.
    class_axis : int, optional
        Axis of the classes in scores of more than two axes, where the shapes leave it open.
    atol : float, optional
        How far from one the sum of a row of probabilities may be. Rows are then divided by their
        sums.

    Returns
    -------
    ModelOutputs

    Raises
    ------
    ValueError
        Where it is not clear which part is what, or a part is not what it should be; the message
        names the file and says what to do.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> outputs = read({"labels": [0, 1], "probs": [[0.9, 0.1], [0.4, 0.6]]})
    >>> outputs.kind, outputs.y.tolist()
    ('probabilities', [0, 1])
    """
    check_flag(multilabel, "multilabel")
    check_count(labels_from, "labels_from", low=0, high=1)
    for name, number in {"class_axis": class_axis, "ignore_index": ignore_index}.items():
        check_count(0 if number is None else number, name, low=-(10**9))
    named = {"groups": groups, "clusters": clusters, "ids": ids}
    given, names = _given_and_named(named)
    choice = Choice(
        y=y if isinstance(y, str) else None,
        scores=scores,
        kind=None if kind is None else check_choice(kind, "kind", KINDS),
        labels_given=labels is not None or not (y is None or isinstance(y, str)),
        labels_from=labels_from,
        classes=None if classes is None else list(classes),
        **names,
        ignore=_names(ignore),
        ignore_index=ignore_index,
        leave_out_empty=_names(leave_out_empty),
        multilabel=multilabel,
        pairs=pairs,
        class_axis=class_axis,
        atol=atol,
    )
    return _told(source, _read, source, X, y, labels, choice, given)


def _names(given: Any) -> Any:
    return (given,) if isinstance(given, str) else tuple(given)


def read_new(
    source: Any, *, classes: Any = None, **said: Any
) -> tuple[str, np.ndarray, list[Any] | None, list[Any]]:
    """Read outputs whose labels are not needed; options as in :func:`read`.

    Returned are the kind, "logits" or "probabilities"; the scores, shape (n, K); the names of the
    classes, or None; and the names under which the scores stand in the file.
    """
    said = {name: (value,) if name == "ids" else value for name, value in said.items()}
    return _told(source, _read_new, source, Choice(classes=classes, **said))


def _told(source: Any, reader: Any, *arguments: Any) -> Any:
    """Put the name of the file before what a reader says of it."""
    try:
        return reader(*arguments)
    except ValueError as error:
        if isinstance(source, str | PathLike):
            raise ValueError(f"{source}: {error}") from None
        raise


def is_files(source: Any) -> bool:
    """Tell whether a source is a list of files."""
    return (
        isinstance(source, list | tuple)
        and len(source) > 0
        and all(isinstance(path, str | PathLike) for path in source)
    )


def _given_and_named(options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Part options into arrays that are given and names to look for."""
    given: dict[str, Any] = {"groups": {}, "clusters": None, "ids": None}
    names: dict[str, tuple[str, ...]] = {"groups": (), "clusters": (), "ids": ()}
    for what, value in options.items():
        if value is None:
            continue
        if isinstance(value, str):
            names[what] = (value,)
        elif what == "groups" and isinstance(value, dict):
            given[what] = {name: as_numpy(group, what) for name, group in value.items()}
        elif what == "groups" and isinstance(value, Sequence):
            names[what] = tuple(value)
        else:
            given[what] = as_numpy(value, what)
    return given, names


def _arrays(source: Any, X: Any = None) -> Any:
    if is_files(source):
        return joined([_told(path, load, path) for path in source], source)
    return load(source) if isinstance(source, str | PathLike) else from_object(source, X)


def _read(source: Any, X: Any, y: Any, labels: Any, choice: Choice, given: Any) -> ModelOutputs:
    arrays = _arrays(source, X)
    parts = find(arrays, choice)
    if labels is not None:
        parts.y = _labels_of_file(labels, choice)
    elif choice.labels_given:
        parts.y = as_numpy(y, "y")
    parts.groups |= given["groups"]
    parts.clusters = parts.clusters if given["clusters"] is None else given["clusters"]
    parts.ids = parts.ids if given["ids"] is None else given["ids"]
    return shaped(parts, choice)


def _labels_of_file(path: Any, choice: Choice) -> np.ndarray | None:
    """Return the labels of a file of their own: its one array, or the one whose name says it."""
    check_path(path, "labels")
    try:
        arrays = load(path).named
        if len(arrays) > 1 or choice.y is not None:
            return labels_of(arrays, replace(choice, labels_given=False))
    except ValueError as error:
        raise ValueError(f"labels {path}: {error}") from None
    return next(iter(arrays.values()))


def _read_new(source: Any, choice: Choice) -> tuple[str, np.ndarray, list[Any] | None, list[Any]]:
    parts = find(_arrays(source), choice, labelled=False)
    kind = parts.kind or told_kind(parts.scores)
    if parts.scores.ndim == 1 or parts.scores.shape[1] == 1:
        parts.scores = two_columns(parts.scores, kind)
    scores, _ = check_kind(parts.scores, kind, kind, choice.atol)
    classes = ["wrong", "right"] if parts.task == "pairs" else parts.classes
    return kind, scores, names_of_classes(classes, scores.shape[1]), parts.columns


def shaped(parts: Any, choice: Choice) -> ModelOutputs:
    """Return the parts as checked outputs."""
    if parts.y is None:
        raise ValueError("no labels were found: --y NAME, or --labels FILE")
    if parts.scores.dtype.kind not in "biuf":
        raise ValueError(f"scores: {_no_number(parts.scores)}, expected numbers")
    if parts.scores.ndim > 2:
        parts = _places_as_rows(parts, choice)
    if parts.y.ndim == 2 and parts.y.shape[1] > 1:
        parts = _labels_in_columns(parts, choice)
    if choice.ignore_index is not None:
        parts = _without(parts, choice.ignore_index)
    if parts.kind is None:
        parts.kind = told_kind(parts.scores)
        note = f"Nothing says whether these are logits; by their values they are {parts.kind}."
        parts.notes.append(note)
    if parts.scores.ndim == 1 or parts.scores.shape[1] == 1:
        parts = _both_classes(parts)
    return _checked(parts, choice)


def _no_number(scores: Any) -> str:
    """Tell what is no number among scores that are not all numbers."""
    for row, value in enumerate(scores.reshape(len(scores), -1).astype(str)):
        for one in value:
            try:
                float(one)
            except ValueError:
                return f"row {row} holds {str(one)!r}"
    return f"an array of type {scores.dtype}"


def _places_as_rows(parts: Any, choice: Choice) -> Any:
    """Make a row of each place of an image; the image is the cluster."""
    y, scores, image = flattened(parts.y, parts.scores, choice.class_axis)
    note = f"{image[-1] + 1} images; intervals resample images, not their parts."
    return replace(
        parts,
        y=y,
        scores=scores,
        clusters=image if parts.clusters is None else np.asarray(parts.clusters)[image],
        ids=image if parts.ids is None else np.asarray(parts.ids)[image],
        groups={name: np.asarray(group)[image] for name, group in parts.groups.items()},
        notes=[*parts.notes, note],
    )


def _labels_in_columns(parts: Any, choice: Choice) -> Any:
    """Read labels (n, K) of 0 and 1: one-hot, or a yes-or-no question a label."""
    y, scores = parts.y, parts.scores
    if y.shape != scores.shape or not is_zero_one(y):
        raise ValueError(f"y: shape {y.shape}, expected {scores.shape} of 0 and 1, or (n,)")
    if (y.sum(axis=1) == 1).all() and not choice.multilabel:
        return replace(parts, y=y.argmax(axis=1))
    n, n_labels = y.shape
    names = names_of_classes(parts.classes, n_labels)
    sample = np.repeat(np.arange(n), n_labels)
    groups = {"label": np.tile(names or [str(k) for k in range(n_labels)], n)}
    note = (
        f"{n_labels} labels, of which a sample may have any number: each is a yes-or-no question. "
        "Errors are of the stated probability of a yes; intervals resample samples."
    )
    return replace(
        parts,
        y=y.reshape(-1),
        scores=scores.reshape(-1),
        classes=["no", "yes"],
        task="labels",
        clusters=sample if parts.clusters is None else np.asarray(parts.clusters)[sample],
        ids=sample if parts.ids is None else np.asarray(parts.ids)[sample],
        groups=groups | {name: np.asarray(group)[sample] for name, group in parts.groups.items()},
        notes=[*parts.notes, note],
    )


def _without(parts: Any, ignored: Any) -> Any:
    """Leave out the samples with a label that says so."""
    if len(parts.y) != len(parts.scores):
        raise ValueError(f"y: {len(parts.y)} labels, expected {len(parts.scores)}")
    kept = parts.y != ignored
    note = f"{int((~kept).sum())} samples with the label {ignored} are left out."
    beside = {"clusters": parts.clusters, "ids": parts.ids}
    return replace(
        parts,
        y=parts.y[kept],
        scores=parts.scores[kept],
        groups={name: np.asarray(group)[kept] for name, group in parts.groups.items()},
        notes=[*parts.notes, note],
        **{name: None if held is None else held[kept] for name, held in beside.items()},
    )


def _both_classes(parts: Any) -> Any:
    """Give each of two classes a column."""
    if parts.task == "pairs" and parts.scores.size and parts.scores.max() > 1:
        raise ValueError("confidences above 1; if they are percentages, divide them by 100")
    notes, held = parts.notes, parts.calibration_scores
    if parts.task == "classes":
        note = (
            "One column of scores: it is read as that of the second of two classes, and errors are "
            "of the more probable one. If it is the confidence in an answer and the labels say "
            "whether that was right, or errors of this column as it stands are wanted: --pairs."
        )
        notes = [*notes, note]
    return replace(
        parts,
        scores=two_columns(parts.scores, parts.kind),
        calibration_scores=None if held is None else two_columns(held, parts.kind),
        classes=["wrong", "right"] if parts.task == "pairs" else parts.classes,
        notes=notes,
    )


def _checked(parts: Any, choice: Choice) -> ModelOutputs:
    """Return outputs whose labels are numbers and whose arrays are what they should be."""
    kind, n_classes = parts.kind, parts.scores.shape[1]
    names = names_of_classes(parts.classes, n_classes, choice.labels_from)

    def of_set(y: Any, scores: Any, prefix: str) -> Any:
        y = numbered(y, names, n_classes, choice.labels_from, f"{prefix}y")
        return check_set(y, scores, kind, prefix, choice.atol)

    y, scores, off = of_set(parts.y, parts.scores, "")
    held = None
    if parts.calibration_scores is not None:
        width = parts.calibration_scores.shape[1:]
        if width != (n_classes,):
            raise ValueError(f"calibration_{kind}: {width[0]} classes, expected {n_classes}")
        if parts.calibration_y is None:
            raise ValueError("the calibration set has no labels")
        held_y, held_scores, _ = of_set(
            parts.calibration_y, parts.calibration_scores, "calibration_"
        )
        held = ModelOutputs(held_y, **{kind: held_scores}, task=parts.task)
    notes = [*looks_wrong(kind, scores, y, parts.task), *parts.notes]
    if off:
        notes.append(f"Rows summed to one within {off:.2g}; they were divided by their sums.")
    return ModelOutputs(
        y,
        **{kind: scores},
        calibration=held,
        class_names=names or [str(k + choice.labels_from) for k in range(n_classes)],
        notes=tuple(notes),
        task=parts.task,
        groups={
            name: np.array([_group_name(value) for value in _beside(group, y, "groups").tolist()])
            for name, group in parts.groups.items()
        },
        clusters=_beside(parts.clusters, y, "clusters"),
        ids=_beside(parts.ids, y, "ids"),
    )


def _beside(values: Any, y: Any, what: str) -> Any:
    """Return what stands beside the samples, as many as there are labels."""
    if values is not None and np.shape(values) != y.shape:
        raise ValueError(f"{what}: shape {np.shape(values)}, expected {y.shape}")
    return None if values is None else np.asarray(values)


def _group_name(value: Any) -> str:
    """Return a group as text: a whole number without a point, "(none)" where it is missing."""
    if value is None or value != value or value == "":
        return "(none)"
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def looks_wrong(kind: Any, scores: Any, y: Any, task: Any) -> Any:
    """Yield a sentence for each sign that a file is not what it is called."""
    n, n_classes = scores.shape
    right = np.mean(scores.argmax(axis=1) == y)
    if task == "classes" and right + 3 * (right * (1 - right) / n) ** 0.5 < 1 / n_classes:
        yield (
            f"The accuracy, {right:.2%}, is below that of guessing, {1 / n_classes:.2%}: are the "
            "columns in the order of the labels, and the rows in that of the scores?"
        )
    largest = np.logaddexp.reduce(scores[:1000], axis=1, dtype=float)  # 0 of log-probabilities
    if kind == "logits" and np.abs(largest).max() < 1e-3:
        yield (
            "The logits are log-probabilities. A map that is fitted on them serves "
            "log-probabilities, and no other logits of the model."
        )
