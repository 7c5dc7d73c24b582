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
