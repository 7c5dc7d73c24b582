"""Compute data/results/refits.csv: how much a calibrator's own samples move what it reaches.

`python -m data.results.refits` from the root. The intervals of `intervals.csv` hold the calibrators
fixed. Here, for whole vectors of at most `MOST_CLASSES` classes, the calibration samples and the
test samples are both drawn again and each map is fitted anew; besides, all samples are split anew
at random, ten times, into sets of the same sizes.
"""

import zlib
from functools import partial

import numpy as np

import calib
from book.evidence import load_source
from calib import errors, scores

from .evaluate import SEED, WHOLE, calibration_and_test
from .kind import whole
from .tables import compute_pieces, write_table

N_RESAMPLES, N_SPLITS, MOST_CLASSES, MOST_SAMPLES = 100, 10, 20, 25_000
MAPS = {name: WHOLE[name] for name in ("temperature", "vector", "histogram", "isotonic")}
METRICS = {
    "ece": errors.ece,
    "ks": errors.ks_error,
    "classwise_ece": errors.classwise_ece,
    "brier": scores.brier,
}


def values(fitting, testing):
    """The metrics of each map, fitted on the one set and measured on the other."""
    (z, y), (z_test, y_test) = fitting, testing
    found = []
    for calibrator in MAPS.values():
        prob = calibrator.fit(z, y).predict_proba(z_test)
        found.append([metric(y_test, prob) for metric in METRICS.values()])
    return np.array(found)


def logits(outputs):
    """Logits, or the logarithm of the probabilities."""
    return calib.as_logits(outputs.prob) if outputs.logits is None else outputs.logits


def drawn(samples, rng):
    """As many samples, drawn with replacement."""
    rows = rng.integers(len(samples[1]), size=len(samples[1]))
    return samples[0][rows], samples[1][rows]


def measure(name):
    """All rows of one source."""
    calibration, test = calibration_and_test(load_source(name))
    fitting, testing = ((logits(part), part.y) for part in (calibration, test))
    rng = np.random.default_rng([SEED, zlib.crc32(name.encode())])
    value = values(fitting, testing)
    again = [values(drawn(fitting, rng), drawn(testing, rng)) for _ in range(N_RESAMPLES)]
    low, high = 2 * value - np.quantile(again, [0.975, 0.025], axis=0)
    z, y = (np.concatenate(pair) for pair in zip(fitting, testing, strict=True))
    orders = (rng.permutation(len(y)) for _ in range(N_SPLITS))
    parts = (np.split(order, [len(fitting[1])]) for order in orders)
    splits = np.array([values((z[a], y[a]), (z[b], y[b])) for a, b in parts])
    return [
        {
            "source": name,
            "calibrator": calibrator,
            "metric": metric,
            "value": float(value[i, j]),
            "low": float(low[i, j]),
            "high": float(high[i, j]),
            "split_low": float(splits[:, i, j].min()),
            "split_high": float(splits[:, i, j].max()),
            "n_resamples": N_RESAMPLES,
            "n_splits": N_SPLITS,
        }
        for i, calibrator in enumerate(MAPS)
        for j, metric in enumerate(METRICS)
    ]


def small():
    """The sources with few classes whose maps are fitted in a moment."""
    nets = {name: calibration_and_test(load_source(name)) for name in whole()}
    return [
        name
        for name, (calibration, test) in nets.items()
        if test.prob.shape[1] <= MOST_CLASSES and len(calibration) + len(test) <= MOST_SAMPLES
    ]


def main():
    pieces = partial(compute_pieces, processes=1)
    write_table("refits", pieces("refits", measure, small()))


if __name__ == "__main__":
    main()
