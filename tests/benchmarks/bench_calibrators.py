"""Calibrators against the fastest other libraries: the time of a fit.

A group of benchmarks is a row of the table, a benchmark a library. `target` is how many times as
fast as the best of the others calib has to be. The data are float32 logits; other libraries get
them in the form that they ask for.
"""

import betacal
import compiled
import netcal.binning
import numpy as np
import plain
import probmetrics.calibrators
import pytest
import torch
from bench_metrics import compare
from classifiers import Logits
from dirichletcal.calib.multinomial import MultinomialRegression
from probmetrics.distributions import CategoricalLogits
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression

import calib


def network(n, n_classes, scale):
    """Float32 logits of a network that is too confident; its classes lie in 32 dimensions."""
    rng = np.random.default_rng(0)
    classes = rng.standard_normal((n_classes, 32), dtype=np.float32)
    label = np.arange(n) % n_classes
    features = classes[label] + rng.standard_normal((n, 32), dtype=np.float32)
    z = scale * features @ classes.T
    y = (z + rng.gumbel(size=z.shape).astype(np.float32)).argmax(axis=1)
    y[: 5 * n_classes] = label[: 5 * n_classes]  # scikit-learn needs every class in every fold
    return 1.7 * z, y


@pytest.fixture(scope="module")
def few_classes():
    return network(5000, 10, 0.2)


@pytest.fixture(scope="module")
def hundred_classes():
    return network(5000, 100, 0.3)


@pytest.fixture(scope="module")
def thousand_classes():
    return network(25_000, 1000, 0.5)


@pytest.fixture(scope="module")
def score_and_hit():
    rng = np.random.default_rng(0)
    score = rng.beta(5, 1, 25_000)
    return score, rng.random(25_000) < score**2


def scikit_learn_temperature(data):
    z, y = data
    frozen = FrozenEstimator(Logits().fit(z, y))
    fitted = CalibratedClassifierCV(frozen, method="temperature").fit(z, y)
    return 1 / fitted.calibrated_classifiers_[0].calibrators[0].beta_


def probmetrics_fit(calibrator, data):
    z, y = data
    fitted = calibrator.fit_torch(CategoricalLogits(torch.from_numpy(z)), torch.from_numpy(y))
    return 1.0 if fitted is None else 0.0


def scikit_learn_isotonic(data):
    z, y = data
    p = calib.softmax(z)
    maps = [
        IsotonicRegression(out_of_bounds="clip").fit(p[:, k], y == k) for k in range(z.shape[1])
    ]
    return len(maps)


def netcal_isotonic(data):
    z, y = data
    netcal.binning.IsotonicRegression().fit(calib.softmax(z), y)
    return 0.0


def dirichletcal_odir(data):
    """The same objective: `reg_norm` divides the penalties as the paper does."""
    z, y = data
    fitted = MultinomialRegression(reg_lambda=100.0, reg_mu=10.0, reg_norm=True, ref_row=False)
    return float(fitted.fit(z.astype(float), y).coef_[0, 0])


def calib_odir(data):
    fitted = calib.MatrixScaling(lam=100.0, mu=10.0).fit(*data)
    assert fitted.gradient_norm_ < 1e-6
    return fitted.coef_[0, 0]


bench_temperature = compare(
    "Temperature, 5000 x 10",
    3,
    "few_classes",
    calib=lambda data: calib.TemperatureScaling().fit(*data).temperature_,
    plain=lambda data: plain.temperature(*data),
    scikit_learn=scikit_learn_temperature,
    probmetrics=lambda data: probmetrics_fit(
        probmetrics.calibrators.TemperatureScalingCalibrator(), data
    ),
)
bench_temperature_large = compare(
    "Temperature, 25 000 x 1000",
    10,
    "thousand_classes",
    calib=lambda data: calib.TemperatureScaling().fit(*data).temperature_,
    plain=lambda data: plain.temperature(*data),
    scikit_learn=scikit_learn_temperature,
)
bench_vector = compare(
    "Vector scaling, 5000 x 100",
    3,
    "hundred_classes",
    calib=lambda data: calib.VectorScaling().fit(*data).coef_[0],
    probmetrics=lambda data: probmetrics_fit(
        probmetrics.calibrators.VectorScalingCalibrator(), data
    ),
)
bench_matrix = compare(
    "Matrix scaling with ODIR, 5000 x 100",
    3,
    "hundred_classes",
    calib=calib_odir,
    dirichletcal=dirichletcal_odir,
)
bench_structured = compare(
    "Structured matrix scaling, 5000 x 10",
    3,
    "few_classes",
    calib=lambda data: calib.StructuredMatrixScaling().fit(*data).coef_[0, 0],
    probmetrics=lambda data: probmetrics_fit(probmetrics.calibrators.SMSCalibrator(), data),
)
bench_structured_hundred = compare(
    "Structured matrix scaling, 5000 x 100",
    3,
    "hundred_classes",
    calib=lambda data: calib.StructuredMatrixScaling().fit(*data).coef_[0, 0],
    probmetrics=lambda data: probmetrics_fit(probmetrics.calibrators.SMSCalibrator(), data),
)
bench_isotonic = compare(
    "Isotonic one-vs-rest, 25 000 x 1000",
    10,
    "thousand_classes",
    calib=lambda data: len(calib.OneVsRest(calib.IsotonicCalibration()).fit(*data).maps_),
    plain=lambda data: len(plain.isotonic(data[1], calib.softmax(data[0]))),
    compiled=lambda data: len(compiled.isotonic(data[1], calib.softmax(data[0]))),
    scikit_learn=scikit_learn_isotonic,
    netcal=netcal_isotonic,
)
bench_spline = compare(
    "Spline, 25 000 scores",
    3,
    "score_and_hit",
    calib=lambda data: calib.SplineCalibration().fit(*data).knots_[0],
    probmetrics=lambda data: probmetrics_spline(*data),
)
bench_beta = compare(
    "Beta calibration, 25 000 scores",
    3,
    "score_and_hit",
    calib=lambda data: calib.BetaCalibration().fit(*data).coef_[0],
    betacal=lambda data: betacal.BetaCalibration("abm").fit(data[0], data[1]).calibrator_.map_[0],
)


def probmetrics_spline(score, hit):
    pair = np.stack([1 - score, score], axis=1)
    probmetrics.calibrators.CDFSplineCalibrator().fit(pair, hit.astype(int))
    return 0.0
