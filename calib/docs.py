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
FLOAT = f"""\
Returns
-------
float

{FAULTS}"""
PAIRS = """\
y_true : array_like of int, shape (n,)
    Labels; hits in {0, 1} where `y_prob` is 1-D.
y_prob : array_like, shape (n, K) or (n,)
    Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
    they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number."""
VECTORS = """\
y_true : array_like of int, shape (n,)
    Labels.
y_prob : array_like, shape (n, K)
    Probabilities; rows sum to one."""
VIEW = """\
view : callable
    Turns labels and probabilities into scores and hits, see :mod:`calib.views`."""
WEIGHT = "sample_weight : array_like of float, shape (n,), optional"
PARTS = {
    "faults": FAULTS,
    "float": FLOAT,
    "pairs": PAIRS,
    "view": VIEW,
    "weighted float": f"""\
{WEIGHT}

{FLOAT}""",
    "of vectors": f"""\
Parameters
----------
{VECTORS}
{WEIGHT}

{FLOAT}""",
    "of a view": f"""\
Parameters
----------
{PAIRS}
{VIEW}
{WEIGHT}""",
    "of the top label in bins": f"""\
Parameters
----------
{PAIRS}
n_bins : int
closed : {{"right", "left"}}
    Which end of a bin belongs to it, see :func:`calib.equal_width`.
{WEIGHT}

{FLOAT}""",
    "a view": """\
Returns
-------
callable
    ``view(y_true, y_prob, *, atol=None) -> (score, hit)``, see :func:`calib.top_label`.

Raises
------
ValueError, TypeError
    Where the number is no integer or too small; the view itself, where it is too large.""",
    "of a fitted map": """\
Raises
------
NotFittedError
    Before `fit`.
ValueError
    Where an argument is not as described.""",
    "axes": f"""\
ax : matplotlib Axes, optional
    A new figure where there is none.

Returns
-------
matplotlib Axes

{FAULTS}""",
    "vectors": VECTORS,
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
        r"^( *)%\(([\w ]+)\)s$",
        lambda found: indent(PARTS[found[2]], found[1]),
        function.__doc__ or "",
        flags=re.MULTILINE,
    )
    return function
