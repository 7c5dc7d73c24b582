"""Compute ks_curves.csv, knots.csv and ks_against_ece.csv: graphs of Gupta et al. (2021).

`python -m evidence.studies studies.curves` from the root. `ks_curves` holds the four-panel graphs
at 201 fractiles, before and after splines, on both sets; `knots` the KS error with 5 to 20 knots;
`ks_against_ece` both as measures of simulated models. `low` to `high` is the 95 % basic bootstrap
interval of the KS error, the spline held fixed. Near calibration it holds the truth less often than
it says: a small error may be smaller.
"""

from functools import partial
from itertools import product

import numpy as np

import calib
from calib.views import top_label, top_r, within_top_r
from evidence import load_source
from evidence.simulate import BetaDistorted
from evidence.sources import RESNET

VIEWS = {
    "top-1": (top_label, 6),
    "top-2": (top_r(2), 6),
    "top-3": (top_r(3), 6),
    "within-top-2": (within_top_r(2), 14),
    "within-top-3": (within_top_r(3), 14),
}
FRACTILES = np.linspace(0, 1, 201)
CUMULATIVE = ("cumulative_score", "cumulative_hit")
DENSENET = "kull-cifar10-densenet40"


def ks_interval(score, hit):
    estimate = calib.bootstrap(
        calib.ks_error, hit.astype(int), score, method="basic", rng=np.random.default_rng(0)
    )
    return {"ks": estimate.value, "low": estimate.low, "high": estimate.high}


def graph(labels, score, hit):
    n, order = len(score), np.argsort(score, kind="stable")
    score, hit = (np.asarray(array, dtype=float)[order] for array in (score, hit))
    at = np.arange(n + 1) / n
    sums = (np.append(0.0, np.cumsum(array) / n) for array in (score, hit))
    shown = score[np.minimum((FRACTILES * n).astype(int), n - 1)]
    columns = {
        "fractile": FRACTILES,
        **{name: np.interp(FRACTILES, at, s) for name, s in zip(CUMULATIVE, sums, strict=True)},
        "score": shown,
        "frequency": calib.SplineCalibration(floor=0).fit(score, hit).predict(shown),
    }
    head = labels | ks_interval(score, hit)
    return [head | dict(zip(columns, t, strict=True)) for t in zip(*columns.values(), strict=True)]


def graphs():
    """Rows of all graphs: DenseNet-40 as it is, ResNet-110 in five views before and after."""
    labels = {"source": DENSENET, "view": "top-1", "split": "test", "spline": False}
    rows = graph(labels, *load_source(DENSENET).test.pairs)
    net = load_source(RESNET)
    for name, (view, n_knots) in VIEWS.items():
        fit_score, fit_hit = view(net.calibration.y, net.calibration.prob)
        spline = calib.SplineCalibration(n_knots=n_knots, floor=0).fit(fit_score, fit_hit)
        for split in ("calibration", "test"):
            samples = getattr(net, split)
            score, hit = view(samples.y, samples.prob)
            labels = {"source": RESNET, "view": name, "split": split}
            rows += graph(labels | {"spline": False}, score, hit)
            rows += graph(labels | {"spline": True}, spline.predict(score), hit)
    return rows


def knots():
    """The KS error on the test set of ResNet-110 with 5 to 20 knots, by target and run-out."""
    net = load_source(RESNET)
    runouts = "natural", "parabolic", "cubic"
    for name, (view, _) in VIEWS.items():
        fitting = view(net.calibration.y, net.calibration.prob)
        score, hit = view(net.test.y, net.test.prob)
        for target, runout, n_knots in product(("gap", "hits"), runouts, range(5, 21)):
            after = (
                calib.SplineCalibration(n_knots, runout, target, floor=0)
                .fit(*fitting)
                .predict(score)
            )
            row = {"view": name, "target": target, "runout": runout, "n_knots": n_knots}
            row |= ks_interval(after, hit)
            yield row | {"ece_25": calib.ece(hit, after, n_bins=25)}


def measures():
    """KS and ECE as measures: bias and spread on samples of simulated models, known truth."""
    models = {"calibrated": BetaDistorted().calibrated(), "overconfident": BetaDistorted()}
    metrics = {"KS": calib.ks_error, "ECE, 15 bins": calib.ece}
    metrics["ECE, 50 bins"] = partial(calib.ece, n_bins=50)
    for (name, model), n in product(models.items(), (500, 1000, 2000, 5000, 10_000, 20_000)):
        rng = np.random.default_rng(0)
        draws = [model.sample(n, rng) for _ in range(200)]
        for metric, function in metrics.items():
            values = np.array([function(hit, score) for hit, score in draws])
            truth = model.true_ks() if metric == "KS" else model.true_ece()
            row = {"model": name, "n": n, "metric": metric, "truth": truth}
            yield row | {"mean": values.mean(), "sd": values.std(ddof=1)}


TABLES = {"ks_curves": graphs, "knots": knots, "ks_against_ece": measures}
