"""What a figure holds, as plain numbers and texts."""

import numpy as np


def points(ax, number):
    """The points of a line of axes, a row each."""
    return np.asarray(ax.lines[number].get_xydata())


def labelled(ax):
    """The points of the lines that have a label, by it."""
    lines = [line for line in ax.lines if not line.get_label().startswith("_")]
    return {line.get_label(): np.asarray(line.get_xydata()) for line in lines}


def texts(ax):
    """What is written on axes, in the order of writing."""
    return [text.get_text() for text in ax.texts]


def segments(collection):
    """The two ends of each segment of a collection: x, y, x, y."""
    return np.array([[*ends[0], *ends[-1]] for ends in collection.get_segments()])


def ends_of_bars(ax, number, axis="y"):
    """Low and high end of each of the error bars that were drawn as such a container."""
    bars = segments(ax.containers[number].lines[2][0])
    return bars[:, [1, 3]] if axis == "y" else bars[:, [0, 2]]


def heights(ax):
    """Left end, bottom, width and height of each bar."""
    return np.array([(*p.get_xy(), p.get_width(), p.get_height()) for p in ax.patches])


def band(collection, at):
    """The lower and the upper end of a filled area over a place."""
    corners = collection.get_paths()[0].vertices
    there = corners[np.isclose(corners[:, 0], at), 1]
    return there.min(), there.max()


def ticks(axis):
    """What stands at the ticks of an axis."""
    return [label.get_text() for label in axis.get_ticklabels()]
