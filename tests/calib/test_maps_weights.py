"""Weights of every map: only their ratios matter, or they are repetitions where that is said."""

import numpy as np
import pytest
from draws import FACTORS, uneven_weights
from maps import (
    LOGIT_MAPS,
    PROBABILITY_MAPS,
    SCORE_MAPS,
    Y,
    data_of,
    outputs,
)

from calib.maps.base import clone

WEIGHT = uneven_weights(len(Y))


def repeated_as(calibrator):
    """A map that counts samples, set to take weights for repetitions; others as they are."""
    names = [
        n for n in calibrator.get_params() if n.split("__")[-1] == "frequency_weights"
    ]
    return clone(calibrator).set_params(**dict.fromkeys(names, True))


@pytest.mark.parametrize("calibrator", SCORE_MAPS + LOGIT_MAPS, ids=repr)
def test_a_factor_of_all_weights_changes_no_map(calibrator):
    x, y = data_of(calibrator)
    expected = outputs(clone(calibrator).fit(x, y, WEIGHT), x)
    for factor in FACTORS:
        scaled = outputs(clone(calibrator).fit(x, y, factor * WEIGHT), x)
        np.testing.assert_allclose(scaled, expected, atol=1e-7)
    equal = outputs(clone(calibrator).fit(x, y, np.full(len(y), 1 / len(y))), x)
    np.testing.assert_allclose(
        equal, outputs(clone(calibrator).fit(x, y), x), atol=1e-7
    )


@pytest.mark.parametrize("calibrator", [*SCORE_MAPS, *PROBABILITY_MAPS[:8]], ids=repr)
def test_frequency_weights_are_repetitions(calibrator):
    x, y = data_of(calibrator)
    times = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = repeated_as(calibrator).fit(x, y, times)
    expected = clone(calibrator).fit(x.repeat(times, axis=0), y.repeat(times))
    np.testing.assert_allclose(outputs(weighted, x), outputs(expected, x), atol=1e-6)
