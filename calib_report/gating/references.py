"""What a model is held to: outputs on the same samples, or the numbers of an earlier report."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calib_report.checked_numbers import number_in_json
from calib_report.model_outputs import TASKS, ModelOutputs
from calib_report.schema import Number, Numbers

# the numbers that are held to those of a reference
MORE_IS_WORSE = {"accuracy": False, "NLL": True, "Brier": True, "ECE": True}


@dataclass(frozen=True)
class ReferenceOutputs:
    """Outputs on the same samples that a model is held to."""

    name: str
    outputs: ModelOutputs


@dataclass(frozen=True)
class ReferenceNumbers:
    """The numbers of a report.json, of other samples, checked."""

    name: str
    task: str
    classes: list[str]
    numbers: Numbers


def read_reference(source: str | Path) -> ReferenceNumbers | None:
    """Return the numbers of a report.json, checked; None of another file, such as outputs."""
    path = Path(source)
    if path.suffix.lower() != ".json":
        return None
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or "before" not in content:
        return None
    return reference_numbers(content, path.name)


def reference_numbers(report: dict[str, Any], name: str) -> ReferenceNumbers:
    """Return the numbers of a report, of which every one that rules need is there and in order."""
    task, before = report.get("task"), report.get("before")
    if task not in TASKS or not isinstance(before, dict):
        raise ValueError(
            f"{name}: not a report.json: it has no 'task', or no numbers 'before'"
        )
    keys = [*MORE_IS_WORSE]
    if task == "labels":  # of which some share is yes, which is no accuracy
        keys.remove("accuracy")
    numbers = {
        key: _number_of_report(before.get(key), f"{name}: {key}") for key in keys
    }
    classes = _classes_of_report(report)
    if task == "classes" and not classes:
        raise ValueError(f"{name}: not a report.json: it does not name its 'classes'")
    return ReferenceNumbers(name, task, classes, numbers)


def _classes_of_report(report: dict[str, Any]) -> list[str]:
    rows = report.get("classes")
    if not isinstance(rows, list):
        return []
    rows = [row for row in rows if isinstance(row, dict)]
    return [str(row["class"]) for row in rows if "class" in row]


def _number_of_report(row: Any, what: str) -> Number:
    """Return a number of a report.json, in which null is what is infinite."""
    if not isinstance(row, dict) or "value" not in row:
        raise ValueError(f"{what}: not there, so that nothing can be held to it")
    names = [name for name in ("value", "low", "high") if name in row]
    number = {name: _finite_or_infinite(row[name], f"{what}: {name}") for name in names}
    value = number["value"]
    if not np.isfinite(value):
        return {"value": np.inf}
    # of losses that were all equal there is no interval
    if len(number) == 1:
        return {"value": value}
    low, high = number.get("low", np.nan), number.get("high", np.nan)
    if not low <= value <= high:
        raise ValueError(f"{what}: {number}, expected an interval that holds the value")
    return {"value": value, "low": low, "high": high}


def _finite_or_infinite(value: Any, what: str) -> float:
    return np.inf if value is None else number_in_json(value, what)
