"""What corruptions make of images."""

import numpy as np
import pytest

from evidence.training import corruptions
from evidence.training.corruptions import CORRUPTIONS, SEVERITIES, corrupt


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corruption_keeps_shape_and_range_and_grows_with_severity(name):
    smooth = np.random.default_rng(0).integers(0, 256, (20, 1, 7, 7), np.uint8)
    smooth = smooth.repeat(4, 2).repeat(4, 3)
    smooth[:, :, :4] = 0
    images, distance = (
        np.roll(smooth, 1, 3),
        [],
    )  # no block of pixelate is of one value
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


def test_a_severity_that_is_none_is_refused():
    with pytest.raises(ValueError, match="severity: 0 is not one of"):
        corrupt(np.zeros((1, 1, 4, 4), np.uint8), "noise", 0)


# a row of grey pixels, and what a corruption without chance makes of it
ROW = np.array([0, 0.2, 0.4, 0.8]).reshape(1, 1, 1, 4)
BY_HAND = {
    "contrast moves towards black": (
        corruptions.contrast,
        0.5,
        [0, 0.1, 0.2, 0.4],
    ),
    "brightness leaves black and ends at white": (
        corruptions.brightness,
        0.3,
        [0, 0.5, 0.7, 1],
    ),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_what_a_corruption_makes_of_a_row(case):
    corruption, strength, expected = BY_HAND[case]
    result = corruption(ROW, strength, None).ravel()
    np.testing.assert_allclose(result, expected)


def test_pixels_are_mixed_with_the_mean_of_their_square():
    square = np.array([[0.0, 1.0], [1.0, 0.0]]).reshape(1, 1, 2, 2)
    other = np.full((1, 1, 2, 2), 0.2)
    both = np.concatenate([square, other], axis=3)
    mixed = corruptions.pixelate(both, (2, 0.8), None)[0, 0]
    np.testing.assert_allclose(mixed[:, :2], [[0.4, 0.6], [0.6, 0.4]])
    np.testing.assert_allclose(mixed[:, 2:], 0.2)


def one_dot(n=2, side=7, row=3, column=4):
    x = np.zeros((n, 1, side, side))
    x[:, :, row, column] = 1
    return x


def test_half_of_the_images_move_down_and_right_and_half_the_other_way():
    first, second = corruptions.translation(one_dot(), (2, 1), None)[:, 0]
    assert np.argwhere(first).tolist() == [[5, 5]]
    assert np.argwhere(second).tolist() == [[1, 3]]
    assert set(np.unique([first, second])) == {
        0,
        1,
    }  # whole pixels are not blurred


def test_half_of_the_images_turn_one_way_and_half_the_other():
    """A quarter turn takes a dot right of the middle to above, or below, it."""
    first, second = corruptions.rotation(one_dot(), 90, None)[:, 0]
    places = [np.argwhere(image > 0.5).tolist() for image in (first, second)]
    assert sorted(places) == [[[2, 3]], [[4, 3]]]


def test_a_turn_is_linear_between_pixels():
    """Turned by 45 degrees, a dot one pixel from the middle lies between four pixels."""
    turned = corruptions.rotated(one_dot(1), 45)[0, 0]
    a = np.sqrt(
        0.5
    )  # where a pixel of the corner is looked up, 2 a - 1 beyond the dot's row
    assert turned[2, 4] == pytest.approx(turned[4, 4], abs=1) and turned.max() < 1
    expected = (1 - abs(2 * a - 1)) * 1
    assert max(turned[2, 4], turned[4, 4]) == pytest.approx(expected)


def test_the_blur_is_of_rows_and_columns_alone():
    """Images and channels do not run into each other, and the mean stays."""
    x = np.zeros((2, 3, 15, 15))
    x[0, 1, 7, 7] = 1
    blurred = corruptions.blur(x, 1.5, None)
    assert blurred[1].max() == blurred[0, [0, 2]].max() == 0
    assert blurred[0, 1].sum() == pytest.approx(1)
    spread = (blurred[0, 1].sum(0) * (np.arange(15) - 7) ** 2).sum()
    assert spread == pytest.approx(1.5**2, rel=0.01)


def test_noise_has_the_spread_that_is_asked_for_and_stays_between_black_and_white():
    rng = np.random.default_rng(1)
    noisy = corruptions.noise(np.full((1, 1, 100, 100), 0.5), 0.1, rng)
    assert noisy.std() == pytest.approx(0.1, rel=0.03)
    assert noisy.mean() == pytest.approx(0.5, abs=0.005)
    dark = corruptions.noise(np.zeros((1, 1, 100, 100)), 0.1, rng)
    assert dark.min() == 0 and dark.mean() == pytest.approx(
        0.1 / np.sqrt(2 * np.pi), rel=0.05
    )


def test_colour_images_are_corrupted_less_than_grey_ones():
    grey = np.full((2, 1, 16, 16), 128, np.uint8)
    colour = grey.repeat(3, 1)
    spread = [corrupt(x, "noise", 5).std() for x in (grey, colour)]
    assert spread[0] == pytest.approx(0.13, rel=0.1)
    assert spread[1] == pytest.approx(0.03, rel=0.1)
