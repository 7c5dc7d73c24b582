"""One colour, dash and marker a method and a data set, in every figure of the book."""

from calib.plots import COLOURS

METHODS = {
    "none": ("0.55", "-", "x"),
    "temperature": (COLOURS["black"], "-", "o"),
    "ensemble temperature": (COLOURS["black"], ":", "p"),
    "vector": (COLOURS["vermillion"], "-", "s"),
    "matrix": (COLOURS["purple"], "-", "D"),
    "matrix, ODIR": (COLOURS["purple"], "--", "d"),
    "Platt": (COLOURS["orange"], "--", "<"),
    "beta": (COLOURS["orange"], "-.", ">"),
    "histogram": (COLOURS["green"], "-", "v"),
    "scaling-binning": (COLOURS["green"], ":", "h"),
    "BBQ": (COLOURS["green"], "--", "^"),
    "isotonic": (COLOURS["blue"], "-", "P"),
    "spline": (COLOURS["sky"], "-.", "*"),
}
DATASETS = {
    "CIFAR-10": (COLOURS["blue"], "-", "o"),
    "CIFAR-100": (COLOURS["vermillion"], "-", "s"),
    "ImageNet": (COLOURS["green"], "-", "^"),
    "Tiny ImageNet": (COLOURS["purple"], "-", "D"),
}


def look(name, *, line=True, marker=False):
    """Return what matplotlib takes for a method or a data set: its colour, dash and marker.

    Parameters
    ----------
    name : str
        A key of `METHODS` or `DATASETS`.
    line, marker : bool
        Whether to draw a line through the points, and the points.

    Examples
    --------
    >>> look("temperature")
    {'color': '#000000', 'linestyle': '-', 'marker': ''}
    """
    colour, dash, mark = (METHODS | DATASETS)[name]
    return {
        "color": colour,
        "linestyle": dash if line else "",
        "marker": mark if marker else "",
    }
