"""Compute spline_knots.csv: the KS error after splines of 5 to 20 knots."""

from collections.abc import Iterator
from itertools import product

import calib
from evidence import load_source
from evidence.rows import Row
from evidence.sources import RESNET
from evidence.studies.parts.ks_views import VIEWS, ks_interval


def rows() -> Iterator[Row]:
    """The KS error on the test set of ResNet-110 with 5 to 20 knots, by target and run-out."""
    net = load_source(RESNET)
    runouts = "natural", "parabolic", "cubic"
    for name, (view, _) in VIEWS.items():
        fitting = view(net.to_fit.y, net.to_fit.prob)
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
