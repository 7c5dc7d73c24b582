"""The report in a sentence, right in every case, and how its numbers are written."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from calib_report.measure import CALIBRATED, Found
from calib_report.outputs import FLOOR

TEXTS = tomllib.loads(files("calib_report").joinpath("texts.toml").read_text("utf-8"))
LARGE = 0.02  # calibration error from which one that would not show is worth a word
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """Write what steers a terminal, or turns the direction of a line, as its code."""
    return UNSEEN.sub(lambda found: ascii(found.group())[1:-1], text)


def plain(text: str) -> str:
    """Write text so that Markdown takes it for text."""
    return re.sub(r"([\\`*_\[\]<>|#~!])", r"\\\1", visible(text))


@cache
def templates() -> Any:
    """Return the environment of the page, the model card and the figures."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("calib_report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters |= {w.__name__: w for w in (percent, decimals, interval, plain)}
    return environment


def sentence(found: Found) -> str:
    """Return what the numbers of a report say, in plain words."""
    chosen, ece, after = found["recommended"], found["before"]["ECE"], found["after"]["ECE"]
    gap = abs(found["mean_confidence"] - found["hit_rate"])
    digits = 0 if gap >= 0.02 else 1 if gap >= 0.002 else 2
    shares = {"score": found["mean_confidence"], "hit": found["hit_rate"]}
    says = {name: percent(share, digits) for name, share in shares.items()}
    chance, changed = ece["p_value"] > CALIBRATED, chosen["name"] != "none"
    row = next(row for row in found["comparison"] if row["name"] == chosen["name"])
    parts = {"says": TEXTS["says"][found["task"]].format(**says), "reason": chosen["reason"]}
    parts |= {"looks_wrong": found["looks_wrong"], "ece": percent(ece["value"])}
    parts |= {name: percent(ece.get(name)) for name in ("high", "chance", "chance_high")}
    parts |= dict(zip(("gap", "gap_ends"), _between(found["gap"]), strict=True))
    parts |= dict(zip(("value", "ends"), _between(ece), strict=True))
    parts |= {"after": percent(after["value"]), "after_chance": percent(after["chance"])}
    parts["do"] = instruction(found) if changed else ""
    parts["Do"] = parts["do"][:1].upper() + parts["do"][1:]
    parts["gain"] = -row["nll_change"]["difference"]
    texts = TEXTS["sentence"]
    parts |= {name: texts[name].format(**parts) for name in ("unseen", "beside", "becomes")}
    if found["looks_wrong"]:
        case = "wrong"
    elif found["too_few"]:
        case = "few"
    elif not changed:
        case = "left" if not chance else "fine" if ece["high"] <= LARGE else "untold"
    else:
        case = "better" if chance else "confirmed" if chosen["confirmed"] else "unconfirmed"
    return str(texts[case].format(**parts))


def _between(number: Found) -> tuple[str, str]:
    """Return a share in percent, and its ends with the digits that tell all three apart."""
    if "low" not in number:
        return percent(number["value"]), ""
    three = [number[which] for which in ("value", "low", "high")]
    for digits in (None, 1, 2):
        value, low, high = (percent(share, digits) for share in three)
        if len({value, low, high}) == 3:
            break
    return value, f", between {low} and {high}"


def instruction(found: Found) -> str:
    name, temperature = found["recommended"]["name"], found.get("temperature")
    if temperature is None:
        return f"apply the saved map ({name})"
    what = "logits" if found["kind"] == "logits" else "logarithms of the probabilities"
    if found["task"] != "classes":
        what = "log odds of the confidence" if found["task"] == "pairs" else "log odds"
    verb = "divide" if temperature >= 1 else "multiply"
    by = temperature if temperature >= 1 else 1 / temperature
    floor, ends = found["floor"], ""
    if floor is not None and floor > FLOOR:  # its logarithm or odds are infinite
        ends = f" (0 and 1 count as {floor:.2g} and {1 - floor:.4g})"
        if found["task"] == "classes":
            ends = f" (a probability of 0 counts as {floor:.2g})"
    return f"{verb} the {what} by {by:.3g}{ends}"


def percent(value: float | None, digits: int | None = None) -> str:
    """Write a share in percent, with two digits that count.

    Examples
    --------
    >>> percent(0.9712), percent(0.0551), percent(0.0061), percent(0.97, 1), percent(0.0)
    ('97 %', '5.5 %', '0.61 %', '97.0 %', '0 %')
    """
    if value is None or not np.isfinite(value):
        return "infinite" if value is not None and value > 0 else "unknown"
    if digits is None:
        size = abs(100 * value)
        digits = 0 if size >= 9.95 or size == 0 else 1 if size >= 0.995 else 2
    return f"{100 * value:.{digits}f} %"


def decimals(value: float | None, like: float | None = None) -> str:
    """Write a number with four decimals, or as many as show three digits of it, or of `like`.

    Examples
    --------
    >>> decimals(0.04312), decimals(0.000123456), decimals(0.0, like=0.00123), decimals(1.5)
    ('0.0431', '0.000123', '0.00000', '1.5000')
    """
    if value is None or not np.isfinite(value):
        return "infinite" if value is None or value > 0 else "−infinite"
    size = abs(value if like is None or not np.isfinite(like) else like)
    if not 0 < size < 0.01:
        return f"{value:.4f}"
    return f"{value:.{min(2 - int(np.floor(np.log10(size))), 9)}f}"


def interval(number: Found) -> str:
    """Write the ends of a number's interval; nothing where there is none."""
    if "low" not in number:
        return ""
    return " to ".join(decimals(number[end], like=number["value"]) for end in ("low", "high"))
