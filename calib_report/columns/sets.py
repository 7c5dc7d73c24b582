"""The sets that a file holds: samples to judge, and a calibration set."""

import numpy as np

from calib_report.arrays import Named
from calib_report.contract import is_called, is_called_scores
from calib_report.options import Condition, Options

WORD = "calibration"  # of a calibration set, where none is typed


def sets_of(
    named: Named, options: Options
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the arrays of the samples, and those of its calibration set, without its word."""
    tests, calibration = dict(named), dict[str, np.ndarray]()
    for name in named:
        inner = _name_in_set(name, options)
        # what is ignored belongs to no set
        if inner is not None and name not in options.ignore:
            calibration[inner] = tests.pop(name)
    # without scores it is no set: calibration_date is a column like any other
    if options.scores not in calibration and not any(
        map(is_called_scores, calibration)
    ):
        return dict(named), {}
    return tests, calibration


def names_in_file(calibration: Named, named: Named, options: Options) -> dict[str, str]:
    """Return what arrays of the calibration set are called in the file, by their names in it."""
    full_names = {_name_in_set(name, options): name for name in named}
    return {inner: full_names[inner] for inner in calibration}


def row_options_of_sets(
    calibration: Named, options: Options
) -> tuple[Options, Options]:
    """Return options whose rows are of the samples, and those of the calibration set.

    A condition is of the set whose column it names, and names it there without the word of the set.
    """
    tests, of_calibration = _conditions_by_set(calibration, options)
    tests_empty, of_calibration_empty = _names_by_set(calibration, options)
    return (
        options.replaced(where=tests, leave_out_empty=tests_empty),
        Options(where=of_calibration, leave_out_empty=of_calibration_empty),
    )


def _conditions_by_set(calibration: Named, options: Options) -> list[tuple[str, ...]]:
    tests, of_calibration = list[str](), list[str]()
    for text in options.where:
        condition = Condition.parsed(text)
        inner = _name_in_set(condition.column, options)
        if inner is not None and inner in calibration:
            of_calibration.append(str(condition._replace(column=inner)))
        else:
            tests.append(text)
    return [tuple(tests), tuple(of_calibration)]


def _names_by_set(calibration: Named, options: Options) -> list[tuple[str, ...]]:
    tests, of_calibration = list[str](), list[str]()
    for name in options.leave_out_empty:
        inner = _name_in_set(name, options)
        if inner is not None and inner in calibration:
            of_calibration.append(inner)
        else:
            tests.append(name)
    return [tuple(tests), tuple(of_calibration)]


def _name_in_set(name: str, options: Options) -> str | None:
    """Return what an array of a calibration set is called in it; None of any other."""
    inner = without_word(name, options.calibration or WORD)
    if inner is not None and (options.calibration or _has_role(inner)):
        return inner
    return None


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
