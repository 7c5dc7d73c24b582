"""Compute calarena_audit.csv: rows of CalArena by our maps.

One of its networks is in this book's sources with the same samples: ResNet-110 on CIFAR-10, 5000
images for calibration and 10 000 for the test. Its maps read probabilities; ours, their logarithms.
Where a name stands for another rule there, that rule is computed too, from its description.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import xlogy

import calib
from evidence.constants import FLOOR
from evidence.rows import Row
from evidence.studies.parts.calarena_network import (
    LEAST,
    difference_rows,
    resnet_arrays,
)

# what a map of one class makes of its scores
Curve = Callable[[np.ndarray], np.ndarray]


class BrierEnsemble:
    """Ensemble temperature scaling whose weights and temperature minimise the Brier score."""

    def fit(self, logits: np.ndarray, y: np.ndarray) -> "BrierEnsemble":

        def loss(parameters: np.ndarray) -> float:
            return calib.brier(y, mixed(parameters, logits))

        # two starts, since the Brier score of a mixture may have two minima
        starts = ([1.0, 0.0, -3.0, 0.5], [2.0, -1.0, -5.0, 0.6])
        options = {"maxiter": 2000, "xatol": 1e-6, "fatol": 1e-10}
        fits = [
            minimize(loss, x, method="Nelder-Mead", options=options) for x in starts
        ]
        self.parameters_ = min(fits, key=lambda fit: fit.fun).x
        return self

    def predict_proba(self, logits: np.ndarray) -> np.ndarray:
        return mixed(self.parameters_, logits)


def mixed(parameters: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Return the mixture of the scaled, the unscaled and the uniform probabilities."""
    *weights, log_temperature = parameters
    # a softmax, so that any parameters are weights that sum to one
    w = calib.softmax(np.array([weights]))[0]
    scaled = calib.softmax(logits / np.exp(log_temperature))
    return w[0] * scaled + w[1] * calib.softmax(logits) + w[2] / logits.shape[1]


class ByClass:
    """A map of each class by itself; its results, at `least` so, are divided by their sum."""

    def __init__(
        self, fit_one: Callable[[np.ndarray, np.ndarray], Curve], least: float = 0.0
    ) -> None:
        self.fit_one, self.least = fit_one, least

    def fit(self, logits: np.ndarray, y: np.ndarray) -> "ByClass":
        p = calib.softmax(logits)
        self.maps_ = [
            self.fit_one(p[:, k], (y == k).astype(float)) for k in range(p.shape[1])
        ]
        return self

    def predict_proba(self, logits: np.ndarray) -> np.ndarray:
        scores = calib.softmax(logits).T
        p = np.stack(
            [curve(s) for curve, s in zip(self.maps_, scores, strict=True)], axis=1
        )
        # a histogram may give zero to every class of a sample
        p = np.maximum(p, self.least)
        return p / p.sum(axis=1, keepdims=True)


def hit_shares(
    edges: np.ndarray, score: np.ndarray, hit: np.ndarray, empty: float | np.ndarray
) -> np.ndarray:
    """Return the share of hits in each bin, closed on the left, and what stands for none."""
    bin_of = (np.digitize(score, edges) - 1).clip(0, len(edges) - 2)
    n, hits = (np.bincount(bin_of, w, minlength=len(edges) - 1) for w in (None, hit))
    return np.where(n > 0, hits / np.maximum(n, 1), empty)


def left_closed(quantiles: bool) -> Callable[[np.ndarray, np.ndarray], Curve]:
    """Ten bins that are closed on the left, of equal width or between sample quantiles."""

    def fit_one(score: np.ndarray, hit: np.ndarray) -> Curve:
        grid = np.linspace(0, 1, 11)
        # quantiles that agree would leave bins without width
        edges = np.unique(np.quantile(score, grid)) if quantiles else grid
        values = hit_shares(edges, score, hit, hit.mean())
        return lambda s: values[(np.digitize(s, edges) - 1).clip(0, len(values) - 1)]

    return fit_one


def widths_by_bic(score: np.ndarray, hit: np.ndarray) -> Curve:
    """Histograms of equal width, n^(1/3)/10 to 10 n^(1/3) bins, weighted by exp(-BIC / 2).

    Only the first are kept: up to where two weights that follow each other differ by less than a
    thousandth of the variance of all weights. The bins are closed on the right where it predicts.
    """
    root = len(score) ** (1 / 3)
    models: list[tuple[np.ndarray, np.ndarray]] = []
    bic: list[float] = []
    for n_bins in range(max(1, int(root / 10)), int(np.ceil(10 * root)) + 1):
        edges = np.linspace(0, 1, n_bins + 1)
        models.append(
            (edges, hit_shares(edges, score, hit, (edges[:-1] + edges[1:]) / 2))
        )
        p = right_closed(models[-1], score)
        # minus twice the log likelihood, and the price of a parameter a bin
        bic.append(
            n_bins * np.log(len(score))
            - 2 * (xlogy(hit, p) + xlogy(1 - hit, 1 - p)).sum()
        )
    # less the smallest BIC, so that the exponential of the best is one
    weight = np.exp((min(bic) - np.array(bic)) / 2)
    order = np.argsort(weight)[::-1]
    # in falling order: the first that hardly differs from its follower ends the list
    small = -np.diff(weight[order]) <= 0.001 * weight.var()
    chosen = order[: 1 + (int(small.argmax()) if small.any() else len(small))]
    weight = weight[chosen] / weight[chosen].sum()

    def weighted(score: np.ndarray) -> np.ndarray:
        total = np.zeros(score.shape)
        for share, place in zip(weight, chosen, strict=True):
            total += share * right_closed(models[place], score)
        return total

    return weighted


def right_closed(model: tuple[np.ndarray, np.ndarray], score: np.ndarray) -> np.ndarray:
    edges, values = model
    return values[(np.digitize(score, edges, right=True) - 1).clip(0, len(values) - 1)]


def isotonic_in_single_precision(score: np.ndarray, hit: np.ndarray) -> Curve:
    """scikit-learn's isotonic regression, which takes scores that nearly agree for one score."""
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(out_of_bounds="clip").fit(score.astype(np.float32), hit)
    return lambda s: fitted.predict(s.astype(np.float32)).astype(float)


WITHOUT_FLOOR = "MatrixScaling, logarithms without a floor"
TEN_BINS = [
    calib.HistogramBinning(n_bins=10, strategy=way) for way in ("width", "mass")
]
MAPS: dict[tuple[str, str], Any] = {
    ("Base-model", "the network"): None,
    ("TS", "TemperatureScaling"): calib.TemperatureScaling(),
    ("SMS", "StructuredMatrixScaling"): calib.StructuredMatrixScaling(),
    ("VS", "VectorScaling"): calib.VectorScaling(),
    ("ETS", "EnsembleTemperatureScaling"): calib.EnsembleTemperatureScaling(),
    ("ETS", "the same form by the Brier score"): BrierEnsemble(),
    ("MS", "MatrixScaling"): calib.MatrixScaling(),
    ("MS", WITHOUT_FLOOR): calib.MatrixScaling(),
    ("Isotonic", "OneVsRest(IsotonicCalibration)"): calib.OneVsRest(
        calib.IsotonicCalibration()
    ),
    ("Isotonic", "scikit-learn's, in single precision"): ByClass(
        isotonic_in_single_precision
    ),
    ("Hist-uniform", "OneVsRest(HistogramBinning), ten bins"): calib.OneVsRest(
        TEN_BINS[0]
    ),
    ("Hist-uniform", "closed on the left, at least 1e-30"): ByClass(
        left_closed(False), 1e-30
    ),
    ("Hist-quantile", "OneVsRest(HistogramBinning), equal mass"): calib.OneVsRest(
        TEN_BINS[1]
    ),
    ("Hist-quantile", "between quantiles, at least 1e-30"): ByClass(
        left_closed(True), 1e-30
    ),
    ("BBQ", "OneVsRest(BBQ)"): calib.OneVsRest(calib.BBQ()),
    ("BBQ", "equal widths, weighted by BIC"): ByClass(widths_by_bic),
}


def rows() -> Iterator[Row]:
    """Yield one row a map and metric: what CalArena prints, and what our map gives."""
    logits, y, test_logits, test_y = resnet_arrays()
    p, p_test = calib.softmax(logits), calib.softmax(test_logits)
    for (name, ours), map_ in MAPS.items():
        floor = LEAST if ours == WITHOUT_FLOOR else FLOOR
        z, z_test = (calib.as_logits(matrix, floor=floor) for matrix in (p, p_test))
        prob = p_test if map_ is None else map_.fit(z, y).predict_proba(z_test)
        yield from difference_rows(name, ours, test_y, prob)
