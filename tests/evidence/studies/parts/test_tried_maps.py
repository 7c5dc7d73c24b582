"""Of which networks the penalty of a matrix is cross-validated."""

import pytest

import calib
from evidence.studies.parts.tried_maps import methods


@pytest.mark.parametrize(
    ("n_classes", "kind"),
    [
        (20, calib.CrossValidated),
        (21, calib.MatrixScaling),
        (None, calib.MatrixScaling),
    ],
)
def test_a_penalty_is_cross_validated_up_to_twenty_classes(n_classes, kind):
    assert type(methods(n_classes)["matrix, ODIR"]) is kind


def test_a_network_of_few_classes_chooses_among_three_penalties():
    few, many = methods(20)["matrix, ODIR"], methods()["matrix, ODIR"]
    assert few.grid == {"lam": [0.01, 1.0, 100.0], "mu": [0.1]}
    assert (many.lam, many.mu) == (100, 10)


def test_histograms_have_fifteen_bins_of_equal_mass():
    histogram = methods()["histogram"].calibrator
    assert (histogram.n_bins, histogram.strategy) == (15, "mass")
