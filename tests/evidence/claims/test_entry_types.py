"""What a key of a file of claims may hold."""

from typing import TypedDict

import pytest

from evidence.claims.entry_types import ClaimError, check_mapping, fits, in_words


class Limit(TypedDict):
    member: str
    below: float


# a type, values that are of it, and values that are not
VALUES = {
    "a number": (float, [1, 0.5], ["1", True, None]),
    "a whole number": (int, [1], [0.5, True]),
    "true or false": (bool, [True], [1, "yes"]),
    "a text or a list of texts": (str | list[str], ["a", ["a", "b"], []], [1, [1]]),
    "a list of 2 texts": (tuple[str, str], [["a", "b"]], [["a"], "ab"]),
    "a mapping with the keys member, below": (
        Limit,
        [{"member": "x", "below": 1}],
        [{"member": "x"}, {"member": "x", "below": "1"}, "x"],
    ),
}


@pytest.mark.parametrize("words", VALUES)
def test_a_value_is_of_a_type_or_not_and_the_type_has_its_words(words):
    kind, of_it, others = VALUES[words]
    assert all(fits(value, kind) for value in of_it)
    assert not any(fits(value, kind) for value in others)
    assert in_words(kind) == words


WRONG = {
    "no mapping": ("a", "zoo: 'a' is no mapping; its keys are test, rows"),
    "a key too much": (
        {"test": "x", "row": {}},
        "zoo: key: 'row' is not known.*'rows'",
    ),
    "a key too few": ({"rows": {}}, "zoo: it has no 'test'; it needs test"),
    "another type": ({"test": 1}, "zoo: test: 1 is not a text"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mapping_is_refused_with_its_place_key_and_type(name):
    value, words = WRONG[name]
    with pytest.raises(ClaimError, match=words):
        check_mapping("zoo: ", value, {"test": str, "rows": dict}, ["test"])
