"""Fit probmetrics' own matrix scaling, by .venv-peers: `python -m data.results calarena_peers`."""

import numpy as np

import calib

from .calarena import compared, network


def measure_peer():
    """Yield the rows of probmetrics' matrix scaling, and where it ends on the calibration set."""
    from probmetrics.calibrators import MatrixScalingCalibrator

    logits, y, test_logits, test_y = network()
    p, p_test = (calib.softmax(part).astype(np.float32) for part in (logits, test_logits))
    fitted = MatrixScalingCalibrator().fit(p, y)
    own, prob = (fitted.predict_proba(part).astype(float) for part in (p, p_test))
    yield from compared("MS", "probmetrics itself", test_y, prob)
    z = np.log(calib.softmax(logits))
    least = calib.nll(y, calib.MatrixScaling().fit(z, y).predict_proba(z))
    head = {"map": "MS", "ours": "probmetrics itself", "metric": "calibration nll"}
    value = float(calib.nll(y, own))
    yield head | {"printed": least, "value": value, "difference": value - least}


TABLES = {"calarena_peers": measure_peer}
