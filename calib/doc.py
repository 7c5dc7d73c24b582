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
Parameters
----------
y_true : array_like of int, shape (n,)
    Labels; hits in {0, 1} where `y_prob` is 1-D.
y_prob : array_like, shape (n, K) or (n,)
    Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
    they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number."""
VECTORS = """\
Parameters
----------
y_true : array_like of int, shape (n,)
    Labels.
y_prob : array_like, shape (n, K)
    Probabilities; rows sum to one."""
VIEW = """\
view : callable
    Turns labels and probabilities into scores and hits, see :mod:`calib.views`."""
WEIGHT = "sample_weight : array_like of float, shape (n,), optional"
OF_A_VIEW = f"{PAIRS}\n{VIEW}\n{WEIGHT}"
PARTS = {
    "faults": FAULTS,
    "float": FLOAT,
    "parameters of pairs": PAIRS,
    "parameters of a view": f"{PAIRS}\n{VIEW}",
    "parameters of vectors": VECTORS,
    "view": VIEW,
    "weighted float": f"{WEIGHT}\n\n{FLOAT}",
    "of vectors": f"{VECTORS}\n{WEIGHT}\n\n{FLOAT}",
    "losses": f"""\
{VECTORS}

Returns
-------
ndarray of float64, shape (n,)

{FAULTS}""",
    "of a view": OF_A_VIEW,
    "of a view, a float": f"{OF_A_VIEW}\n\n{FLOAT}",
    "of the top label in bins": f"""\
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
        r"^( *)%\(([\w, ]+)\)s$",
        lambda found: indent(PARTS[found[2]], found[1]),
        function.__doc__ or "",
        flags=re.MULTILINE,
    )
    return function
