"""A map of each class, quick to fit, and the few samples that the tests fit it to.

400 samples of three classes, or the score of one class. A new map has a line here, and what its
parameters must refuse: the tests of all maps then try it.
"""

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
VIEW_MAPS = [calib.TopLabel(calib.BBQ())]
LOGIT_MAPS = PROBABILITY_MAPS + VIEW_MAPS
# what a parameter must refuse, of any map that has it
NONSENSE = {
    "bias": ["yes", None],
    "calibrator": [None, 3, calib.HistogramBinning],
    "floor": [-1, 0.5, "a", None, np.nan],
    "frequency_weights": ["yes", 1, None],
    "grid": [{"lam": []}, {"lam": 0.1}, [0.1, 1.0]],
    "lam": [-1, "a", None, np.nan, np.inf],
    "max_iter": [0, 1.5, "a", None],
    "mu": [-1, "a", None, np.nan],
    "n_bins": [0, 1.5, "a", None, True, 10**12],
    "n_folds": [0, 1.5, 401, None],
    "n_knots": [2, 1.5, None, True],
    "no_optimum": ["ignore", None],
    "runout": ["tight", None],
    "smooth_targets": ["yes", None],
    "strategy": ["height", None],
    "shrink": ["yes", 1, None],
    "strength": [0, -1, "a", np.nan],
    "target": ["miss", None],
    "tol": [0, -1, "a", None, np.nan],
}
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
