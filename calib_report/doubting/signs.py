"""Signs that labels or scores are not what they are called, each as a note."""

from collections.abc import Iterator

import numpy as np

from calib_report.contract import NOTED, Note
from calib_report.doubting.suspicion import suspicion
from calib_report.model_outputs import ModelOutputs


def looks_wrong(outputs: ModelOutputs) -> Iterator[Note]:
    """Yield a note for each sign that labels or scores are not what they are called."""
    finding = suspicion(outputs)
    if finding is not None:
        yield Note(finding.sentence, of="suspicion")
    if _agree_too_well(outputs):
        yield Note(NOTED["own"])
    if outputs.kind == "logits" and _are_log_probabilities(outputs.known[:1000]):
        yield Note(NOTED["log_probabilities"])


def _agree_too_well(outputs: ModelOutputs) -> bool:
    """Tell whether labels may be the model's own: all predictions are right, and not sure."""
    accuracy = float(np.mean(outputs.prob.argmax(axis=1) == outputs.y))
    return accuracy == 1 and len(outputs) >= 50 and outputs.pairs[0].mean() < 0.97


def _are_log_probabilities(logits: np.ndarray) -> bool:
    """Tell whether logits are normalised already: their exponentials sum to one."""
    return bool(np.abs(np.logaddexp.reduce(logits, axis=1, dtype=float)).max() < 1e-3)
