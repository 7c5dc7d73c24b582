"""A label and a row of scores a sample: axes, masked labels, labels in columns, codes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calib_report.columns.labels import numbered_labels
from calib_report.contract import (
    NAMES,
    Note,
    ReadingError,
    ScoreKind,
    is_called,
    listed,
)
from calib_report.limits import FEWEST_TO_TELL
from calib_report.options import Options
from calib_report.values import (
    is_empty,
    labels_in,
    refuse_empty,
    texts,
    truth,
)


@dataclass(frozen=True, eq=False)
class Samples:
    """Labels and scores, row by row, and what stands beside by (what it is for, name).

    Labels are as the file holds them until `coded`, then numbers from 0.
    """

    y: np.ndarray
    scores: np.ndarray
    y_name: str
    columns: tuple[str, ...]
    classes: tuple[str, ...] | None = None
    kind: ScoreKind | None = None
    task: str = "classes"
    beside: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    coded: bool = False

    def but(self, **changes: object) -> "Samples":
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def in_one_column(self) -> bool:
        return self.scores.size == len(self.scores) and len(self.columns) == 1

    def names_of(self, what: str) -> list[str]:
        """Return the names of what stands beside for something, such as "ids"."""
        return [name for role, name in self.beside if role == what]

    def rows(self, chosen: np.ndarray, y: np.ndarray, scores: np.ndarray) -> "Samples":
        """Return other labels and scores, and what stands beside the chosen rows."""
        last = int(np.max(chosen, initial=0))
        for (what, name), array in self.beside.items():
            # what stands beside has to reach the last row that is chosen
            if len(array) <= last or array.ndim != 1:
                raise ReadingError(
                    f"{name!r} ({what}): shape {array.shape}, and {len(self.y)} labels",
                    {"ignore": (name,)},
                )
        beside = {key: array[chosen] for key, array in self.beside.items()}
        return self.but(y=y, scores=scores, beside=beside)


def one_a_row(samples: Samples, options: Options) -> Samples:
    """Return samples with one label and one row of scores each, without those to leave out."""
    samples = samples.but(scores=classes_last(samples.scores, options.class_axis))
    samples = _without_axes(samples, options)
    if samples.y.ndim == 2 and samples.y.shape[1] > 1:
        samples = _of_columns(samples, options)
    samples = samples.but(y=samples.y.reshape(-1))
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
        raise ReadingError(f"class-axis: scores have the shape {scores.shape}")
    return np.moveaxis(scores, axis, -1)


def _without_axes(samples: Samples, options: Options) -> Samples:
    """Read places of a sample, such as tokens or pixels, as rows of their own in one cluster."""
    shape, places = samples.scores.shape, samples.y.shape
    if len(shape) <= 2:
        _refuse_first_axis(shape, places)
        return samples
    _refuse_axes(shape, places, options)
    spread = _spread(samples, samples.scores.reshape(-1, shape[-1]))
    note = Note("The axes before the last are places of one sample, and a cluster.")
    return spread.but(notes=(*spread.notes, note))


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
    axes = [axis for axis in range(1, len(shape)) if _fits(shape, places, axis)]
    # (n, n, K) of tokens fits with classes on two axes
    is_clear = shape[:-1] == places and not _fits(shape, places, 1)
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


def _fits(shape: tuple[int, ...], places: tuple[int, ...], axis: int) -> bool:
    """Tell whether labels have the axes of scores, but for one of classes."""
    return shape[:axis] + shape[axis + 1 :] == places


def _spread(samples: Samples, scores: np.ndarray) -> Samples:
    """Return a row for each label of a sample, which is a cluster."""
    # tokens of a text, or pixels, are no independent samples
    rows = np.repeat(np.arange(len(samples.y)), samples.y[0].size)
    spread = samples.rows(rows, samples.y.reshape(-1), scores)
    if spread.names_of("clusters"):
        return spread
    return spread.but(beside=spread.beside | {("clusters", ""): rows})


def _of_columns(samples: Samples, options: Options) -> Samples:
    """Read labels (n, K) of 0 and 1: one-hot, or a yes-or-no question a label."""
    _refuse_entries(samples, options)
    # a row of a single 1 each is one label, unless the user says that it is chance
    if (samples.y.sum(axis=1) == 1).all() and not options.multilabel:
        return samples.but(y=samples.y.argmax(axis=1), coded=True)
    n, k = samples.y.shape
    spread = _spread(samples, samples.scores.reshape(-1))
    names = samples.classes or tuple(map(str, range(k)))
    note = Note(
        f"{k} labels, of which a sample may have any number: each is a yes-or-no question. Errors "
        "are of the stated probability of a yes; intervals resample samples."
    )
    return spread.but(
        beside=spread.beside | {("groups", "label"): np.tile(names, n)},
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
        is_empty(y) & bool(options.leave_out_empty)
    )
    strange = np.argwhere(~(np.isin(y, (0, 1)) | masked))
    if len(strange):
        _refuse_entry(samples, *strange[0])


def _refuse_entry(samples: Samples, row: int, column: int) -> None:
    value = samples.y[row, column]
    # what is empty, and what a number masks, is left out in two ways
    empty = bool(np.isnan(float(value)))
    way = (
        {"leave_out_empty": (samples.y_name,)}
        if empty
        else {"ignore_index": (int(value),)}
    )
    raise ReadingError(
        f"y: row {row} holds {value:g}, expected 0 or 1; it is masked by", way
    )


def _without_ignored(samples: Samples, options: Options) -> Samples:
    ignored = _are_ignored(samples, options)
    if not ignored.any():
        return samples
    labels = " or ".join(map(str, options.ignore_index)) or "that is empty"
    note = Note(f"{ignored.sum()} samples with the label {labels} are left out.")
    chosen = np.flatnonzero(~ignored)
    rows = samples.rows(chosen, samples.y[chosen], samples.scores[chosen])
    return rows.but(notes=(*samples.notes, note))


def _are_ignored(samples: Samples, options: Options) -> np.ndarray:
    """Tell which samples have a label to leave out; of questions, which have none."""
    if samples.y.dtype.kind == "U":
        ignored = np.isin(texts(samples.y), [*map(str, options.ignore_index)])
    else:
        ignored = np.isin(samples.y, options.ignore_index)
    return ignored | is_empty(samples.y) if samples.task == "labels" else ignored


def with_coded_labels(samples: Samples, options: Options) -> Samples:
    """Return samples whose labels are numbers from 0."""
    if samples.coded:
        return samples
    if samples.task == "pairs":
        y = is_right(samples.y_name, samples.y, options)
        return samples.but(y=y, classes=("wrong", "right"), coded=True)
    if samples.task == "classes" and samples.in_one_column:
        return _of_one_column(samples, options)
    if options.positive is not None:
        raise ReadingError(
            f"--positive {options.positive}: of one column of scores it is the label that the "
            f"column is the probability of; {listed(samples.columns, 4)} are of all classes"
        )
    return samples.but(y=_labels_as_numbers(samples, options.labels_from), coded=True)


def _labels_as_numbers(samples: Samples, labels_from: int | None) -> np.ndarray:
    """Return labels as numbers from 0; of questions, 1 for yes."""
    classes, k = samples.classes, samples.scores.shape[-1]
    if samples.task == "labels":
        # names of classes are those of the questions, and no answers to them
        classes, k = None, 2
    return numbered_labels(samples.y, classes, k, labels_from, samples.y_name)


def is_right(name: str, y: np.ndarray, options: Options) -> np.ndarray:
    """Return 1 where an answer was right; a column that is called `error` says so by a 0."""
    verdicts = truth(name, y)
    if not is_called(name, "incorrect"):
        return verdicts
    if options.positive is None:
        raise ReadingError(
            f"by its name, {name!r} is 1 where an answer is wrong: if the scores say how sure it "
            "is, the first option; if they say how likely an error is, the second",
            {"positive": "0"},
            {"positive": "1"},
        )
    return 1 - verdicts


def is_of_wrong(name: str, options: Options) -> bool:
    """Tell whether the scores of pairs are the probability that an answer is wrong."""
    if options.positive is None:
        return False
    return (options.positive.casefold() in NAMES["true"]) == is_called(
        name, "incorrect"
    )


def _of_one_column(samples: Samples, options: Options) -> Samples:
    """Read one column of scores as that of the label that is named, or of 1 beside 0."""
    names = samples.classes or ()
    # what is empty is of no class, not of the other
    refuse_empty(samples.y_name, samples.y, names)
    labels = labels_in(samples.y, names)
    positive = options.positive
    if positive is None:
        positive = _positive_class(samples, labels) or _usual_positive(labels)
    if positive is not None:
        return _of_event(samples, (_negative(labels, positive), positive))
    if not {*labels} <= {"0", "1"}:
        raise _unknown_event(samples, labels)
    return _of_event(samples, ("0", "1"))


def _of_event(samples: Samples, classes: tuple[str, str]) -> Samples:
    """Return samples of two classes, of which the second is the event."""
    y = (texts(samples.y) == classes[1]).astype(int)
    return samples.but(y=y, classes=classes, coded=True)


def _negative(labels: Sequence[str], positive: str) -> str:
    """Return the name of what is not the event: of two labels the other."""
    if positive not in labels:
        raise ReadingError(
            f"--positive {positive}: it is one of the labels, {listed(labels)}, of which one "
            "column of scores is the probability: --scores NAME"
        )
    negatives = [label for label in labels if label != positive]
    return negatives[0] if len(negatives) == 1 else f"not {positive}"


def _positive_class(samples: Samples, labels: Sequence[str]) -> str | None:
    """Return the label that is the second of two classes, whatever its case."""
    if samples.classes is None or len(samples.classes) != 2:
        return None
    return _label_like(samples.classes[1], labels)


def _label_like(name: str, labels: Sequence[str]) -> str | None:
    alike = [label for label in labels if label.casefold() == name.casefold()]
    return alike[0] if alike else None


def _usual_positive(labels: Sequence[str]) -> str | None:
    """Return the label that means yes: 1 beside -1, or true beside false."""
    of_word = {label.casefold(): label for label in labels}
    if {*of_word} == {"-1", "1"}:
        return of_word["1"]
    return of_word["true"] if {*of_word} == {"true", "false"} else None


def _unknown_event(samples: Samples, labels: list[str]) -> ReadingError:
    """Return the error of one column beside labels of which nothing says which it is of."""
    columns = listed(samples.columns, 4)
    problem = (
        f"{columns} is one column of scores, and the labels are {listed(labels)}: "
    )
    if len(labels) == 2:
        ways = ({"positive": label} for label in labels)
        return ReadingError(f"{problem}of which is it the probability", *ways)
    return ReadingError(
        f"{problem}name a column a class; or of one label, --positive LABEL; or of answers with "
        "--predicted NAME"
    )


def by_prediction(samples: Samples, predicted: np.ndarray, name: str) -> Samples:
    """Return pairs: the score is the confidence in a prediction, right where it is the label."""
    if samples.scores.size != len(samples.scores):
        raise ReadingError(
            f"--predicted: {listed(samples.columns, 4)} is not one column of scores"
        )
    answers, labels = texts(predicted), texts(samples.y.reshape(-1))
    _refuse_no_answers(answers, labels, name)
    _refuse_threshold(samples, answers, name)
    note = Note(f"An answer is right where {name!r} and {samples.y_name!r} are equal.")
    y = (answers == labels).astype(int)
    classes = ("wrong", "right")
    return samples.but(
        y=y, task="pairs", classes=classes, coded=True, notes=(*samples.notes, note)
    )


def _refuse_no_answers(answers: np.ndarray, labels: np.ndarray, name: str) -> None:
    """Refuse predictions that are not as many as labels, or never one of them."""
    if len(answers) != len(labels):
        raise ReadingError(
            f"--predicted: {len(answers)} entries, and {len(labels)} labels"
        )
    # predictions of other words than the labels could never be right
    label_values = {*labels.tolist()}
    if label_values.isdisjoint(answers.tolist()):
        raise ReadingError(
            f"--predicted: no entry of {name!r} is one of the labels, "
            f"{listed(sorted(label_values), 4)}"
        )


def _refuse_threshold(samples: Samples, answers: np.ndarray, name: str) -> None:
    """Refuse a score that says one of two predictions where it is high, and the other where low."""
    if not _may_be_of_an_event(samples, answers):
        return
    score = samples.scores.reshape(-1)
    first, second = np.unique(answers).tolist()
    for low, high in ((first, second), (second, first)):
        if _is_threshold(score[answers == low], score[answers == high]):
            raise ReadingError(
                f"{samples.columns[0]!r} is high where {name!r} is {high!r} and low where it "
                "is not: it is the probability of that label, not of the prediction",
                {"predicted": None, "positive": high, "pairs": False},
            )


def _may_be_of_an_event(samples: Samples, answers: np.ndarray) -> bool:
    """Tell whether there are two answers to a question of two labels, and enough of them."""
    are_two = len(np.unique(answers)) == 2 and len(labels_in(samples.y)) <= 2
    return (
        are_two
        and samples.scores.dtype.kind in "biuf"
        and len(answers) >= FEWEST_TO_TELL
    )


def _is_threshold(low: np.ndarray, high: np.ndarray) -> bool:
    """Tell whether all of some scores are below the others, and fall below one half."""
    # one threshold parts them: the score says the label, not how sure
    are_below = low.max() <= high.min() and low.max() < high.max()
    return bool(are_below and low.min() < 0.5)


def says_confidence(name: str) -> bool:
    """Tell whether a name says that a column is the confidence in an answer."""
    words = name.lower().replace("-", "_").replace(" ", "_").split("_")
    return not {*words}.isdisjoint(NAMES["confidence"])
