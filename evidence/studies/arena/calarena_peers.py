"""Compute calarena_peers.csv: probmetrics' own matrix scaling, and its end on the calibration set.

`.venv-peers/bin/python -m evidence.studies calarena_peers` from the root.
"""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.rows import Row
from evidence.studies.parts.calarena_network import difference_rows, resnet_arrays


def rows() -> Iterator[Row]:
    """Yield the rows of probmetrics' own matrix scaling, and its end on the calibration set."""
    from probmetrics.calibrators import MatrixScalingCalibrator  # in .venv-peers alone

    logits, y, test_logits, test_y = resnet_arrays()
    p, p_test = (
        calib.softmax(matrix).astype(np.float32) for matrix in (logits, test_logits)
    )
    fitted = MatrixScalingCalibrator().fit(p, y)
    q, prob = (fitted.predict_proba(matrix).astype(float) for matrix in (p, p_test))
    yield from difference_rows("MS", "probmetrics itself", test_y, prob)
    z = np.log(calib.softmax(logits))
    least = calib.nll(y, calib.MatrixScaling().fit(z, y).predict_proba(z))
    head = {"map": "MS", "ours": "probmetrics itself", "metric": "calibration nll"}
    value = float(calib.nll(y, q))
    yield head | {"printed": least, "value": value, "difference": value - least}
