"""Arrays by name, and what is none."""

import pytest
from refusals import refusal

from evidence.files_with_truth.samples import P, Y
from evidence.studies.software.bad_arguments import Raises

REFUSED = {
    "no such group": ({"y": Y, "p": P}, {"groups": "ward"}, "there is no 'ward'"),
    "an object that raises": ({"y": Y, "logits": Raises()}, {}, "logits: not an array ('from"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    assert message in refusal(source, **said)
