"""Rows that stand twice: copies of one sample, and samples of the calibration set."""

from hashlib import blake2b

import numpy as np

from calib_report.contract import ReadingError
from calib_report.model_outputs import ModelOutputs


def _keys(scores: np.ndarray) -> np.ndarray:
    """Return a number for the first scores of each row; 0 where few digits may make rows alike."""
    rows = np.ascontiguousarray(scores[:, :8])
    finite = np.where(np.isfinite(rows), rows, 0)
    # of probabilities one with more than four digits, of logits two with more than two
    fine = (np.abs(np.round(finite, 4) - finite) > 1e-6).any(axis=1)
    n_fine = (np.abs(np.round(finite, 2) - finite) > 1e-6).sum(axis=1)
    fine |= (finite.min(axis=1) < 0) & (n_fine > 1)
    # blake2b, for Python's own hash differs from process to process
    digests = b"".join(blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(digests, np.int64) * fine


def refuse_shared(test: np.ndarray, to_fit: np.ndarray) -> None:
    """Refuse samples that stand in the calibration set too."""
    keys = _keys(test)
    shared = int((np.isin(keys, _keys(to_fit)) & (keys != 0)).sum())
    if shared > len(test) / 100 and len(np.unique(keys)) > len(test) / 2:
        raise ReadingError(
            f"calibration set: {shared} of {len(test)} rows stand in the calibration set too, "
            "digit for digit: a map would be tried on samples that it was fitted on: --ignore "
            "NAME leaves it out"
        )


def copies(outputs: ModelOutputs) -> np.ndarray | None:
    """Return which rows are copies of one sample, label included; None where there are few."""
    keys = _keys(outputs.known)
    sample, size = np.unique(keys, return_inverse=True, return_counts=True)[1:]
    again = (size[sample] > 1) & (keys != 0)
    if again.sum() < len(keys) / 50 or not _have_one_label(sample, again, outputs):
        return None
    # a row that is no copy is a cluster of its own
    clusters = np.where(again, sample, len(keys) + np.arange(len(keys)))
    return np.unique(clusters, return_inverse=True)[1]


def _have_one_label(
    sample: np.ndarray, again: np.ndarray, outputs: ModelOutputs
) -> bool:
    """Tell whether rows of equal scores have equal labels, by more than chance alone."""
    # labels that would differ by chance
    expected = (1 - outputs.pairs[0][again]).sum()
    labelled = sample[again] * outputs.n_classes + outputs.y[again]
    are_one = len(np.unique(labelled)) == len(np.unique(sample[again]))
    return bool(are_one and expected >= 3)
