"""The texts of a report, and the rows of its tables of advice, as `texts.toml` has them.

What is said of a file that is read stands in `contract.toml`, an error where it is raised.
"""

import tomllib
from importlib.resources import files
from typing import Any

TEXTS: dict[str, Any] = tomllib.loads(
    files("calib_report").joinpath("texts.toml").read_text("utf-8")
)


def capitalised(text: str) -> str:
    """Return a text that begins a sentence.

    Examples
    --------
    >>> capitalised("no NLL"), uncapitalised("No NLL")
    ('No NLL', 'no NLL')
    """
    return text[:1].upper() + text[1:]


def uncapitalised(text: str) -> str:
    """Return a sentence as a part of another."""
    return text[:1].lower() + text[1:]
