"""A metric with its samples: sums agree with what they shorten, and bad arguments are named."""

import numpy as np
import pytest
from draws import draw
from resampled import own_metric, rng
from scipy.sparse import csr_array

import calib
from calib import bootstrap, consistency_test
from calib.sampled_metrics import sampled_metric


@pytest.mark.parametrize("resample", [bootstrap, consistency_test])
def test_few_entries_are_kept_as_sums(resample, monkeypatch):
    y, p = draw(60, 4)
    summed = resample(calib.classwise_ece, y, p, n_resamples=20, rng=0)
    monkeypatch.setattr(calib.metrics, "CLASSWISE_ENTRIES", 0)
    recomputed = resample(calib.classwise_ece, y, p, n_resamples=20, rng=0)
    name = "resampled" if resample is bootstrap else "null"
    np.testing.assert_allclose(getattr(summed, name), getattr(recomputed, name))


@pytest.mark.parametrize(
    ("metric", "options", "splits", "skewed"),
    [
        (calib.ece, {}, True, False),
        (calib.rmsce, {}, False, False),
        (calib.mce, {}, False, True),
        (calib.calibration_error, {"norm": "max"}, False, True),
        (calib.ks_error, {}, False, True),
        (calib.nll, {}, False, False),
        (own_metric, {}, False, False),
    ],
)
def test_the_norm_says_whether_an_error_splits_into_gaps_or_is_the_largest_one(
    metric, options, splits, skewed
):
    sampled = sampled_metric(metric, *draw(20, 3), options)
    assert (sampled.splits, sampled.skewed) == (splits, skewed)


def few_of_a_class(y_true, y_prob):
    return (
        float(y_prob[y_true == 0, 0].mean())
        if (y_true == 0).sum() > 3
        else float("nan")
    )


def test_a_metric_that_draws_leave_undefined_is_refused():
    y, p = np.repeat([0, 1], [4, 46]), np.tile([0.02, 0.98], (50, 1))
    message = r"metric: few_of_a_class is not a number for \d+ of 99 draws"
    for draws in (bootstrap, consistency_test):
        with pytest.raises(ValueError, match=message):
            draws(few_of_a_class, y, p, n_resamples=99, rng=rng())
    with pytest.raises(ValueError, match=message):
        calib.paired_difference(few_of_a_class, y, p, 1 - p, n_resamples=99, rng=rng())


def test_sums_above_one_by_rounding_are_resampled():
    p = np.array([[0.6006, 0.4004, 0.0], [0.5, 0.3, 0.2]] * 10, np.float16)
    options = {"n_resamples": 5, "rng": 0, "view": calib.within_top_r(2)}
    assert np.isfinite(bootstrap(calib.psce, [0, 2] * 10, p, **options).resampled).all()
    assert 0 < consistency_test(calib.psce, [0, 2] * 10, p, **options).p_value <= 1


P = [[0.9, 0.1], [0.4, 0.6]]


REFUSED = [
    ({"rng": 0.5}, "rng: 0.5"),
    ({"rng": -1}, "rng: -1"),
    ({"rng": None}, "rng: None"),
    ({"n_resamples": 0}, "n_resamples: 0"),
    ({"sample_weight": [1, 2]}, "sample_weight: not defined"),
    ({"y_true": [0, 5]}, "y_true: row 1 is 5"),
    ({"bins": 3}, "bins"),
    ({"metric": own_metric, "y_true": [0]}, "y_prob: 2 rows, expected 1 as in y_true"),
    ({"y_prob": csr_array(P)}, "y_prob: an array of type object"),
    ({"metric": lambda y, p: np.nan}, "metric: <lambda> is not a number"),
    ({"metric": "ece"}, "metric: 'ece'"),
]


BAD_ARGUMENTS = [
    (call, *refused) for call in (bootstrap, consistency_test) for refused in REFUSED
]
CORRECTED = {"metric": calib.brier, "method": "corrected"}
BAD_ARGUMENTS += [
    (bootstrap, {"method": "bca"}, "method: 'bca'"),
    (bootstrap, CORRECTED, "method: 'corrected'"),
    (bootstrap, {"confidence_level": 95}, "confidence_level: 95"),
]


@pytest.mark.parametrize(("call", "options", "message"), BAD_ARGUMENTS)
def test_bad_arguments_of_draws_are_named(call, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call(**{"metric": calib.ece, "y_true": [0, 1], "y_prob": P, "rng": 0} | options)
