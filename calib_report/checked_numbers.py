"""Numbers that people type, or files of JSON hold, checked."""

import math
from numbers import Integral
from typing import Any

from calib_report.contract import OptionError


def check_seed(seed: object) -> None:
    """Raise OptionError where a seed of folds and resamples is none."""
    if not isinstance(seed, Integral) or seed < 0:
        raise OptionError("seed", f"{seed!r}, expected an integer of at least 0")


def check_share(share: float, option: str) -> float:
    """Return a share, which lies between 0 and 1 and is neither; OptionError where it does not."""
    if not 0 < share < 1:
        raise OptionError(option, f"{share!r:.60}, expected a number between 0 and 1")
    return share


def number_typed(name: str, text: str, option: str) -> float:
    """Return the number of ``NAME=NUMBER``, typed in an option; OptionError if it is not finite."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(option, f"{name}={text:.60}, expected a finite number")
    return number


def number_in_json(value: Any, what: str) -> float:
    """Return a finite number of JSON; a ValueError says what is none, or too large."""
    # True is an int to isinstance, and JSON has integers of any length
    if type(value) not in (int, float):
        raise ValueError(f"{what} is {value!r:.40}, expected a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{what} is {value!r:.40}, expected a finite number")
    return number
