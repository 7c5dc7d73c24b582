"""One calibrator of each class, with the arguments that make its fit to a small set quick."""

import numpy as np

import calib
from calib.maps.base import ScoreCalibrator, clone

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
    calib.VectorScaling(shrink=True),
]
VIEW_MAPS = [
    calib.TopLabel(calib.BBQ()),
]
LOGIT_MAPS = PROBABILITY_MAPS + VIEW_MAPS
RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((400, 3))
Y = (Z + 1.5 * RNG.gumbel(size=Z.shape)).argmax(axis=1)
SCORE, HIT = calib.softmax(Z)[:, 1], Y == 1


def data_of(calibrator):
    """A small set of what a calibrator is fitted to."""
    return (SCORE, HIT) if isinstance(calibrator, ScoreCalibrator) else (Z, Y)


def fitted(calibrator):
    """A copy of a calibrator, fitted to the small set."""
    return clone(calibrator).fit(*data_of(calibrator))


def outputs(fitted, x):
    """Return what a fitted map makes of x, by its own method."""
    ways = ("predict_proba", "predict_score", "predict")
    return next(getattr(fitted, way)(x) for way in ways if hasattr(fitted, way))


def network(n, k, seed=0, dtype=np.float64):
    """Logits of a network that is too confident, in some classes more than in others; labels."""
    rng = np.random.default_rng(seed)
    true = 2 * rng.standard_normal((n, k))
    y = (true + rng.gumbel(size=(n, k))).argmax(axis=1)
    noise = 0.3 * rng.standard_normal((n, k))
    return ((true + noise) * rng.uniform(1, 2, k) + rng.standard_normal(k)).astype(
        dtype
    ), y


def pairs(n, seed=0, power=1.7):
    """Scores, and hits of which the share is a power of the score."""
    rng = np.random.default_rng(seed)
    score = rng.random(n)
    return score, rng.random(n) < score**power
