"""Scores of a file without labels, to which a saved map is applied."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calib_report.arrays import Arrays, Named, without
from calib_report.columns.coded_labels import is_of_wrong
from calib_report.columns.labels_and_scores import (
    class_names_of,
    indexes,
    stacked_scores,
    with_roles_of_format,
    without_class_names,
)
from calib_report.columns.roles import find_scores
from calib_report.columns.samples import says_confidence
from calib_report.columns.score_columns import ScoreColumns
from calib_report.columns.scores import Scores, scores_of
from calib_report.columns.sets import sets_of
from calib_report.columns.shapes import classes_last
from calib_report.columns.side_columns import side_columns_of
from calib_report.contract import (
    Doubter,
    Note,
    NotSaidError,
    ScoreKind,
    all_called,
    listed,
    name_like,
)
from calib_report.options import Options


@dataclass(frozen=True, eq=False)
class NewOutputs:
    """Scores without labels, (n, ..., K), with the names of their classes and columns."""

    kind: ScoreKind
    scores: np.ndarray
    classes: list[str] | None
    columns: tuple[str, ...]
    in_one_column: bool
    of_wrong: bool
    notes: list[Note]


def new_outputs(
    arrays: Arrays,
    options: Options,
    classes: Sequence[str] | None,
    questions: bool = False,
) -> NewOutputs:
    """Return the scores of a file without labels; `classes` are those of the map to apply."""
    named, in_file = without_class_names(_scores_alone(arrays, options), arrays)
    classes_named = class_names_of(in_file, options)
    options = _naming_confidence(named, options, classes)
    columns = _new_columns(named, arrays, options, classes)
    array = classes_last(stacked_scores(named, columns), options.class_axis)
    doubter = Doubter(options.yes)
    scores = _new_scores(array, columns, options, doubter, questions)
    names: Sequence[str] | None = options.classes or columns.classes or classes_named
    in_one_column = _is_one_column(columns, array)
    if in_one_column:
        names = classes  # one column bears no names: those of the map hold
    of_wrong = in_one_column and _says_wrong(options)
    return NewOutputs(
        scores.kind,
        _scores_as_in_file(scores, array.shape, questions, of_wrong),
        None if names is None else list(names),
        columns.columns,
        in_one_column,
        of_wrong,
        [*arrays.notes, *scores.notes, *doubter.notes],
    )


def _naming_confidence(
    named: Named, options: Options, classes: Sequence[str] | None
) -> Options:
    """Return options that name the scores, where a map of answers is applied and none does."""
    if options.scores is not None or [*(classes or ())] != ["wrong", "right"]:
        return options
    return options.replaced(scores=_only_confidence(named), pairs=True)


def _new_columns(
    named: Named, arrays: Arrays, options: Options, classes: Sequence[str] | None
) -> ScoreColumns:
    """Return the columns of scores, with the kind that their names or the format says."""
    columns = find_scores(named, classes or (), with_roles_of_format(arrays, options))
    return replace(columns, kind=columns.kind or arrays.kind)


def _is_one_column(columns: ScoreColumns, array: np.ndarray) -> bool:
    return len(columns.columns) == 1 and array.ndim == 1


def _new_scores(
    array: np.ndarray,
    columns: ScoreColumns,
    options: Options,
    doubter: Doubter,
    questions: bool,
) -> Scores:
    """Return checked scores, a row each; of questions each score is one."""
    names, kind = list(columns.columns), columns.kind
    is_column = _is_one_column(columns, array)
    # a confidence is a probability, whatever its name
    if is_column and options.pairs:
        kind = kind or "probabilities"
    shape = (-1,) if questions or is_column else (-1, array.shape[-1])
    return scores_of(array.reshape(shape), kind, options, doubter, names)


def _only_confidence(named: Named) -> str:
    """Return the name of the confidences to which a map of answers is applied."""
    name = name_like(named, "confidence")
    if name is None:
        raise NotSaidError(
            f"none is called 'confidence'; the file holds {listed(named)}",
            *({"scores": name} for name in named if says_confidence(name)),
            role="scores",
        )
    return name


def _scores_alone(arrays: Arrays, options: Options) -> dict[str, np.ndarray]:
    """Return the arrays of a file that may be scores: neither labels nor what stands beside."""
    named, _ = sets_of(arrays.named, options)
    no_scores: set[str | None] = {name for _, name in side_columns_of(named, options)}
    no_scores |= {*all_called(named, "labels", "correct")}
    no_scores |= {options.y, *indexes(named)}
    return without(named, no_scores - {options.scores})


def _says_wrong(options: Options) -> bool:
    return bool(options.pairs) and is_of_wrong(options.y or "correct", options)


def _scores_as_in_file(
    scores: Scores, shape: tuple[int, ...], questions: bool, of_wrong: bool
) -> np.ndarray:
    """Return scores in the shape of the file's: of one column two, of questions one each."""
    if questions:
        # two logits of a question are -z / 2 and z / 2
        factor = 1 if scores.kind == "probabilities" else 2
        return factor * scores.values[:, 1].reshape(shape)
    if len(shape) > 1:
        return scores.values.reshape(shape)
    return scores.values[:, ::-1] if of_wrong else scores.values
