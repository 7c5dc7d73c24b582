"""Compute classes.csv and method_differences.csv: what Nixon et al. (2019) ask of CIFAR networks.

`python -m evidence.studies studies.classes` from the root. `classes`: the calibration error of each
class against the rest, and what a calibrated network with the same scores would show.
`method_differences`: one map less temperature scaling in four metrics, paired basic bootstrap
intervals, which promise nothing: chance adds to each error, and not as much to both.
"""

from functools import cache

import numpy as np

import calib
from evidence import load_source
from evidence.studies.evaluate import SEED, WHOLE, calibration_and_test
from evidence.studies.pieces import generator
from evidence.study import calibrated

SOURCES = ["netcal-cifar100-wideresnet-16-4", "kull-cifar10-resnet110"]
METHODS = ["temperature", "vector", "isotonic"]
METRICS = {"ece": calib.ece, "tace": calib.tace, "sce": calib.sce, "ace": calib.ace}
N_DRAWS = 200
N_RESAMPLES = 1000


def class_rows(source, method, y, prob):
    rng = generator(source, method, seed=SEED)
    for k in range(prob.shape[1]):
        score, hit = calib.one_vs_rest(k)(y, prob)
        hits = rng.random((N_DRAWS, len(score))) < score  # of a calibrated network
        hits_of_draw = np.array(
            [calib.ece(hits_of_draw.astype(int), score) for hits_of_draw in hits]
        )
        yield {
            "source": source,
            "calibrator": method,
            "class": k,
            "n": int(hit.sum()),
            "error": calib.ece(hit, score),
            "calibrated": float(hits_of_draw.mean()),
            "calibrated_high": float(np.quantile(hits_of_draw, 0.99)),
        }


def difference_rows(source, y, prob):
    for method in [m for m in prob if m != "temperature"]:
        for metric, function in METRICS.items():
            pair = y, prob[method], prob["temperature"]
            rng = generator(source, method, metric, seed=SEED)
            options = {"method": "basic", "n_resamples": N_RESAMPLES, "rng": rng}
            estimate = calib.paired_difference(function, *pair, **options)
            yield {
                "source": source,
                "calibrator": method,
                "metric": metric,
                "temperature": float(function(y, prob["temperature"])),
                "difference": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "n_resamples": N_RESAMPLES,
            }


@cache
def predictions(source):
    """Labels of the test set, and the probabilities of each method."""
    calibration, test = calibration_and_test(load_source(source))
    maps = {name: calibrated(WHOLE[name], calibration, test).prob for name in METHODS}
    return test.y, {"none": np.asarray(test.prob, float)} | maps


TABLES = {
    "classes": lambda: (
        row
        for source in SOURCES
        for name in ("none", "temperature")
        for row in class_rows(source, name, predictions(source)[0], predictions(source)[1][name])
    ),
    "method_differences": lambda: (r for s in SOURCES for r in difference_rows(s, *predictions(s))),
}
