"""The numbers of an event: its order, slope and intercept."""

import numpy as np
import pytest

import calib
from calib_report import read
from calib_report.commands.rules import Rules, check
from evidence.files_with_truth.honest_and_damaged import balanced


def test_the_auroc_of_two_classes_is_that_of_the_event():
    from sklearn.metrics import roc_auc_score

    y, p = balanced(np.random.default_rng(1), 3000)
    numbers, _ = check(read({"y": y, "p": p}), Rules())
    sure, right = calib.top_label(y, p)
    assert numbers["AUROC"]["value"] == pytest.approx(roc_auc_score(y, p[:, 1]))
    of_answers = numbers["AUROC of the confidence"]["value"]
    assert of_answers == pytest.approx(roc_auc_score(right, sure))
    assert abs(of_answers - numbers["AUROC"]["value"]) > 0.01


def test_slope_and_intercept_are_those_of_logistic_regression_and_hold_the_truth():
    """Log odds twice too large and shifted by one: slope 1/2; of calibrated ones 1 and 0."""
    from sklearn.linear_model import LogisticRegression

    from calib_report.measuring.event import calibration_line

    rng, inside = np.random.default_rng(2), []
    for _ in range(100):
        odds = rng.normal(size=500)
        happened = (rng.random(500) < 1 / (1 + np.exp(-odds))).astype(int)
        line = calibration_line(1 / (1 + np.exp(-2 * odds - 1)), happened)
        slope = line["calibration slope"]
        honest = calibration_line(1 / (1 + np.exp(-odds)), happened)[
            "calibration intercept"
        ]
        inside.append(
            [slope["low"] < 0.5 < slope["high"], honest["low"] < 0 < honest["high"]]
        )
    assert (np.mean(inside, axis=0) > 0.89).all()
    fit = LogisticRegression(C=np.inf, tol=1e-10).fit((2 * odds + 1)[:, None], happened)
    assert slope["value"] == pytest.approx(fit.coef_[0, 0], rel=1e-4)
    assert calibration_line(np.array([0.1, 0.2, 0.8]), np.array([0, 0, 1])) == {}
