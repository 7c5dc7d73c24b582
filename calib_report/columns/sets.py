"""The sets that a file holds: samples to judge, and others to fit maps on."""

import numpy as np

from calib_report.arrays import Named
from calib_report.contract import is_called, is_called_scores
from calib_report.options import Options


def sets_of(
    named: Named, options: Options
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the arrays of the samples, and those of a set to fit maps on, without its name."""
    word = options.calibration or "calibration"
    tests, to_fit = dict(named), dict[str, np.ndarray]()
    for name in named:
        inner = without_word(name, word)
        if inner is not None and (options.calibration or _has_role(inner)):
            to_fit[inner] = tests.pop(name)
    # without scores it is no set: calibration_date is a column like any other
    if not any(map(is_called_scores, to_fit)):
        return dict(named), {}
    return tests, to_fit


def _has_role(name: str) -> bool:
    return is_called(name, "labels") or is_called_scores(name)


def without_word(name: str, word: str) -> str | None:
    """Return a name without a word that begins or ends it, None where none does."""
    for sign in "_.":
        if name.startswith(f"{word}{sign}"):
            return name[len(word) + 1 :]
        if name.endswith(f"{sign}{word}"):
            return name[: -len(word) - 1]
    return None
