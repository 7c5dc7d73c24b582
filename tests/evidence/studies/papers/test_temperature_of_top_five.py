"""The five largest parts of whole vectors."""

import numpy as np

from evidence import Outputs
from evidence.studies.papers.temperature_of_top_five import top_five


def test_five_parts_are_kept_in_order_and_rounded_to_their_type():
    p = np.array([[0.03, 0.3, 0.07, 0.2, 0.1, 0.25, 0.05]])
    few = top_five(Outputs([3], order="some", probabilities=p), np.float16)
    assert few.classes.tolist() == [[1, 5, 3, 4, 2]] and few.order == "some"
    expected = np.float16([0.3, 0.25, 0.2, 0.1, 0.07]).astype(float)
    assert few.scores[0].tolist() == expected.tolist()
    assert few.top_r_pairs(3)[1].tolist() == [1]
