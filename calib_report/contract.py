"""The contract of files as data: what columns may be called, and what is said of others."""

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

_TABLE = tomllib.loads(files("calib_report").joinpath("contract.toml").read_text("utf-8"))
NAMES: dict[str, tuple[str, ...]] = {what: tuple(names) for what, names in _TABLE["names"].items()}
PATTERNS = {what: re.compile(text, re.IGNORECASE) for what, text in _TABLE["patterns"].items()}
UNREAD: dict[str, str] = _TABLE["unread"]
NOTED: dict[str, str] = _TABLE["noted"]
KINDS = ("logits", "probabilities", "scores")


def refused(rule: str, **told: Any) -> ValueError:
    """Return the error of a broken rule, in one line with what to type."""
    return ValueError(_TABLE["refused"][rule].format(**told))


def few(names: Iterable[object], most: int = 8) -> str:
    names = [str(name) for name in names]
    return ", ".join(map(repr, names[:most])) + ", …" * (len(names) > most) or "nothing"


def is_called(name: str, *whats: str) -> bool:
    """Tell whether a name, or its last part, is one of some kind, such as "labels"."""
    word = name.strip().lower()
    return any({word, word.rpartition(".")[2]} & {*NAMES[what]} for what in whats)


def kind_of(name: str) -> str | None:
    return next((kind for kind in KINDS[:2] if is_called(name, kind)), None)
