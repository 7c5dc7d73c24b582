"""How much oftener halves name different best methods by one metric than by another."""

import numpy as np
import pytest

from evidence import load_results
from evidence.claims import winners


def test_winners_differ_as_counted_and_by_the_difference_that_is_put_in():
    differing = winners.differing_winners()
    rows = load_results("best_maps_of_halves").query(
        "methods == 'guo' and first == 'nll' == second"
    )
    assert differing["NLL"].mean() == pytest.approx(rows["differs"].mean(), abs=0.02)
    rng = np.random.default_rng(11)
    differing["ECE"] = differing["NLL"] + rng.normal(0.3, 0.02, len(differing))
    estimate, low, high = winners.difference_of_metrics(differing).interval()
    assert low < 0.3 < high and high - low < 0.1
    assert (
        estimate
        == -winners.difference_of_metrics(differing, "NLL", "ECE").interval()[0]
    )
