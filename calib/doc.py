"""Docstrings: `documented` adds to each what many functions have in common."""

import re
from collections.abc import Callable
from inspect import cleandoc
from textwrap import indent
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
FAULTS = """\
ValueError, TypeError
    Where an argument is not as described; it names the value and the row."""
PARTS: dict[str, str] = {}  # what a line %(name)s of a docstring stands for
PARAMETERS = {
    "y_true": """array_like of int, shape (n,)
    Labels; hits in {0, 1} where `y_prob` is 1-D.""",
    "y_prob": """array_like, shape (n, K) or (n,)
    Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
    they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number.""",
    "logits": "array_like, shape (n, K)",
    "y": """array_like of int, shape (n,)
    Labels.""",
    "score": """array_like of float, shape (n,)
    Scores in [0, 1], such as confidences.""",
    "view": """callable
    Turns labels and probabilities into scores and hits, see :mod:`calib.views`.""",
    "bins": """callable, optional
    Groups the scores, see :mod:`calib.bins`; ``equal_width(15)`` by default.""",
    "n_bins": """int
    Number of bins M, at most a million.""",
    "closed": """{"right", "left"}
    Which end of a bin belongs to it, see :func:`calib.equal_width`.""",
    "norm": """{"l1", "l2", "max"}
    Weighted mean, root mean square or maximum of the gaps.""",
    "decay": """float
    Weight, between 0 and 1, of a sample one hundredth away. The paper does not print it.""",
    "priors": """array_like of float, shape (K,)
    Those with which the probabilities are calibrated; positive, of sum one.""",
    "sample_weight": """array_like of float, shape (n,), optional
    Such as numbers of repetitions.""",
    "atol": """float, optional
    How far a row sum may be from one: 1e-4, of float16 1e-2.""",
    "metric": """callable
    ``metric(y_true, y_prob, **options) -> float``, such as :func:`calib.ece`.""",
    "n_resamples": "int",
    "confidence_level": "float",
    "clusters": """array_like, shape (n,), optional
    What belongs together, by number or name: whole clusters are drawn.""",
    "rng": "numpy.random.Generator or int",
    "options": """dict
    Passed to the metric.""",
    "ax": """matplotlib Axes, optional
    A new figure where there is none.""",
}
OF_VECTORS = PARAMETERS | {
    "y_true": """array_like of int, shape (n,)
    Labels.""",
    "y_prob": """array_like, shape (n, K)
    Probabilities; rows sum to one.""",
}


def documented(thing: F, shared: dict[str, str] = PARAMETERS) -> F:
    """Complete a docstring, as one would write all of it.

    A line ``%(name)s`` becomes the part of that name. At the end, a paragraph that begins with
    "Source: " becomes the references, and what follows it the examples. A function also gets the
    parameters that it does not describe itself, what it returns, and what it raises.

    >>> @documented
    ... def count(y_true, n_bins):
    ...     '''Count.'''
    >>> [line for line in count.__doc__.splitlines() if " : " in line]
    ['y_true : array_like of int, shape (n,)', 'n_bins : int']
    """
    doc = re.sub(
        r"^( *)%\(([\w, ]+)\)s$",
        lambda found: indent(PARTS[found[2]], found[1]),
        thing.__doc__ or "",
        flags=re.MULTILINE,
    )
    paragraphs, last, examples = cleandoc(doc).split("\n\n"), {}, ""
    while paragraphs[-1].startswith(">>> "):
        examples = f"{paragraphs.pop()}\n\n{examples}"
    if paragraphs[-1].startswith("Source: "):
        last["References"] = paragraphs.pop().removeprefix("Source: ")
    if examples:
        last["Examples"] = examples.strip()
    head, *parts = re.split(r"^([A-Z]\w+)\n---+\n", "\n\n".join(paragraphs), flags=re.MULTILINE)
    sections = dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))
    if not isinstance(thing, type):
        sections = _first(thing, sections, shared) | sections
    texts = {name: text for name, text in (sections | last).items() if text}
    whole = (f"{name}\n{'-' * len(name)}\n{text}" for name, text in texts.items())
    thing.__doc__ = "\n\n".join([head.strip(), *whole]) + "\n"
    return thing


def _first(function: Any, sections: dict[str, str], shared: dict[str, str]) -> dict[str, str]:
    """Return the parameters, what is returned and raised; sections that are there come first."""
    described: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", sections.pop("Parameters", "")):
        described |= {name.strip(" *"): entry for name in entry.partition(" :")[0].split(",")}
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 3 & 1)]
    taken = {n: f"{'**' * (n == 'options')}{n} : {shared[n]}" for n in names if n in shared}
    entries = [described.get(name) or taken.get(name) for name in names if name != "self"]
    returns = function.__annotations__.get("return")
    return {
        "Parameters": "\n".join(dict.fromkeys(filter(None, entries))),
        "Returns": sections.pop("Returns", returns if isinstance(returns, str) else ""),
        "Raises": sections.pop("Raises", FAULTS if names else ""),
    }
