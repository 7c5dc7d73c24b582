"""What a cell holds: a number, right or wrong, or neither."""

import pytest
from refusals import refusal

from evidence.files_with_truth.samples import TOP

MAYBE = ["maybe"] * 120


LETTER = [["90a", "10%"], ["0.1", "0.9"]]


REFUSED = {
    "neither": ({"confidence": TOP, "correct": MAYBE}, {}, "neither right nor wrong"),
    "a number and a letter": ({"y": [0, 1], "probs": LETTER}, {}, "row 0 of 'probs' is '90a', exp"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    assert message in refusal(source, **said)
