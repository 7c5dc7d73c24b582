"""Published cases of calibration errors and proper scores: labels, probabilities, exact values."""

import json
import math
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

CASES = files("calibration_conformance") / "cases"


def definitions() -> dict[str, dict[str, Any]]:
    """Return the definitions by their name: formula, a sentence, tolerance."""
    content = json.loads((CASES / "definitions.json").read_text("utf-8"))
    return {definition["id"]: definition for definition in content["definitions"]}


def cases() -> Iterator[dict[str, Any]]:
    """Yield each case: its name, y, p, perhaps weights, and the value by each definition."""
    for place in sorted(CASES.iterdir(), key=lambda place: place.name):
        if place.name[:2].isdigit():
            yield json.loads(place.read_text("utf-8"))


def agrees(found: float, case: dict[str, Any], name: str) -> bool:
    """Tell whether an answer is the value of a case, within the tolerance of the definition."""
    expected, tolerance = float(case["values"][name]), definitions()[name]["tolerance"]
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)
