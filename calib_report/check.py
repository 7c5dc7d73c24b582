"""Rules that the numbers of a model are held to, broken only where chance does not explain it."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from calib_report.asked import Asked, check_share, number
from calib_report.comparison import compare_two
from calib_report.decide import declined
from calib_report.losses import HeldOut, unchanged
from calib_report.measure import Number, numbers_as_they_are, other_numbers
from calib_report.outputs import ModelOutputs
from calib_report.table import read
from calib_report.words import decimals, few_of, interval, percent

AGAINST = {"accuracy": -1, "NLL": 1, "Brier": 1, "ECE": 1}  # 1 where more is worse


def numbers(
    outputs: ModelOutputs, seed: int, progress: Callable[[str], None]
) -> tuple[dict[str, Number], HeldOut]:
    """Return all numbers of outputs as they are, and their losses."""
    rng, own = np.random.default_rng(seed), unchanged(outputs)
    progress("six numbers with their intervals")
    found = numbers_as_they_are(outputs, own, rng)
    return found | other_numbers(outputs, own, rng=rng, progress=progress), own


def rules(
    outputs: ModelOutputs, found: dict[str, Number], own: HeldOut, asked: Namespace
) -> Iterator[tuple[bool, str]]:
    """Yield of each rule whether it holds, and a line that says why."""
    named = {name.lower().replace(" ", "-"): name for name in found if "low" in found[name]}
    for bounds, most in ((asked.max, True), (asked.min, False)):
        for text in bounds:
            key, _, bound = text.rpartition("=")
            if key.lower() not in named:
                known = few_of(list(named), 20)
                raise ValueError(
                    f"{text!r}: expected NAME=NUMBER, of what has an interval: {known}"
                )
            name = named[key.lower()]
            yield _bounded(name, found[name], number(bound, key), most)
    if asked.max_risk is not None:
        yield _alone(outputs, own, asked.max_risk, asked.seed)
    if asked.against is not None:
        yield from _against(outputs, found, asked)


def _bounded(name: str, found: Number, bound: float, most: bool) -> tuple[bool, str]:
    holds = found["low"] <= bound if most else found["high"] >= bound
    said = f"{name} {decimals(found['value'])} ({interval(found)}), "
    return bool(holds), f"{said}{'at most' if most else 'at least'} {bound:g}"


def _alone(outputs: ModelOutputs, own: HeldOut, risk: float, seed: int) -> tuple[bool, str]:
    """Say which share may be decided alone: a threshold of one half, tried on the other."""
    asked = Asked.of(outputs, risk=check_share(risk, "max_risk"))
    found = declined(own, np.random.default_rng(seed), asked)
    allowed = f"at most {percent(risk)} errors"
    if found["errors"] is None:
        return False, f"no answer may be decided alone with {allowed}"
    kept, errors = found["kept"]["value"], found["errors"]
    exact = found["at_most"]
    bound = "" if exact is None else f", at most {percent(exact)} (exact, 95 %)"
    return errors.get("low", 0) <= risk, (
        f"{percent(kept)} of the answers, from a confidence of {decimals(found['threshold'])} on, "
        f"may be decided alone with {allowed}: tried on the other half {percent(errors['value'])} "
        f"({interval(errors)}) are wrong{bound}"
    )


def _against(
    outputs: ModelOutputs, found: dict[str, Number], asked: Namespace
) -> Iterator[tuple[bool, str]]:
    """Hold numbers to those of a base: paired on the same samples, else by their intervals."""
    from calib_report.command import reading

    base, path = None, Path(asked.against)
    if path.suffix.lower() == ".json":
        base = json.loads(path.read_text("utf-8"))
        base = base.get("before") if isinstance(base, dict) else None
    if base is not None:
        changes = {name: _unpaired(base[name], found[name]) for name in AGAINST if name in base}
    else:
        two = compare_two(read(path, **reading(asked)), outputs, seed=asked.seed)
        changes = {name: two[f"{name}, 15 bins" if name == "ECE" else name] for name in AGAINST}
    for name, change in changes.items():
        if "low" not in change:
            continue
        worse = change["low"] > 0 if AGAINST[name] > 0 else change["high"] < 0
        ends = f"{decimals(change['low'])} to {decimals(change['high'])}"
        yield (
            not worse,
            f"{name} less that of {path.name}: {decimals(change['difference'])} ({ends})",
        )


def _unpaired(base: Number, new: Number) -> dict[str, Any]:
    """Return the difference of numbers of other samples, by their intervals (Zou & Donner 2008)."""
    if any(number.get(end) is None for number in (base, new) for end in ("low", "high")):
        return {}
    change = new["value"] - base["value"]
    down = np.hypot(new["value"] - new["low"], base["high"] - base["value"])
    up = np.hypot(new["high"] - new["value"], base["value"] - base["low"])
    return {"difference": change, "low": change - down, "high": change + up}
