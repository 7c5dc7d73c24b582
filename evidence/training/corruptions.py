"""Corruptions of images in five severities, with numpy and scipy only.

Each takes images (n, channels, height, width) in [0, 1], a strength and a generator, and returns
images of the same shape in [0, 1]. The strengths of the severities are set so that they raise a
network's error to between 1.2 and 3 times the clean one, on grey images (Fashion-MNIST) and on
colour images (CIFAR-10), which suffer sooner, apart.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import ndimage


def noise(x: np.ndarray, scale: float, rng: np.random.Generator) -> np.ndarray:
    return np.clip(x + rng.normal(0, scale, x.shape), 0, 1)


def blur(x: np.ndarray, sigma: float, rng: np.random.Generator) -> np.ndarray:
    return ndimage.gaussian_filter(x, (0, 0, sigma, sigma))


def pixelate(
    x: np.ndarray, strength: tuple[int, float], rng: np.random.Generator
) -> np.ndarray:
    """Mix each image with its mean over square blocks: (side in pixels, share of the mean)."""
    side, share = strength
    n, channels, height, width = x.shape
    # axes 3 and 5 are the rows and columns inside a block
    blocks = x.reshape(n, channels, height // side, side, width // side, side).mean(
        (3, 5)
    )
    return (1 - share) * x + share * blocks.repeat(side, 2).repeat(side, 3)


def contrast(x: np.ndarray, factor: float, rng: np.random.Generator) -> np.ndarray:
    """Towards black."""
    return x * factor


def brightness(x: np.ndarray, lift: float, rng: np.random.Generator) -> np.ndarray:
    """Lift the foreground (pixels that are not black)."""
    # black is the ground and stays black
    return np.where(x > 0, np.clip(x + lift, 0, 1), x)


def rotation(x: np.ndarray, degrees: float, rng: np.random.Generator) -> np.ndarray:
    """Rotate the first half of the images one way, the second half the other way."""
    return each_half_its_way(x, lambda part, sign: rotated(part, sign * degrees))


def translation(
    x: np.ndarray, pixels: tuple[int, int], rng: np.random.Generator
) -> np.ndarray:
    """Move the first half of the images (down, right), the second half the other way."""
    return each_half_its_way(
        x, lambda part, sign: moved(part, sign * pixels[0], sign * pixels[1])
    )


def each_half_its_way(
    x: np.ndarray, change: Callable[[np.ndarray, int], np.ndarray]
) -> np.ndarray:
    # a half each way, so that no direction is favoured
    middle = len(x) // 2
    return np.concatenate([change(x[:middle], 1), change(x[middle:], -1)])


def rotated(x: np.ndarray, degrees: float) -> np.ndarray:
    # linear between pixels: splines would overshoot beyond black and white
    turned = ndimage.rotate(x, degrees, axes=(3, 2), reshape=False, order=1)
    return np.clip(turned, 0, 1)


def moved(x: np.ndarray, down: int, right: int) -> np.ndarray:
    # whole pixels, so that nothing is blurred
    return ndimage.shift(x, (0, 0, down, right), order=0)


CORRUPTIONS: dict[str, tuple[Callable[..., np.ndarray], str]] = {
    "noise": (noise, "noise"),
    "blur": (blur, "blur"),
    "pixelate": (pixelate, "blur"),
    "contrast": (contrast, "photometric"),
    "brightness": (brightness, "photometric"),
    "rotation": (rotation, "geometric"),
    "translation": (translation, "geometric"),
}
SEVERITIES = (1, 2, 3, 4, 5)
GREY: dict[str, tuple[Any, ...]] = {
    "noise": (0.07, 0.085, 0.1, 0.115, 0.13),
    "blur": (0.9, 1.1, 1.3, 1.5, 1.7),
    "pixelate": ((2, 0.8), (4, 0.5), (4, 0.6), (4, 0.7), (4, 0.8)),
    "contrast": (0.5, 0.42, 0.35, 0.28, 0.22),
    "brightness": (0.2, 0.27, 0.34, 0.41, 0.48),
    "rotation": (4, 6, 8, 10, 12),
    "translation": ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2)),
}
COLOUR = GREY | {
    "noise": (0.01, 0.015, 0.02, 0.025, 0.03),
    "blur": (0.48, 0.52, 0.56, 0.6, 0.64),
    "pixelate": ((2, 0.2), (2, 0.3), (2, 0.35), (2, 0.4), (2, 0.45)),
    "contrast": (0.5, 0.42, 0.36, 0.32, 0.28),
    "brightness": (0.2, 0.25, 0.3, 0.35, 0.4),
    "rotation": (4, 7, 10, 13, 16),
    "translation": ((1, 0), (2, 1), (3, 2), (5, 3), (7, 5)),
}


def corrupt(x: np.ndarray, name: str, severity: int) -> np.ndarray:
    """Corrupt uint8 images (n, channels, height, width); the same call gives the same images.

    Returns float32 images in [0, 1]. A ValueError names a corruption or a severity that is none.
    """
    if name not in CORRUPTIONS:
        raise ValueError(f"name: {name!r} is not one of {', '.join(CORRUPTIONS)}")
    if severity not in SEVERITIES:
        raise ValueError(f"severity: {severity!r} is not one of {SEVERITIES}")
    apply, _ = CORRUPTIONS[name]
    strength = (GREY if x.shape[1] == 1 else COLOUR)[name][severity - 1]
    rng = np.random.default_rng([list(CORRUPTIONS).index(name), severity])
    return apply(x / np.float32(255), strength, rng).astype(np.float32)
