"""Compute data/results/kind.csv: more maps, and more networks for the papers' own data sets.

`python -m data.results kind` from the root. To the public predictions of `metrics.csv` with whole
vectors of at most `MOST_CLASSES` classes it adds the papers' matrix scaling without a penalty and
vector scaling without a bias; of five other CIFAR networks it has what `metrics.csv` would have.
"""

import calib
from book.evidence import load_source

from . import evaluate
from .split_half import MOST_CLASSES
from .tables import compute_pieces

OTHERS = [
    "ferrer-cifar10-repvgg-a2",
    "ferrer-cifar10-resnet20",
    "ferrer-cifar10-vgg19-bn",
    "ferrer-cifar100-repvgg-a2",
    "ferrer-cifar100-resnet20",
]
MAPS = {"vector-no-bias": calib.VectorScaling(bias=False), "matrix": calib.MatrixScaling()}


def more(name):
    """All metrics of the two maps where they have a minimum."""
    calibration, test = evaluate.calibration_and_test(load_source(name))
    few = test.n_classes <= MOST_CLASSES
    maps = {map_name: made for map_name, made in MAPS.items() if few or map_name != "matrix"}
    ks = {f"ks_{key}": evaluate.ks_of(pick) for key, pick in evaluate.views(test).items()}
    metrics = evaluate.TOP_METRICS | ks | evaluate.FULL_METRICS
    held = "held out", calibration, test
    return evaluate.rows_of(name, *held, maps, metrics, may_fail=True)


def measure(name):
    """All rows of one source."""
    return (evaluate.measure(name) if name in OTHERS else []) + more(name)


TABLES = {"kind": lambda: compute_pieces("kind", measure, [*evaluate.of_vectors(), *OTHERS])}
