"""The papers' metrics on random halves of test sets, where the cut of a paper is not known."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_source, source_names
from evidence.fit_and_measure import calibrated
from evidence.network_outputs import Outputs
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.partial_temperature import N_CLASSES, PartialTemperature
from evidence.studies.parts.two_sets import halves

N_HALVES = 1000
SEED = 1000
GROUP_2 = ["calibench-cifar10-resnet50-ce", "calibench-cifar10-resnet50-focal"]
IMAGENET = ["northcutt-imagenet-densenet161", "hollance-imagenet-densenet161"]
IMAGENET += ["northcutt-imagenet-resnet152"]


def vasilev_first_group() -> list[str]:
    """The thirteen CIFAR-10 architectures of Vasilev's first group."""
    return [name for name in source_names() if name.startswith("northcutt-cifar10-")]


def sources() -> list[str]:
    return [*GROUP_2, *vasilev_first_group(), *IMAGENET]


def vasilev_methods() -> dict[str, Any]:
    """Vasilev's calibrators as he describes them: 20 bins, no floors."""
    return {
        "Histogram binning": calib.OneVsRest(
            calib.HistogramBinning(n_bins=20, floor=0)
        ),
        "Isotonic regression": calib.OneVsRest(calib.IsotonicCalibration(floor=0)),
        "Temperature scaling": calib.TemperatureScaling(),
        "Vector scaling (no bias)": calib.VectorScaling(bias=False),
        "Vector scaling": calib.VectorScaling(),
        "Matrix scaling": calib.MatrixScaling(tol=1e-6),
    }


def vasilev_top(split: Outputs) -> dict[str, float]:
    """His metrics of the top label; bins closed on the left (his equation 3)."""
    score, hit = split.pairs
    return {
        "Accuracy": hit.mean(),
        "ECE": calib.ece(hit, score, closed="left"),
        "MCE": calib.mce(hit, score, closed="left"),
    }


def vasilev_full(split: Outputs) -> dict[str, float]:
    """All his metrics; as in scikit-learn, the NLL counts a probability below 1e-15 as 1e-15."""
    label = split.prob[np.arange(len(split)), split.y]
    return vasilev_top(split) | {
        "cwECE": calib.classwise_ece(split.y, split.prob, closed="left"),
        "NLL": -np.log(np.maximum(label, 1e-15)).mean(),
        "Brier": calib.brier(split.y, split.prob),
    }


def gupta(split: Outputs) -> dict[str, float]:
    """Gupta's metrics, as far as the split goes, and Guo's ECE."""
    score, hit = split.pairs
    values = {
        "Accuracy": hit.mean(),
        "KS": calib.ks_error(hit, score),
        "ECE": calib.ece(hit, score, n_bins=25),
        "ECE, 15 bins": calib.ece(hit, score),
        "KDE-ECE": calib.kde_ece(hit, score),
        "MCE": calib.mce(hit, score),
        "Top-1 Brier": calib.top1_brier(hit, score),
    }
    if split.ranked[0].shape[1] > 1:
        values["KS top-2"] = calib.ks_error(*split.top_r_pairs(2)[::-1])
        values["KS within-top-2"] = calib.ks_error(*split.within_top_r_pairs(2)[::-1])
    return values


def one_half(
    name: str, calibration: Outputs, test: Outputs
) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield method and metrics for one pair of halves."""
    metrics = gupta if name in IMAGENET else vasilev_top
    if name in GROUP_2:
        # whole vectors are known of these alone
        metrics = vasilev_full
        for method, calibrator in vasilev_methods().items():
            yield method, metrics(calibrated(calibrator, calibration, test))
    elif test.given.shape[1] == 5:
        n_classes = N_CLASSES["CIFAR-10" if "cifar10" in name else "ImageNet"]
        scaling = PartialTemperature(n_classes).fit(calibration)
        yield "Temperature scaling", metrics(scaling.predict(test))
    yield "Uncalibrated", metrics(test)


def half_values(name: str, n_halves: int = N_HALVES) -> list[Row]:
    net = load_source(name)
    rng = np.random.default_rng(SEED)
    values: dict[tuple[str, str], list[float]] = {}
    # one generator for all halves: the first hundred are the same whatever their number
    for _ in range(n_halves):
        for method, metrics in one_half(name, *halves(net.test, rng)):
            for metric, value in metrics.items():
                values.setdefault((method, metric), []).append(float(value))
    return [
        {"source": name, "method": method, "metric": metric, "values": numbers}
        for (method, metric), numbers in values.items()
    ]


def half_rows() -> list[Row]:
    """The values over all halves, which takes hours."""
    return compute_pieces("metrics_over_random_halves", half_values, sources())
