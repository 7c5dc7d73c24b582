"""The report in a sentence, right in every case, and how its numbers are written."""

import re
import tomllib
from importlib.resources import files
from typing import Any

import numpy as np

from calib_report.measure import CALIBRATED

TEXTS = tomllib.loads(files("calib_report").joinpath("texts.toml").read_text("utf-8"))
SMALLEST_PROBABILITY = 1e-12  # what a zero counts as where nothing says more
LARGE = 0.02  # calibration error from which one that would not show is worth a word
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    r"""Write what steers a terminal, or turns the direction of a line, as its code.

    Examples
    --------
    >>> visible("ward\x1b[2J")
    'ward\\x1b[2J'
    """
    return UNSEEN.sub(lambda found: ascii(found.group())[1:-1], text)


def plain(text: str) -> str:
    r"""Write text so that Markdown takes it for text.

    Examples
    --------
    >>> print(plain("<b> a|b"))
    \<b\> a\|b
    """
    return re.sub(r"([\\`*_\[\]<>|#~!])", r"\\\1", visible(text))


def few_of(names: list[str], most: int = 8) -> str:
    """Write the first names, quoted."""
    return ", ".join(map(repr, names[:most])) + ", …" * (len(names) > most) or "nothing"


def sentence(found: dict[str, Any]) -> str:
    """Return what the numbers of a report say, in plain words."""
    chosen, ece = found["recommended"], found["before"]["ECE"]
    says = _says(found)
    if found["looks_wrong"]:
        return f"Look at the file first: {found['looks_wrong']} As it was read: {says}."
    if found["too_few"]:
        value, ends = _between(found["gap"])
        return (
            f"{says} (the difference is {value}{ends}). There is too little to say "
            f"more: {chosen['reason']}."
        )
    chance = ece["p_value"] > CALIBRATED
    if chance and chosen["name"] == "none":
        return f"{says}{_unseen(ece)} Change nothing."
    if chosen["name"] == "none":
        return (
            f"{says}. {_beside_chance(ece)}, and none of the maps that were tried lowers the loss "
            "on held-out samples by more than chance would: leave the probabilities, and look at "
            "where they are wrong."
        )
    do, after = instruction(found), found["after"]["ECE"]
    becomes = (
        f"the error becomes {percent(after['value'])}, where a calibrated model would show "
        f"{percent(after['chance'])}"
    )
    if chance:
        return (
            f"{says}. On average that is as good as calibrated (error {percent(ece['value'])}, "
            f"chance alone {percent(ece['chance'])}), but single probabilities can be better: "
            f"{do}, and the loss on held-out samples falls by {-_change(found):.2g}; {becomes}."
        )
    if not chosen["confirmed"]:
        return (
            f"{says}. {_beside_chance(ece)}. On so few samples no map is clearly better; one "
            f"number is the least that can help: {do}. Its gain is not confirmed."
        )
    return f"{says}. {_beside_chance(ece)}. {do[0].upper()}{do[1:]}, and {becomes}."


def _says(found: dict[str, Any]) -> str:
    score, hit = found["mean_confidence"], found["hit_rate"]
    gap = abs(score - hit)
    digits = 0 if gap >= 0.02 else 1 if gap >= 0.002 else 2
    numbers = {"score": percent(score, digits), "hit": percent(hit, digits)}
    return str(TEXTS["says"][found["task"]]).format(**numbers)


def _unseen(ece: dict[str, Any]) -> str:
    """Say of an error that chance explains how large a true one could be without showing."""
    beside = (
        f"Its calibration error, {percent(ece['value'])}, is what chance alone shows of a "
        f"calibrated model of this size ({percent(ece['chance'])} on average, up to "
        f"{percent(ece['chance_high'])})."
    )
    if ece["high"] <= LARGE:
        return f": fine as it is. {beside}"
    largest = percent(ece["high"])
    return f". It cannot be told from calibrated: an error up to {largest} would not show. {beside}"


def _beside_chance(ece: dict[str, Any]) -> str:
    value, ends = _between(ece)
    return (
        f"That is more than chance would do: the calibration error is {value}{ends}, where a "
        f"calibrated model of this size would show {percent(ece['chance'])}"
    )


def _between(number: dict[str, Any]) -> tuple[str, str]:
    """Return a share in percent, and its ends with the digits that tell all three apart.

    Examples
    --------
    >>> _between({"value": 0.1299, "low": 0.127, "high": 0.133})
    ('13.0 %', ', between 12.7 % and 13.3 %')
    >>> _between({"value": 0.13})
    ('13 %', '')
    """
    if "low" not in number:
        return percent(number["value"]), ""
    three = [number[which] for which in ("value", "low", "high")]
    for digits in (None, 1, 2):
        value, low, high = (percent(share, digits) for share in three)
        if len({value, low, high}) == 3:
            break
    return value, f", between {low} and {high}"


def _change(found: dict[str, Any]) -> float:
    name = found["recommended"]["name"]
    row = next(row for row in found["comparison"] if row["name"] == name)
    return float(row["nll_change"]["difference"])


def instruction(found: dict[str, Any]) -> str:
    """Return what to do, in a few words."""
    name, temperature = found["recommended"]["name"], found.get("temperature")
    if temperature is None:
        return f"apply the saved map ({name})"
    what = "logits" if found["kind"] == "logits" else "logarithms of the probabilities"
    if found["task"] != "classes":
        what = "log odds of the confidence" if found["task"] == "pairs" else "log odds"
    verb = "divide" if temperature >= 1 else "multiply"
    by = temperature if temperature >= 1 else 1 / temperature
    return f"{verb} the {what} by {by:.3g}{_ends(found)}"


def _ends(found: dict[str, Any]) -> str:
    """Say what stands for a probability of 0 or 1, whose logarithm or odds are infinite."""
    floor = found["floor"]
    if floor is None or floor <= SMALLEST_PROBABILITY:
        return ""
    if found["task"] == "classes":
        return f" (a probability of 0 counts as {floor:.2g})"
    return f" (0 and 1 count as {floor:.2g} and {1 - floor:.4g})"


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


def few(number: dict[str, Any]) -> str:
    """Write a mean count and its ends with the decimals that its interval leaves.

    Examples
    --------
    >>> few({"value": 48.9313, "low": 48.8557, "high": 49.0069})
    '48.93 (48.86 to 49.01)'
    """
    if "low" not in number:
        return f"{number['value']:.1f}"
    width = number["high"] - number["low"]
    digits = int(np.clip(1 - np.floor(np.log10(max(width, 1e-4))), 1, 4))
    value, low, high = (f"{number[which]:.{digits}f}" for which in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def interval(number: dict[str, Any]) -> str:
    """Write the ends of a number's interval; nothing where there is none."""
    if "low" not in number:
        return ""
    return " to ".join(decimals(number[end], like=number["value"]) for end in ("low", "high"))
