"""The numbers of a report, where the probability of every class is known."""

import numpy as np
import pytest

import calib
from evidence.studies.metrics.report_coverage import true_values


def test_true_values_are_limits_of_draws():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(50, 3))
    p, q = calib.softmax(2 * z), calib.softmax(z)
    i = rng.integers(50, size=400_000)
    y = (q[i].cumsum(axis=1) < rng.random((len(i), 1))).sum(axis=1).clip(max=2)
    score, hit = calib.top_label(y, p[i])
    surest = score >= np.quantile(p.max(axis=1), 0.1)
    drawn = {
        "accuracy": calib.accuracy(y, p[i]),
        "NLL": calib.nll(y, p[i]),
        "Brier": calib.brier(y, p[i]),
        "ECE": calib.ece(y, p[i]),
        "classwise ECE": calib.classwise_ece(y, p[i]),
        "errors among the surest 90 %": 1 - hit[surest].mean(),
        "confidence less accuracy": (score - hit).mean(),
        "top-1 Brier": ((score - hit) ** 2).mean(),
    }
    assert true_values(p, q) == pytest.approx(drawn, abs=0.005)
