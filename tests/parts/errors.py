"""What a call that is refused says."""

import pytest


def message(call, *args, **kwargs):
    with pytest.raises((ValueError, TypeError)) as error:
        call(*args, **kwargs)
    return str(error.value)
