"""Every map of the library is among those that are saved."""

import numpy as np
from maps import data_of, fitted

import calib
from calib.maps.base import Calibrator, ScoreCalibrator
from evidence.files_with_truth import saved_maps

MAPS = [*saved_maps.SCORE_MAPS, *saved_maps.LOGIT_MAPS]


def test_there_is_an_instance_of_each_class():
    public = [getattr(calib, name) for name in calib.__all__]
    classes = {c for c in public if isinstance(c, type) and issubclass(c, Calibrator)}
    no_maps = {Calibrator, calib.ConformalSets}
    assert classes - no_maps == {type(calibrator) for calibrator in MAPS}


def test_a_map_is_fitted_to_what_it_takes_and_the_list_stays_unfitted():
    for calibrator in MAPS:
        x, y = data_of(calibrator)
        of_scores = isinstance(calibrator, ScoreCalibrator)
        assert x.ndim == (1 if of_scores else 2)
        mapped = saved_maps.outputs(fitted(calibrator), x)
        assert len(mapped) == len(y) and np.isfinite(mapped).all()
        assert not any(name.endswith("_") for name in vars(calibrator))
