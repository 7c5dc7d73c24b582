"""Compare a program with the cases: put your functions into `answers`, then run this module.

Each takes labels, a list of rows of probabilities and weights (None where there are none), and
returns a number, or None where it does not apply. Copy it into any language: there is nothing but
JSON and a comparison.
"""

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from evidence.data import data_folder

Answer = Callable[[list[int], list[list[float]], list[float] | None], float | None]


def cases_folder() -> Path:
    """The folder of the cases."""
    return data_folder() / "conformance"


def differences(
    answers: dict[str, Answer], tolerance: float = 1e-9
) -> Iterator[tuple[str, str, float | str, float]]:
    """Yield case, definition, what is expected and what was answered, where they differ."""
    tolerances = {
        d["id"]: d["tolerance"] for d in read_json("definitions.json")["definitions"]
    }
    for path in sorted(cases_folder().glob("[0-9][0-9]-*.json")):
        case = read_json(path.name)
        for name, expected in case["values"].items():
            if name in answers:
                values = answers[name](case["y"], case["p"], case.get("weight"))
                t = max(tolerance, tolerances[name])
                if values is None or math.isclose(
                    values, float(expected), rel_tol=t, abs_tol=t
                ):
                    continue
                yield case["name"], name, expected, values


def read_json(name: str) -> Any:
    return json.loads((cases_folder() / name).read_text())


def accuracy(y: list[int], p: list[list[float]], weight: list[float] | None) -> float:
    """An example of an answer."""
    weight = weight or [1] * len(y)
    hits = [row.index(max(row)) == label for row, label in zip(p, y, strict=True)]
    return sum(w * hit for w, hit in zip(weight, hits, strict=True)) / sum(weight)


if __name__ == "__main__":
    print(*differences({"accuracy": accuracy}), sep="\n")
