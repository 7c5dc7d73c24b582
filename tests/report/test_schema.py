"""The types of a report and schema.json name the same keys, and the same ones as optional."""

import types
import typing

import pytest
from described import DESCRIPTION

from calib_report.schema import SCHEMA, Number, ReportFile

WORDS = {str: "string", int: "integer", float: "number", bool: "boolean"}


def resolved(node):
    """Return what a node describes, without a reference."""
    if "$ref" in node:
        return DESCRIPTION["$defs"][node["$ref"].removeprefix("#/$defs/")]
    return node


def disagreements(node, kind, place="report"):
    """Yield where a type says something else than the description does."""
    node = resolved(node)
    if isinstance(kind, types.UnionType) and types.NoneType in typing.get_args(kind):
        (kind,) = set(typing.get_args(kind)) - {types.NoneType}
        yield from without_null(node, place)
        node = described_beside_null(node)
    if isinstance(kind, types.UnionType):
        for part, one in zip(node["anyOf"], typing.get_args(kind), strict=True):
            yield from disagreements(part, one, f"{place} {one.__name__}")
    elif typing.is_typeddict(kind):
        yield from of_keys(node, kind, place)
    elif typing.get_origin(kind) is list:
        (entry,) = typing.get_args(kind)
        yield from disagreements(node["items"], entry, f"{place}[]")
    elif typing.get_origin(kind) is dict:
        entry = typing.get_args(kind)[1]
        if entry is not typing.Any:
            yield from disagreements(
                node["additionalProperties"], entry, f"{place}{{}}"
            )
    elif "enum" not in node and "const" not in node:
        if WORDS[kind] not in as_list(node["type"]):
            yield f"{place} is {kind.__name__}, described as {node['type']}"


def of_keys(node, kind, place):
    """Yield where a dict has other keys, or others that may be absent."""
    if set(node["properties"]) != kind.__required_keys__ | kind.__optional_keys__:
        yield f"{place} has other keys"
    elif set(node.get("required", [])) != kind.__required_keys__:
        yield f"{place} requires other keys"
    elif node["additionalProperties"] is not False:
        yield f"{place} may have more keys"
    else:
        for name, part in typing.get_type_hints(kind).items():
            inner = node["properties"][name]
            yield from disagreements(inner, part, f"{place}.{name}")


def without_null(node, place):
    """Yield that a description knows no null."""
    if "anyOf" not in node and "null" not in as_list(node["type"]):
        yield f"{place} may be None, which is not described"


def described_beside_null(node):
    """Return what is described where a value is not null."""
    if "anyOf" not in node:
        return node
    (part,) = [part for part in node["anyOf"] if part != {"type": "null"}]
    return resolved(part)


def as_list(words):
    return [words] if isinstance(words, str) else words


def test_types_and_description_agree():
    assert list(disagreements(DESCRIPTION, ReportFile)) == []
    assert DESCRIPTION["properties"]["schema"] == {
        "description": DESCRIPTION["properties"]["schema"]["description"],
        "const": SCHEMA,
    }


class WithOneMore(ReportFile):
    more: int


class WithAnotherNumber(ReportFile):
    n: str


class NumberWithOneMore(Number):
    more: typing.NotRequired[float]


@pytest.mark.parametrize(
    ("node", "kind", "place"),
    [
        (DESCRIPTION, WithOneMore, "report has other keys"),
        (DESCRIPTION, WithAnotherNumber, "report.n is str, described as integer"),
        (DESCRIPTION["$defs"]["number"], NumberWithOneMore, "report has other keys"),
        (
            {**DESCRIPTION, "required": DESCRIPTION["required"][1:]},
            ReportFile,
            "report requires other keys",
        ),
    ],
)
def test_another_key_or_type_is_seen(node, kind, place):
    assert list(disagreements(node, kind)) == [place]
