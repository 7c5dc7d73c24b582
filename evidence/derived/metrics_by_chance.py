"""What calibrated networks have of two metrics by chance, on average.

The n scores s have the Brier score B of a calibrated network, the mean of s (1 - s). The cumulative
gap is nearly a Brownian motion run for B, whose largest value is sqrt(pi B / 2n) on average: the KS
error. A bin with m of the scores has the mean gap sqrt(2 b / (pi m)), so that the ECE of M bins is
at most sqrt(2 M B / (pi n)) on average (Cauchy and Schwarz).
"""

from typing import Any

import numpy as np


def ks_error_by_chance(brier: Any, n: Any) -> Any:
    """Return the mean KS error of n scores of calibrated networks with these Brier scores.

    Examples
    --------
    >>> float(ks_error_by_chance(0.1, 1000).round(4))
    0.0125
    """
    return np.sqrt(np.pi / 2 * brier / n)


def most_ece_by_chance(brier: Any, n: Any, n_bins: int = 15) -> Any:
    """Return above what the mean ECE of n scores of calibrated networks does not lie.

    Examples
    --------
    >>> float(most_ece_by_chance(0.1, 1000).round(4))
    0.0309
    """
    return np.sqrt(2 * n_bins / np.pi * brier / n)
