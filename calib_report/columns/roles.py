"""Which column is the label and which are the scores: by the contract, or as options say."""

# Mirrored by the answer desk, book/assets/desk/roles.js: change both.

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from calib_report.arrays import Named, column_named
from calib_report.columns.score_columns import (
    ScoreColumns,
    columns_with_classes,
    family_of,
    in_order_of_classes,
)
from calib_report.contract import (
    NAMES,
    NotJudgedError,
    NotSaidError,
    OptionError,
    ReadingError,
    all_called,
    in_small_letters,
    is_exactly_called,
    kind_of,
    listed,
    name_like,
)
from calib_report.options import Options
from calib_report.values import labels_occurring, names_of_labels


def find_labels(named: Named, options: Options) -> str:
    """Return the name of the labels, or of several columns with commas between."""
    if options.y is not None:
        return _labels_of_option(named, options.y)
    names = _called_label(named)
    if len(names) == 1:
        return names[0]
    # before any advice: no option would make it a question for calib
    _refuse_survival(named)
    if names:
        problem = (
            f"{listed(names)} may all be the labels; the file holds {listed(named)}"
        )
        raise NotSaidError(problem, *({"y": name} for name in names), role="y")
    problem = f"none has a name that says the labels; the file holds {listed(named)}"
    raise NotSaidError(problem, {"y": "NAME"}, {"labels": "FILE"}, role="y")


def _called_label(named: Named) -> list[str]:
    return [name for name in named if is_exactly_called(name, "label")]


def _labels_of_option(named: Named, y: str) -> str:
    """Return the name, or the names, that an option gives the labels."""
    if y not in named:
        for name in y.split(","):
            column_named(named, name.strip(), "y")
    return y


def _refuse_survival(named: Named) -> None:
    low = set(map(in_small_letters, named))
    if low & {*NAMES["times"]} and low & {*NAMES["events"]}:
        raise NotJudgedError(
            "these are times to an event, which calib does not judge: the package scikit-survival "
            "does; of a question such as 'within a year?', save label and probability"
        )


def keeps_pairs(named: Named, options: Options) -> bool:
    """Tell whether a table is one of stated confidences and hits, by the contract."""
    if (options.y, options.scores, options.pairs) != (None, None, None):
        return False
    if None in (name_like(named, "confidence"), name_like(named, "correct")):
        return False
    # beside a label or an array of scores, they are columns like others
    return not _called_label(named) and not any(map(_is_matrix, named, named.values()))


def _is_matrix(name: str, array: np.ndarray) -> bool:
    return is_exactly_called(name, "matrix") and array.ndim > 1


def find_scores(named: Named, labels: Sequence[str], options: Options) -> ScoreColumns:
    """Return the scores: what options name, else the only ones that keep the contract."""
    if options.scores is not None:
        return scores_of_option(named, labels, options)
    candidates = list(_scores_by_contract(named, labels))
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        names = [scores_option(scores, named) for scores in candidates]
        suggestions = ({"scores": name} for name in names)
        raise NotSaidError(
            f"{listed(names)} may all be the scores", *suggestions, role="scores"
        )
    _refuse_near(named, labels)
    problem = f"none has a name that says the scores; the file holds {listed(named)}"
    problem += _column_of_decisions_in_words(named, labels)
    raise NotSaidError(problem, {"scores": "NAME"}, role="scores")


def _scores_by_contract(named: Named, labels: Sequence[str]) -> Iterator[ScoreColumns]:
    """Yield all that the contract calls scores of these labels."""
    for name, array in named.items():
        if _is_matrix(name, array) and array.shape[-1] > 1:
            yield ScoreColumns((name,), None, kind_of(name))
    if len(labels) > 0:
        yield from _families_beginning_alike(named, labels)
        yield from _named_as_labels(named, labels)


def _families_beginning_alike(
    named: Named, labels: Sequence[str]
) -> Iterator[ScoreColumns]:
    """Yield the columns of each beginning of the contract, such as ``p_``, of these labels."""
    for start in NAMES["beginnings"]:
        members = _by_ending(_beginning_with(named, start), start)
        members.pop("", None)
        family = family_of(members, labels, kind_of(f"{start}x"))
        if family is not None:
            yield family


def _by_ending(columns: Sequence[str], start: str) -> dict[str, str]:
    """Return columns by what stands behind their beginning."""
    return {column[len(start) :]: column for column in columns}


def _beginning_with(named: Named, start: str) -> list[str]:
    return [
        name
        for name in named
        if name.lower().startswith(start) and is_column(named[name])
    ]


def _named_as_labels(named: Named, labels: Sequence[str]) -> Iterator[ScoreColumns]:
    """Yield the columns that are called as the labels are, and nothing more."""
    bare = names_of_labels(
        labels, [name for name, array in named.items() if is_column(array)]
    )
    if len(bare) > 1:
        columns = tuple(filter({*bare.values()}.__contains__, named))
        yield ScoreColumns(columns, tuple(map(str.strip, columns)))


def _refuse_near(named: Named, labels: Sequence[str]) -> None:
    """Raise where columns are called as scores are, but not by all of the labels."""
    for start in NAMES["beginnings"]:
        columns = _beginning_with(named, start)
        if len(columns) > 1:
            members = list(_by_ending(columns, start))
            lacking = [
                label for label in labels if not names_of_labels([label], members)
            ]
            _refuse_without_columns(columns, labels, lacking)


def _refuse_without_columns(
    columns: list[str], labels: Sequence[str], lacking: list[str]
) -> None:
    """Raise the error of labels that no column is of: a mask, one label, or all of them."""
    if not lacking:
        return
    if all(map(is_mask, lacking)):
        raise ReadingError(
            f"no column is of the label {lacking[0]!r}; if it marks samples to leave out",
            {"ignore_index": tuple(map(int, lacking))},
        )
    if len(lacking) < len(labels):
        problem = f"no column is of the label {lacking[0]!r}: found {listed(columns)}"
        raise NotSaidError(problem, role="scores")
    raise NotSaidError(
        f"the labels are {listed(labels)}, and the columns {listed(columns)} say not which is "
        "whose",
        role="scores",
    )


def _column_of_decisions_in_words(named: Named, labels: Sequence[str]) -> str:
    """Say which column looks like scores and holds predicted labels alone."""
    for name in all_called(named, "predicted"):
        entries = labels_occurring(named[name])
        if entries and {*entries} <= {*labels}:
            return f"; {name!r} holds decisions, not probabilities"
    return ""


def is_mask(label: str) -> bool:
    """Tell whether a label is a code that usually marks samples to leave out, such as -100."""
    return bool(re.fullmatch(r"-\d+|255", label))


def is_column(array: np.ndarray) -> bool:
    return array.ndim == 1 and array.dtype.kind in "biufU"


def scores_of_option(
    named: Named, labels: Sequence[str], options: Options
) -> ScoreColumns:
    """Return the scores that an option names: an array, columns, or what columns begin with."""
    name = options.scores or ""
    if name in named:
        return ScoreColumns((name,), None, kind_of(name))
    if "," in name:
        columns = _columns_of_option(named, name)
        return columns_with_classes(columns, labels, options.classes)
    columns = tuple(n for n in named if n.startswith(name) and is_column(named[n]))
    # one column is named whole: a beginning of it alone may be a slip
    if len(columns) < 2:
        raise OptionError("scores", f"there is no {name!r}, found {listed(named)}")
    return _columns_that_begin_alike(columns, name, labels, options.classes)


def _columns_of_option(named: Named, text: str) -> tuple[str, ...]:
    """Return the columns that are named with commas between; each of them is there."""
    columns = tuple(map(str.strip, text.split(",")))
    for column in columns:
        column_named(named, column, "scores")
    return columns


def _columns_that_begin_alike(
    columns: tuple[str, ...],
    start: str,
    labels: Sequence[str],
    classes: Sequence[str] | None,
) -> ScoreColumns:
    """Return columns that begin alike: as options order them, as labels do, or as they stand."""
    members = _by_ending(columns, start)
    # columns of no class that is named are none of the scores
    if classes is not None and {*classes} <= {*members}:
        bearing = tuple(map(members.__getitem__, classes))
        return ScoreColumns(bearing, tuple(classes), kind_of(columns[0]))
    if names_of_labels(labels, list(members)):
        return in_order_of_classes(members, kind_of(f"{start}x"))
    scores = columns_with_classes(columns, labels, classes)
    if scores.classes == columns:
        return ScoreColumns(columns, tuple(members), scores.kind)
    return scores


def scores_option(scores: ScoreColumns, named: Named) -> str:
    """Return what `--scores` should be to name columns: how they begin, if that is shorter."""
    names = ",".join(scores.columns)
    # a line that a person can type, or at least read
    if len(scores.columns) <= 8 and len(names) <= 200:
        return names
    start = _own_beginning(scores, named)
    return start or names


def _own_beginning(scores: ScoreColumns, named: Named) -> str:
    """Return what these columns begin with, and no other does; nothing where there is no such."""
    if scores.classes is None:
        return ""
    start = scores.columns[0].removesuffix(scores.classes[0])
    beginning = {name for name in named if name.startswith(start)}
    return start if beginning == {*scores.columns} else ""


def labels_occurring_in(named: Named, name: str, columns: Sequence[str]) -> list[str]:
    """Return the labels that occur; "NA" is a label where a column bears it."""
    if name not in named:
        return []
    # a column p_NA makes "NA" a class, and not a gap
    words = chain.from_iterable(re.split(r"[^0-9A-Za-z/]+", name) for name in columns)
    return labels_occurring(named[name], sorted({*words}))
