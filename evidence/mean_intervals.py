"""How far a mean of measured values may be from the mean of all that could have been measured."""

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats


def half_width(values: Any) -> Any:
    """Return half the width of Student's 95 % interval of a mean; of a table, by column.

    Values are drawn singly; one that is missing is left out, and of fewer than two nothing is
    known. Student's suits any number of them: how much they scatter is estimated from the values
    themselves, which widens the interval of eight by a fifth and that of thousands not at all.

    Examples
    --------
    >>> float(half_width([1.0, 2.0, 3.0]).round(3))
    2.484
    """
    columns = pd.DataFrame(values) if np.ndim(values) == 2 else pd.Series(values)
    n = columns.count()
    return stats.t.ppf(0.975, n - 1) * columns.std(ddof=1) / np.sqrt(n)
