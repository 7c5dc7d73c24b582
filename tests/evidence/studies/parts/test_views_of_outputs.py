"""Views of outputs: as far as classes are known, and as pairs."""

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.parts import views_of_outputs

THREE = Outputs([0, 1, 2, 0], probabilities=np.tile([0.5, 0.375, 0.125], (4, 1)))


TWO = Outputs([0, 1], scores=[[0.5, 0.25]] * 2, classes=[[0, 1]] * 2)


@pytest.mark.parametrize(
    ("outputs", "names"),
    [(THREE, "top_2 top_3 within_2 within_3"), (TWO, "top_2 within_2")],
)
def test_views_go_as_far_as_classes_are_known(outputs, names):
    assert [*views_of_outputs.views(outputs)] == names.split()


def test_a_view_of_outputs_is_the_pairs_of_one_rank():
    pick = views_of_outputs.views(THREE)["top_2"]
    score, hit = views_of_outputs.of_view(pick, THREE).pairs
    assert (score.tolist(), hit.tolist()) == ([0.375] * 4, [0, 1, 0, 0])
    ks = views_of_outputs.ks_of(views_of_outputs.views(THREE)["within_2"])
    # .875 said of four samples, of which the third is none of the two first classes
    assert ks(THREE.y, THREE.prob) == pytest.approx(abs(0.875 - 0.75))
