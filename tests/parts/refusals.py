"""What the door says of a source that it refuses."""

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
