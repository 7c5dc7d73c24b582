"""Options that make no sense are refused by name, and inputs are never written to."""

import numpy as np
import pytest
from maps import LOGIT_MAPS, SCORE_MAPS, Y, Z, fitted

import calib
from calib.maps.base import clone

CALIBRATORS = SCORE_MAPS + LOGIT_MAPS
NONSENSE = {
    "bias": ["yes", None],
    "calibrator": [None, 3, calib.HistogramBinning],
    "floor": [-1, 0.5, "a", None, np.nan],
    "grid": [{"lam": []}, {"lam": 0.1}, [0.1, 1.0]],
    "lam": [-1, "a", None, np.nan, np.inf],
    "max_iter": [0, 1.5, "a", None],
    "mu": [-1, "a", None, np.nan],
    "n_bins": [0, 1.5, "a", None, True],
    "n_folds": [0, 1.5, 401, None],
    "n_knots": [2, 1.5, None, True],
    "no_optimum": ["ignore", None],
    "r": [0, 4, 1.5, None],
    "runout": ["tight", None],
    "smooth_targets": ["yes", None],
    "strategy": ["height", None],
    "strength": [0, -1, "a", np.nan],
    "target": ["miss", None],
    "tol": [0, -1, "a", None, np.nan],
}
CASES = [
    pytest.param(calibrator, name, value, id=f"{type(calibrator).__name__}-{name}-{value}")
    for calibrator in CALIBRATORS
    for name in calibrator.get_params(deep=False)
    for value in NONSENSE[name]
]


@pytest.mark.parametrize(("calibrator", "name", "value"), CASES)
def test_parameters_of_calibrators(calibrator, name, value):
    wrong = clone(calibrator).set_params(**{name: value})
    with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
        fitted(wrong)


def test_a_parameter_that_is_no_calibrator_has_no_parameters():
    with pytest.raises(ValueError, match="n_bins__low: n_bins is 15, expected a calibrator"):
        calib.HistogramBinning().set_params(n_bins__low=1)


def test_a_map_of_logits_is_no_map_of_one_score():
    with pytest.raises(TypeError, match="calibrator: TemperatureScaling"):
        calib.OneVsRest(calib.TemperatureScaling()).fit(Z, Y)
