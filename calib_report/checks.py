"""What in a file speaks against a reading: each check doubts it, and shows what settles it."""

from collections.abc import Callable, Iterator

import numpy as np

from calib_report.contract import NAMES, PATTERNS, Tally, few, is_called
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
        if not 1 < len(values) <= len(column) / 2:
            continue
        ways = [{"where": (f"{name}={value}",)} for value in sorted(values, key=_is_no_test)[:3]]
        ignore = {"ignore": (name,)}
        ways = [ignore, *ways] if "fold" in name.lower() else [*ways, ignore]
        tally.doubt(f"{name!r} parts the rows into {few(values, 5)}; which are read", *ways)


def _is_no_test(value: str) -> int:
    """Return how far a value is from saying the test set."""
    names = NAMES["test"]
    return names.index(value.lower()) if value.lower() in names else len(names)


def of_repeated_ids(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt that rows of one id are samples of their own."""
    if options.clusters or options.ids or any(what == "clusters" for what, _ in samples.beside):
        return
    for name, column in left.items():
        if not PATTERNS["named_id"].fullmatch(name.strip()) or column.dtype.kind not in "iuUf":
            continue
        n_ids = len(np.unique(column[~is_empty(column)]))
        if 1 < n_ids < len(column):
            tally.doubt(
                f"{name!r} names {n_ids} of {len(column)} rows: rows of one id belong together",
                {"clusters": (name,)},
                {"ignore": (name,)},
            )


def of_second_labels(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt which of two columns that hold the same labels is the truth."""
    if options.y is not None or samples.task != "classes":
        return
    for name, column in left.items():
        if not is_called(name, "labels") or is_called(name, "predicted"):
            continue
        other = texts(column)
        known = {*outputs.names, *map(str, range(outputs.n_classes))}
        same = np.array(outputs.names)[outputs.y] == other
        if {*np.unique(other).tolist()} <= known and not same.all():
            tally.doubt(
                f"{samples.y_name!r} and {name!r} both hold labels, which differ in "
                f"{(~same).sum()} of {len(same)} rows",
                {"y": samples.y_name},
                {"y": name},
            )


def of_predictions(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt scores that a column of predictions contradicts."""
    if samples.task != "classes":
        return
    for name, column in left.items():
        if not is_called(name, "predicted") or options.predicted:
            continue
        codes = _codes(texts(column), outputs)
        if codes is None:
            continue
        off = _contradicts(codes, outputs)
        if off.mean() <= MOST_OFF:
            continue
        rows = ", ".join(map(str, np.flatnonzero(off)[:3]))
        of_prediction = {"predicted": name, "positive": None, "pairs": None}
        way = of_prediction if samples.in_one_column else {"scores": "NAMES"}
        tally.doubt(
            f"{name!r} contradicts the scores in {off.sum()} of {len(off)} rows, such as {rows}: "
            "if they are those of the prediction, the first option; if it was made otherwise, the "
            "second",
            way,
            {"ignore": (name,)},
        )


def _codes(answers: np.ndarray, outputs: ModelOutputs) -> np.ndarray | None:
    """Return predictions as numbers of classes, None where they are something else."""
    values, place = np.unique(answers, return_inverse=True)
    low = {name.casefold(): k for k, name in enumerate(outputs.names)}
    codes = [low.get(value.casefold()) for value in values.tolist()]
    if None in codes and are_whole(values.tolist()) and not are_whole(outputs.names):
        codes = [int(value) for value in values.tolist()]
    if None in codes or not all(0 <= code < outputs.n_classes for code in codes):  # type: ignore[operator]
        return None
    return np.array(codes, int)[place]


def _contradicts(codes: np.ndarray, outputs: ModelOutputs) -> np.ndarray:
    """Tell in which rows a prediction is not the surest class; of two, by any threshold."""
    prob = outputs.prob
    if outputs.n_classes > 2:
        rows = np.arange(len(codes))
        return prob[rows, codes] < prob.max(axis=1) * (1 - 1e-6)
    score, yes = prob[:, 1], codes == 1
    if yes.all() or not yes.any():
        return (
            yes != (score >= 0.5) if (score >= 0.5).any() != yes.any() else np.zeros(len(yes), bool)
        )
    order = np.argsort(score, kind="stable")
    below = np.cumsum(yes[order])  # predictions of the second class below each threshold
    above = (~yes).sum() - np.cumsum(~yes[order])  # and of the first above it
    at = int(np.argmin(below + above))
    threshold = score[order][at]
    return np.where(yes, score <= threshold, score > threshold)


def of_verdicts(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt verdicts that are not whether the answer beside them is the label beside them."""
    if samples.task != "pairs" or options.predicted:
        return
    labels = [texts(a) for n, a in left.items() if is_called(n, "labels")]
    answers = [texts(a) for n, a in left.items() if is_called(n, "predicted")]
    if len(labels) != 1 or len(answers) != 1:
        return
    off = (labels[0] == answers[0]) != (outputs.y == 1)
    comparable = {*labels[0].tolist()} >= {*answers[0].tolist()}
    if comparable and off.mean() > MOST_OFF:
        tally.doubt(
            f"{samples.y_name!r} is not whether answer and label are equal in {off.sum()} of "
            f"{len(off)} rows, such as {np.flatnonzero(off)[0]}",
            {"y": samples.y_name, "pairs": True, "ignore": _names(left, "labels")},
        )


def _names(left: Left, what: str) -> tuple[str, ...]:
    return tuple(name for name in left if is_called(name, what))


def of_classes_that_never_occur(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt a column of logits that bears no label, unless all classes are named by an option."""
    columns = samples.columns
    if samples.task != "classes" or len(columns) != outputs.n_classes or outputs.kind != "logits":
        return
    if options.classes is not None or len(columns) == 1:
        return
    counts = np.bincount(outputs.y, minlength=outputs.n_classes)
    # of so few samples one of several frequent classes may be absent by chance
    chance = (1 - 1 / outputs.n_classes) ** len(outputs.y)
    for name, column, count in zip(outputs.names, columns, counts, strict=True):
        if count == 0 and not are_whole([name]):
            ways: list[dict[str, tuple[str, ...]]] = [
                {"ignore": (column,)},
                {"classes": tuple(outputs.names)},
            ]
            tally.doubt(
                f"no label is {name!r}; say that it is a class, or that {column!r} is none",
                *(ways[::-1] if chance > ABSENT_BY_CHANCE else ways),
            )


def of_another_order(
    samples: Samples, outputs: ModelOutputs, left: Left, options: Options, tally: Tally
) -> None:
    """Doubt scores whose order the labels speak against: turned round, or of other columns."""
    finding = suspicion(outputs)
    if finding is None or finding.cause not in OTHER_ORDERS:
        return
    if samples.task == "pairs" and not _is_clearly_turned(outputs):
        return
    if options.scores is None and samples.task == "classes" and not samples.in_one_column:
        return  # names said all, so the file is read, and the report says what speaks against it
    problem = finding.sentence[:1].lower() + finding.sentence[1:].rstrip(".?")
    if samples.task == "pairs":
        tally.doubt(problem, {"positive": "1" if is_called(samples.y_name, "incorrect") else "0"})
    elif samples.in_one_column:
        tally.doubt(problem, {"positive": outputs.names[0]})
    else:
        tally.doubt(f"{problem}; if they are in one order, --yes beside --y and --scores")


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
    for (what, name), array in samples.beside.items():
        if what == "left":
            yield name, array
