"""Compute refitted_intervals.csv: how much a calibrator's own samples move what it reaches.

`python -m evidence.studies refitted_intervals` from the root. The intervals of
`metric_intervals.csv` hold the calibrators fixed. Here, for each of their sources, the calibration
samples and the test samples are both drawn again and each map is fitted anew; besides, all samples
are split anew at random, ten times, into sets of the same sizes. Where only first choices are known
the maps are those of one score; matrix scaling, which takes minutes with many classes, is fitted to
`MOST_CLASSES` classes or fewer.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import calib
from evidence import Predictions, load_source, source_names
from evidence.data import generator
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.competing_maps import MOST_CLASSES
from evidence.studies.parts.maps_of_studies import MAPS_OF_SCORES, MAPS_OF_VECTORS
from evidence.studies.parts.two_sets import SEED, calibration_and_test

Samples = tuple[np.ndarray, np.ndarray]  # what a map reads, and labels or hits
Maps = dict[str, Any]
Metrics = dict[str, Callable[..., float]]
# `refit_metrics` of given maps and metrics
Estimate = Callable[[Samples, Samples], np.ndarray]

N_RESAMPLES, N_SPLITS = 100, 10
OF_VECTORS = (
    "temperature",
    "vector",
    "matrix-odir",
    "histogram",
    "isotonic",
    "spline",
)
OF_SCORES = ("histogram", "isotonic", "beta", "spline")
VECTORS = {name: MAPS_OF_VECTORS[name] for name in OF_VECTORS}
SCORES = {f"top-{name}": MAPS_OF_SCORES[name] for name in OF_SCORES}
OF_PAIRS: Metrics = {"ece": calib.ece, "ks": calib.ks_error}
METRICS_OF_VECTORS = OF_PAIRS | {
    "classwise_ece": calib.classwise_ece,
    "brier": calib.brier,
}
METRICS_OF_SCORES = OF_PAIRS | {"top1_brier": calib.top1_brier}


def refit_metrics(
    maps: Maps, metrics: Metrics, fitting: Samples, testing: Samples
) -> np.ndarray:
    """The metrics of each map, fitted on the one set and measured on the other."""
    (x, y), (x_test, y_test) = fitting, testing
    numbers = []
    for calibrator in maps.values():
        calibrator.fit(x, y)
        mapped = getattr(calibrator, "predict_proba", calibrator.predict)(x_test)
        numbers.append([metric(y_test, mapped) for metric in metrics.values()])
    return np.array(numbers)


def maps_and_metrics(net: Predictions) -> tuple[Maps, Metrics]:
    """Return the maps, and the metrics of them, that the contents of a source allow."""
    if not has_vectors(net):
        return SCORES, METRICS_OF_SCORES
    maps = dict(VECTORS)
    if net.test.n_classes > MOST_CLASSES:
        # of many classes it has too many parameters to be fitted a hundred times
        del maps["matrix-odir"]
    return maps, METRICS_OF_VECTORS


def has_vectors(net: Predictions) -> bool:
    return net.known in ("logits", "probabilities")


def drawn_again(samples: Samples, rng: np.random.Generator) -> Samples:
    rows = rng.integers(len(samples[1]), size=len(samples[1]))
    return samples[0][rows], samples[1][rows]


def of_resamples(
    estimate: Estimate, fitting: Samples, testing: Samples, rng: np.random.Generator
) -> np.ndarray:
    """Return the values of sets that are drawn again, shape (N_RESAMPLES, maps, metrics)."""
    again = []
    for _ in range(N_RESAMPLES):
        redrawn = drawn_again(fitting, rng)
        # calibration set first: the generator gives the sets in this order
        again.append(estimate(redrawn, drawn_again(testing, rng)))
    return np.array(again)


def of_splits(
    estimate: Estimate, fitting: Samples, testing: Samples, rng: np.random.Generator
) -> np.ndarray:
    """Return the values where all samples are split anew, shape (N_SPLITS, maps, metrics)."""
    # the sizes of both sets stay, only who is in which is drawn
    x = np.concatenate([fitting[0], testing[0]])
    y = np.concatenate([fitting[1], testing[1]])
    again = []
    for _ in range(N_SPLITS):
        first, second = np.split(rng.permutation(len(y)), [len(fitting[1])])
        again.append(estimate((x[first], y[first]), (x[second], y[second])))
    return np.array(again)


def refit_source(name: str) -> list[Row]:
    """Return a row for each map of a source and metric."""
    net = load_source(name)
    maps, metrics = maps_and_metrics(net)
    sets = calibration_and_test(net)
    if has_vectors(net):
        fitting, testing = ((outputs.as_logits(), outputs.y) for outputs in sets)
    else:
        fitting, testing = (outputs.pairs for outputs in sets)

    rng = generator(name, seed=SEED)
    estimate = partial(refit_metrics, maps, metrics)
    value = estimate(fitting, testing)
    again = of_resamples(estimate, fitting, testing, rng)
    # the basic interval: the quantiles are reflected at the value
    low, high = 2 * value - np.quantile(again, [0.975, 0.025], axis=0)
    splits = of_splits(estimate, fitting, testing, rng)
    columns = {"value": value, "low": low, "high": high}
    columns |= {"split_low": splits.min(axis=0), "split_high": splits.max(axis=0)}

    rows = []
    for place, (calibrator, metric) in zip(
        np.ndindex(value.shape), product(maps, metrics), strict=True
    ):
        row: Row = {"source": name, "calibrator": calibrator, "metric": metric}
        row |= {column: float(numbers[place]) for column, numbers in columns.items()}
        rows.append(row | {"n_resamples": N_RESAMPLES, "n_splits": N_SPLITS})
    return rows


def rows() -> list[Row]:
    return compute_pieces("refitted_intervals", refit_source, source_names())
