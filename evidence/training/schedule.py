"""How fast a network learns at each step, and when it stops. Plain numbers only."""

from dataclasses import dataclass

import numpy as np


def rate_factor(step: int, steps: int) -> float:
    """Return the share of the full rate at a step of so many: 5 % warm-up, then a cosine to zero.

    Examples
    --------
    >>> [round(rate_factor(step, 40), 2) for step in (0, 1, 2, 21, 40)]
    [0.5, 1.0, 1.0, 0.5, 0.0]
    """
    # large first steps would throw the initial weights away
    warm_up = max(1, steps // 20)
    if step < warm_up:
        return (step + 1) / warm_up
    falling = max(1, steps - warm_up)
    return float(0.5 * (1 + np.cos(np.pi * (step - warm_up) / falling)))


@dataclass
class EarlyStop:
    """The best epoch so far, and whether so many others have passed without a better one."""

    patience: int
    best: float = -1.0  # the accuracy there; below any
    best_epoch: int = 0

    def record(self, epoch: int, reached: float) -> bool:
        """Keep an epoch that is better than all before as the best, and say whether it is."""
        if reached <= self.best:
            return False
        self.best, self.best_epoch = reached, epoch
        return True

    def is_over(self, epoch: int) -> bool:
        """Say whether training ends after an epoch."""
        return epoch - self.best_epoch >= self.patience
