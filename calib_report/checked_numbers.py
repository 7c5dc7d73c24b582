"""Numbers as people type them, checked: an error names the option that they were typed for."""

import math
from numbers import Integral

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
