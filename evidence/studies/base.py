"""Compute the tables of all public predictions: `python -m evidence.studies base`.

Some resample, or rest on what does: they take hours. `kind` adds, to the public predictions with
whole vectors of at most `MOST_CLASSES` classes, the papers' matrix scaling without a penalty and
vector scaling without a bias; of five other CIFAR networks it has what `metrics` would have.
`intervals` are of the main metrics where they are finite, the calibrators held fixed.
"""

import numpy as np

import calib
from evidence import load_source, source_names
from evidence.studies import evaluate, extra, halves
from evidence.studies.evaluate import SEED, in_order, measure, studies
from evidence.studies.pieces import compute_pieces, generator
from evidence.studies.replicate import replication
from evidence.studies.split_half import MOST_CLASSES
from evidence.study import calibrated, measured_on

OTHERS = (
    "ferrer-cifar10-repvgg-a2 ferrer-cifar10-resnet20 ferrer-cifar10-vgg19-bn "
    "ferrer-cifar100-repvgg-a2 ferrer-cifar100-resnet20"
).split()
MORE_MAPS = {"vector-no-bias": calib.VectorScaling(bias=False), "matrix": calib.MatrixScaling()}
N_RESAMPLES = 1000
METRICS = ["accuracy", "ece", "ks", "top1_brier", "classwise_ece", "nll", "brier"]
UNCALIBRATED = [*METRICS, "smooth_ece"]


def kind(name):
    """All rows of one source; the two maps have theirs where they have a minimum."""
    rows = measure(name) if name in OTHERS else []
    calibration, test = evaluate.calibration_and_test(load_source(name))
    few = test.n_classes <= MOST_CLASSES
    maps = {key: made for key, made in MORE_MAPS.items() if few or key != "matrix"}
    ks = {f"ks_{key}": evaluate.ks_of(pick) for key, pick in evaluate.views(test).items()}
    metrics = evaluate.TOP_METRICS | ks | evaluate.FULL_METRICS
    held = "held out", calibration, test
    return rows + evaluate.rows_of(name, *held, maps, metrics, may_fail=True)


def intervals(name):
    """95 % basic intervals of one source."""
    rows = []
    for samples, calibration, test, calibrators, metrics in studies(load_source(name)):
        for calibrator, rule in calibrators.items():
            wanted = metrics.keys() & (UNCALIBRATED if calibrator == "none" else METRICS)
            outputs = calibrated(rule, calibration, test) if wanted else None
            for metric in wanted:
                pair = measured_on(metrics[metric], outputs)
                if np.isfinite(metrics[metric](*pair)):
                    head = {"source": name, "calibrator": calibrator, "samples": samples}
                    rows.append(interval(head | {"metric": metric}, metrics[metric], pair))
    return sorted(rows, key=in_order)


def interval(head, function, pair):
    rng = generator("/".join(head.values()), seed=SEED)
    options = {"method": "basic", "n_resamples": N_RESAMPLES, "rng": rng}
    found = calib.bootstrap(function, *pair, **options)
    row = head | {"value": found.value, "low": found.low, "high": found.high}
    return row | {"standard_error": found.standard_error, "n_resamples": N_RESAMPLES}


def half_rows():
    return compute_pieces("halves", halves.half_values, halves.sources())


TABLES = {
    "metrics": lambda: compute_pieces("metrics", measure, source_names()),
    "kind": lambda: compute_pieces("kind", kind, [*evaluate.of_vectors(), *OTHERS]),
    "missing_mass": extra.missing_mass,
    "halves": lambda: map(halves.summary, half_rows()),
    "replication": lambda: replication(half_rows()),
    "preprocessing": extra.preprocessing,
    "intervals": lambda: compute_pieces("intervals", intervals, source_names()),
}
