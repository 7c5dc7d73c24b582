"""One colour, dash and marker a method and a data set, in every figure of the book."""

from calib.plots import COLOURS, GREY, PALE

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
ON_BLACK = {"mint": "#4DC9A5", "brown": "#4A3826"}  # green and pale of a dark page
DASHES = {"": "", "-": "", "--": (4, 1.5), "-.": (6, 2, 1, 2), ":": (1, 1.5)}  # as seaborn asks


def look(name, *, line=True, marker=False):
    """Return what matplotlib takes for a method or a data set: its colour, dash and marker.

    Examples
    --------
    >>> look("temperature")
    {'color': '#000000', 'linestyle': '-', 'marker': ''}
    """
    colour, dash, mark = (METHODS | DATASETS)[name]
    return dict(color=colour, linestyle=dash if line else "", marker=mark if marker else "")


def looks(column, kinds, *, line=True, marker=True):
    """Return what seaborn takes to draw each kind of a column in its colour, dash and marker.

    `kinds` has colour, dash and marker by kind, as `METHODS`, or the colour alone; a colour may be
    a name of `calib.plots.COLOURS`, a dash seaborn's lengths. `line` and `marker` say what tells
    kinds apart beside the colour.

    Examples
    --------
    >>> looks("data", {"CIFAR-10": DATASETS["CIFAR-10"]})["dashes"]
    {'CIFAR-10': ''}
    >>> looks("side", {"under": "blue", "over": "vermillion"})["palette"]
    {'under': '#0072B2', 'over': '#D55E00'}
    """
    options = {"hue": column, "hue_order": list(kinds)}
    if all(isinstance(colour, str) for colour in kinds.values()):
        return options | {"palette": {kind: COLOURS[name] for kind, name in kinds.items()}}
    colours, dashes, markers = (
        dict(zip(kinds, of_all, strict=True)) for of_all in zip(*kinds.values(), strict=True)
    )
    options["palette"] = {kind: COLOURS.get(name, name) for kind, name in colours.items()}
    if line or marker:
        options |= {"style": column, "style_order": list(kinds)}
    if line:
        options["dashes"] = {kind: DASHES.get(dash, dash) for kind, dash in dashes.items()}
    if marker:
        options["markers"] = markers
    return options


def stylesheet():
    """Return the colours of the figures for pages, as properties that their style sheets use.

    Examples
    --------
    >>> "--calib-blue: #0072B2;" in stylesheet()
    True
    """
    colours = COLOURS | {"grey": GREY, "pale": PALE} | ON_BLACK
    return "".join(f":root {{ --calib-{name}: {value}; }}\n" for name, value in colours.items())
