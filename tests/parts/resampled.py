"""What tests of resamples share: the literal loop, and metrics of every kind."""

from functools import partial

import numpy as np

import calib
from calib import equal_mass, equal_width, one_vs_rest


def rng(seed=0):
    return np.random.default_rng(seed)


def loop(metric, y, *probabilities, n_resamples, seed, **options):
    """The metric of rows drawn again, one resample at a time."""
    generator, values = rng(seed), []
    for _ in range(n_resamples):
        i = generator.integers(len(y), size=len(y))
        values.append([metric(y[i], p[i], **options) for p in probabilities])
    return np.array(values)


def own_metric(y_true, y_prob):
    return float(np.mean(y_prob.argmax(axis=1) == y_true))


RESAMPLED = [
    (calib.ece, {}),
    (calib.ece, {"n_bins": 7, "closed": "left"}),
    (calib.mce, {"n_bins": 10}),
    (calib.rmsce, {}),
    (
        calib.calibration_error,
        {"view": one_vs_rest(1), "bins": equal_width(5), "norm": "l2"},
    ),
    (calib.calibration_error, {"bins": equal_mass(6)}),
    (calib.ks_error, {}),
    (calib.ks_error, {"view": calib.within_top_r(2)}),
    (calib.smooth_ece, {}),
    (calib.debiased_ece, {"view": one_vs_rest(0)}),
    (calib.sweep_ece, {}),
    (calib.classwise_ece, {}),
    (calib.classwise_ece, {"n_bins": 4, "closed": "left"}),
    (calib.accuracy, {}),
    (calib.top1_brier, {"view": one_vs_rest(2)}),
    (calib.ace, {"n_bins": 5}),
    (calib.nll, {}),
    (calib.brier, {}),
    (partial(calib.ece, n_bins=7), {}),
    (partial(calib.kde_ece, view=one_vs_rest(1)), {}),
    (calib.aurc, {}),
    (own_metric, {}),
]
