"""The published cases: `calib` answers them."""

import numpy as np

import calib
from evidence.conformance import compare_program

MASS = calib.equal_mass(15)
CALIB = {
    "accuracy": calib.accuracy,
    "ece-right-15": calib.ece,
    "ece-right-10": lambda y, p, **w: calib.ece(y, p, n_bins=10, **w),
    "ece-left-15": lambda y, p, **w: calib.ece(y, p, closed="left", **w),
    "ece-left-10": lambda y, p, **w: calib.ece(y, p, n_bins=10, closed="left", **w),
    "ece-mass-15": lambda y, p, **w: calib.calibration_error(y, p, bins=MASS, **w),
    "ece-second-15": lambda y, p, **w: calib.ece(y, p[:, 1], **w),
    "classwise-15": calib.classwise_ece,
    "adaptive-classes-15": calib.ace,
    "mce-15": calib.mce,
    "rmsce-15": calib.rmsce,
    "debiased-15": calib.debiased_ece,
    "ks": calib.ks_error,
    "two-bins": calib.two_bin_error,
    "smooth": calib.smooth_ece,
    "brier": calib.brier,
    "brier-second": lambda y, p, **w: calib.top1_brier(y, p[:, 1], **w),
    "brier-top": calib.top1_brier,
    "nll": calib.nll,
    "nll-floor": lambda y, p, sample_weight: np.average(
        -calib.as_logits(p, floor=1e-12)[np.arange(len(y)), y], weights=sample_weight
    ),
}


def answer(metric):
    def answered(y, p, weight):
        p, half = np.array(p), np.float16(p)
        return metric(
            np.array(y), half if (half == p).all() else p, sample_weight=weight
        )

    return answered


def test_calib_gives_every_value():
    assert not list(
        compare_program.differences(
            {name: answer(metric) for name, metric in CALIB.items()}
        )
    )
