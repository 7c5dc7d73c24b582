"""Compute guo.csv: what Guo et al. (2017) draw, of networks of the same architecture.

`python -m data.results guo` from the root: twenty bins of the confidence of networks as trained,
all test samples.
"""

import calib
from book.evidence import load_source

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


TABLES = {"guo": lambda: (row for s in SIBLINGS for row in bins(s))}
