"""Labels of samples as numbers from 0: classes, an event, or whether an answer was right."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

from collections.abc import Sequence

import numpy as np

from calib_report.columns.labels import numbered_labels
from calib_report.columns.samples import Samples
from calib_report.contract import NAMES, OptionError, ReadingError, is_called, listed
from calib_report.options import Options
from calib_report.values import Column


def with_coded_labels(samples: Samples, options: Options) -> Samples:
    """Return samples whose labels are numbers from 0."""
    if samples.coded:
        return samples
    if samples.task == "pairs":
        y = hits_of(samples.labels, options)
        return samples.replaced(y=y, classes=("wrong", "right"), coded=True)
    if samples.task == "classes" and samples.in_one_column:
        return _with_event_found(samples, options)
    if options.positive is not None:
        raise OptionError(
            "positive",
            f"{options.positive!r} is for one column of scores, the probability of this label; "
            f"{listed(samples.columns, 4)} are of all classes",
        )
    return samples.replaced(
        y=_labels_as_numbers(samples, options.labels_from), coded=True
    )


def _labels_as_numbers(samples: Samples, labels_from: int | None) -> np.ndarray:
    """Return labels as numbers from 0; of questions, 1 for yes."""
    classes, k = samples.classes, samples.scores.shape[-1]
    if samples.task == "labels":
        # names of classes are those of the questions, and no answers to them
        classes, k = None, 2
    return numbered_labels(samples.y, classes, k, labels_from, samples.y_name)


def hits_of(column: Column, options: Options) -> np.ndarray:
    """Return the hits of a column; one that is called `error` says 0 of what was right."""
    name, hits = column.name, column.hits
    if not is_called(name, "incorrect"):
        return hits
    if options.positive is None:
        raise ReadingError(
            f"by its name, {name!r} is 1 where an answer is wrong: if the scores say how sure it "
            "is, the first option; if they say how likely an error is, the second",
            {"positive": "0"},
            {"positive": "1"},
        )
    return 1 - hits


def is_of_wrong(name: str, options: Options) -> bool:
    """Tell whether the scores of pairs are the probability that an answer is wrong."""
    if options.positive is None:
        return False
    return (options.positive.casefold() in NAMES["true"]) == is_called(
        name, "incorrect"
    )


def _with_event_found(samples: Samples, options: Options) -> Samples:
    """Read one column of scores as that of the label that is named, or of 1 beside 0."""
    names = samples.classes or ()
    # what is empty is of no class, not of the other
    samples.labels.refuse_empty(names)
    labels = samples.labels.labels_occurring(names)
    positive = options.positive
    if positive is None:
        positive = _positive_class(samples, labels) or _usual_positive(labels)
    if positive is not None:
        return _with_event_coded(
            samples, (_name_of_no_event(labels, positive), positive)
        )
    if not {*labels} <= {"0", "1"}:
        raise _unknown_event(samples, labels)
    return _with_event_coded(samples, ("0", "1"))


def _with_event_coded(samples: Samples, classes: tuple[str, str]) -> Samples:
    """Return samples of two classes, of which the second is the event."""
    y = (samples.labels.texts == classes[1]).astype(int)
    return samples.replaced(y=y, classes=classes, coded=True)


def _name_of_no_event(labels: Sequence[str], positive: str) -> str:
    """Return the name of what is not the event: of two labels the other."""
    if positive not in labels:
        raise OptionError(
            "positive",
            f"{positive!r}, expected the label that the scores are of: {listed(labels)}",
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
        suggestions = ({"positive": label} for label in labels)
        return ReadingError(f"{problem}of which is it the probability", *suggestions)
    return ReadingError(
        f"{problem}name a column a class; or of one label, --positive LABEL; or of answers with "
        "--predicted NAME"
    )
