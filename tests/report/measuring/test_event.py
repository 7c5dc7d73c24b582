"""The numbers of an event: its order, slope and intercept."""

import numpy as np
import pytest

import calib
from calib_report import read
from calib_report.gating.rules import Rules, judge
from calib_report.measuring import event
from evidence.files_with_truth.honest_and_damaged import balanced


def test_the_auroc_of_two_classes_is_that_of_the_event():
    from sklearn.metrics import roc_auc_score

    y, p = balanced(np.random.default_rng(1), 3000)
    numbers, _ = judge(read({"y": y, "p": p}), Rules())
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


def test_errors_of_clusters_are_those_of_the_sums_of_their_scores():
    """Liang and Zeger 1986, Longitudinal data analysis using generalized linear models, (5)."""
    rng = np.random.default_rng(3)
    x, clusters = rng.normal(size=60), np.arange(60) % 12
    happened, p = rng.random(60) < 0.4, 1 / (1 + np.exp(-x))
    design = np.column_stack([x, np.ones(60)])
    information, spread = np.zeros((2, 2)), np.zeros((2, 2))
    for row in range(60):
        information += np.outer(design[row], design[row]) * p[row] * (1 - p[row])
    for cluster in range(12):
        rows = np.flatnonzero(clusters == cluster)
        total = sum(design[row] * (happened[row] - p[row]) for row in rows)
        spread += np.outer(total, total)
    inverse = np.linalg.inv(information)
    expected = np.sqrt(np.diag(inverse @ spread @ inverse) * 12 / 11)
    errors = event.standard_errors(design, happened, p, clusters)
    np.testing.assert_allclose(errors, expected)


def test_an_interval_of_few_clusters_is_students():
    """The 97.5 % point of Student's t with three degrees of freedom is 3.182 (any table)."""
    number = event.with_interval(1.0, 0.1, np.array([0, 1, 2, 3, 3]))
    assert number["high"] - 1 == pytest.approx(0.3182, abs=1e-4)
    number = event.with_interval(1.0, 0.1, None)
    assert 1 - number["low"] == pytest.approx(0.196, abs=1e-4)


def test_the_error_of_two_clusters_by_hand():
    """Eight samples of .5: of one cluster 2 more happen than is said, of the other 1 less."""
    happened = np.array([1, 1, 1, 1, 1, 0, 0, 0])
    clusters = np.arange(8) // 4
    (error,) = event.standard_errors(
        np.ones((8, 1)), happened, np.full(8, 0.5), clusters
    )
    # information 8 / 4; sums squared 4 + 1, times two clusters by one degree of freedom
    assert error**2 == pytest.approx((4 + 1) * 2 / 2**2)


@pytest.mark.parametrize(
    ("score", "happened", "has_slope"),
    [
        ([0.0, 1.0, 2.0], [1, 1, 1], False),  # all happened
        ([1.0, 1.0, 1.0], [0, 1, 1], False),  # of all the same is said
        ([0.0, 1.0, 2.0], [0, 1, 1], False),  # parted
        ([0.0, 1.0, 1.0], [0, 0, 1], False),  # parted but for a tie
        ([0.0, 1.0, 2.0], [1, 1, 0], False),  # parted the other way
        ([0.0, 1.0, 2.0], [0, 1, 0], True),
    ],
)
def test_a_slope_needs_scores_that_overlap(score, happened, has_slope):
    assert event.has_slope(np.array(score), np.array(happened)) == has_slope


@pytest.mark.parametrize("shift", [-3.0, 0.0, 6.0])
def test_the_intercept_gives_the_event_its_frequency(shift):
    odds = np.linspace(-4, 4, 40) - shift
    happened = np.arange(40) % 4 == 0
    p = 1 / (1 + np.exp(-odds - event.intercept_of(odds, happened)))
    assert p.sum() == pytest.approx(happened.sum(), abs=1e-9)
