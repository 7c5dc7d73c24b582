"""Compute guo.csv and matrix.csv: what Guo et al. (2017) ask of networks of the same architecture.

`python -m data.results guo` from the root. `guo`: twenty bins of the confidence of networks as
trained, all test samples. `matrix`: the ECE after matrix scaling without a penalty, where whole
vectors are known; a network on which the fit has no finite optimum has no value.
"""

import calib
from book.evidence import load_source

from .evaluate import calibration_and_test, of_vectors, rows_of
from .tables import of_bins

SIBLINGS = [
    "netcal-cifar10-lenet5",
    "kull-cifar10-resnet110-top1",
    "kull-cifar10-densenet40",
    "kull-cifar100-resnet110",
    "kull-cifar100-densenet40",
]


def bins(source):
    """Rows of the twenty bins of one network."""
    return of_bins({"source": source}, calib.equal_width(20)(*load_source(source).test.pairs))


def matrix(source):
    """Sizes of the two sets, and the ECE of matrix scaling."""
    calibration, test = calibration_and_test(load_source(source))
    maps, metrics = {"matrix": calib.MatrixScaling()}, {"ece": calib.ece}
    found = rows_of(source, "held out", calibration, test, maps, metrics, may_fail=True)
    sizes = {"calibration_n": len(calibration), "n": len(test)}
    return {"source": source, **sizes, "ece": found[0]["value"] if found else ""}


TABLES = {
    "guo": lambda: (row for s in SIBLINGS for row in bins(s)),
    "matrix": lambda: map(matrix, of_vectors()),
}
