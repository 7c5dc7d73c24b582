"""Every metric and calibrator that the contents of a source allow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import methodcaller
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

import calib
from calib.registry import reads_pairs
from calib.views import Viewed, top_label
from evidence import Outputs, load_source, source_index
from evidence.data import Predictions
from evidence.fit_and_measure import measure_maps
from evidence.rows import Row

View = Callable[[Outputs], Viewed]

SEED = 2021
N_CLASSES = {"ImageNet": 1000, "CIFAR-10": 10}

MAPS: dict[str, Any] = {
    "histogram": calib.HistogramBinning(n_bins=20),
    "histogram-mass": calib.HistogramBinning(n_bins=20, strategy="mass"),
    "isotonic": calib.IsotonicCalibration(),
    "bbq": calib.BBQ(),
    "platt": calib.PlattScaling(),
    "beta": calib.BetaCalibration(),
    "spline": calib.SplineCalibration(floor=0),
}
WHOLE: dict[str, Any] = {
    "temperature": calib.TemperatureScaling(),
    "vector": calib.VectorScaling(),
    "matrix-odir": calib.MatrixScaling(lam=10, mu=1e-2),
    "dirichlet-odir": calib.DirichletCalibration(lam=10, mu=1e-2),
    "histogram": calib.OneVsRest(calib.HistogramBinning(n_bins=20)),
    "isotonic": calib.OneVsRest(calib.IsotonicCalibration()),
    "bbq": calib.OneVsRest(calib.BBQ()),
    "spline": calib.RankWise(calib.SplineCalibration(floor=0)),
}


def confidence(
    y_true: np.ndarray, y_prob: np.ndarray, sample_weight: None = None
) -> float:
    return float(np.average(top_label(y_true, y_prob)[0], weights=sample_weight))


ALL_METRICS: dict[str, Callable[..., float]] = {
    "accuracy": calib.accuracy,
    "confidence": confidence,
    "ece": calib.ece,
    "ece_25": partial(calib.ece, n_bins=25),  # as Gupta prints it
    "ece_mass": partial(calib.calibration_error, bins=calib.equal_mass(15)),
    "mce": calib.mce,
    "rmsce": calib.rmsce,
    "ks": calib.ks_error,
    "kde_ece": calib.kde_ece,
    "smooth_ece": calib.smooth_ece,
    "debiased_ece": calib.debiased_ece,
    "psce": calib.psce,
    "top1_brier": calib.top1_brier,
    "classwise_ece": calib.classwise_ece,
    "ace": calib.ace,
    "tace": calib.tace,
    "classwise_ks": calib.classwise_ks,
    "nll": calib.nll,
    "brier": calib.brier,
}
TOP_METRICS: dict[str, Callable[..., float]] = {
    k: m for k, m in ALL_METRICS.items() if m is confidence or reads_pairs(m)
}
FULL_METRICS: dict[str, Callable[..., float]] = {
    k: m for k, m in ALL_METRICS.items() if k not in TOP_METRICS
}


VIEWS: dict[str, View] = {
    **{f"top_{r}": methodcaller("top_r_pairs", r) for r in range(1, 6)},
    **{f"within_{r}": methodcaller("within_top_r_pairs", r) for r in range(2, 6)},
}


def views(outputs: Outputs) -> dict[str, View]:
    """The views, but that of the top label, that outputs allow: name -> pairs of some outputs."""
    ranks = min(5, outputs.ranked[0].shape[1])
    return {
        key: pick
        for key, pick in VIEWS.items()
        if key != "top_1" and int(key[-1]) <= ranks
    }


def of_view(pick: View, outputs: Outputs) -> Outputs:
    """Outputs of which only the pairs of a view are known."""
    return Outputs.of_pairs(*pick(outputs))


def ks_of(pick: View) -> Callable[..., float]:
    """The KS error of a view as a metric of whole vectors."""

    def ks(y_true: np.ndarray, y_prob: np.ndarray) -> float:
        score, hit = pick(Outputs(y_true, probabilities=y_prob))
        return calib.ks_error(hit, score)

    return ks


def halves(outputs: Outputs, rng: np.random.Generator) -> tuple[Outputs, Outputs]:
    order = rng.permutation(len(outputs))
    middle = len(order) // 2
    return outputs.take(order[:middle]), outputs.take(order[middle:])


def sources_of_vectors() -> list[str]:
    """The names of the public predictions that hold whole vectors."""
    files = source_index()
    whole = files.known.isin(["logits", "probabilities"])
    return list(files.name[files.reader.notna() & whole])


def calibration_and_test(net: Predictions) -> tuple[Outputs, Outputs]:
    """The two sets that come with a network, or random halves of the only one."""
    if net.calibration is not None:
        return net.calibration, net.test
    return halves(net.test, np.random.default_rng(SEED))


@dataclass
class PartialTemperature:
    """Temperature scaling where only the r largest probabilities are known.

    The missing mass is spread evenly over the other classes, and each known or missing
    probability is at least `floor`. The other classes then share one term of the NLL.
    """

    n_classes: int
    floor: float = 1e-6

    def fit(self, outputs: Outputs) -> "PartialTemperature":
        logs, left_over = self._logs(outputs.ranked[0])
        is_label = outputs.ranked[1] == outputs.y[:, None]
        label_known = is_label.any(axis=1)
        true = np.where(label_known, (logs * is_label).sum(axis=1), left_over)

        def loss(log_temperature: float) -> float:
            inverse = np.exp(-log_temperature)
            return np.mean(self._norm(logs, left_over, inverse) - true * inverse)

        # the NLL is convex in the inverse temperature, so a bounded search finds it
        optimum = minimize_scalar(
            loss, bounds=(-3, 3), method="bounded", options={"xatol": 1e-9}
        )
        self.temperature_ = float(np.exp(optimum.x))
        return self

    def predict(self, outputs: Outputs) -> Outputs:
        """The same classes with calibrated probabilities."""
        logs, left_over = self._logs(outputs.ranked[0])
        inverse = 1 / self.temperature_
        prob = np.exp(logs * inverse - self._norm(logs, left_over, inverse)[:, None])
        return replace(outputs, scores=prob)

    def _logs(self, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n_unknown = self.n_classes - known.shape[1]
        # float16 sums may exceed one
        left_over = np.maximum((1 - known.sum(axis=1)) / n_unknown, self.floor)
        return np.log(np.maximum(known, self.floor)), np.log(left_over)

    def _norm(self, logs: np.ndarray, rest: np.ndarray, inverse: float) -> np.ndarray:
        log_unknown = np.log(self.n_classes - logs.shape[1])
        return np.logaddexp(
            logsumexp(logs * inverse, axis=1), log_unknown + rest * inverse
        )


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


NONE: dict[str, Any] = {"none": None}
TOPS = {f"top-{name}": calibrator for name, calibrator in MAPS.items()}


def tasks_of(net: Predictions) -> Iterator[Task]:
    """Yield all that a source allows to measure."""
    calibration, test = calibration_and_test(net)
    whole = net.known in ("logits", "probabilities")
    # the sweep ECE is for scores that hardly tie: the steps of a map rise by themselves, so that
    # nothing would stop the sweep
    metrics = TOP_METRICS | {"sweep_ece": calib.sweep_ece}
    metrics |= FULL_METRICS if whole else {}
    yield Task("all", None, net.test, NONE, metrics)
    yield Task("held out", None, test, NONE, metrics)
    yield Task("held out", calibration, test, TOPS, TOP_METRICS)
    yield from _of_views(net.test, calibration, test)
    if net.known == "top5":
        scaling = PartialTemperature(N_CLASSES[net.about["dataset"]]).fit(calibration)
        yield from _of_top_five(scaling.predict(test))
    if whole:
        ks = {f"ks_{key}": ks_of(pick) for key, pick in views(test).items()}
        yield Task(
            "held out", calibration, test, WHOLE, TOP_METRICS | ks | FULL_METRICS
        )


def _of_views(every: Outputs, calibration: Outputs, test: Outputs) -> Iterator[Task]:
    """Yield the KS error of each view, as it is and after the maps of its scores."""
    shown = {name: TOPS[name] for name in ("top-isotonic", "top-spline")}
    for key, pick in views(test).items():
        metrics: dict[str, Callable[..., Any]] = {f"ks_{key}": calib.ks_error}
        if key == "top_2":
            metrics["top2_brier"] = calib.top1_brier
        fit, seen = of_view(pick, calibration), of_view(pick, test)
        yield Task("all", None, of_view(pick, every), NONE, metrics)
        yield Task("held out", fit, seen, NONE | shown, metrics)


def _of_top_five(scaled: Outputs) -> Iterator[Task]:
    """Yield what is measured after the temperature of the five largest probabilities."""
    itself = {"temperature-top5": None}
    yield Task("held out", None, scaled, itself, TOP_METRICS)
    for key, pick in views(scaled).items():
        ks = {f"ks_{key}": calib.ks_error}
        yield Task("held out", None, of_view(pick, scaled), itself, ks)


CALIBRATORS = ["none", *(f"top-{name}" for name in MAPS), "temperature-top5", *WHOLE]
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
