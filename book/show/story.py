"""The dress of the story: which photograph it is, what it is, and what the network calls it."""

import io

import matplotlib.pyplot as plt
import numpy as np

from evidence import read_declared

PHOTOGRAPH = 5273  # of the dress, in the test set
DRESS_INDEX = 9  # of the dress among the photographs that pages show, of which the first is a boot
DRESS, SHIRT = 3, 6  # numbers of the two classes
WIDTH = 28  # pixels of a photograph


def photograph(index: int) -> np.ndarray:
    """Return a photograph of those that pages show, which stand beside each other in one file."""
    row = plt.imread(io.BytesIO(read_declared("photographs/fashion.png")))
    return row[:, index * WIDTH : (index + 1) * WIDTH]
