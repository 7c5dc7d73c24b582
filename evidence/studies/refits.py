"""Compute data/results/refits.csv: how much a calibrator's own samples move what it reaches.

`python -m evidence.studies refits` from the root. The intervals of `intervals.csv` hold the
calibrators fixed. Here, for each of their sources, the calibration samples and the test samples are
both drawn again and each map is fitted anew; besides, all samples are split anew at random, ten
times, into sets of the same sizes. Where only first choices are known the maps are those of one
score; matrix scaling, which takes minutes with many classes, is fitted to `MOST_CLASSES` classes or
fewer.
"""

import numpy as np

import calib
from evidence import load_source, source_names
from evidence.studies.evaluate import MAPS, SEED, WHOLE, calibration_and_test
from evidence.studies.pieces import compute_pieces, generator
from evidence.studies.split_half import MOST_CLASSES

N_RESAMPLES, N_SPLITS = 100, 10
OF_VECTORS = ("temperature", "vector", "matrix-odir", "histogram", "isotonic", "spline")
OF_SCORES = ("histogram", "isotonic", "beta", "spline")
VECTORS = {name: WHOLE[name] for name in OF_VECTORS}
SCORES = {f"top-{name}": MAPS[name] for name in OF_SCORES}
OF_PAIRS = {"ece": calib.ece, "ks": calib.ks_error}
METRICS_OF_VECTORS = OF_PAIRS | {"classwise_ece": calib.classwise_ece, "brier": calib.brier}
METRICS_OF_SCORES = OF_PAIRS | {"top1_brier": calib.top1_brier}


def values(maps, metrics, fitting, testing):
    """The metrics of each map, fitted on the one set and measured on the other."""
    (x, y), (x_test, y_test) = fitting, testing
    numbers = []
    for calibrator in maps.values():
        calibrator.fit(x, y)
        mapped = getattr(calibrator, "predict_proba", calibrator.predict)(x_test)
        numbers.append([metric(y_test, mapped) for metric in metrics.values()])
    return np.array(numbers)


def drawn(samples, rng):
    rows = rng.integers(len(samples[1]), size=len(samples[1]))
    return samples[0][rows], samples[1][rows]


def measure(name):
    net = load_source(name)
    vectors = net.known in ("logits", "probabilities")
    maps, metrics = (VECTORS, METRICS_OF_VECTORS) if vectors else (SCORES, METRICS_OF_SCORES)
    if vectors and net.test.prob.shape[1] > MOST_CLASSES:
        maps = {name: VECTORS[name] for name in VECTORS if name != "matrix-odir"}
    sets = calibration_and_test(net)
    fitting, testing = ((s.as_logits(), s.y) if vectors else s.pairs for s in sets)
    rng = generator(name, seed=SEED)
    value = values(maps, metrics, fitting, testing)
    pairs = ((drawn(fitting, rng), drawn(testing, rng)) for _ in range(N_RESAMPLES))
    again = [values(maps, metrics, *pair) for pair in pairs]
    low, high = 2 * value - np.quantile(again, [0.975, 0.025], axis=0)
    x, y = (np.concatenate(pair) for pair in zip(fitting, testing, strict=True))
    orders = (rng.permutation(len(y)) for _ in range(N_SPLITS))
    halves = (np.split(order, [len(fitting[1])]) for order in orders)
    splits = [values(maps, metrics, (x[a], y[a]), (x[b], y[b])) for a, b in halves]
    estimate = {"value": value, "low": low, "high": high}
    estimate |= {"split_low": np.min(splits, axis=0), "split_high": np.max(splits, axis=0)}
    return [
        {"source": name, "calibrator": calibrator, "metric": metric}
        | {key: float(numbers[i, j]) for key, numbers in estimate.items()}
        | {"n_resamples": N_RESAMPLES, "n_splits": N_SPLITS}
        for i, calibrator in enumerate(maps)
        for j, metric in enumerate(metrics)
    ]


def rows():
    return compute_pieces("refits", measure, source_names())
