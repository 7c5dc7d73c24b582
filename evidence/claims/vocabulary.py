"""The names that claims may use: columns, methods, metrics, data sets; a slip of the pen is told.

A name is known where a column of some evidence has it. A known name without rows is no error: the
evidence may come later. A number, as a paper's table or a seed, is known where the frame that the
claim reads has it: number 11 of another frame is another thing.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd

from evidence import data
from evidence.claims.case_tables import as_list
from evidence.claims.frames import KDE, METRIC_NAMES

# what papers and the book have names for, whether or not there are rows
NAMED = {
    "metric": frozenset([*METRIC_NAMES.values(), *KDE.values()]),
    "method": frozenset(data.NAMES["methods"].values()),
    "dataset": frozenset([*data.DATA_SETS, *data.DATA_SETS.values()]),
    "loss": frozenset(data.NAMES["losses"].values()),
}
NUMBERS = (int, float, np.integer, np.floating, np.bool_)


@dataclass(frozen=True)
class Vocabulary:
    """The columns of a frame, and the names and numbers in each of them."""

    names: dict[str, frozenset[str]]
    numbers: dict[str, frozenset[float]]

    @property
    def every_name(self) -> frozenset[str]:
        """All columns, and all names in them."""
        return frozenset(self.names).union(*self.names.values())


def vocabulary_of(rows: pd.DataFrame) -> Vocabulary:
    """Return the columns of rows, and the names in each.

    Examples
    --------
    >>> rows = pd.DataFrame({"metric": ["ECE", "NLL"], "block": ["a b", "b"], "value": [0.1, 2]})
    >>> [sorted(found) for found in vocabulary_of(rows).names.values()]
    [['ECE', 'NLL'], ['a', 'b'], []]
    >>> sorted(vocabulary_of(rows).numbers["value"])
    [0.1, 2.0]
    """
    names, numbers = {}, {}
    for column in rows:
        there = rows[column].dropna().unique()
        values = [value for value in there if isinstance(value, str)]
        # a network of several blocks has all their names in one cell
        words = [word for value in values for word in value.split()]
        names[column] = frozenset(words if column == "block" else values)
        numbers[column] = frozenset(
            float(value) for value in there if isinstance(value, NUMBERS)
        )
    return Vocabulary(names, numbers)


def check_selected(
    words: Vocabulary, selected: dict[str, Any], others: Callable[[], list[Vocabulary]]
) -> None:
    """Refuse a column that the frame lacks, and a value that no evidence has in this column.

    Parameters
    ----------
    words : Vocabulary
        Of the frame that a claim's test reads.
    selected : dict
        The columns and values by which the claim selects rows.
    others : callable
        Returns the vocabularies of all frames: asked where the frame itself has no such name.

    Raises
    ------
    ValueError
        If a column or a name is not known; it says which name is nearest.
    """
    for column, values in selected.items():
        if column not in words.names:
            raise ValueError(unknown("column", column, words.names))
        for name in strings_in(values):
            check_value(words, column, name, others)
        for number in as_list(values):
            if isinstance(number, (int, float)):
                check_number(words, column, number)


def check_value(
    words: Vocabulary, column: str, name: str, others: Callable[[], list[Vocabulary]]
) -> None:
    """Refuse a name that no evidence has in this column, or that the frame spells otherwise."""
    own = words.names[column]
    if name in own:
        return
    if words.numbers[column] and not own:
        raise ValueError(no_such_number(column, name, words.numbers[column]))
    # CIFAR-10 of the public networks is cifar10 of ours
    if plain(name) in set(map(plain, own)):
        raise ValueError(unknown(column, name, own))
    known = NAMED.get(column, frozenset())
    if name not in known:
        known = known.union(own, *(other.names.get(column, ()) for other in others()))
    if name not in known:
        raise ValueError(unknown(column, name, known))


def check_number(words: Vocabulary, column: str, number: float) -> None:
    """Refuse a number that the frame does not have in this column."""
    if number not in words.numbers[column]:
        known = words.numbers[column]
        if known or not words.names[column]:
            raise ValueError(no_such_number(column, number, known))
        raise ValueError(unknown(column, str(number), words.names[column]))


def no_such_number(column: str, given: float | str, known: Collection[float]) -> str:
    """Say that a column has no such number, and which it has: of many the nearest twenty.

    Examples
    --------
    >>> no_such_number("table", 11, [1.0, 2.0, 4.0])
    'table: 11 is not known; there are 1, 2, 4'
    >>> no_such_number("table", "1", [1.0, 2.0, 4.0])
    "table: '1' is not known; there are 1, 2, 4"
    >>> no_such_number("seed", 9, [])
    'seed: 9 is not known; there is no number in this column'
    """
    if not known:
        return f"{column}: {given!r} is not known; there is no number in this column"
    near = sorted(known)
    if not isinstance(given, str):
        near = sorted(sorted(known, key=lambda number: abs(number - given))[:20])
    there = ", ".join(f"{number:g}" for number in near[:20])
    return f"{column}: {given!r} is not known; there are {there}"


def plain(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return "".join(filter(str.isalnum, name.casefold()))


def check_data_sets(
    words: Vocabulary, named: Collection[str], others: Callable[[], list[Vocabulary]]
) -> None:
    """Refuse a data set that no evidence has, in whatever spelling."""
    known = words.names.get("dataset", frozenset()) | NAMED["dataset"]
    if not known.issuperset(named):
        known = known.union(*(other.names.get("dataset", ()) for other in others()))
    for name in named:
        if name not in known:
            raise ValueError(unknown("named", name, known))


def check_parameters(
    words: Vocabulary,
    parameters: dict[str, Any],
    others: Callable[[], list[Vocabulary]],
) -> None:
    """Refuse a name that is no column, and no name in any; arguments as in `check_selected`."""
    for key, value in parameters.items():
        for name in strings_in(value):
            known = words.every_name.union(*NAMED.values())
            if name not in known:
                known = known.union(*(other.every_name for other in others()))
            if name not in known:
                raise ValueError(unknown(key, name, known))


def unknown(key: str, name: str, known: Collection[str]) -> str:
    """Say that a name is not known, and which is nearest.

    Examples
    --------
    >>> unknown("metric", "ECEE", ["ECE", "NLL"])
    "metric: 'ECEE' is not known; the nearest name is 'ECE'"
    >>> unknown("metric", "x", ["ECE", "NLL"])
    "metric: 'x' is not known; there are ECE, NLL"
    """
    folded = {other.casefold(): other for other in sorted(known)}
    near = get_close_matches(name.casefold(), folded, n=1)
    if near:
        return f"{key}: {name!r} is not known; the nearest name is {folded[near[0]]!r}"
    return f"{key}: {name!r} is not known; there are {', '.join(sorted(known)[:20])}"


def strings_in(value: Any) -> Iterator[str]:
    """Yield the texts of a value of YAML.

    Examples
    --------
    >>> list(strings_in(["a", {"member": "b", "above": 1.0}]))
    ['a', 'b']
    """
    if isinstance(value, dict):
        value = list(value.values())
    for each in as_list(value):
        if isinstance(each, str):
            yield each
        elif isinstance(each, (list, dict)):
            yield from strings_in(each)
