"""Networks and maps of which the tables ask what Nixon et al. (2019) ask."""

from functools import cache

import numpy as np

from evidence import load_source
from evidence.fit_and_measure import calibrated
from evidence.studies.parts.maps_of_studies import MAPS_OF_VECTORS
from evidence.studies.parts.two_sets import calibration_and_test

SOURCES = ["netcal-cifar100-wideresnet-16-4", "kull-cifar10-resnet110"]
METHODS = ["temperature", "vector", "isotonic"]


@cache
def predicted_by_maps(source: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels of the test set, and the probabilities of each method."""
    calibration, test = calibration_and_test(load_source(source))
    maps = {
        name: calibrated(MAPS_OF_VECTORS[name], calibration, test).prob
        for name in METHODS
    }
    return test.y, {"none": np.asarray(test.prob, float)} | maps
