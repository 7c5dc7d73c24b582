"""Labels and scores of the samples in a file, and what stands beside them."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

from collections.abc import Sequence

import numpy as np

from calib_report.arrays import Arrays, Named, column_named, without
from calib_report.columns.ids import counts_up
from calib_report.columns.labels import refuse_regression
from calib_report.columns.predictions import pairs_by_prediction
from calib_report.columns.roles import (
    find_labels,
    find_scores,
    keeps_pairs,
    labels_occurring_in,
)
from calib_report.columns.samples import Samples, says_confidence
from calib_report.columns.score_columns import ScoreColumns
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.columns.sets import without_word
from calib_report.columns.shapes import one_a_row
from calib_report.columns.side_columns import side_columns_of
from calib_report.contract import (
    NAMES,
    ReadingError,
    all_called,
    is_called,
    listed,
    name_like,
)
from calib_report.options import Options
from calib_report.values import Column

# how far from one rows sum with a column that is no score, and how near without it
OFF_WITH_IT, NEAR_WITHOUT_IT = 0.05, 0.01


def samples_of(
    named: dict[str, np.ndarray], arrays: Arrays, options: Options
) -> Samples:
    """Return what is label and what is score, by the contract or as options say."""
    side_columns = side_columns_of(named, options)
    candidates = _may_have_a_role(named, side_columns, options)
    candidates, in_file = without_class_names(candidates, arrays)
    classes = class_names_of(in_file, options)
    options = _with_roles_by_names(candidates, arrays, options)
    y_name = find_labels(candidates, options)
    y = _labels_named(candidates, y_name)
    # of hits another error says what is expected
    if not options.pairs:
        refuse_regression(Column(y_name, y))
    labels = _unmasked_labels(candidates, y_name, options)
    unlabelled = without(candidates, (y_name, *y_name.split(",")))
    scores = find_scores(unlabelled, classes or labels, options)
    if options.scores is None:
        scores = _without_extras(candidates, scores, labels, options)
    samples = Samples(
        y,
        stacked_scores(candidates, scores),
        y_name,
        scores.columns,
        scores.classes or classes,
        scores.kind or arrays.kind,
        side_columns=_columns_row_by_row(
            side_columns, without(unlabelled, scores.columns), y, options
        ),
    )
    return _with_task(samples, candidates, options)


def _with_roles_by_names(named: Named, arrays: Arrays, options: Options) -> Options:
    """Return options with the roles that names of stated confidences, or a format, give."""
    if not keeps_pairs(named, options):
        return with_roles_of_format(arrays, options)
    y, scores = name_like(named, "correct"), name_like(named, "confidence")
    return options.replaced(y=y, scores=scores, pairs=True)


def with_roles_of_format(arrays: Arrays, options: Options) -> Options:
    """Return options with the roles that the format of a file gives, or a second file."""
    y = SECOND_LABELS if SECOND_LABELS in arrays.named else options.y
    scores = arrays.scores if options.scores is None else options.scores
    return options.replaced(y=arrays.y if y is None else y, scores=scores)


def _may_have_a_role(
    named: dict[str, np.ndarray],
    side_columns: dict[tuple[str, str], np.ndarray],
    options: Options,
) -> dict[str, np.ndarray]:
    """Return the arrays that may be labels or scores."""
    names = {name for _, name in side_columns} - {options.y, options.scores}
    names |= indexes(named)
    if options.calibration is not None:
        names |= set(filter(_is_of_training, named))
    candidates = without(named, names)
    # what pandas writes as an index has no name either, and counts the rows
    if "" in candidates and len(candidates) > 2:
        raise ReadingError(
            "a column has no name, and does not count the rows: --ignore '' leaves it out"
        )
    return candidates


def indexes(named: Named) -> set[str]:
    """Return the columns that only count the rows."""
    return {name for name in named if name in NAMES["index"] and counts_up(named[name])}


def _is_of_training(name: str) -> bool:
    return any(without_word(name, word) is not None for word in NAMES["train"])


def _unmasked_labels(named: Named, y_name: str, options: Options) -> list[str]:
    """Return the labels that occur, but for those of samples that are left out."""
    masked = {str(index) for index in options.ignore_index}
    return [
        label
        for label in labels_occurring_in(named, y_name, list(named))
        if label not in masked
    ]


def _columns_row_by_row(
    side_columns: dict[tuple[str, str], np.ndarray],
    unused: Named,
    y: np.ndarray,
    options: Options,
) -> dict[tuple[str, str], np.ndarray]:
    """Return what stands beside the samples, and columns that are not used, row by row."""
    columns = {
        (role, name): array
        for (role, name), array in side_columns.items()
        if _stands_beside(role, array, y, options)
    }
    for name, array in unused.items():
        if array.ndim == 1 and len(array) == len(y):
            columns["unused", name] = array
    return columns


def _stands_beside(
    role: str, array: np.ndarray, y: np.ndarray, options: Options
) -> bool:
    """Tell whether a column stands beside the samples."""
    if role == "ids" and not options.ids:
        # found by its name alone, so it may be something else
        return len(array) == len(y)
    return role != "ignore"


def class_names_of(
    in_file: list[str] | None, options: Options
) -> tuple[str, ...] | None:
    """Return names of the classes: those that stand in a file, or those of an option."""
    if options.classes is None:
        return None if in_file is None else tuple(in_file)
    if in_file:
        _refuse_other_names(in_file, options.classes)
    return options.classes


def without_class_names(
    named: Named, arrays: Arrays
) -> tuple[dict[str, np.ndarray], list[str] | None]:
    """Return arrays but for one of names of classes, which is no column, and these names."""
    others, in_file = dict(named), arrays.classes
    for name in all_called(named, "classes"):
        if others[name].ndim == 1 and len(others) > 1:
            in_file = Column(name, others.pop(name)).texts.tolist()
    return others, in_file


def _refuse_other_names(in_file: list[str], classes: tuple[str, ...]) -> None:
    """Refuse names of classes that are the file's in part, or in another order."""
    if {*classes} & {*in_file} and [*classes] != in_file:
        raise ReadingError(
            f"the file names its classes {listed(in_file)}, not {listed(classes)}"
        )


def _labels_named(named: Named, name: str) -> np.ndarray:
    if name in named:
        return named[name]
    return np.column_stack(
        [column_named(named, part.strip(), "y").values for part in name.split(",")]
    )


def stacked_scores(named: Named, scores: ScoreColumns) -> np.ndarray:
    """Return scores as one array of numbers, a column a class."""
    arrays = [Column(name, named[name]).numbers for name in scores.columns]
    if len(arrays) == 1:
        return arrays[0]
    for name, array in zip(scores.columns, arrays, strict=True):
        if array.ndim != 1:
            raise ReadingError(
                f"{name!r} has the shape {array.shape}, expected a column"
            )
    return np.column_stack(arrays)


def _without_extras(
    named: Named, scores: ScoreColumns, labels: Sequence[str], options: Options
) -> ScoreColumns:
    """Leave out what bears the name of probabilities, no label, and takes no part in their sum."""
    if not _may_have_extras(scores):
        return scores
    bearing = scores.bearing(labels)
    if len(bearing.columns) in (0, 1, len(scores.columns)):
        return scores
    # what sums to one without a column owes it nothing
    unit = options.percent or 1
    sums_with = _distance_from_one(named, scores.columns, unit) <= OFF_WITH_IT
    sums_without = _distance_from_one(named, bearing.columns, unit) <= NEAR_WITHOUT_IT
    return bearing if sums_without and not sums_with else scores


def _may_have_extras(scores: ScoreColumns) -> bool:
    """Tell whether a column too many would show; logits have no sum that it could disturb."""
    return (
        scores.classes is not None
        and len(scores.columns) > 2
        and scores.kind != "logits"
    )


def _distance_from_one(named: Named, columns: Sequence[str], unit: float) -> float:
    """Return how far from one the rows of some columns, parts of a unit, sum at most."""
    total = sum(Column(column, named[column]).numbers for column in columns)
    return float(np.max(np.abs(total / unit - 1)))


def _with_task(samples: Samples, named: Named, options: Options) -> Samples:
    """Return samples of the question that is asked: which class, or whether an answer is right."""
    if options.predicted is not None:
        return _pairs_of_predictions(samples, named, options, options.predicted)
    if options.pairs:
        return _as_pairs(samples)
    if options.pairs is None and samples.in_one_column:
        _refuse_two_questions(samples, options)
    return samples


def _as_pairs(samples: Samples) -> Samples:
    if samples.in_one_column:
        return samples.replaced(task="pairs")
    raise ReadingError(
        f"{listed(samples.columns, 4)} is not one column of numbers, such as 0.95"
    )


def _pairs_of_predictions(
    samples: Samples, named: Named, options: Options, name: str
) -> Samples:
    """Return the pairs of a column of predictions, which stands beside the samples no more."""
    predicted = column_named(named, name, "predicted")
    samples = one_a_row(samples, options)
    side_columns = {
        key: array for key, array in samples.side_columns.items() if key[1] != name
    }
    return pairs_by_prediction(samples.replaced(side_columns=side_columns), predicted)


def _refuse_two_questions(samples: Samples, options: Options) -> None:
    name, y_name = samples.columns[0], samples.y_name
    # who names the event has said that it is the probability of it
    if options.positive is not None:
        return
    if says_confidence(name) or is_called(y_name, "correct", "incorrect"):
        raise ReadingError(
            f"{name!r} may be the confidence in an answer, and {y_name!r} say whether it was "
            "right, or the probability of the second of two classes",
            {"y": y_name, "scores": name, "pairs": True},
            {"y": y_name, "scores": name, "pairs": False},
        )
