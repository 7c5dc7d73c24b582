"""The report in a sentence, right in every case, and how its numbers are written."""

from typing import Any

import numpy as np

from calib.checks import SMALLEST_PROBABILITY
from calib.report.measurement import CALIBRATED

SAYS = {  # of a task: what it says, and how often that is so
    "classes": ("It says {score}, and is right {hit} of the time", "right"),
    "pairs": ("It says {score}, and is right {hit} of the time", "right"),
    "labels": ("It gives a label {score} on average, and {hit} of the labels are there", "there"),
}


def sentence(found: Any) -> str:
    """Return what the numbers of a report say, in plain words."""
    before, chosen = found["before"], found["recommended"]["name"]
    says = _says(found)
    if found["looks_wrong"]:
        return f"Look at the file first: {found['looks_wrong']} As it was read: {says}."
    if found["too_few"]:
        gap = found["gap"]
        value, ends = _between(gap)
        return (
            f"{says} (the difference is {value}{ends}). There is too little to say "
            f"more: {found['recommended']['reason']}."
        )
    ece = before["ECE"]
    chance = ece["p_value"] > CALIBRATED
    off = _beside_chance(ece)
    if chance and chosen == "none":
        return (
            f"{says}: fine as it is. Its calibration error, {percent(ece['value'])}, is what "
            "chance alone shows of a calibrated model of this size "
            f"({percent(ece['chance'])} on average, up to {percent(ece['chance_high'])}). "
            "Change nothing."
        )
    if chosen == "none":
        return (
            f"{says}. {off}, and none of the maps that were tried lowers the loss on held-out "
            "samples by more than chance would: leave the probabilities, and look at where they "
            "are wrong."
        )
    after = found["after"]["ECE"]
    becomes = (
        f"the error becomes {percent(after['value'])}, where a calibrated model would show "
        f"{percent(after['chance'])}"
    )
    do = instruction(found)
    if chance:
        return (
            f"{says}. On average that is as good as calibrated (error {percent(ece['value'])}, "
            f"chance alone {percent(ece['chance'])}), but single probabilities can be better: "
            f"{do}, and the loss on held-out samples falls by {-_change(found):.2g}; {becomes}."
        )
    return f"{says}. {off}. {do[0].upper()}{do[1:]}, and {becomes}."


def _says(found: dict[str, Any]) -> str:
    score, hit = found["mean_confidence"], found["hit_rate"]
    digits = _digits(score - hit)
    numbers = {"score": percent(score, digits), "hit": percent(hit, digits)}
    return SAYS[found["task"]][0].format(**numbers)


def _digits(gap: Any) -> int:
    """Return how many digits of a percentage show a gap."""
    return 0 if abs(gap) >= 0.02 else 1 if abs(gap) >= 0.002 else 2


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


def _change(found: Any) -> Any:
    name = found["recommended"]["name"]
    row = next(row for row in found["comparison"] if row["name"] == name)
    return row["nll_change"]["difference"]


def instruction(found: Any) -> str:
    """Return what to do, in a few words."""
    name, temperature = found["recommended"]["name"], found.get("temperature")
    if temperature is None:
        return f"apply the saved map ({name})"
    what = "logits" if found["kind"] == "logits" else "logarithms of the probabilities"
    if found["task"] == "pairs":
        what = "log odds of the confidence"
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


def percent(value: Any, digits: Any = None) -> str:
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


def decimals(value: Any, like: Any = None) -> str:
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


def few(number: Any) -> str:
    """Write a mean count and its ends with the decimals that its interval leaves.

    Examples
    --------
    >>> few({"value": 48.9313, "low": 48.8557, "high": 49.0069})
    '48.93 (48.86 to 49.01)'
    >>> few({"value": 2.4, "low": 1.9, "high": 2.9})
    '2.4 (1.9 to 2.9)'
    """
    if "low" not in number:
        return f"{number['value']:.1f}"
    width = number["high"] - number["low"]
    digits = int(np.clip(1 - np.floor(np.log10(max(width, 1e-4))), 1, 4))
    value, low, high = (f"{number[which]:.{digits}f}" for which in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def interval(number: Any) -> str:
    """Write the ends of a number's interval; nothing where there is none."""
    if "low" not in number:
        return ""
    ends = (decimals(number[end], like=number["value"]) for end in ("low", "high"))
    return " to ".join(ends)
