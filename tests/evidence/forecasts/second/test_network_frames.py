"""Networks of the second set with samples that have no numbers."""

import numpy as np
import pytest

from evidence.forecasts.second import network_frames


def test_samples_without_numbers_are_left_out_and_counted():
    p = np.full((300, 3), 1 / 3)
    p[0] = np.nan
    found = network_frames.network_of(np.arange(300) % 3, probabilities=p)
    assert found.left_out == 1 and len(found.y) == 299
    p[:100] = np.nan
    with pytest.raises(ValueError, match="100 of 300 samples"):
        network_frames.network_of(np.arange(300) % 3, probabilities=p)
    with pytest.raises(ValueError, match="above one"):
        network_frames.network_of(
            np.arange(300) % 3, probabilities=100 * np.ones((300, 3))
        )
