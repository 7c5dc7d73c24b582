"""Checks with seals in the place of answers."""

import numpy as np
import pytest

from book.show.sealed_checks import recorded_seals


def test_numbers_too_far_apart_for_one_grid_are_refused():
    """The small one would be right wherever it is within a billionth of the large one."""

    def seals(right, options=""):
        source = f"with check('ex'):\n    assert np.allclose(x, {right}{options})"
        return recorded_seals("ex", source, ["x"], {"np": np, "x": np.array(right)})

    for right in ([1e9, 1e-3], [-1e-7, 200]):
        with pytest.raises(ValueError, match=r"beside .* cannot be judged"):
            seals(right)
    with pytest.raises(ValueError, match="1e-12 beside 1 cannot be judged"):
        seals([1e-12], ", atol=0")
    for right in ([1e9, 1e3], [0, 1e6], [1e-12, 1], [0.0], []):
        assert len(seals(right)) == 1
    assert seals([1e9, 1e-3], ", atol=2")  # said to be near enough
