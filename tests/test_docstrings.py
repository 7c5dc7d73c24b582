"""Every public name says what it takes, gives and raises, and shows an example."""

import inspect
import re

import pytest

import calib

NOTHING_TO_RETURN = {"save_map"}
TOO_SLOW_FOR_AN_EXAMPLE = {"make_report"}
PUBLIC = [
    name for name in calib.__all__
    if not (inspect.isclass(value := getattr(calib, name)) and issubclass(value, Exception))
]  # fmt: skip


def sections(value):
    return set(re.findall(r"^(\w+)\n-{3,}$", inspect.getdoc(value), re.MULTILINE))


def arguments(value):
    return [name for name in inspect.signature(value).parameters if name not in ("args", "kwargs")]


@pytest.mark.parametrize("name", PUBLIC)
def test_sections(name):
    value = getattr(calib, name)
    there = sections(value)
    missing = {"Examples"} - there - ({"Examples"} if name in TOO_SLOW_FOR_AN_EXAMPLE else set())
    if inspect.isclass(value):
        described = there & {"Parameters", "Attributes"} or not arguments(value)
        missing |= set() if described else {"Parameters or Attributes"}
    else:
        missing |= ({"Parameters"} if arguments(value) else set()) - there
        missing |= {"Returns"} - there - ({"Returns"} if name in NOTHING_TO_RETURN else set())
        missing |= ({"Raises"} if arguments(value) else set()) - there
    assert not missing, f"{name} lacks {sorted(missing)}"


@pytest.mark.parametrize("name", PUBLIC)
def test_every_argument_is_described(name):
    value = getattr(calib, name)
    text = inspect.getdoc(value)
    silent = [
        a for a in arguments(value) if not re.search(rf"(?<!\w){a}\b[^\n]*(:|\n {{4}})", text)
    ]
    assert not silent, f"{name} does not describe {silent}"


@pytest.mark.parametrize("name", [n for n in PUBLIC if inspect.isclass(getattr(calib, n))])
def test_every_public_method_is_described(name):
    cls = getattr(calib, name)
    methods = [m for m in vars(cls) if not m.startswith("_") and callable(getattr(cls, m))]
    assert all(inspect.getdoc(getattr(cls, method)) for method in methods)
