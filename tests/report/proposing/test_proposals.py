"""Readings that are proposed: a few, each by options that can be typed."""

import numpy as np
import pandas as pd
from combined_files import EVENT, P_EVENT

from calib_report import propose, read


def test_at_most_three_are_proposed_and_all_can_be_typed():
    table = pd.DataFrame(
        {"label": EVENT} | {f"score_{m}": P_EVENT**m for m in range(1, 6)}
    )
    readings = propose(table)
    assert len(readings) == 3
    for reading in readings:
        again = read(table, **reading.options.changed())
        np.testing.assert_array_equal(again.prob, reading.outputs.prob)
