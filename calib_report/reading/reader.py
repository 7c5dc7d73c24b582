"""The door: outputs of a model are read as the contract of files, or the user, says."""

from collections.abc import Sequence
from contextlib import suppress
from os import PathLike
from typing import Any

from calib_report.arrays import Arrays
from calib_report.columns.second_file import joined_with_labels
from calib_report.contract import Note, ReadingError
from calib_report.files.adapters import from_object
from calib_report.files.formats import load, load_log
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.reading.interpretation import interpret, naming

# options of what stands beside the samples, which a file that keeps the contract needs as well
OF_SIDE_COLUMNS = ("groups", "clusters", "ids")


def read(
    source: Any,
    *,
    y: str | None = None,
    scores: str | None = None,
    kind: str | None = None,
    labels: str | PathLike[str] | None = None,
    labels_from: int | None = None,
    classes: Sequence[str] | str | PathLike[str] | None = None,
    positive: object = None,
    predicted: str | None = None,
    long: str | None = None,
    where: str | Sequence[str] = (),
    class_axis: int | None = None,
    calibration: str | None = None,
    percent: bool | float | None = None,
    groups: str | Sequence[str] = (),
    clusters: str | None = None,
    ids: str | None = None,
    ignore: str | Sequence[str] = (),
    leave_out_empty: str | Sequence[str] = (),
    ignore_index: int | Sequence[int] | None = None,
    multilabel: bool = False,
    pairs: bool | None = None,
    atol: float | None = None,
    yes: bool = False,
) -> ModelOutputs:
    """Read the outputs of a model, with the labels of its samples.

    Parameters
    ----------
    source : str, Path or object
        A file of a format that ``calib report --help`` names; of json lines a list of several,
        whose names become the column ``file``. Or arrays by name, tensors, a pair (y, scores), or a
        table of pandas, polars or pyarrow. What need not be said of it is the contract of
        ``calib report --help``; :func:`propose` shows how any other file could be read.
    y, scores : str, optional
        Names of the labels, and of the logits or probabilities: an array or column, columns with
        commas between, or, of scores, what they begin with.
    kind : {"logits", "probabilities", "log-probabilities", "odds"}, optional
        What the scores are, where their name does not say it.
    labels : str or Path, optional
        A second file, of the labels. Where both files hold names of the samples, found or named by
        `ids`, they are joined on them, else paired by position.
    labels_from : {0, 1}, optional
        The number of the first class in the labels.
    classes : list of str, str or Path, optional
        Names of the classes in the order of the scores, or a text file of a name a line.
    positive : str, optional
        The label of which one column of scores is the probability.
    predicted : str, optional
        Column of predictions: one column of scores is the confidence in these, which are right
        where they are the labels.
    long : str, optional
        Column of classes of a table that has a row for each sample and class; `ids` names samples.
    where : str or sequence of str
        ``COLUMN=VALUE``: rows that are read.
    class_axis : int, optional
        The axis of the scores that classes are on, by default the last.
    calibration : str, optional
        How names of arrays begin or end that hold a calibration set: ``val`` of ``val_logits``.
    percent : bool or float
        Probabilities are per cent, or parts of this number, such as 255.
    groups : str or sequence of str
        Columns whose values part the samples into groups, such as hospitals.
    clusters, ids : str, optional
        What tells which samples belong together, and are resampled together; what names them.
    ignore, leave_out_empty : str or sequence of str
        Columns to leave out, and columns whose empty rows are left out.
    ignore_index : int or sequence of int, optional
        Samples with this label are left out; of several labels, these entries.
    multilabel : bool
        Read labels (n, K) of 0 and 1 as K yes-or-no questions even if each row has a single 1.
    pairs : bool, optional
        Whether the scores are the confidence in an answer, and the labels say whether it was right.
        By default the names ``confidence`` and ``correct`` say so.
    atol : float, optional
        How far from one the sum of a row of probabilities may be, at most 0.05; by default what
        rounding to the digits written explains. Rows are then divided by their sums.
    yes : bool
        Read what the options say although something in the file speaks against it; only where they
        name labels and scores.

    Returns
    -------
    ModelOutputs

    Raises
    ------
    ReadingError
        A ValueError: it is not clear which part is what (NotSaidError), something speaks against
        what is said (DoubtError), or a part is not what it should be; the message names the file
        and the option to type.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> outputs = read({"labels": [0, 1], "probs": [[0.9, 0.1], [0.4, 0.6]]})
    >>> outputs.kind, outputs.y.tolist()
    ('probabilities', [0, 1])
    """
    with naming(source):
        options = Options.of(
            y=y,
            scores=scores,
            kind=kind,
            labels=labels,
            labels_from=labels_from,
            classes=classes,
            positive=positive,
            predicted=predicted,
            long=long,
            where=where,
            class_axis=class_axis,
            calibration=calibration,
            percent=percent,
            groups=groups,
            clusters=clusters,
            ids=ids,
            ignore=ignore,
            leave_out_empty=leave_out_empty,
            ignore_index=ignore_index,
            multilabel=multilabel,
            pairs=pairs,
            atol=atol,
            yes=yes,
        )
        return interpret(*arrays_and_options(source, options)).outputs


def arrays_and_options(source: Any, options: Options) -> tuple[Arrays, Options]:
    """Return the arrays of a source, joined with the labels of a second file where one is named."""
    arrays = arrays_of(source)
    if options.labels is None:
        return arrays, options
    with naming(options.labels):
        labels = load(options.labels)
        arrays, names = joined_with_labels(labels, arrays, options)
    return arrays, options.replaced(classes=options.classes or names)


def read_either(source: Any, typed: dict[str, Any]) -> ModelOutputs:
    """Read one of two files as options say, or, where it keeps the contract, without; with a note.

    What `calib apply` wrote of a file in per cent, or of log odds, needs no option any more.
    """
    try:
        return read(source, **typed)
    except ReadingError:
        of_side_columns = {
            name: typed[name] for name in OF_SIDE_COLUMNS if name in typed
        }
        with suppress(ReadingError):
            outputs = read(source, **of_side_columns)
            sentence = f"{source} keeps the contract, and is read without options"
            note = Note(sentence, about="options")
            return outputs.annotated(notes=(*outputs.notes, note))
        raise


def arrays_of(source: Any) -> Arrays:
    """Return the arrays of a source; one of a single column is that column."""
    arrays = _as_stored(source)
    named = {
        n: a[:, 0] if a.ndim == 2 and a.shape[1] == 1 else a
        for n, a in arrays.named.items()
    }
    return arrays.replaced(named=named)


def _as_stored(source: Any) -> Arrays:
    """Return the arrays of a file, of several logs, or of an object in memory."""
    if isinstance(source, str | PathLike):
        return load(source)
    several = isinstance(source, list | tuple) and len(source) > 0
    if several and all(isinstance(path, str | PathLike) for path in source):
        return load_log(source)
    return from_object(source)
