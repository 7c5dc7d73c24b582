"""The two gates of the study: only that with memory may be looked at each week."""

import numpy as np
import pytest

from evidence.studies.software import gate_with_memory as study


@pytest.mark.parametrize(
    ("gate", "fewest", "most"), [("memory", 0, 4), ("a test each week", 16, 20)]
)
def test_of_two_gates_one_alarms_nearly_always_where_nothing_changed(
    gate, fewest, most
):
    """Of 20 models; 5 or more false alarms of 5 of 100 come once in 400 runs."""
    rng = np.random.default_rng(0)
    world = study.ChangingModel.of("confidences", 0, 0)
    alarms = [study.GATES[gate](world.weeks(100, rng), 0) for _ in range(20)]
    assert fewest <= np.isfinite(alarms).sum() <= most
