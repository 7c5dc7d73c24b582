"""How numbers and names are rendered: with the digits that count, and nothing unseen; templates."""

# Mirrored by the answer desk, book/assets/desk/words.js: change both.

import json
import re
from functools import cache
from typing import Any

import numpy as np

from calib_report.schema import Interval, Number

UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """Write what steers a terminal, or turns the direction of a line, as its code."""
    return UNSEEN.sub(lambda found: ascii(found.group())[1:-1], text)


def in_markdown(text: str) -> str:
    """Write text so that Markdown takes it for text."""
    return re.sub(r"([\\`*_\[\]<>|#~!])", r"\\\1", visible(text))


def percent(value: float | None, digits: int | None = None, unit: str = "%") -> str:
    """Write a share in percent, with two digits that count; a difference of shares in points.

    Examples
    --------
    >>> percent(0.9712), percent(0.0551), percent(0.0061), percent(0.97, 1), percent(0.0)
    ('97 %', '5.5 %', '0.61 %', '97.0 %', '0 %')
    >>> percent(0.0551, unit="points")
    '5.5 points'
    """
    if value is None or not np.isfinite(value):
        return "infinite" if value is not None and value > 0 else "unknown"
    return f"{hundredths(value, digits)} {unit}"


def hundredths(share: float, digits: int | None = None) -> str:
    """Write the number before a sign of per cent, by default with two digits that count."""
    if digits is None:
        digits = _digits_that_count(share)
    return f"{100 * share:.{digits}f}"


def _digits_that_count(share: float) -> int:
    """Return the decimals of a percentage with which it has two digits that count."""
    size = abs(100 * share)
    if size == 0 or size >= 9.95:
        return 0
    return 1 if size >= 0.995 else 2


def decimals(value: float | None, like: float | None = None) -> str:
    """Write a number with four decimals, or as many as show three digits of it, or of `like`.

    Examples
    --------
    >>> decimals(0.04312), decimals(0.000123456), decimals(0.0, like=0.00123), decimals(1.5)
    ('0.0431', '0.000123', '0.00000', '1.5000')
    """
    if value is None or not np.isfinite(value):
        return "infinite" if value is None or value > 0 else "−infinite"
    # an end of an interval is written with as many digits as its value
    if like is None or not np.isfinite(like):
        like = value
    return f"{value:.{_decimals_of(abs(like))}f}"


def _decimals_of(size: float) -> int:
    """Return four decimals, or as many as show three digits of a small number."""
    if not 0 < size < 0.01:
        return 4
    return min(2 - int(np.floor(np.log10(size))), 9)


def signed(value: float) -> str:
    """Write an excess with three decimals; what rounds to zero has no sign."""
    return f"{round(value, 3) + 0.0:.3f}"


def interval(number: Number) -> str:
    """Write the ends of a number's interval; nothing where there is none."""
    return written_ends(number, like=number["value"])


def written_ends(interval: Interval, like: float) -> str:
    """Write the ends of an interval with the digits of the value that they are of."""
    if "low" not in interval:
        return ""
    low, high = decimals(interval["low"], like), decimals(interval["high"], like)
    return f"{low} to {high}"


def json_text(value: Any) -> str:
    """Return a value as JSON; null stands for numbers that are not finite."""
    return json.dumps(without_infinities(value), indent=1, allow_nan=False)


def without_infinities(value: Any) -> Any:
    """Return numbers as JSON can hold them: None for those that are not finite."""
    if isinstance(value, dict):
        return dict(zip(value, map(without_infinities, value.values()), strict=True))
    if isinstance(value, list | tuple):
        return [*map(without_infinities, value)]
    return None if isinstance(value, float) and not np.isfinite(value) else value


@cache
def templates() -> Any:
    """Return the environment of the page, the model card and the figures."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("calib_report.writing", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters |= {
        w.__name__: w for w in (percent, decimals, interval, in_markdown, signed)
    }
    return environment
