"""Parts that docstrings have in common: ``documented`` puts them where a docstring names them."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
PARTS = {
    "pairs": """\
y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, or the scores of pairs.""",
    "vectors": """\
y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.""",
    "float": """\
Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.""",
    "faults": """\
Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.""",
}


def documented(function: F) -> F:
    """Replace each ``%(name)s`` in a docstring by the part of that name.

    Examples
    --------
    >>> @documented
    ... def count(y_true, y_prob):
    ...     '''Count.
    ...
    ...     %(faults)s
    ...     '''
    >>> "Where an argument is not as described" in count.__doc__
    True
    """
    for name, part in PARTS.items():
        function.__doc__ = (function.__doc__ or "").replace(f"%({name})s", part)
    return function
