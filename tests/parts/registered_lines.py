"""A line of the second list, made for a test."""

from evidence.forecasts.second.registered import Line


def line_with(rule="number", unit="", name="a-line", **parameters):
    """A line about the fourteen networks with this rule and these parameters."""
    return Line(
        name,
        "fourteen networks",
        "It is so.",
        "network table",
        rule,
        parameters,
        1,
        unit=unit,
    )
