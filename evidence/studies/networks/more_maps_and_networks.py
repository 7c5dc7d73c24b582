"""Compute more_maps_and_networks.csv: two maps and five networks that the table of metrics lacks.

`python -m evidence.studies more_maps_and_networks` from the root. It adds, to the public
predictions with whole vectors of at most `MOST_CLASSES` classes, the papers' matrix scaling without
a penalty and vector scaling without a bias; of five other CIFAR networks it has what
`metrics_of_public_networks` would have.
"""

from typing import Any

import calib
from evidence import load_source
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.competing_maps import MOST_CLASSES
from evidence.studies.parts.metrics_of_sources import (
    measure_source,
    rows_of_task,
    sources_of_vectors,
)
from evidence.studies.parts.metrics_of_studies import FULL_METRICS, TOP_METRICS
from evidence.studies.parts.two_sets import calibration_and_test
from evidence.studies.parts.views_of_outputs import ks_of, views

OTHERS = (
    "ferrer-cifar10-repvgg-a2 ferrer-cifar10-resnet20 ferrer-cifar10-vgg19-bn "
    "ferrer-cifar100-repvgg-a2 ferrer-cifar100-resnet20"
).split()
MORE_MAPS: dict[str, Any] = {
    "vector-no-bias": calib.VectorScaling(bias=False),
    "matrix": calib.MatrixScaling(),
}


def rows_of_source(name: str) -> list[Row]:
    """All rows of one source; the two maps have theirs where they have a minimum."""
    rows = measure_source(name) if name in OTHERS else []
    calibration, test = calibration_and_test(load_source(name))
    few_classes = test.n_classes <= MOST_CLASSES
    maps = {
        key: factory
        for key, factory in MORE_MAPS.items()
        if few_classes or key != "matrix"
    }
    ks = {f"ks_{key}": ks_of(pick) for key, pick in views(test).items()}
    metrics = TOP_METRICS | ks | FULL_METRICS
    head = "held out", calibration, test
    return rows + rows_of_task(name, *head, maps, metrics, may_fail=True)


def rows() -> list[Row]:
    return compute_pieces(
        "more_maps_and_networks", rows_of_source, [*sources_of_vectors(), *OTHERS]
    )
