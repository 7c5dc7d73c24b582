"""The maps of the papers that compete on networks, and what they make of a test set."""

import calib
from evidence.data import Predictions
from evidence.fit_and_measure import calibrated
from evidence.network_outputs import Outputs
from evidence.studies.parts.maps_of_studies import MAPS_OF_VECTORS
from evidence.studies.parts.two_sets import calibration_and_test

MOST_CLASSES = 50  # beyond, a matrix takes minutes a fit
COMPETING_MAPS = {
    name: calibrator
    for name, calibrator in MAPS_OF_VECTORS.items()
    if name
    != "dirichlet-odir"  # of the logarithms of probabilities this is matrix-odir
} | {"matrix": calib.MatrixScaling()}


def predicted_by_methods(net: Predictions) -> dict[str, Outputs]:
    """The outputs of the test set after each map that can be fitted."""
    calibration, test = calibration_and_test(net)
    predicted = {"none": test}
    for name, calibrator in COMPETING_MAPS.items():
        if name.startswith("matrix") and test.n_classes > MOST_CLASSES:
            continue  # a matrix of so many classes takes minutes, and without a penalty no minimum
        try:
            predicted[name] = calibrated(calibrator, calibration, test)
        except calib.ConvergenceError:
            continue
    return predicted
