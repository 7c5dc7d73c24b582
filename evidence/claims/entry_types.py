"""What a key of a file of claims may hold: types, and the errors that name key, value and type."""

from collections.abc import Collection, Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, is_typeddict

from evidence.claims.vocabulary import unknown

WORDS = {
    bool: "true or false",
    dict: "a mapping",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "a text",
}


class ClaimError(ValueError):
    """Something in a file of claims is no claim; the message says what, and where."""


def refuse_unknown(key: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise a ClaimError that names the first name which is not known, and the nearest that is."""
    for name in names:
        if name not in known:
            raise ClaimError(unknown(key, str(name), known))


def check_mapping(
    where: str, value: Any, types: Mapping[str, Any], needed: Collection[str] = ()
) -> None:
    """Refuse what is no mapping of known keys to values of their types, with all that is needed.

    `where` begins the message of the ClaimError: "" or the key that holds the mapping.
    """
    if not isinstance(value, dict):
        raise ClaimError(
            f"{where}{value!r} is no mapping; its keys are {', '.join(types)}"
        )
    refuse_unknown(f"{where}key", value, types)
    for key in needed:
        if key not in value:
            raise ClaimError(f"{where}it has no {key!r}; it needs {', '.join(needed)}")
    for key, given in value.items():
        if not fits(given, types[key]):
            raise ClaimError(f"{where}{key}: {given!r} is not {in_words(types[key])}")


def fits(value: Any, kind: Any) -> bool:
    """Say whether a value of YAML is of a type, as a test annotates its keywords.

    Examples
    --------
    >>> fits(["ECE"], str | list[str]), fits(2, float), fits("2", float)
    (True, True, False)
    >>> fits(["ECE"], tuple[str, str]), fits(["ECE", "KS"], tuple[str, str])
    (False, True)
    """
    if kind is Any:
        return True
    if isinstance(kind, UnionType):
        return any(fits(value, one) for one in get_args(kind))
    if get_origin(kind) in (list, tuple):
        return isinstance(value, list) and fits_list(value, kind)
    if is_typeddict(kind):
        return isinstance(value, dict) and fits_keys(value, kind.__annotations__)
    return fits_plain(value, kind)


def fits_list(value: list[Any], kind: Any) -> bool:
    """Say whether the items of a list are of their types: of one, or each of its own."""
    types = get_args(kind)
    if get_origin(kind) is list:
        types = types * len(value)
    return len(value) == len(types) and all(map(fits, value, types))


def fits_keys(value: dict[str, Any], types: Mapping[str, Any]) -> bool:
    """Say whether a mapping has all of the keys and no others, with values of their types."""
    same = value.keys() == types.keys()
    return same and all(fits(value[key], types[key]) for key in types)


def fits_plain(value: Any, kind: type) -> bool:
    """Say whether a value is of a type without parts; true and false are no numbers."""
    if kind in (int, float) and isinstance(value, bool):
        return False
    return isinstance(value, (int, float) if kind is float else kind)


def in_words(kind: Any) -> str:
    """Return a type in words.

    Examples
    --------
    >>> in_words(str | list[str]), in_words(tuple[str, str]), in_words(float | None)
    ('a text or a list of texts', 'a list of 2 texts', 'a number')
    """
    inner = [one for one in get_args(kind) if one not in (NoneType, Any)]
    words = [WORDS.get(one) or in_words(one) for one in inner]
    if isinstance(kind, UnionType):
        return " or ".join(words)
    if is_typeddict(kind):
        return f"a mapping with the keys {', '.join(kind.__annotations__)}"
    plain = WORDS.get(get_origin(kind) or kind, "a list")
    number = f"{len(words)} " if get_origin(kind) is tuple else ""
    return f"{plain} of {number}{words[0].removeprefix('a ')}s" if words else plain
