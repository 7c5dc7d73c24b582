"""Temperature scaling where only the largest probabilities are known."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from evidence import Outputs

N_CLASSES = {"ImageNet": 1000, "CIFAR-10": 10}


@dataclass
class PartialTemperature:
    """Temperature scaling where only the r largest probabilities are known.

    The missing mass is spread evenly over the other classes, and each known or missing
    probability is at least `floor`. The other classes then share one term of the NLL.
    """

    n_classes: int
    floor: float = 1e-6

    def fit(self, outputs: Outputs) -> "PartialTemperature":
        logs, left_over = self._logs(outputs.ranked[0])
        is_label = outputs.ranked[1] == outputs.y[:, None]
        label_known = is_label.any(axis=1)
        true = np.where(label_known, (logs * is_label).sum(axis=1), left_over)

        def loss(log_temperature: float) -> float:
            inverse = np.exp(-log_temperature)
            return np.mean(self._norm(logs, left_over, inverse) - true * inverse)

        # the NLL is convex in the inverse temperature, so a bounded search finds it
        optimum = minimize_scalar(
            loss, bounds=(-3, 3), method="bounded", options={"xatol": 1e-9}
        )
        self.temperature_ = float(np.exp(optimum.x))
        return self

    def predict(self, outputs: Outputs) -> Outputs:
        """The same classes with calibrated probabilities."""
        logs, left_over = self._logs(outputs.ranked[0])
        inverse = 1 / self.temperature_
        prob = np.exp(logs * inverse - self._norm(logs, left_over, inverse)[:, None])
        return replace(outputs, scores=prob)

    def _logs(self, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n_unknown = self.n_classes - known.shape[1]
        # float16 sums may exceed one
        left_over = np.maximum((1 - known.sum(axis=1)) / n_unknown, self.floor)
        return np.log(np.maximum(known, self.floor)), np.log(left_over)

    def _norm(self, logs: np.ndarray, rest: np.ndarray, inverse: float) -> np.ndarray:
        log_unknown = np.log(self.n_classes - logs.shape[1])
        return np.logaddexp(
            logsumexp(logs * inverse, axis=1), log_unknown + rest * inverse
        )
