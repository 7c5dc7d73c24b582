"""A gate that looks at a network each week."""

import numpy as np

from book.show import stills
from book.show.explorables.element import Contents, explorable, rounded


@explorable
def drift_gate(score: np.ndarray) -> Contents:
    """Weeks of a calm network, a drift if one is asked for, and a gate that looks at each week."""
    weeks = np.arange(1, 31)
    # a test at 5 % each week, on samples of its own
    alarmed = 1 - 0.95**weeks
    still = stills.line_plot("week", "runs with an alarm", calm=np.c_[weeks, alarmed])
    return {"scores": rounded(score, 4)}, still
