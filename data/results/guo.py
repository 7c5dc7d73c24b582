"""Compute guo.csv and matrix.csv: what Guo et al. (2017) ask of networks of the same architecture.

`python -m data.results guo` from the root. `guo`: twenty bins of the confidence of networks as
trained, all test samples. `matrix`: the ECE after matrix scaling without a penalty, where whole
vectors are known; a network on which the fit has no finite optimum has no value.
"""

import calib
from book.evidence import load_source
from book.evidence.study import run_study

from .evaluate import calibration_and_test, of_vectors
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
    found = run_study(
        {source: (calibration, test)},
        {"matrix": calib.MatrixScaling()},
        {"ece": calib.ece},
        n_jobs=1,
        progress=False,
    ).iloc[0]
    if found.note:
        print(f"{source}: {found.note}")
    sizes = {"calibration_n": len(calibration), "n": len(test)}
    return {"source": source, **sizes, "ece": "" if found.note else found.value}


TABLES = {
    "guo": lambda: (row for s in SIBLINGS for row in bins(s)),
    "matrix": lambda: map(matrix, of_vectors()),
}
