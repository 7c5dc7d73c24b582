"""Bins of networks as trained, whose reliability diagrams the book draws."""

import calib
from evidence import load_source
from evidence.studies.pieces import of_bins


def as_trained(key, names, n_bins):
    """Yield the bins of networks as trained."""
    for name in names:
        yield from of_bins({key: name}, calib.equal_width(n_bins)(*load_source(name).test.pairs))
