"""What the door says of a source that it refuses."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from calib_report import read
from calib_report.contract import ReadingError


def refusal(source, **options):
    """Read a source, whose arrays may be lists, and return what the error says."""
    if isinstance(source, dict):
        source = {name: as_array(values) for name, values in source.items()}
    with pytest.raises(ReadingError) as caught:
        read(source, **options)
    return str(caught.value)


def as_array(values):
    return values if hasattr(values, "shape") else np.asarray(values)


class Refused(NamedTuple):
    """A source, the options that it is read with, and what the error says."""

    source: Any
    options: dict[str, Any]
    message: str


def refuses(cases):
    """Return a test that each of some sources, by what is wrong with it, is refused."""

    @pytest.mark.parametrize("case", cases)
    def test_refused(case):
        refused = Refused(*cases[case])
        assert refused.message in refusal(refused.source, **refused.options)

    return test_refused
