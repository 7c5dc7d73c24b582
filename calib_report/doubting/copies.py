"""Rows that stand twice: copies of one sample, and samples of the calibration set."""

from hashlib import blake2b

import numpy as np

from calib_report.contract import ReadingError
from calib_report.model_outputs import ModelOutputs
from calib_report.values import cluster_numbers

FIRST_SCORES = 8  # of a row: enough to tell whether two are equal
# beyond which rows are seldom alike by chance: of a probability, and of two logits
DIGITS_OF_PROBABILITY, DIGITS_OF_LOGIT = 4, 2
WRITTEN = 1e-6  # how far a number of so many digits may be from them
ROWS_A_SHARED_ONE = 100  # of so many one may stand in the calibration set too
N_HEAD = 1000  # rows that tell with how many digits all are written
ROUNDED_ALL = 1e-7  # how far from so many digits none of them is then
ROWS_A_COPY = 50  # of so many one at least is a copy, or none is spoken of
# labels of rows that repeat, which would differ by chance if these were no copies
FEWEST_DIFFERENT = 3


def _keys_of_rows(scores: np.ndarray) -> np.ndarray:
    """Return a number for the first scores of each row; 0 where few digits may make rows alike."""
    rows = np.ascontiguousarray(scores[:, :FIRST_SCORES])
    finite = np.where(np.isfinite(rows), rows, 0)
    fine = _entries_of_more_digits(finite, DIGITS_OF_PROBABILITY).any(axis=1)
    n_fine = _entries_of_more_digits(finite, DIGITS_OF_LOGIT).sum(axis=1)
    fine |= (finite.min(axis=1) < 0) & (n_fine > 1)
    # blake2b, for Python's own hash differs from process to process
    digests = b"".join(blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(digests, np.int64) * fine


def _entries_of_more_digits(numbers: np.ndarray, digits: int) -> np.ndarray:
    """Tell which numbers have more digits than so many."""
    return np.abs(np.round(numbers, digits) - numbers) > WRITTEN


def refuse_rows_in_both_sets(test: np.ndarray, calibration: np.ndarray) -> None:
    """Refuse samples that stand in the calibration set too."""
    keys = _keys_of_rows(test)
    shared = int((np.isin(keys, _keys_of_rows(calibration)) & (keys != 0)).sum())
    if shared > len(test) / ROWS_A_SHARED_ONE and len(np.unique(keys)) > len(test) / 2:
        raise ReadingError(
            f"{shared} of {len(test)} rows of the samples stand in it too, digit for digit: a map "
            "would be tried on samples that it was fitted on"
        )


def copies(outputs: ModelOutputs) -> np.ndarray | None:
    """Return which rows are copies of one sample, as clusters; None where few are."""
    keys = _keys_of_rows(outputs.scores)
    sample, size = np.unique(keys, return_inverse=True, return_counts=True)[1:]
    again = (size[sample] > 1) & (keys != 0)
    if again.sum() < len(keys) / ROWS_A_COPY or not _have_one_label(
        sample, again, outputs
    ):
        return None
    # a row that is no copy is a cluster of its own
    clusters = np.where(again, sample, len(keys) + np.arange(len(keys)))
    return cluster_numbers(clusters)


def _have_one_label(
    sample: np.ndarray, again: np.ndarray, outputs: ModelOutputs
) -> bool:
    """Tell whether rows of equal scores have equal labels, by more than chance alone."""
    # labels that would differ by chance
    expected = (1 - outputs.pairs[0][again]).sum()
    labelled = sample[again] * outputs.n_classes + outputs.y[again]
    are_one = len(np.unique(labelled)) == len(np.unique(sample[again]))
    return bool(are_one and expected >= FEWEST_DIFFERENT)


def n_repeated(outputs: ModelOutputs) -> int:
    """Return how many rows of three classes or more repeat another digit for digit.

    Of one number a row, or a few digits, that is common; of clusters it is known.
    """
    if outputs.n_classes == 2 or outputs.clusters is not None:
        return 0
    rows = np.ascontiguousarray(outputs.scores)
    # of few digits rows are alike by chance
    head = rows[:N_HEAD]
    rounded = np.round(head, DIGITS_OF_PROBABILITY)
    if np.abs(rounded - head).max(initial=0) < ROUNDED_ALL:
        return 0
    return len(rows) - len({hash(bytes(row)) for row in rows})
