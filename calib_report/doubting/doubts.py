"""What in a file speaks against a reading: each check doubts it, and shows what settles it."""

# Mirrored by the answer desk, book/assets/desk/checks.js: change both.

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from calib_report.columns.samples import Samples
from calib_report.contract import (
    NAMES,
    PATTERNS,
    Changes,
    Doubter,
    all_called,
    is_called,
    is_exactly_called,
    listed,
)
from calib_report.doubting.suspicion import Cause, association, suspicion
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Condition, Options
from calib_report.values import are_whole, empty_entries, texts

MOST_OFF = 1e-3  # share of rows that may disagree with the rest
TIED = 1e-6  # share of the largest probability by which a tie may lie below it
CLEARLY_TURNED = 3.7  # standard deviations, which chance exceeds once in ten thousand
OTHER_ORDERS: tuple[Cause, ...] = (
    "turned round",
    "columns moved",
    "labels counted from another number",
)
ABSENT_BY_CHANCE = 0.05  # of a class, above which it is proposed as one


@dataclass(frozen=True, eq=False)
class AsRead:
    """What is read, and the columns beside it that could speak against it."""

    samples: Samples
    outputs: ModelOutputs
    options: Options

    @cached_property
    def unused(self) -> dict[str, np.ndarray]:
        """The columns that a reading leaves out, row by row."""
        side_columns = self.samples.side_columns.items()
        return {name: array for (role, name), array in side_columns if role == "unused"}

    @property
    def is_of_classes(self) -> bool:
        return self.samples.task == "classes"

    @property
    def labels(self) -> np.ndarray:
        """The label of each sample as text."""
        return np.array(self.outputs.names)[self.outputs.y]


class Doubt(NamedTuple):
    """What speaks against a reading, and the options that would settle it."""

    problem: str
    suggestions: Iterable[Changes] = ()


def check_all(as_read: AsRead, doubter: Doubter) -> None:
    """Raise the first doubt about a reading; where doubts are overruled, note all of them."""
    for problem, suggestions in chain.from_iterable(check(as_read) for check in CHECKS):
        doubter.raise_or_note(problem, *suggestions)


def doubt_several_sets(as_read: AsRead) -> Iterator[Doubt]:
    """Doubt that rows of a training set, or of several models, are to be read as one set."""
    for name, column in as_read.unused.items():
        if is_exactly_called(name, "parting"):
            yield from _doubts_of_sets(name, column)


def _doubts_of_sets(name: str, column: np.ndarray) -> Iterator[Doubt]:
    values = list(dict.fromkeys(texts(column).tolist()))
    # as many values as rows part nothing: it is a name
    if 1 < len(values) <= len(column) / 2:
        problem = f"{name!r} parts the rows into {listed(values, 5)}; which are read"
        yield Doubt(problem, _suggestions_that_part(name, values))


def _suggestions_that_part(name: str, values: list[str]) -> list[Changes]:
    """Return the options that read one set, the test set first, or all of them; of folds all."""
    suggestions: list[Changes] = [
        {"where": (str(Condition(name, value)),)}
        for value in sorted(values, key=_distance_from_test)[:3]
    ]
    # of folds all rows are read: each was predicted by a model that had not seen it
    ignore: Changes = {"ignore": (name,)}
    return [ignore, *suggestions] if "fold" in name.lower() else [*suggestions, ignore]


def _distance_from_test(value: str) -> int:
    """Return how far a value is from saying the test set."""
    names = NAMES["test"]
    return names.index(value.lower()) if value.lower() in names else len(names)


def doubt_repeated_ids(as_read: AsRead) -> Iterator[Doubt]:
    """Doubt that rows of one id are samples of their own."""
    if _names_samples(as_read):
        return
    for name, column in as_read.unused.items():
        if _may_be_ids(name, column):
            yield from _doubts_of_repeats(name, column)


def _names_samples(as_read: AsRead) -> bool:
    """Tell whether it is said already which rows belong together, or what names them."""
    options, clusters = as_read.options, as_read.samples.names_of("clusters")
    return bool(options.clusters or options.ids or clusters)


def _may_be_ids(name: str, column: np.ndarray) -> bool:
    is_named_id = PATTERNS["named_id"].fullmatch(name.strip()) is not None
    return is_named_id and column.dtype.kind in "iuUf"


def _doubts_of_repeats(name: str, column: np.ndarray) -> Iterator[Doubt]:
    n_ids = len(np.unique(column[~empty_entries(column)]))
    # one value throughout names no sample: it is that of the file
    if 1 < n_ids < len(column):
        yield Doubt(
            f"{name!r} names {n_ids} of {len(column)} rows: rows of one id belong together",
            [{"clusters": (name,)}, {"ignore": (name,)}],
        )


def doubt_second_labels(as_read: AsRead) -> Iterator[Doubt]:
    """Doubt which of two columns that hold the same labels is the truth."""
    if as_read.options.y is not None or not as_read.is_of_classes:
        return
    y_name, labels = as_read.samples.y_name, as_read.labels
    for name in _second_labels(as_read):
        n_off = int((labels != texts(as_read.unused[name])).sum())
        if n_off:
            yield Doubt(
                f"{y_name!r} and {name!r} both hold labels, which differ in {n_off} of "
                f"{len(labels)} rows",
                [{"y": y_name}, {"y": name}],
            )


def _second_labels(as_read: AsRead) -> Iterator[str]:
    """Yield the columns beside the labels that hold labels, or their numbers, as well."""
    outputs = as_read.outputs
    values = {*outputs.names, *map(str, range(outputs.n_classes))}
    for name in all_called(as_read.unused, "labels"):
        # "label_predicted" is called both, and no truth
        is_prediction = is_called(name, "predicted")
        if not is_prediction and values.issuperset(
            texts(np.unique(as_read.unused[name]))
        ):
            yield name


def doubt_contradicted_scores(as_read: AsRead) -> Iterator[Doubt]:
    """Doubt scores that a column of predictions contradicts."""
    if not as_read.is_of_classes or as_read.options.predicted:
        return
    for name in all_called(as_read.unused, "predicted"):
        are_off = _contradicts(texts(as_read.unused[name]), as_read.outputs)
        if are_off.mean() > MOST_OFF:
            yield _doubt_of_contradiction(name, are_off, as_read.samples)


def _doubt_of_contradiction(name: str, are_off: np.ndarray, samples: Samples) -> Doubt:
    rows = np.flatnonzero(are_off)
    problem = (
        f"{name!r} contradicts the scores in {len(rows)} of {len(are_off)} rows, such as "
        f"{', '.join(map(str, rows[:3]))}: if they are those of the prediction, the first option; "
        "if it was made otherwise, the second"
    )
    # one column may be the confidence in it; of several, which are its scores nobody knows
    of_one = {"predicted": name, "positive": None, "pairs": None}
    its_scores = of_one if samples.in_one_column else {"scores": "NAMES"}
    return Doubt(problem, [its_scores, {"ignore": (name,)}])


def _contradicts(predicted: np.ndarray, outputs: ModelOutputs) -> np.ndarray:
    """Tell in which rows a prediction is not the surest class; of two, by any threshold."""
    codes = _codes_of_predictions(predicted, outputs)
    if codes is None:
        return np.zeros(len(predicted), bool)
    prob = outputs.prob
    if outputs.n_classes == 2:
        return _off_any_threshold(prob[:, 1], codes == 1)
    # ties of the surest classes contradict nothing
    rows = np.arange(len(codes))
    return prob[rows, codes] < prob.max(axis=1) * (1 - TIED)


def _codes_of_predictions(
    predicted: np.ndarray, outputs: ModelOutputs
) -> np.ndarray | None:
    """Return predictions as numbers of classes, None where they are something else."""
    values, place = np.unique(predicted, return_inverse=True)
    codes = _codes_of(values.tolist(), outputs.names)
    if min(codes) < 0 or max(codes) >= outputs.n_classes:
        return None
    return np.array(codes, int)[place]


def _codes_of(values: list[str], names: list[str]) -> list[int]:
    """Return the place of each value among names of classes, or its number; else -1."""
    number = {name.casefold(): k for k, name in enumerate(names)}
    codes = [number.get(value.casefold(), -1) for value in values]
    # numbers count the classes, unless the classes themselves are numbers
    are_numbers = are_whole(values) and not are_whole(names)
    return [*map(int, values)] if -1 in codes and are_numbers else codes


def _off_any_threshold(score: np.ndarray, yes: np.ndarray) -> np.ndarray:
    """Tell which predictions of two classes the best threshold on the score would not make."""
    if yes.all() or not yes.any():
        return _off_one_half(score, yes)
    order = np.argsort(score, kind="stable")
    # predictions of the second class below each threshold
    below = np.cumsum(yes[order])
    above = (~yes).sum() - np.cumsum(~yes[order])  # and of the first above it
    # the one that disagrees with fewest predictions
    threshold = score[order][int(np.argmin(below + above))]
    return np.where(yes, score <= threshold, score > threshold)


def _off_one_half(score: np.ndarray, yes: np.ndarray) -> np.ndarray:
    """Tell which predictions, all of one class, one half would not make."""
    above_half = score >= 0.5
    # of predictions of the second class one score above it will do: any threshold may be lower
    if above_half.any() == yes.any():
        return np.zeros(len(yes), bool)
    return yes != above_half


def doubt_hits(as_read: AsRead) -> Iterator[Doubt]:
    """Doubt hits that are not whether the prediction beside them is the label beside them."""
    if as_read.samples.task != "pairs" or as_read.options.predicted:
        return
    labels = all_called(as_read.unused, "labels")
    predictions = all_called(as_read.unused, "predicted")
    # of two columns of one kind nobody knows which is meant
    if len(labels) == len(predictions) == 1:
        yield from _doubts_of_unequal(labels[0], predictions[0], as_read)


def _doubts_of_unequal(label: str, prediction: str, as_read: AsRead) -> Iterator[Doubt]:
    labels = texts(as_read.unused[label])
    predictions = texts(as_read.unused[prediction])
    if not {*labels.tolist()} >= {*predictions.tolist()}:
        return  # of free text, which somebody judged
    y_name = as_read.samples.y_name
    are_off = (labels == predictions) != (as_read.outputs.y == 1)
    if are_off.mean() > MOST_OFF:
        yield Doubt(
            f"{y_name!r} is not whether answer and label are equal in {are_off.sum()} of "
            f"{len(are_off)} rows, such as {np.flatnonzero(are_off)[0]}",
            [{"y": y_name, "pairs": True, "ignore": (label,)}],
        )


def doubt_classes_that_never_occur(as_read: AsRead) -> Iterator[Doubt]:
    """Doubt a column of logits that bears no label, unless all classes are named by an option."""
    outputs, columns = as_read.outputs, as_read.samples.columns
    if not _are_logits_by_class(as_read) or as_read.options.classes is not None:
        return
    for absent in np.flatnonzero(np.bincount(outputs.y, minlength=len(columns)) == 0):
        if not are_whole([outputs.names[absent]]):
            yield _doubt_of_absent(outputs, outputs.names[absent], columns[absent])


def _are_logits_by_class(as_read: AsRead) -> bool:
    """Tell whether each class has a column of logits."""
    # a column of probabilities that is none of a class shows in the sum of its row
    is_of_logits = as_read.is_of_classes and as_read.outputs.kind == "logits"
    return is_of_logits and len(as_read.samples.columns) == as_read.outputs.n_classes


def _doubt_of_absent(outputs: ModelOutputs, name: str, column: str) -> Doubt:
    suggestions: Sequence[Changes] = [
        {"ignore": (column,)},
        {"classes": tuple(outputs.names)},
    ]
    # of so few samples one of several frequent classes may be absent by chance
    by_chance = (1 - 1 / outputs.n_classes) ** len(outputs.y)
    if by_chance > ABSENT_BY_CHANCE:
        suggestions = suggestions[::-1]
    problem = (
        f"no label is {name!r}; say that it is a class, or that {column!r} is none"
    )
    return Doubt(problem, suggestions)


def doubt_another_order(as_read: AsRead) -> Iterator[Doubt]:
    """Doubt scores whose order the labels speak against: turned round, or of other columns."""
    finding = suspicion(as_read.outputs)
    if finding is not None and finding.cause in OTHER_ORDERS:
        yield from _doubts_of_order(finding.clause, as_read)


def _doubts_of_order(problem: str, as_read: AsRead) -> Iterator[Doubt]:
    if as_read.samples.task == "pairs":
        yield from _doubts_of_confidence(problem, as_read)
    elif as_read.is_of_classes and as_read.samples.in_one_column:
        yield Doubt(problem, [{"positive": as_read.outputs.names[0]}])
    elif as_read.options.scores is not None or not as_read.is_of_classes:
        yield Doubt(
            f"{problem}; if they are in one order, --yes beside --y and --scores"
        )


def _doubts_of_confidence(problem: str, as_read: AsRead) -> Iterator[Doubt]:
    """Doubt confidences that are rather of being wrong."""
    positive = "1" if is_called(as_read.samples.y_name, "incorrect") else "0"
    # where names said all the file is read, and the report says what speaks against it
    if _is_clearly_turned(as_read.outputs):
        yield Doubt(problem, [{"positive": positive}])


def _is_clearly_turned(outputs: ModelOutputs) -> bool:
    """Tell whether confidences that know nothing would hardly ever look so turned round."""
    relation = association(outputs.y, outputs.prob.astype(float, copy=False))
    return relation is not None and relation.seen < -CLEARLY_TURNED


CHECKS: tuple[Callable[[AsRead], Iterator[Doubt]], ...] = (
    doubt_several_sets,
    doubt_repeated_ids,
    doubt_second_labels,
    doubt_contradicted_scores,
    doubt_hits,
    doubt_classes_that_never_occur,
    doubt_another_order,
)
