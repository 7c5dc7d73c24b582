"""What in a file speaks against a reading: each check doubts it, and shows what settles it."""

from collections.abc import Callable, Iterator

import numpy as np

from calib_report.contract import (
    NAMES,
    PATTERNS,
    Changes,
    Tally,
    all_called,
    few,
    is_called,
)
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.samples import Samples
from calib_report.suspicion import association, suspicion
from calib_report.values import are_whole, is_empty, texts

MOST_OFF = 1e-3  # share of rows that may disagree with the rest
TURNED = 3.7  # standard deviations, which chance exceeds once in ten thousand
OTHER_ORDERS = ("turned round", "columns moved", "labels counted from another number")
Left = dict[str, np.ndarray]  # columns that are not used, row by row
ABSENT_BY_CHANCE = 0.05  # of a class, above which it is proposed as one


def check(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    for check in CHECKS:
        check(samples, outputs, left, options, tally)


def of_several_sets(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt that rows of a training set, or of several models, are to be read as one set."""
    for name, column in left.items():
        if name.strip().lower() not in NAMES["parting"]:
            continue
        values = list(dict.fromkeys(texts(column).tolist()))
        # as many values as rows part nothing: it is a name
        if 1 < len(values) <= len(column) / 2:
            ways = _ways_to_part(name, values)
            tally.doubt(
                f"{name!r} parts the rows into {few(values, 5)}; which are read", *ways
            )


def _ways_to_part(name: str, values: list[str]) -> list[Changes]:
    """Return the options that read one set, the test set first, or all of them; of folds all."""
    ways: list[Changes] = [
        {"where": (f"{name}={value}",)} for value in sorted(values, key=_is_no_test)[:3]
    ]
    # of folds all rows are read: each was predicted by a model that had not seen it
    ignore: Changes = {"ignore": (name,)}
    return [ignore, *ways] if "fold" in name.lower() else [*ways, ignore]


def _is_no_test(value: str) -> int:
    """Return how far a value is from saying the test set."""
    names = NAMES["test"]
    return names.index(value.lower()) if value.lower() in names else len(names)


def of_repeated_ids(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt that rows of one id are samples of their own."""
    if (
        options.clusters
        or options.ids
        or "clusters" in [role for role, _ in samples.beside]
    ):
        return
    for name, column in left.items():
        n_ids = (
            len(np.unique(column[~is_empty(column)]))
            if _may_be_ids(name, column)
            else 0
        )
        if 1 < n_ids < len(column):
            tally.doubt(
                f"{name!r} names {n_ids} of {len(column)} rows: rows of one id belong together",
                {"clusters": (name,)},
                {"ignore": (name,)},
            )


def _may_be_ids(name: str, column: np.ndarray) -> bool:
    is_named_id = PATTERNS["named_id"].fullmatch(name.strip()) is not None
    return is_named_id and column.dtype.kind in "iuUf"


def of_second_labels(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt which of two columns that hold the same labels is the truth."""
    if options.y is not None or samples.task != "classes":
        return
    labels = {*outputs.names, *map(str, range(outputs.n_classes))}
    label = np.array(outputs.names)[outputs.y]
    for name in all_called(left, "labels"):
        second = texts(left[name])
        n_off = int((label != second).sum())
        # "label_predicted" is called both, and no truth
        may_be_truth = not is_called(name, "predicted") and labels.issuperset(
            np.unique(second)
        )
        if n_off and may_be_truth:
            tally.doubt(
                f"{samples.y_name!r} and {name!r} both hold labels, which differ in {n_off} of "
                f"{len(label)} rows",
                {"y": samples.y_name},
                {"y": name},
            )


def of_predictions(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt scores that a column of predictions contradicts."""
    if samples.task != "classes" or options.predicted:
        return
    for name in all_called(left, "predicted"):
        codes = _codes(texts(left[name]), outputs)
        off = np.zeros(1) if codes is None else _contradicts(codes, outputs)
        if off.mean() > MOST_OFF:
            _doubt_prediction(name, np.flatnonzero(off), len(off), samples, tally)


def _doubt_prediction(
    name: str, rows: np.ndarray, n: int, samples: Samples, tally: Tally
) -> None:
    of_prediction = {"predicted": name, "positive": None, "pairs": None}
    tally.doubt(
        f"{name!r} contradicts the scores in {len(rows)} of {n} rows, such as "
        f"{', '.join(map(str, rows[:3]))}: if they are those of the prediction, the first option; "
        "if it was made otherwise, the second",
        of_prediction if samples.in_one_column else {"scores": "NAMES"},
        {"ignore": (name,)},
    )


def _codes(answers: np.ndarray, outputs: ModelOutputs) -> np.ndarray | None:
    """Return predictions as numbers of classes, None where they are something else."""
    values, place = np.unique(answers, return_inverse=True)
    codes = _codes_of(values.tolist(), outputs.names)
    if min(codes) < 0 or max(codes) >= outputs.n_classes:
        return None
    return np.array(codes, int)[place]


def _codes_of(values: list[str], names: list[str]) -> list[int]:
    """Return the place of each value among names of classes, or its number; else -1."""
    number = {name.casefold(): k for k, name in enumerate(names)}
    codes = [number.get(value.casefold(), -1) for value in values]
    if -1 in codes and are_whole(values) and not are_whole(names):
        return [*map(int, values)]
    return codes


def _contradicts(codes: np.ndarray, outputs: ModelOutputs) -> np.ndarray:
    """Tell in which rows a prediction is not the surest class; of two, by any threshold."""
    prob = outputs.prob
    if outputs.n_classes == 2:
        return _off_any_threshold(prob[:, 1], codes == 1)
    # ties of the surest classes contradict nothing
    rows = np.arange(len(codes))
    return prob[rows, codes] < prob.max(axis=1) * (1 - 1e-6)


def _off_any_threshold(score: np.ndarray, yes: np.ndarray) -> np.ndarray:
    """Tell which predictions of two classes the best threshold on the score would not make."""
    if yes.all() or not yes.any():  # any threshold beyond the scores makes these
        above_half = score >= 0.5
        return (
            yes != above_half
            if above_half.any() != yes.any()
            else np.zeros(len(yes), bool)
        )
    order = np.argsort(score, kind="stable")
    below = np.cumsum(
        yes[order]
    )  # predictions of the second class below each threshold
    above = (~yes).sum() - np.cumsum(~yes[order])  # and of the first above it
    # the one that disagrees with fewest predictions
    threshold = score[order][int(np.argmin(below + above))]
    return np.where(yes, score <= threshold, score > threshold)


def of_verdicts(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt verdicts that are not whether the answer beside them is the label beside them."""
    if samples.task != "pairs" or options.predicted:
        return
    labels = all_called(left, "labels")
    names = (*labels, *all_called(left, "predicted"))
    if len(labels) != 1 or len(names) != 2:
        return
    label, answer = (texts(left[name]) for name in names)
    if not {*label.tolist()} >= {*answer.tolist()}:
        return  # of free text, which somebody judged
    off = (label == answer) != (outputs.y == 1)
    if off.mean() > MOST_OFF:
        tally.doubt(
            f"{samples.y_name!r} is not whether answer and label are equal in {off.sum()} of "
            f"{len(off)} rows, such as {np.flatnonzero(off)[0]}",
            {"y": samples.y_name, "pairs": True, "ignore": names[:1]},
        )


def of_classes_that_never_occur(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt a column of logits that bears no label, unless all classes are named by an option."""
    columns, k = samples.columns, outputs.n_classes
    is_of_columns = samples.task == "classes" and len(columns) == k > 1
    # a column of probabilities that is none of a class shows in the sum of its row
    if not is_of_columns or outputs.kind != "logits" or options.classes is not None:
        return
    # of so few samples one of several frequent classes may be absent by chance
    may_be_absent = (1 - 1 / k) ** len(outputs.y) > ABSENT_BY_CHANCE
    as_classes: Changes = {"classes": tuple(outputs.names)}
    for absent in np.flatnonzero(np.bincount(outputs.y, minlength=k) == 0):
        name, column = outputs.names[absent], columns[absent]
        ways: list[Changes] = [{"ignore": (column,)}, as_classes]
        if not are_whole([name]):
            tally.doubt(
                f"no label is {name!r}; say that it is a class, or that {column!r} is none",
                *(reversed(ways) if may_be_absent else ways),
            )


def of_another_order(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt scores whose order the labels speak against: turned round, or of other columns."""
    finding = suspicion(outputs)
    if finding is None or finding.cause not in OTHER_ORDERS:
        return
    problem = finding.sentence[:1].lower() + finding.sentence[1:].rstrip(".?")
    if samples.task == "pairs":
        _doubt_confidence(problem, samples, outputs, tally)
    elif samples.task == "classes" and samples.in_one_column:
        tally.doubt(problem, {"positive": outputs.names[0]})
    elif options.scores is not None or samples.task != "classes":
        tally.doubt(
            f"{problem}; if they are in one order, --yes beside --y and --scores"
        )


def _doubt_confidence(
    problem: str, samples: Samples, outputs: ModelOutputs, tally: Tally
) -> None:
    """Doubt confidences that are rather of being wrong."""
    positive = "1" if is_called(samples.y_name, "incorrect") else "0"
    if _is_clearly_turned(outputs):
        tally.doubt(problem, {"positive": positive})
    # where names said all the file is read, and the report says what speaks against it


def _is_clearly_turned(outputs: ModelOutputs) -> bool:
    """Tell whether confidences that know nothing would hardly ever look so turned round."""
    relation = association(outputs.y, outputs.prob.astype(float, copy=False))
    return relation is not None and relation.seen < -TURNED


CHECKS: tuple[Callable[[Samples, ModelOutputs, Left, Options, Tally], None], ...] = (
    of_several_sets,
    of_repeated_ids,
    of_second_labels,
    of_predictions,
    of_verdicts,
    of_classes_that_never_occur,
    of_another_order,
)


def unused(samples: Samples) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the columns that a reading leaves out, row by row."""
    for (role, name), array in samples.beside.items():
        if role == "left":
            yield name, array
