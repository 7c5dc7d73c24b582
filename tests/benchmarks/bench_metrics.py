"""Metrics against the fastest other libraries, on the same data in the same run.

A group of benchmarks is a row of the table, a benchmark a library. `target` is how many times as
fast as the best of the others calib has to be.
"""

import calibration as uncertainty_calibration
import compiled
import netcal.metrics
import numpy as np
import plain
import probmetrics.distributions
import probmetrics.metrics
import pycalib.metrics
import pytest
import relplot
import sklearn.metrics
import torch
import uncertainty_metrics.numpy as uncertainty_metrics
from torchmetrics.functional.classification import multiclass_calibration_error

import calib

torch.set_num_threads(1)


def simulate(n, n_classes):
    """Labels and float32 probabilities like a confident network's, a fifth of the labels wrong."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    z = rng.standard_normal((n, n_classes), dtype=np.float32)
    z[np.arange(n), y] += rng.gamma(4, 2, n).astype(np.float32)
    wrong = rng.random(n) < 0.2
    y[wrong] = rng.integers(0, n_classes, wrong.sum())
    return y, calib.softmax(z)


@pytest.fixture(scope="module")
def long():
    return simulate(1_000_000, 10)


@pytest.fixture(scope="module")
def wide():
    return simulate(50_000, 1000)


@pytest.fixture(scope="module")
def flat():
    """Probabilities of which hardly any is above a fifteenth."""
    rng = np.random.default_rng(0)
    return rng.integers(0, 1000, 50_000), calib.softmax(
        rng.standard_normal((50_000, 1000), dtype=np.float32)
    )


@pytest.fixture(scope="module")
def pairs(long):
    score, hit = calib.top_label(*long)
    return score, hit.astype(int)


def compare(group, target, fixture, **functions):
    """Return a benchmark for each library; the first argument of a function is the fixture."""

    @pytest.mark.benchmark(group=group)
    @pytest.mark.parametrize("library", functions)
    def run(benchmark, library, request):
        data = request.getfixturevalue(fixture)
        benchmark.extra_info["library"] = library
        benchmark.extra_info["target"] = target
        rounds = 7 if library == "calib" else 3
        value = benchmark.pedantic(
            functions[library], args=(data,), rounds=rounds, warmup_rounds=1 if rounds > 3 else 0
        )
        benchmark.extra_info["value"] = float(value)

    return run


def tensors(data):
    y, p = data
    return torch.from_numpy(p), torch.from_numpy(y)


def general_calibration_error(data, scheme):
    y, p = data
    return uncertainty_metrics.gce(
        y, p, binning_scheme=scheme, class_conditional=True, max_prob=False, norm="l1", num_bins=15
    )


def probmetrics_value(metric, y, p):
    d = probmetrics.distributions
    truth = d.CategoricalDirac(torch.from_numpy(y), p.shape[1])
    return metric.compute(truth, d.CategoricalProbs(torch.from_numpy(p)))


def probmetrics_ks(data):
    score, hit = data
    pair = np.stack([1 - score, score], axis=1)
    return probmetrics_value(probmetrics.metrics.KolmogorovSmirnovCalibrationMetric(), hit, pair)


bench_ece = compare(
    "ECE, 1 000 000 x 10",
    3,
    "long",
    calib=lambda data: calib.ece(*data),
    plain=lambda data: plain.ece(*data),
    compiled=lambda data: compiled.ece(*data),
    torchmetrics=lambda data: multiclass_calibration_error(
        *tensors(data), num_classes=10, validate_args=False
    ),
    netcal=lambda data: netcal.metrics.ECE(15).measure(data[1], data[0]),
    uncertainty_calibration=lambda data: uncertainty_calibration.get_ece(data[1], data[0]),
)
bench_classwise_ece = compare(
    "Classwise ECE, 50 000 x 1000",
    10,
    "wide",
    calib=lambda data: calib.classwise_ece(*data),
    plain=lambda data: plain.classwise_ece(*data),
    pycalib=lambda data: pycalib.metrics.classwise_ECE(*data),
    uncertainty_metrics=lambda data: general_calibration_error(data, "even"),
)
bench_ace = compare(
    "ACE, 50 000 x 1000",
    10,
    "wide",
    calib=lambda data: calib.ace(*data),
    plain=lambda data: plain.ace(*data),
    uncertainty_metrics=lambda data: general_calibration_error(data, "adaptive"),
)
bench_classwise_ece_flat = compare(
    "Classwise ECE, 50 000 x 1000, flat probabilities",
    10,
    "flat",
    calib=lambda data: calib.classwise_ece(*data),
    plain=lambda data: plain.classwise_ece(*data),
    pycalib=lambda data: pycalib.metrics.classwise_ECE(*data),
    uncertainty_metrics=lambda data: general_calibration_error(data, "even"),
)
bench_ace_flat = compare(
    "ACE, 50 000 x 1000, flat probabilities",
    10,
    "flat",
    calib=lambda data: calib.ace(*data),
    plain=lambda data: plain.ace(*data),
    uncertainty_metrics=lambda data: general_calibration_error(data, "adaptive"),
)
bench_ks = compare(
    "KS, 1 000 000 scores",
    3,
    "pairs",
    calib=lambda data: calib.ks_error(data[1], data[0]),
    plain=lambda data: plain.ks(data[1], data[0]),
    probmetrics=probmetrics_ks,
)
bench_smooth_ece = compare(
    "Smooth ECE, 1 000 000 scores",
    3,
    "pairs",
    calib=lambda data: calib.smooth_ece(data[1], data[0]),
    plain=lambda data: plain.smooth_ece(data[1], data[0]),
    relplot=lambda data: relplot.smECE(data[0], data[1].astype(float)),
)
bench_nll = compare(
    "NLL, 50 000 x 1000",
    10,
    "wide",
    calib=lambda data: calib.nll(*data),
    plain=lambda data: plain.nll(*data),
    compiled=lambda data: compiled.nll(*data),
    scikit_learn=lambda data: sklearn.metrics.log_loss(*data),
    probmetrics=lambda data: probmetrics_value(probmetrics.metrics.LogLoss(), *data),
)
bench_brier = compare(
    "Brier, 50 000 x 1000",
    10,
    "wide",
    calib=lambda data: calib.brier(*data),
    plain=lambda data: plain.brier(*data),
    scikit_learn=lambda data: sklearn.metrics.brier_score_loss(*data, scale_by_half=False),
    probmetrics=lambda data: probmetrics_value(probmetrics.metrics.BrierLoss(), *data),
)
bench_nll_long = compare(
    "NLL, 1 000 000 x 10",
    3,
    "long",
    calib=lambda data: calib.nll(*data),
    plain=lambda data: plain.nll(*data),
    compiled=lambda data: compiled.nll(*data),
    scikit_learn=lambda data: sklearn.metrics.log_loss(*data),
)
bench_brier_long = compare(
    "Brier, 1 000 000 x 10",
    3,
    "long",
    calib=lambda data: calib.brier(*data),
    plain=lambda data: plain.brier(*data),
    scikit_learn=lambda data: sklearn.metrics.brier_score_loss(*data, scale_by_half=False),
)
