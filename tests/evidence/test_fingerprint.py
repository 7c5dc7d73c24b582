"""What the cache of a study knows a value by: all of its numbers, and its code."""

import importlib.util
import sys
import threading
from copy import deepcopy
from functools import partial

import numpy as np
import pytest

from book.evidence.fingerprint import fingerprint
from calib import OneVsRest, ece, equal_mass, equal_width

LONG = np.arange(2000.0)
TURNED = LONG[::-1].copy()


class Map:
    def __init__(self, held):
        self.held = held


class Slotted:
    __slots__ = ("held",)

    def __init__(self, held):
        self.held = held


@pytest.mark.parametrize("holder", [Map, Slotted, OneVsRest, lambda held: partial(ece, bins=held)])
@pytest.mark.parametrize("parts", [(LONG, TURNED), ([LONG], [TURNED]), ({1, 2}, {1, 3})])
def test_every_number_counts(holder, parts):
    first, second = (fingerprint(holder(part)) for part in parts)
    assert fingerprint(holder(deepcopy(parts[0]))) == first != second


def test_equal_parts_are_written_alike():
    text = "".join(["ma", "ss"])
    assert fingerprint(["mass", "mass"]) == fingerprint(["mass", text])
    assert fingerprint(partial(ece, bins=equal_mass(5))) != fingerprint(
        partial(ece, bins=equal_width(5))
    )


SOURCE = """
from calib.maps.base import ScoreCalibrator
class Base:
    def fit(self, z, y): return self
    def predict_proba(self, z): return z ** POWER
class Child(Base): pass
class Own(ScoreCalibrator):
    def __init__(self, b=0): self.b = b
    def _predict(self, score): return score ** POWER
def metric(y, p): return POWER
def made(held): return lambda y, p: held
"""
USES = {
    "a class": lambda module: module.Base(),
    "its base": lambda module: module.Child(),
    "a nested map": lambda module: OneVsRest(module.Own()),
    "a map in a list": lambda module: [module.Own()],
    "a function": lambda module: partial(module.metric, p=1),
}


def loaded(folder, source, monkeypatch):
    file = folder / "own_map.py"
    file.write_text(source, "utf-8")
    spec = importlib.util.spec_from_file_location("own_map", file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "own_map", module)
    exec(compile(source, file, "exec"), vars(module))
    return module


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_an_edit_changes_it(use, tmp_path, monkeypatch):
    found = [
        fingerprint(use(loaded(tmp_path, SOURCE.replace("POWER", power), monkeypatch)))
        for power in ("1.0", "3.00", "1.0")
    ]
    assert found[0] == found[2] != found[1]


def test_what_a_function_holds_counts(tmp_path, monkeypatch):
    made = loaded(tmp_path, SOURCE.replace("POWER", "1"), monkeypatch).made
    assert fingerprint(made(LONG)) == fingerprint(made(LONG.copy())) != fingerprint(made(TURNED))


@pytest.mark.parametrize("part", [threading.Lock(), eval("lambda: 0"), (i for i in "ab")])
def test_what_has_none_is_refused(part):
    with pytest.raises(ValueError, match=r"fingerprint|source"):
        fingerprint(Map(part))
