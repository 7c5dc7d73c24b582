"""Ways to read a file: each yields guesses, options that would say what is what in a file.

What a way says of itself, up to a colon, is shown beside what comes of it.
"""

# Mirrored by the answer desk, book/assets/desk/proposals.js: change both.

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse, product
from typing import Any

import numpy as np

from calib_report.columns.ids import id_names, is_unique
from calib_report.columns.labels import n_classes_counted
from calib_report.columns.roles import is_column
from calib_report.columns.samples import says_confidence
from calib_report.columns.score_columns import families, trailing_numbers
from calib_report.contract import (
    NAMES,
    PATTERNS,
    all_called,
    in_small_letters,
    is_called,
    is_called_scores,
    normalised,
)
from calib_report.proposing.clues import Clues, without_names
from calib_report.texts import TEXTS
from calib_report.values import are_whole, labels_occurring, names_of_labels, texts

Guess = Mapping[str, Any]  # options
LIKELY_POSITIVE = (  # what people usually call an event
    "1",
    "yes",
    "true",
    "positive",
    "pos",
    "sick",
    "event",
    "default",
    "churn",
    "fraud",
    "wahr",
    "ja",
    "oui",
)


def as_it_stands(clues: Clues) -> Iterator[Guess]:
    """Names say most of it."""
    yield {}


def long_table(clues: Clues) -> Iterator[Guess]:
    """A row for each sample and class: ids that stand as often as there are classes."""
    ids = [name for name in id_names(clues.named) if not is_unique(clues.named[name])]
    for sample in ids:
        for column in _columns_of_classes(clues, sample, ids):
            yield from _long_table_of(clues, sample, column)


def _long_table_of(clues: Clues, sample: str, column: str) -> Iterator[Guess]:
    for y in without_names(clues.columns_of_labels(), sample, column)[:2]:
        for scores in _single_scores(clues, y)[:2]:
            yield {"y": y, "scores": scores, "ids": (sample,), "long": column}


def _columns_of_classes(clues: Clues, sample: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield columns of as many words as there are rows of each sample."""
    # in a long table each sample has a row for each class
    ids_of_rows = clues.named[sample]
    times = len(ids_of_rows) / len(np.unique(ids_of_rows))
    for name in without_names(clues.where(_is_text), *ids):
        if len(np.unique(clues.named[name])) == times:
            yield name


def _is_text(name: str, array: np.ndarray) -> bool:
    return array.dtype.kind == "U"


def class_columns(clues: Clues) -> Iterator[Guess]:
    """A column for each class: its name bears the label's value."""
    for y in clues.columns_of_labels():
        labels = clues.labels_occurring(y)
        if len(labels) > 1:
            yield from _columns_bearing(clues, y, labels)


def _columns_bearing(clues: Clues, y: str, labels: Sequence[str]) -> Iterator[Guess]:
    names = clues.columns_of_scores(y)
    for family in _families_bearing(names, labels):
        columns = _columns_of_family(clues.named, names, family, labels)
        yield {"y": y, "scores": ",".join(_ordered_by_class(columns, family))}


def _ordered_by_class(columns: list[str], family: Mapping[str, str]) -> list[str]:
    """Return columns in the order of classes that are numbers; of others as they stand."""
    if not are_whole([*family]):
        return columns
    of_column = {name: int(label) for label, name in family.items()}
    return sorted(columns, key=of_column.__getitem__)


def _families_bearing(
    names: Sequence[str], labels: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Yield families of columns that bear all labels, as they are or without case and signs."""
    bare = names_of_labels(labels, names)
    if bare and not are_whole(labels):
        yield dict(zip(names, names, strict=True)) | bare
    yield from families(names, labels)
    yield from _families_bearing_plainly(names, labels)
    yield from _families_by_number(names, labels)


def _families_bearing_plainly(
    names: Sequence[str], labels: Sequence[str]
) -> Iterator[dict[str, str]]:
    by_normalised = {normalised(name): name for name in names}
    # names that are alike without case and signs may mean two things
    if len(by_normalised) < len(names):
        return
    for family in families(list(by_normalised), [*map(normalised, labels)]):
        yield {label: by_normalised[name] for label, name in family.items()}


def _families_by_number(
    names: Sequence[str], labels: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Yield columns by the one number in their names, as P_BAD1 and P_BAD0."""
    if are_whole(labels):
        for family in _alike_but_for_a_number(names):
            if {*labels} <= {*family}:
                yield family


def _alike_but_for_a_number(names: Sequence[str]) -> Iterable[dict[str, str]]:
    """Return names by their number, a family for each text that stands around numbers."""
    of_text: dict[str, dict[str, str]] = {}
    for name in names:
        for match in re.finditer(r"\d+", name):
            around = f"{name[: match.start()]}#{name[match.end() :]}"
            of_text.setdefault(around, {})[str(int(match[0]))] = name
    return of_text.values()


def _columns_of_family(
    named: Mapping[str, np.ndarray],
    names: Sequence[str],
    family: Mapping[str, str],
    labels: Sequence[str],
) -> list[str]:
    """Return the columns of a family, of which some bear no label: all where they sum to one."""
    columns = [name for name in names if name in family.values()]
    bearing = _bearing_a_label(family, labels)
    if len(bearing) == len(columns) or _sum_to_one(named, columns):
        return columns
    return [name for name in columns if name in bearing]


def _bearing_a_label(family: Mapping[str, str], labels: Sequence[str]) -> list[str]:
    """Return the columns of a family whose classes are labels."""
    of_labels = {*map(normalised, labels)}
    return [column for name, column in family.items() if normalised(name) in of_labels]


def _sum_to_one(named: Mapping[str, np.ndarray], columns: Sequence[str]) -> bool:
    """Tell whether the first rows sum to one, or to a hundred; of text that is not known."""
    try:
        total = sum(named[name][:100].astype(float) for name in columns)
    except ValueError:
        return True
    return bool(np.allclose(total, 1, atol=0.02) or np.allclose(total, 100, atol=2))


def arrays_of_classes(clues: Clues) -> Iterator[Guess]:
    """An array with a column a class: beside labels, of one set where there are several."""
    for scores in clues.where(_has_columns):
        word = _word_of_calibration(clues, scores)
        of_set = {} if word is None else {"calibration": word}
        for y in _labels_of_set(clues, scores):
            yield {"y": y, "scores": scores, **of_set}


def _has_columns(name: str, array: np.ndarray) -> bool:
    """Tell whether an array holds numbers in more than one column."""
    return array.ndim > 1 and array.dtype.kind in "iuf" and array.shape[-1] > 1


def _labels_of_set(clues: Clues, scores: str) -> list[str]:
    """Return what may be the labels of scores: of their set, else of a set to judge."""
    names = clues.columns_of_labels()
    if clues.options.y is None:
        names += clues.arrays_of_labels()
    names = without_names(names, scores)
    same = [name for name in names if _set_of(name) == _set_of(scores)]
    return same or [name for name in names if _set_of(name) in ("", *NAMES["test"])]


def _set_of(name: str) -> str:
    """Return the word of a set that begins or ends a name; "" where none does."""
    words = re.split("[._]", in_small_letters(name))
    sets = (*NAMES["test"], *NAMES["calibration"], *NAMES["train"])
    ends = (words[0], words[-1]) if len(words) > 1 else ()
    return next((word for word in ends if word in sets), "")


def _word_of_calibration(clues: Clues, scores: str) -> str | None:
    """Return the word of a calibration set, another that holds scores; None where none does."""
    if clues.options.calibration is not None:
        return clues.options.calibration
    judged = _set_of(scores)
    if judged not in ("", "test"):
        return None
    words = map(_set_of, clues.where(_is_of_vectors))
    others = {*NAMES["calibration"]} - {"", judged}
    return next(filter(others.__contains__, words), None)


def _is_of_vectors(name: str, array: np.ndarray) -> bool:
    return array.ndim > 1


def stated_confidences(clues: Clues) -> Iterator[Guess]:
    """A confidence and hits: the probability that an answer is right, and whether it was."""
    columns_of_hits = _columns_of_hits(clues)
    for says in (says_confidence, is_called_scores):  # the likelier names first
        for y in columns_of_hits:
            for scores in filter(says, clues.columns_of_scores(y)):
                yield _guess_of_confidence(y, scores)


def _guess_of_confidence(y: str, scores: str) -> Guess:
    # a column `error` holds 1 where the answer is wrong
    guess = {"y": y, "scores": scores, "pairs": True}
    return guess | ({"positive": "0"} if is_called(y, "incorrect") else {})


def _columns_of_hits(clues: Clues) -> list[str]:
    """Return columns of right and wrong."""
    names = clues.called("correct", "incorrect")
    if clues.options.y is not None:
        names = [name for name in names if name == clues.options.y]
    return [name for name in names if _holds_hits(clues.named[name])]


def _holds_hits(array: np.ndarray) -> bool:
    words = {*map(str.lower, labels_occurring(array))}
    return words <= {*NAMES["true"], *NAMES["false"]}


def stated_doubts(clues: Clues) -> Iterator[Guess]:
    """An uncertainty and hits: the probability that an answer is wrong, turned round."""
    for y in _columns_of_hits(clues):
        # how probable it is that 1 is beside an error, or 0 beside what is correct
        positive = "1" if is_called(y, "incorrect") else "0"
        for scores in all_called(clues.columns_of_scores(y), "uncertainty"):
            yield {"y": y, "scores": scores, "pairs": True, "positive": positive}


def predictions(clues: Clues) -> Iterator[Guess]:
    """A label, a prediction and a confidence in it: right where label and prediction are equal."""
    # any label may go with any prediction, the likelier label first
    for y, name in product(clues.columns_of_labels(), clues.called("predicted")):
        if clues.named[name].ndim == 1 and _share_a_label(clues, y, name):
            for scores in without_names(_single_scores(clues, y), name):
                yield {"y": y, "scores": scores, "predicted": name}


def _share_a_label(clues: Clues, y: str, predicted: str) -> bool:
    entries = texts(clues.named[predicted]).tolist()
    return y != predicted and not {*clues.labels_occurring(y)}.isdisjoint(entries)


def _single_scores(clues: Clues, y: str) -> list[str]:
    """Return columns that may each be the whole score, those whose names say so first."""
    names = [name for name in clues.columns_of_scores(y) if not _is_no_score(name)]
    likely = [
        name for name in _saying_score(names) if not _holds_two_codes(clues.named[name])
    ]
    return likely or _only_fractions(clues, names)


def _only_fractions(clues: Clues, names: Sequence[str]) -> list[str]:
    """Return the one column of fractions, or those beside the one that is said to be the score."""
    # without a name that says so, a column is the score only if no other could be
    fractions = [name for name in names if clues.named[name].dtype.kind == "f"]
    is_only = len(fractions) == 1 or clues.options.scores in fractions
    return fractions if is_only else []


def _saying_score(names: Sequence[str]) -> dict[str, None]:
    """Return the names that say a score, once each, those that say it best first."""
    return dict.fromkeys(name for says in SAY_SCORES for name in filter(says, names))


def _says_score(name: str) -> bool:
    return is_called_scores(name) or "score" in name.lower()


def _says_prediction(name: str) -> bool:
    return PATTERNS["percent"].search(name) is not None or "pred" in name.lower()


SAY_SCORES = (says_confidence, _says_score, _says_prediction)  # the likeliest first


def _risks(clues: Clues, y: str) -> list[str]:
    """Return columns called a risk: beside an event it is the event's, beside hits a doubt."""
    names = [name for name in clues.columns_of_scores(y) if "risk" in _words_of(name)]
    return [name for name in names if clues.named[name].dtype.kind == "f"]


def _words_of(name: str) -> list[str]:
    return re.split("[._ ]", in_small_letters(name))


def _holds_two_codes(array: np.ndarray) -> bool:
    return array.dtype.kind in "iu" and len(np.unique(array)) <= 2


def _is_no_score(name: str) -> bool:
    """Tell whether a name says that a column is the end of an interval, or a measure of doubt."""
    no_scores = (*NAMES["ends"], *NAMES["spread"], "loss", "weight")
    return _words_of(name)[-1] in no_scores or is_called(
        name, "uncertainty", "incorrect"
    )


def one_of_two(clues: Clues) -> Iterator[Guess]:
    """One column and two labels: the probability, or the log odds, of one of them."""
    for y in clues.columns_of_labels():
        labels = clues.labels_occurring(y)
        if 1 <= len(labels) <= 2 and not is_called(y, "correct"):
            yield from _guesses_of_events(clues, y, labels)


def _guesses_of_events(clues: Clues, y: str, labels: Sequence[str]) -> Iterator[Guess]:
    """Yield each column that may be of an event, with each of two labels as the event."""
    columns = _single_scores(clues, y) or _risks(clues, y)
    for scores in without_names(columns, y):
        for label in _likely_events(scores, labels):
            yield {"y": y, "scores": scores, "positive": label, "pairs": False}


def _likely_events(scores: str, labels: Sequence[str]) -> list[str]:
    """Return the labels that a column may be the probability of, the likeliest first."""
    # p_sick says of which label it is; p_1 may be a number of anything
    words = [label for label in labels if not label.isdecimal()]
    borne = [label for label in words if normalised(scores).endswith(normalised(label))]
    # p_unwell ends in both of well and unwell
    first = borne if len(borne) == 1 else []
    return list(dict.fromkeys((*first, _usual_event(labels), *labels)))


def _usual_event(labels: Sequence[str]) -> str:
    """Return the label that people usually give an event, else the last."""
    of_word = {label.lower(): label for label in reversed(labels)}
    words = [word for word in LIKELY_POSITIVE if word in of_word]
    return of_word[words[0]] if words else labels[-1]


def numbered_columns(clues: Clues) -> Iterator[Guess]:
    """As many columns as labels have numbers: the first column is of the first number."""
    for y in clues.columns_of_labels():
        labels = clues.labels_occurring(y)
        if not are_whole(labels):
            yield from _numbered_for_names(clues, y, labels)
        elif len(labels) > 2:
            codes = [int(label) for label in labels]
            yield from _columns_as_many(clues, y, n_classes_counted(codes))


def _columns_as_many(clues: Clues, y: str, k: int) -> Iterator[Guess]:
    """Yield columns that begin alike and are as many as the classes."""
    for columns in _columns_by_beginning(clues.columns_of_scores(y)):
        if len(columns) == k:
            yield {"y": y, "scores": ",".join(columns)}


def _numbered_for_names(clues: Clues, y: str, labels: list[str]) -> Iterator[Guess]:
    """Yield columns that are numbered 0, 1, 2 for labels that are names, in alphabetical order."""
    for columns in _columns_by_beginning(clues.columns_of_scores(y)):
        if trailing_numbers(columns) == list(range(len(labels))):
            yield {"y": y, "scores": ",".join(columns), "classes": tuple(labels)}


def _columns_by_beginning(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield columns that begin alike, first without those that say a statistic, then with them."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_start_of(name), []).append(name)
    for columns in groups.values():
        of_classes = [*filterfalse(_says_statistic, columns)]
        # a class may well be called max
        yield from [of_classes] if of_classes == columns else [of_classes, columns]


def _says_statistic(column: str) -> bool:
    return _end_of(column).lower() in NAMES["statistics"]


def label_columns(clues: Clues) -> Iterator[Guess]:
    """A column of labels for each column of scores: marks of 0 and 1."""
    marks = clues.where(_is_of_marks)
    for columns in _columns_by_beginning(marks):
        if len(columns) > 1:
            yield from _columns_beside_marks(columns, clues.columns_of_scores(*marks))


def _columns_beside_marks(
    marks: Sequence[str], names: Sequence[str]
) -> Iterator[Guess]:
    """Yield columns of scores whose names end as those of marks do, in the order of these."""
    classes = [*map(_end_of, marks)]
    for columns in _columns_by_beginning(names):
        of_class = dict(zip(map(_end_of, columns), columns, strict=True))
        if {*of_class} == {*classes}:
            scores = ",".join(map(of_class.__getitem__, classes))
            yield {"y": ",".join(marks), "scores": scores}


def _is_of_marks(name: str, array: np.ndarray) -> bool:
    return is_column(array) and {*labels_occurring(array)} <= {"0", "1"}


def _start_of(name: str) -> str:
    """Return what a name begins with, up to its last sign: ``p_`` of ``p_cat``."""
    match = re.match(r".*[_. :-]", name)
    return match[0] if match else ""


def _end_of(name: str) -> str:
    return name[len(_start_of(name)) :]


WAYS: tuple[Callable[[Clues], Iterator[Guess]], ...] = (
    as_it_stands,
    long_table,
    label_columns,
    class_columns,
    arrays_of_classes,
    stated_confidences,
    stated_doubts,
    predictions,
    one_of_two,
    numbered_columns,
)


def title_of(way: Callable[[Clues], Iterator[Guess]]) -> str:
    """Return what a user is told of a way."""
    title: str = TEXTS["way"][way.__name__]
    return title
