"""Compute ks_curves.csv: four-panel graphs at 201 fractiles, before and after splines."""

from typing import Any

import numpy as np

import calib
from evidence import load_source
from evidence.rows import Row
from evidence.sources import RESNET
from evidence.studies.parts.ks_views import VIEWS, ks_interval

FRACTILES = np.linspace(0, 1, 201)
DENSENET = "kull-cifar10-densenet40"


def graph(labels: dict[str, Any], score: np.ndarray, hit: np.ndarray) -> list[Row]:
    n, order = len(score), np.argsort(score, kind="stable")
    score, hit = (np.asarray(array, dtype=float)[order] for array in (score, hit))
    # the curves begin at zero
    at = np.arange(n + 1) / n
    shown = score[np.minimum((FRACTILES * n).astype(int), n - 1)]
    columns = {"fractile": FRACTILES}
    for name, array in (("cumulative_score", score), ("cumulative_hit", hit)):
        columns[name] = np.interp(FRACTILES, at, np.append(0.0, np.cumsum(array) / n))
    columns["score"] = shown
    columns["frequency"] = (
        calib.SplineCalibration(floor=0).fit(score, hit).predict(shown)
    )
    head = labels | ks_interval(score, hit)
    return [
        head | dict(zip(columns, t, strict=True))
        for t in zip(*columns.values(), strict=True)
    ]


def rows() -> list[Row]:
    """Rows of all graphs: DenseNet-40 as it is, ResNet-110 in five views before and after."""
    labels = {"source": DENSENET, "view": "top-1", "split": "test", "spline": False}
    points = graph(labels, *load_source(DENSENET).test.pairs)
    net = load_source(RESNET)
    for name, (view, n_knots) in VIEWS.items():
        fit_score, fit_hit = view(net.to_fit.y, net.to_fit.prob)
        spline = calib.SplineCalibration(n_knots=n_knots, floor=0).fit(
            fit_score, fit_hit
        )
        for split in ("calibration", "test"):
            samples = getattr(net, split)
            score, hit = view(samples.y, samples.prob)
            labels = {"source": RESNET, "view": name, "split": split}
            points += graph(labels | {"spline": False}, score, hit)
            points += graph(labels | {"spline": True}, spline.predict(score), hit)
    return points
