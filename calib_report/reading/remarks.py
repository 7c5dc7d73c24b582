"""What whoever reads a report should know of how a file was read, in sentences."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

from collections.abc import Iterator, Sequence

import numpy as np

from calib_report.arrays import Arrays
from calib_report.columns.samples import Samples
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.contract import READ_AS, Note, listed
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.values import are_whole, labels_occurring


def remarks(
    samples: Samples, left_out: Sequence[str], arrays: Arrays
) -> Iterator[Note]:
    """Yield what whoever reads a report should know of what was read."""
    for name in samples.names_of("ids"):
        yield Note(f"Samples are named by {name!r}.")
    if left_out:
        yield Note(f"Columns that were left out: {listed(left_out)}.")
    if samples.y_name in arrays.named:
        yield from _remark_of_numbers(samples, arrays.named[samples.y_name])


def _remark_of_numbers(samples: Samples, labels: np.ndarray) -> Iterator[Note]:
    """Yield a remark where labels are numbers, and classes in columns have names, none of them."""
    if samples.task != "classes" or len(samples.columns) < 2 or not samples.classes:
        return
    are_codes = are_whole(labels_occurring(labels))
    if are_codes and not are_whole(samples.classes):
        first = samples.classes[0]
        yield Note(f"Labels are numbers of the columns, as they stand: 0 is {first!r}.")


def note_of_copies(clusters: np.ndarray | None) -> list[Note]:
    if clusters is None:
        return []
    n = len(clusters) - len(np.unique(clusters))
    return [
        Note(
            f"{n} of {len(clusters)} rows repeat another, label included: copies of a sample are "
            "one cluster, which folds and intervals do not part."
        )
    ]


def read_as(samples: Samples, outputs: ModelOutputs, options: Options) -> str:
    """Return in a sentence what was taken for what."""
    y = samples.y_name
    words = {
        "columns": listed(samples.columns, 4),
        "labels": "the second file" if y == SECOND_LABELS else repr(y),
        "predicted": repr(options.predicted),
        "event": repr(outputs.names[1]),
        "kind": outputs.kind,
    }
    return READ_AS[_question(samples, outputs, options)].format(**words)


def _question(samples: Samples, outputs: ModelOutputs, options: Options) -> str:
    """Return what scores are of, as ``contract.toml`` names it."""
    if options.predicted is not None:
        return "predicted"
    if samples.task == "pairs":
        return "pairs"
    of_event = "probability" if outputs.kind == "probabilities" else "log_odds"
    is_event = samples.task == "classes" and samples.in_one_column
    return of_event if is_event else "classes"
