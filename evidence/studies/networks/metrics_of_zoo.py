"""Compute metrics_of_zoo.csv: every metric of every network of the zoo under every calibrator.

`python -m evidence.studies metrics_of_zoo` from the root computes the networks that the table
lacks; delete it after a change of `calib`. A setting that lacks a seed has no rows, since it
supports no claim.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

import calib
from evidence import load_zoo
from evidence.data import Predictions
from evidence.fit_and_measure import measure_maps
from evidence.pieces import stored_and_computed
from evidence.rows import Row
from evidence.studies.parts.maps_of_studies import MAPS_OF_SCORES, MAPS_OF_VECTORS
from evidence.studies.parts.metrics_of_studies import FULL_METRICS, TOP_METRICS
from evidence.studies.parts.networks_of_zoo import networks_with_all_seeds
from evidence.studies.parts.views_of_outputs import VIEWS, ks_of, of_view

DIGITS = 6
NOT_USED = {
    "ece_25",
    "ece_mass",
    "rmsce",
    "kde_ece",
    "psce",
    "smooth_ece",
    "classwise_ks",
}
TACE = {f"tace_{t:g}": partial(calib.tace, threshold=t) for t in (1e-3, 1e-4)}
KS = {f"ks_{view}": ks_of(VIEWS[view]) for view in ("top_2", "within_2")}
METRICS_OF_PAIRS = {
    name: metric for name, metric in TOP_METRICS.items() if name not in NOT_USED
}
ZOO_METRICS: dict[str, Callable[..., float]] = METRICS_OF_PAIRS | KS | TACE
ZOO_METRICS |= {
    name: metric for name, metric in FULL_METRICS.items() if name not in NOT_USED
}
SPLINE = {"top-spline": MAPS_OF_SCORES["spline"]}
NO_MAP = {"none": None}
CALIBRATORS = MAPS_OF_VECTORS | {
    "vector-no-bias": calib.VectorScaling(bias=False),
    "matrix": calib.MatrixScaling(),
}
RANK = {name: i for i, name in enumerate(["none", "top-spline", *CALIBRATORS])}


def ks_of_choice(
    name: str, net: Predictions, view: str, calibrators: dict[str, Any]
) -> pd.DataFrame:
    """The KS error of one view of a network, calibrated by itself, and the second's Brier score."""
    views = tuple(of_view(VIEWS[view], split) for split in (net.to_fit, net.test))
    metric = {f"ks_{view}": calib.ks_error}
    metric |= {"top2_brier": calib.top1_brier} if view == "top_2" else {}
    return measure_maps({name: views}, calibrators, metric, n_jobs=1, progress=False)


def measure_network(name: str, calibrators: dict[str, Any] = CALIBRATORS) -> list[Row]:
    """All metrics of one network; none of a map that has no minimum."""
    net = load_zoo(name)
    run = partial(measure_maps, {name: net}, n_jobs=1, progress=False)
    alone = [ks_of_choice(name, net, "top_2", SPLINE)]
    if net.test.n_classes > 2:
        # of two classes the first two hold every label
        alone.append(ks_of_choice(name, net, "within_2", SPLINE))
        alone.append(ks_of_choice(name, net, "top_3", NO_MAP))
    metrics = {
        m: f
        for m, f in ZOO_METRICS.items()
        if m != "ks_within_2" or net.test.n_classes > 2
    }
    top = run(SPLINE, METRICS_OF_PAIRS)
    table = pd.concat([run(NO_MAP, metrics), top, *alone, run(calibrators, metrics)])
    for calibrator, note in dict(
        table[table["note"] != ""][["calibrator", "note"]].values
    ).items():
        print(f"{name} {calibrator}: {note}", flush=True)
    table = table[table["note"] == ""].sort_values(
        ["calibrator", "metric"],
        key=lambda c: c.map(RANK.get) if c.name == "calibrator" else c,
    )
    table = table.assign(name=name, samples="held out", n=len(net.test))
    return table[["name", "calibrator", "samples", "n", "metric", "value"]].to_dict(
        "records"
    )


def rows() -> list[Row]:
    return stored_and_computed(
        "metrics_of_zoo", measure_network, networks_with_all_seeds(), "name"
    )
