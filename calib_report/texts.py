"""The texts of a report, and the rows of its tables of advice, as `texts.toml` has them."""

import tomllib
from importlib.resources import files
from typing import Any

TEXTS: dict[str, Any] = tomllib.loads(
    files("calib_report").joinpath("texts.toml").read_text("utf-8")
)
