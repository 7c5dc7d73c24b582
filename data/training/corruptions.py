"""Corruptions of images in five severities, with numpy and scipy only.

Each takes images (n, channels, height, width) in [0, 1], a severity from 1 to 5 and a generator,
and returns images of the same shape in [0, 1]. Severities are set so that a network's error grows
to between 1.2 and 3 times the clean one.
"""

import numpy as np
from scipy import ndimage


def noise(x, severity, rng):
    """Gaussian noise added to every pixel."""
    scale = (0.03, 0.05, 0.07, 0.09, 0.12)[severity - 1]
    return np.clip(x + rng.normal(0, scale, x.shape), 0, 1)


def blur(x, severity, rng):
    """Gaussian blur."""
    sigma = (0.4, 0.5, 0.6, 0.75, 0.9)[severity - 1]
    return ndimage.gaussian_filter(x, (0, 0, sigma, sigma))


def pixelate(x, severity, rng):
    """Mix each image with its mean over blocks of 2 x 2 pixels."""
    share = (0.3, 0.45, 0.6, 0.8, 1.0)[severity - 1]
    n, channels, height, width = x.shape
    blocks = x.reshape(n, channels, height // 2, 2, width // 2, 2).mean((3, 5))
    return (1 - share) * x + share * blocks.repeat(2, 2).repeat(2, 3)


def contrast(x, severity, rng):
    """Towards black."""
    return x * (0.85, 0.75, 0.65, 0.55, 0.45)[severity - 1]


def brightness(x, severity, rng):
    """Lift the foreground (pixels that are not black)."""
    lift = (0.08, 0.13, 0.18, 0.24, 0.3)[severity - 1]
    return np.where(x > 0, np.clip(x + lift, 0, 1), x)


def rotation(x, severity, rng):
    """Rotate each image by plus or minus an angle."""
    angle = (4, 7, 10, 14, 18)[severity - 1]
    half = len(x) // 2
    turned = [
        ndimage.rotate(part, sign * angle, axes=(3, 2), reshape=False, order=1)
        for part, sign in ((x[:half], 1), (x[half:], -1))
    ]
    return np.clip(np.concatenate(turned), 0, 1)


def translation(x, severity, rng):
    """Move each image by up to three pixels, one way or the other."""
    step = ((1, 0), (1, 1), (2, 0), (2, 1), (3, 0))[severity - 1]
    half = len(x) // 2
    return np.concatenate([shifted(x[:half], *step), shifted(x[half:], -step[0], -step[1])])


def shifted(x, down, right):
    return ndimage.shift(x, (0, 0, down, right), order=0)


CORRUPTIONS = {
    "noise": (noise, "noise"),
    "blur": (blur, "blur"),
    "pixelate": (pixelate, "blur"),
    "contrast": (contrast, "photometric"),
    "brightness": (brightness, "photometric"),
    "rotation": (rotation, "geometric"),
    "translation": (translation, "geometric"),
}
SEVERITIES = (1, 2, 3, 4, 5)


def corrupt(x, name, severity):
    """Corrupt uint8 images (n, channels, height, width); the same call gives the same images.

    Returns float32 images in [0, 1].
    """
    if severity not in SEVERITIES:
        raise ValueError(f"severity: {severity!r} is not one of {SEVERITIES}")
    apply, _ = CORRUPTIONS[name]
    rng = np.random.default_rng([list(CORRUPTIONS).index(name), severity])
    return apply(x / np.float32(255), severity, rng).astype(np.float32)
