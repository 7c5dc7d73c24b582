"""Predictions beside labels: an answer is right where they are equal."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

import numpy as np

from calib_report.columns.samples import Samples
from calib_report.contract import Note, OptionError, ReadingError, listed
from calib_report.limits import FEWEST_TO_TELL
from calib_report.values import Column


def pairs_by_prediction(samples: Samples, predicted: Column) -> Samples:
    """Return pairs: the score is the confidence in a prediction, right where it is the label."""
    if samples.scores.size != len(samples.scores):
        raise OptionError(
            "predicted", f"{listed(samples.columns, 4)} is not one column of scores"
        )
    name, predictions = predicted.name, predicted.texts
    labels = samples.labels.texts.reshape(-1)
    _refuse_other_words(predictions, labels, name)
    _refuse_threshold(samples, predictions, name)
    note = Note(f"An answer is right where {name!r} and {samples.y_name!r} are equal.")
    y = (predictions == labels).astype(int)
    classes = ("wrong", "right")
    return samples.replaced(
        y=y, task="pairs", classes=classes, coded=True, notes=(*samples.notes, note)
    )


def _refuse_other_words(predictions: np.ndarray, labels: np.ndarray, name: str) -> None:
    """Refuse predictions that are not as many as labels, or never one of them."""
    if len(predictions) != len(labels):
        raise OptionError(
            "predicted", f"{len(predictions)} entries, and {len(labels)} labels"
        )
    # predictions of other words than the labels could never be right
    different = {*labels.tolist()}
    if different.isdisjoint(predictions.tolist()):
        labels_there = listed(sorted(different), 4)
        raise OptionError(
            "predicted", f"no entry of {name!r} is one of the labels, {labels_there}"
        )


def _refuse_threshold(samples: Samples, predictions: np.ndarray, name: str) -> None:
    """Refuse a score that says one of two predictions where it is high, and the other where low."""
    if not _may_be_of_an_event(samples, predictions):
        return
    score = samples.scores.reshape(-1)
    first, second = np.unique(predictions).tolist()
    for low, high in ((first, second), (second, first)):
        if _is_threshold(score[predictions == low], score[predictions == high]):
            raise ReadingError(
                f"{samples.columns[0]!r} is high where {name!r} is {high!r} and low where it "
                "is not: it is the probability of that label, not of the prediction",
                {"predicted": None, "positive": high, "pairs": False},
            )


def _may_be_of_an_event(samples: Samples, predictions: np.ndarray) -> bool:
    """Tell whether there are two predictions of a question of two labels, and enough of them."""
    are_two = (
        len(np.unique(predictions)) == 2 and len(samples.labels.labels_occurring()) <= 2
    )
    return (
        are_two
        and samples.scores.dtype.kind in "biuf"
        and len(predictions) >= FEWEST_TO_TELL
    )


def _is_threshold(low: np.ndarray, high: np.ndarray) -> bool:
    """Tell whether all of some scores are below the others, and fall below one half."""
    # one threshold parts them: the score says the label, not how sure
    are_below = low.max() <= high.min() and low.max() < high.max()
    return bool(are_below and low.min() < 0.5)
