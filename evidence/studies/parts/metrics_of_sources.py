"""Every metric and calibrator that the contents of a source allow."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import calib
from evidence import Outputs, load_source, source_index
from evidence.data import Predictions
from evidence.fit_and_measure import measure_maps
from evidence.rows import Row
from evidence.studies.parts.maps_of_studies import MAPS_OF_SCORES, MAPS_OF_VECTORS
from evidence.studies.parts.metrics_of_studies import FULL_METRICS, TOP_METRICS
from evidence.studies.parts.partial_temperature import N_CLASSES, PartialTemperature
from evidence.studies.parts.two_sets import calibration_and_test
from evidence.studies.parts.views_of_outputs import VIEWS, ks_of, of_view, views


def sources_of_vectors() -> list[str]:
    """The names of the public predictions that hold whole vectors."""
    files = source_index()
    whole = files.known.isin(["logits", "probabilities"])
    return list(files.name[files.reader.notna() & whole])


class Task(NamedTuple):
    """What is measured at once: maps that are fitted to one set, and metrics on another.

    `samples` is "all", the network itself on all test samples, or "held out", a map fitted on the
    calibration set and applied to the test set. Maps whose names begin with "top-" map scores.
    """

    samples: str
    calibration: Outputs | None
    test: Outputs
    maps: dict[str, Any]
    metrics: dict[str, Callable[..., Any]]


NO_MAP: dict[str, Any] = {"none": None}
MAPS_OF_TOP_LABEL = {
    f"top-{name}": calibrator for name, calibrator in MAPS_OF_SCORES.items()
}


def tasks_of(net: Predictions) -> Iterator[Task]:
    """Yield all that a source allows to measure."""
    calibration, test = calibration_and_test(net)
    whole = net.known in ("logits", "probabilities")
    # the sweep ECE is for scores that hardly tie: the steps of a map rise by themselves, so that
    # nothing would stop the sweep
    metrics = TOP_METRICS | {"sweep_ece": calib.sweep_ece}
    metrics |= FULL_METRICS if whole else {}
    yield Task("all", None, net.test, NO_MAP, metrics)
    yield Task("held out", None, test, NO_MAP, metrics)
    yield Task("held out", calibration, test, MAPS_OF_TOP_LABEL, TOP_METRICS)
    yield from _of_views(net.test, calibration, test)
    if net.known == "top5":
        scaling = PartialTemperature(N_CLASSES[net.about["dataset"]]).fit(calibration)
        yield from _of_top_five(scaling.predict(test))
    if whole:
        ks = {f"ks_{key}": ks_of(pick) for key, pick in views(test).items()}
        yield Task(
            "held out",
            calibration,
            test,
            MAPS_OF_VECTORS,
            TOP_METRICS | ks | FULL_METRICS,
        )


def _of_views(every: Outputs, calibration: Outputs, test: Outputs) -> Iterator[Task]:
    """Yield the KS error of each view, as it is and after the maps of its scores."""
    shown = {name: MAPS_OF_TOP_LABEL[name] for name in ("top-isotonic", "top-spline")}
    for key, pick in views(test).items():
        metrics: dict[str, Callable[..., Any]] = {f"ks_{key}": calib.ks_error}
        if key == "top_2":
            metrics["top2_brier"] = calib.top1_brier
        fit, seen = of_view(pick, calibration), of_view(pick, test)
        yield Task("all", None, of_view(pick, every), NO_MAP, metrics)
        yield Task("held out", fit, seen, NO_MAP | shown, metrics)


def _of_top_five(scaled: Outputs) -> Iterator[Task]:
    """Yield what is measured after the temperature of the five largest probabilities."""
    itself = {"temperature-top5": None}
    yield Task("held out", None, scaled, itself, TOP_METRICS)
    for key, pick in views(scaled).items():
        ks = {f"ks_{key}": calib.ks_error}
        yield Task("held out", None, of_view(pick, scaled), itself, ks)


CALIBRATORS = [
    "none",
    *(f"top-{name}" for name in MAPS_OF_SCORES),
    "temperature-top5",
    *MAPS_OF_VECTORS,
]
IN_ORDER = [
    *TOP_METRICS,
    "sweep_ece",
    *(f"ks_{key}" for key in VIEWS),
    "top2_brier",
    *FULL_METRICS,
]


def in_order(row: dict[str, Any]) -> tuple[int, bool, int]:
    """Where a row stands in the tables."""
    calibrator, samples, metric = row["calibrator"], row["samples"], row["metric"]
    return CALIBRATORS.index(calibrator), samples == "held out", IN_ORDER.index(metric)


def rows_of_task(
    name: str,
    samples: str,
    calibration: Outputs | None,
    test: Outputs,
    maps: dict[str, Any],
    metrics: dict[str, Callable[..., Any]],
    *,
    may_fail: bool = False,
) -> list[Row]:
    """One row a map and metric; a map that has no minimum has none, or is an error."""
    table = measure_maps(
        {name: (calibration, test)}, maps, metrics, n_jobs=1, progress=False
    )
    if table["note"].any() and not may_fail:
        raise ValueError(f"{name}: {table['note'].max()}")
    table = table[table["note"] == ""].assign(source=name, samples=samples, n=len(test))
    return table[["source", "calibrator", "samples", "n", "metric", "value"]].to_dict(
        "records"
    )


def measure_source(name: str) -> list[Row]:
    rows = []
    for task in tasks_of(load_source(name)):
        rows += rows_of_task(name, *task)
    return sorted(rows, key=in_order)
