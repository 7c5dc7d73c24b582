"""A map of your own: change it, then `python -m evidence.arena my_map.py:MyMap -o m.csv`."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax


class MyMap:
    """Temperature scaling with an added share of the uniform distribution."""

    def fit(self, logits: np.ndarray, y: np.ndarray) -> "MyMap":
        """Learn from logits (n, K) and labels (n,), 0 to K - 1."""

        def nll(parameters: np.ndarray) -> float:
            self.log_temperature_, self.log_share_ = parameters
            return float(
                -np.log(self.predict_proba(logits)[np.arange(len(y)), y]).mean()
            )

        # a share above zero: no label has a probability of zero
        bounds = [(-3, 3), (-9, -1)]
        optimum = minimize(nll, [0.0, -4.0], method="Nelder-Mead", bounds=bounds)
        self.log_temperature_, self.log_share_ = optimum.x
        return self

    def predict_proba(self, logits: np.ndarray) -> np.ndarray:
        """Return probabilities (m, K) for logits (m, K)."""
        p = softmax(logits / np.exp(self.log_temperature_), axis=1)
        share = np.exp(self.log_share_)
        return (1 - share) * p + share / logits.shape[1]
