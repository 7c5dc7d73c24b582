"""Rules that the numbers of a model are held to, broken only where chance does not explain it."""

import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from calib_report.comparison import compare_two
from calib_report.contract import few
from calib_report.decide import asked_of, check_share, declined, number
from calib_report.measure import Found, HeldOut, numbers_as_they_are, other_numbers, unchanged
from calib_report.outputs import ModelOutputs
from calib_report.table import read
from calib_report.words import decimals, interval, percent

Told = tuple[bool, str]  # whether a rule holds, and a line that says why
AGAINST = {"accuracy": -1, "NLL": 1, "Brier": 1, "ECE": 1}  # 1 where more is worse


def check(outputs: ModelOutputs, asked: Namespace, reading: Found) -> tuple[Found, list[Told]]:
    """Return all numbers of outputs, and whether each rule holds, with a line that says why."""
    rng, own = np.random.default_rng(asked.seed), unchanged(outputs)
    found = numbers_as_they_are(outputs, own, rng) | other_numbers(outputs, own, rng)
    told = [*_bounds(found, asked)]
    if asked.max_risk is not None:
        told.append(_alone(outputs, own, asked.max_risk, asked.seed))
    if asked.against is not None:
        told += _against(outputs, found, asked, reading)
    return found, told


def _bounds(found: Found, asked: Namespace) -> Iterator[Told]:
    """Hold numbers to the bounds of ``--max`` and ``--min``."""
    named = {name.lower().replace(" ", "-"): name for name in found if "low" in found[name]}
    for text, most in [(text, True) for text in asked.max] + [(text, False) for text in asked.min]:
        key, _, said = text.rpartition("=")
        if (name := named.get(key.lower())) is None:
            known = few(named, 20)
            raise ValueError(f"{text!r}: expected NAME=NUMBER, of what has an interval: {known}")
        value, bound = found[name], number(said, key)
        holds = value["low"] <= bound if most else value["high"] >= bound
        rule = f"{'at most' if most else 'at least'} {bound:g}"
        yield bool(holds), f"{name} {decimals(value['value'])} ({interval(value)}), {rule}"


def _alone(outputs: ModelOutputs, own: HeldOut, risk: float, seed: int) -> Told:
    """Say which share may be decided alone: a threshold of one half, tried on the other."""
    asked = asked_of(outputs, risk=check_share(risk, "max_risk"))
    found = declined(own, np.random.default_rng(seed), asked)
    allowed = f"at most {percent(risk)} errors"
    if found["errors"] is None:
        return False, f"no answer may be decided alone with {allowed}"
    errors, exact = found["errors"], found["at_most"]
    bound = "" if exact is None else f", at most {percent(exact)} (exact, 95 %)"
    return errors.get("low", 0) <= risk, (
        f"{percent(found['kept']['value'])} of the answers, from a confidence of "
        f"{decimals(found['threshold'])} on, may be decided alone with {allowed}: tried on the "
        f"other half {percent(errors['value'])} ({interval(errors)}) are wrong{bound}"
    )


def _against(new: ModelOutputs, found: Found, asked: Namespace, reading: Found) -> Iterator[Told]:
    """Hold numbers to those of a base: paired on the same samples, else by their intervals."""
    path = Path(asked.against)
    base = json.loads(path.read_text("utf-8")) if path.suffix.lower() == ".json" else None
    if isinstance(base, dict) and "before" in base:
        base = base["before"]
        changes = {name: _unpaired(base[name], found[name]) for name in AGAINST if name in base}
    else:
        two = compare_two(read(path, **reading), new, seed=asked.seed)
        changes = {name: two[f"{name}, 15 bins" if name == "ECE" else name] for name in AGAINST}
    for name, change in changes.items():
        if "low" in change:
            worse = change["low"] > 0 if AGAINST[name] > 0 else change["high"] < 0
            change["value"] = change["difference"]
            told = f"{decimals(change['value'])} ({interval(change)})"
            yield not worse, f"{name} less that of {path.name}: {told}"


def _unpaired(base: Found, new: Found) -> Found:
    """Return the difference of numbers of other samples, by their intervals (Zou & Donner 2008)."""
    if any(number.get(end) is None for number in (base, new) for end in ("low", "high")):
        return {}
    change = new["value"] - base["value"]
    down = np.hypot(new["value"] - new["low"], base["high"] - base["value"])
    up = np.hypot(new["high"] - new["value"], base["value"] - base["low"])
    return {"difference": change, "low": change - down, "high": change + up}
