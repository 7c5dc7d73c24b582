"""Compute calibration_set_sizes.csv: every map fitted on calibration sets of 50 to 25,000 samples.

`python -m evidence.studies calibration_set_sizes` from the root. Half of each network's samples are
the test set; the calibration sets are drawn without replacement from the other half, several for
each size.
"""

from collections.abc import Callable
from typing import Any

import calib
from evidence import load_source
from evidence.data import generator
from evidence.fit_and_measure import measure_maps
from evidence.network_outputs import Outputs
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.competing_maps import COMPETING_MAPS, MOST_CLASSES
from evidence.studies.parts.two_sets import halves

NETWORKS = (
    "cleanlab-cifar10n-efficientnet-b1-true cleanlab-cifar10n-resnet50d-true "
    "cleanlab-cifar10n-swin-base-true kerrigan-cifar10-densenet-bc-190-40 "
    "kerrigan-cifar10-resnet110 netcal-cifar10-lenet5 netcal-cifar10-wideresnet-16-4 "
    "netcal-cifar100-wideresnet-16-4 cleanlab-20news"
).split()
SIZES = (50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000)
REPETITIONS = 5
SEED = 2021
METRICS_BY_SIZE: dict[str, Callable[..., float]] = {
    "ece": calib.ece,
    "classwise_ece": calib.classwise_ece,
    "nll": calib.nll,
}


def measure_by_size(name: str) -> list[Row]:
    """All rows of one network; a map that has no minimum has no values."""
    rng = generator(name, seed=SEED)
    pool, test = halves(load_source(name).test, rng)
    few_classes = test.n_classes <= MOST_CLASSES
    maps = {
        key: rule
        for key, rule in COMPETING_MAPS.items()
        if few_classes or not key.startswith("matrix")
    }
    rows = table(name, test, (0, 0), None, {"none": None})
    for n in (size for size in SIZES if size <= len(pool)):
        for repetition in range(1 if n == len(pool) else REPETITIONS):
            calibration = pool.take(rng.permutation(len(pool))[:n])
            rows += table(name, test, (n, repetition), calibration, maps)
    return rows


def table(
    name: str,
    test: Outputs,
    drawn: tuple[int, int],
    calibration: Outputs | None,
    maps: dict[str, Any],
) -> list[Row]:
    results = measure_maps(
        {name: (calibration, test)}, maps, METRICS_BY_SIZE, n_jobs=1, progress=False
    )
    wide = results.pivot(index="calibrator", columns="metric", values="value")
    wide = wide.loc[[*maps], [*METRICS_BY_SIZE]].astype(object).fillna("")
    head = {
        "source": name,
        "classes": test.n_classes,
        "n": drawn[0],
        "repetition": drawn[1],
    }
    return [
        head | {"calibrator": key} | values
        for key, values in wide.to_dict("index").items()
    ]


def rows() -> list[Row]:
    return compute_pieces("calibration_set_sizes", measure_by_size, NETWORKS)
