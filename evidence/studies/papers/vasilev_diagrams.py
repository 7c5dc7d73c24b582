"""Compute vasilev_diagrams.csv: bins before and after each calibrator, on one half of the test set.

The networks stand in for those of Figures 4 to 6 of Vasilev & D'yakonov (2021); the other half
calibrates.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_source
from evidence.network_outputs import Outputs
from evidence.rows import Row, rows_of_bins
from evidence.studies.parts.random_halves import vasilev_methods
from evidence.studies.parts.two_sets import SEED, halves

Outcome = tuple[str, np.ndarray, np.ndarray]  # method, scores and hits

WITH_VECTORS = ["netcal-cifar100-wideresnet-16-4", "calibench-cifar10-resnet50-ce"]
TOP = [
    "timm-imagenet-efficientnet-b1",
    "timm-imagenet-efficientnet-b3a",
]
TOP_MAPS: dict[str, Any] = {
    "Histogram binning": calib.HistogramBinning(n_bins=20),
    "Isotonic regression": calib.IsotonicCalibration(),
    "Platt scaling": calib.PlattScaling(),
}


def outcomes_of_vectors(calibration: Outputs, test: Outputs) -> Iterator[Outcome]:
    """Yield method, scores and hits for whole probability vectors; no matrix, as in the paper."""
    yield "Uncalibrated", *test.pairs
    for method, calibrator in vasilev_methods().items():
        if method != "Matrix scaling":
            calibrator.fit(calibration.as_logits(), calibration.y)
            prob = calibrator.predict_proba(test.as_logits())
            yield method, *calib.top_label(test.y, prob)


def outcomes_of_confidences(calibration: Outputs, test: Outputs) -> Iterator[Outcome]:
    """Yield method, scores and hits where only the confidence is known."""
    score, hit = test.pairs
    yield "Uncalibrated", score, hit
    for method, calibrator in TOP_MAPS.items():
        yield method, calibrator.fit(*calibration.pairs).predict(score), hit


def bins(
    source: str, outcomes: Callable[[Outputs, Outputs], Iterator[Outcome]]
) -> Iterator[Row]:
    """Yield the ten bins, closed on the left, of each method."""
    test = load_source(source).test
    for method, score, hit in outcomes(*halves(test, np.random.default_rng(SEED))):
        table = calib.equal_width(10, closed="left")(score, hit)
        ece = calib.ece(hit, score, closed="left")
        for row in rows_of_bins({"source": source, "method": method}, table):
            yield row | {"ece": ece}


JOBS = [(name, outcomes_of_vectors) for name in WITH_VECTORS] + [
    (name, outcomes_of_confidences) for name in TOP
]


def rows() -> Iterator[Row]:
    for source, outcomes in JOBS:
        yield from bins(source, outcomes)
