"""Signs that labels or scores are not what they are called, each as a note."""

from collections.abc import Iterator

import numpy as np

from calib_report.contract import NOTED, Note
from calib_report.doubting.suspicion import suspicion
from calib_report.model_outputs import ModelOutputs

# samples, all right, from which a model of some doubt may be its own judge
FEWEST_RIGHT = 50
SURE = 0.97  # mean confidence from which all may well be right
N_HEAD = 1000  # rows that tell whether logits are normalised
NORMALISED = 1e-3  # how far from zero the logarithm of their sum is then


def notes_of_signs(outputs: ModelOutputs) -> Iterator[Note]:
    """Yield a note for each sign that labels or scores are not what they are called."""
    finding = suspicion(outputs)
    if finding is not None:
        yield Note(finding.sentence, about="suspicion")
    if _agree_too_well(outputs):
        yield Note(NOTED["own"])
    if outputs.kind == "logits" and _are_log_probabilities(outputs.scores[:N_HEAD]):
        yield Note(NOTED["log_probabilities"])


def _agree_too_well(outputs: ModelOutputs) -> bool:
    """Tell whether labels may be the model's own: all predictions are right, and not sure."""
    accuracy = float(np.mean(outputs.prob.argmax(axis=1) == outputs.y))
    return (
        accuracy == 1
        and len(outputs) >= FEWEST_RIGHT
        and outputs.pairs[0].mean() < SURE
    )


def _are_log_probabilities(logits: np.ndarray) -> bool:
    """Tell whether logits are normalised already: their exponentials sum to one."""
    log_sum = np.logaddexp.reduce(logits, axis=1, dtype=float)
    return bool(np.abs(log_sum).max() < NORMALISED)
