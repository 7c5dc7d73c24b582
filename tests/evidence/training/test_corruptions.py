"""What corruptions make of images."""

import numpy as np
import pytest

from evidence.training.corruptions import CORRUPTIONS, SEVERITIES, corrupt


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corruption_keeps_shape_and_range_and_grows_with_severity(name):
    smooth = np.random.default_rng(0).integers(0, 256, (20, 1, 7, 7), np.uint8)
    smooth = smooth.repeat(4, 2).repeat(4, 3)
    smooth[:, :, :4] = 0
    images, distance = np.roll(smooth, 1, 3), []  # no block of pixelate is of one value
    for severity in SEVERITIES:
        x = corrupt(images, name, severity)
        assert x.shape == images.shape and x.dtype == np.float32
        assert 0 <= x.min() and x.max() <= 1
        np.testing.assert_array_equal(x, corrupt(images, name, severity))
        distance.append(np.abs(x - images / 255).mean())
    assert distance[0] > 0
    assert distance[-1] == max(distance) > 1.2 * distance[0]


def test_a_name_that_is_none_is_refused_with_those_that_are_there():
    with pytest.raises(ValueError, match="name: 'fog' is not one of noise, blur, "):
        corrupt(np.zeros((1, 1, 4, 4), np.uint8), "fog", 1)
