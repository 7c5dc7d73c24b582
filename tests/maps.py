"""One calibrator of each class, with the arguments that make its fit to a small set quick."""

import numpy as np

import calib

SCORE_MAPS = [
    calib.HistogramBinning(n_bins=4),
    calib.IsotonicCalibration(),
    calib.BBQ(),
    calib.PlattScaling(),
    calib.BetaCalibration(),
    calib.QuadraticScaling(),
    calib.VennAbers(),
    calib.SplineCalibration(target="hits"),
    calib.ScalingBinning(calib.BetaCalibration(), n_bins=6),
]
PROBABILITY_MAPS = [
    calib.TemperatureScaling(),
    calib.VectorScaling(bias=False),
    calib.MatrixScaling(lam=np.float64(0.1)),
    calib.DirichletCalibration(lam=0.1, mu=1),
    calib.EnsembleTemperatureScaling(),
    calib.StructuredMatrixScaling(strength=0.5),
    calib.OneVsRest(calib.IsotonicCalibration(floor=1e-3)),
    calib.RankWise(calib.SplineCalibration(n_knots=4)),
    calib.CrossValidated(calib.MatrixScaling(), {"lam": [0.1, 1.0]}, n_folds=2),
]
VIEW_MAPS = [
    calib.TopLabel(calib.BBQ()),
    calib.TopR(calib.HistogramBinning(), r=2),
    calib.WithinTopR(calib.PlattScaling(), r=2),
]
LOGIT_MAPS = PROBABILITY_MAPS + VIEW_MAPS


def network(n, k, seed=0, dtype=np.float64):
    """Logits of a network that is too confident, in some classes more than in others; labels."""
    rng = np.random.default_rng(seed)
    true = 2 * rng.standard_normal((n, k))
    y = (true + rng.gumbel(size=(n, k))).argmax(axis=1)
    noise = 0.3 * rng.standard_normal((n, k))
    return ((true + noise) * rng.uniform(1, 2, k) + rng.standard_normal(k)).astype(dtype), y


def pairs(n, seed=0, power=1.7):
    """Scores, and hits of which the share is a power of the score."""
    rng = np.random.default_rng(seed)
    score = rng.random(n)
    return score, rng.random(n) < score**power
