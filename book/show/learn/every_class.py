"""The figure of the chapter on the errors of every class."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from book.show.looks import MEANING

MOST = "by chance, at most"


def draw_classes(
    names: list[str], before: np.ndarray, after: np.ndarray, limit: np.ndarray
) -> Figure:
    """Draw the error of each class in % before and after a map, and the limit of chance."""
    figure, ax = plt.subplots(figsize=(5.4, 4.4), layout="constrained")
    place = np.arange(len(names))
    longest = int(np.argmax(before))
    for label, errors, up in (("before", before, -0.2), ("after", after, 0.2)):
        ax.barh(place + up, errors, 0.4, color=MEANING[label], label=label)
        at = errors[longest] + 0.03, longest + up
        ax.text(*at, label, color=MEANING[label], va="center")
    ax.text(limit[0] + 0.04, 0.2, MOST, va="center", fontsize=10)
    ax.vlines(limit, place, place + 0.4, color="black", lw=2, label=MOST)
    ax.set(yticks=place, yticklabels=names, xlabel="calibration error of the class (%)")
    ax.invert_yaxis()
    return figure
