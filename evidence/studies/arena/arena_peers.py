"""Compute arena_peers.csv: maps of other libraries by the protocol of the arena.

`.venv-peers/bin/python -m evidence.studies arena_peers` from the root, after `make arena`. What was
computed before with the same code is not computed again, so that an interrupted run goes on.
"""

import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_results
from evidence.arena.every_map import fit_to_prediction_set
from evidence.arena.prediction_sets import load_set
from evidence.arena.ranked_cases import SIZES
from evidence.pieces import compute_pieces
from evidence.rows import Row


class Peer:
    """A map of another library, which reads and gives probabilities of all classes."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make = make

    def fit(self, logits: np.ndarray, y: np.ndarray) -> "Peer":
        self.map_ = self.make()
        with without_output():
            self.map_.fit(calib.softmax(logits), y)
        return self

    def predict_proba(self, logits: np.ndarray) -> np.ndarray:
        """Return probabilities; where there are two classes, netcal gives that of the second."""
        predict = getattr(self.map_, "predict_proba", None) or self.map_.transform
        with without_output():
            p = np.asarray(predict(calib.softmax(logits)), float)
        return p if p.ndim == 2 else np.stack([1 - p, p], axis=1)


@contextlib.contextmanager
def without_output() -> Iterator[None]:
    """Keep progress bars of others to themselves."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        yield


def peer_maps() -> dict[str, Peer]:
    """Return the maps of other libraries by name, as they come; simplest first."""
    import netcal.binning
    import netcal.scaling
    import torch
    from dirichletcal.calib.fulldirichlet import FullDirichletCalibrator
    from probmetrics import calibrators as probmetrics

    # seconds are compared: one thread as for our maps
    torch.set_num_threads(1)
    factories = {
        "probmetrics temperature": probmetrics.TemperatureScalingCalibrator,
        "probmetrics ensemble temperature": probmetrics.ETSCalibrator,
        "probmetrics vector": probmetrics.VectorScalingCalibrator,
        "probmetrics structured vector": probmetrics.SVSCalibrator,
        "probmetrics structured matrix": probmetrics.SMSCalibrator,
        "probmetrics matrix": probmetrics.MatrixScalingCalibrator,
        "probmetrics histogram": lambda: probmetrics.MulticlassOneVsRestCalibrator(
            probmetrics.BinaryHistogramBinningCalibrator(strategy="quantile")
        ),
        "netcal temperature": netcal.scaling.TemperatureScaling,
        "netcal logistic": netcal.scaling.LogisticCalibration,
        "netcal beta": netcal.scaling.BetaCalibration,
        "netcal histogram": netcal.binning.HistogramBinning,
        "netcal isotonic": netcal.binning.IsotonicRegression,
        "netcal BBQ": netcal.binning.BBQ,
        "netcal ENIR": netcal.binning.ENIR,
        "dirichletcal": lambda: FullDirichletCalibrator(reg_lambda=1e-3, reg_mu=1e-3),
    }
    return {name: Peer(make) for name, make in factories.items()}


SLOW = {"probmetrics matrix", "dirichletcal"}
SLOW |= {f"netcal {name}" for name in ("logistic", "beta", "BBQ", "ENIR")}
MOST_CLASSES = 10  # beyond, the slow ones are out
# it compiles itself for each fit, 5 to 11 processor seconds
ONCE = {"dirichletcal": 500}


def chosen_sets() -> list[str]:
    """Return the networks of the arena that were drawn by lot; what came later had no lot."""
    lots = load_results("arena_lots")
    return sorted(lots["set"][lots["drawn"]])


def measure_set(name: str) -> list[Row]:
    """Return the rows of the peers' maps on one prediction set: first order, three sizes."""
    sample_set = load_set(name)
    few_classes = sample_set.calibration_logits.shape[1] <= MOST_CLASSES
    chosen = {
        name: factory
        for name, factory in peer_maps().items()
        if few_classes or name not in SLOW
    }
    rows = []
    for calibration_set in sample_set.calibration_sets:
        order, n = calibration_set[:2]
        if order == 0 and n in SIZES:
            now = {
                name: factory
                for name, factory in chosen.items()
                if ONCE.get(name, n) == n
            }
            rows += fit_to_prediction_set(sample_set, [calibration_set], now)
    return rows


def rows() -> list[Row]:
    return compute_pieces("arena_peers", measure_set, chosen_sets())
