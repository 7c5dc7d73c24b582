"""Parts that docstrings have in common: ``documented`` puts them where a docstring names them."""

import re
from collections.abc import Callable
from textwrap import indent
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
FAULTS = """\
Raises
------
ValueError, TypeError
    Where an argument is not as described; it names the value and the row."""
PARTS = {
    "faults": FAULTS,
    "float": f"""\
Returns
-------
float

{FAULTS}""",
    "pairs": """\
y_true : array_like of int, shape (n,)
    Labels; hits in {0, 1} where `y_prob` is 1-D.
y_prob : array_like, shape (n, K) or (n,)
    Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
    they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number.""",
    "vectors": """\
y_true : array_like of int, shape (n,)
    Labels.
y_prob : array_like, shape (n, K)
    Probabilities; rows sum to one.""",
    "logits": """\
logits : array_like, shape (n, K)
y : array_like of int, shape (n,)
    Labels.""",
    "loss": f"""\
Returns
-------
loss : ndarray of float64, shape (n,)
    In nats.
gradient : ndarray of float64, shape (n, K)

{FAULTS}""",
    "sample": f"""\
Parameters
----------
n : int
rng : numpy.random.Generator
    The same state gives the same samples, whatever the error of the model.

Returns
-------
y_true : ndarray of int, shape (n,)
y_prob : ndarray of float, shape (n, K), or scores of hits, shape (n,)

{FAULTS}""",
}


def documented(function: F) -> F:
    """Replace each line ``%(name)s`` of a docstring by the part of that name.

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
    function.__doc__ = re.sub(
        r"^( *)%\((\w+)\)s$",
        lambda found: indent(PARTS[found[2]], found[1]),
        function.__doc__ or "",
        flags=re.MULTILINE,
    )
    return function
