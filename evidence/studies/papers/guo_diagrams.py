"""Compute guo_diagrams.csv: bins of networks of the architectures that Guo et al. (2017) draw."""

from collections.abc import Iterable

from evidence.rows import Row
from evidence.studies.parts.bins_of_networks import as_trained

SIBLINGS = (
    "netcal-cifar10-lenet5 kull-cifar10-resnet110-top1 kull-cifar10-densenet40 "
    "kull-cifar100-resnet110 kull-cifar100-densenet40"
).split()


def rows() -> Iterable[Row]:
    return as_trained("source", SIBLINGS, 20)
