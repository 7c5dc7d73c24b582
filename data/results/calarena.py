"""Compute rows of CalArena by our maps: `python -m data.results.calarena`.

One of its networks is in this book's sources with the same samples: ResNet-110 on CIFAR-10, 5000
images for calibration and 10 000 for the test. Its maps read probabilities; ours, their logarithms.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

import calib
from book.evidence import csv_frame, load_source, read_declared

from .tables import write_table

NETWORK = "kull-cifar10-resnet110"
EXPERIMENT = {"benchmark": "cv-multiclass", "dataset": "c10", "model": "resnet110"}


@dataclass
class BrierEnsemble:
    """Ensemble temperature scaling whose weights and temperature minimise the Brier score."""

    def fit(self, logits, y):
        """Minimise over the logarithms of weights and temperature, from two starts."""

        def loss(parameters):
            return calib.brier(y, mixed(parameters, logits))

        starts = ([1.0, 0.0, -3.0, 0.5], [2.0, -1.0, -5.0, 0.6])
        options = {"maxiter": 2000, "xatol": 1e-6, "fatol": 1e-10}
        found = [minimize(loss, x, method="Nelder-Mead", options=options) for x in starts]
        self.parameters_ = min(found, key=lambda one: one.fun).x
        return self

    def predict_proba(self, logits):
        """Return the mixture."""
        return mixed(self.parameters_, logits)


def mixed(parameters, logits):
    """Return the mixture of the scaled, the unscaled and the uniform probabilities."""
    *weights, log_temperature = parameters
    w = calib.softmax(np.array([weights]))[0]
    scaled = calib.softmax(logits / np.exp(log_temperature))
    return w[0] * scaled + w[1] * calib.softmax(logits) + w[2] / logits.shape[1]


MAPS = {
    ("Base-model", "the network"): None,
    ("TS", "TemperatureScaling"): calib.TemperatureScaling(),
    ("SMS", "StructuredMatrixScaling"): calib.StructuredMatrixScaling(),
    ("VS", "VectorScaling"): calib.VectorScaling(),
    ("ETS", "EnsembleTemperatureScaling"): calib.EnsembleTemperatureScaling(),
    ("ETS", "the same form by the Brier score"): BrierEnsemble(),
    ("MS", "MatrixScaling"): calib.MatrixScaling(),
    ("Isotonic", "OneVsRest(IsotonicCalibration)"): calib.OneVsRest(calib.IsotonicCalibration()),
    ("Hist-uniform", "OneVsRest(HistogramBinning), ten bins"): calib.OneVsRest(
        calib.HistogramBinning(n_bins=10)
    ),
    ("Hist-quantile", "OneVsRest(HistogramBinning), equal mass"): calib.OneVsRest(
        calib.HistogramBinning(n_bins=10, strategy="mass")
    ),
    ("BBQ", "OneVsRest(BBQ)"): calib.OneVsRest(calib.BBQ()),
}
METRICS = {"brier": calib.brier, "nll": calib.nll, "ece": calib.ece}


def measure():
    """Yield one row a map and metric: what CalArena prints, and what our map gives."""
    net = load_source(NETWORK)
    z, z_test = (
        calib.as_logits(calib.softmax(part.logits)) for part in (net.calibration, net.test)
    )
    table = csv_frame(read_declared("tables/calarena_maps.csv")).set_index(list(EXPERIMENT))
    printed = table.loc[tuple(EXPERIMENT.values())]
    for (name, ours), map_ in MAPS.items():
        prob = (
            calib.softmax(z_test)
            if map_ is None
            else map_.fit(z, net.calibration.y).predict_proba(z_test)
        )
        for metric, function in METRICS.items():
            value = float(function(net.test.y, prob))
            head = {"map": name, "ours": ours, "metric": metric}
            there = float(printed[f"{metric} {name}"])
            yield head | {"printed": there, "value": value, "difference": value - there}


def main():
    write_table("calarena", list(measure()))


if __name__ == "__main__":
    main()
