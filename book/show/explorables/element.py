"""The HTML of an interactive figure, and its data as a script of `assets/widgets` reads them."""

import base64
import html
import inspect
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from IPython.display import HTML

# data, a still picture and, where the docstring does not say them, words
Contents = tuple[Any, ...]


def explorable(function: Callable[..., Any]) -> Callable[..., HTML]:
    """Turn a function's data, and a picture for pages without scripts, into an element of its name.

    The first paragraph of its docstring says what is to be seen, or the function does as a third.
    """
    paragraph = (inspect.getdoc(function) or "").partition("\n\n")[0]
    sentence = paragraph.rstrip(".").replace("\n", " ")
    shows, tag = sentence[0].lower() + sentence[1:], function.__name__.replace("_", "-")

    @wraps(function)
    def element(*arguments: Any, **options: Any) -> HTML:
        data, still, *label = function(*arguments, **options)
        # JSON has no NaN: a browser would refuse the whole text
        text = json.dumps(data, separators=(",", ":"), allow_nan=False)
        text = text.replace("</", "<\\/")  # nothing in it ends the script
        words = html.escape(label[0] if label else shows)
        # a picture that is in the page itself has come with it
        lazy = "" if still.startswith("data:") else 'loading="lazy" '
        return HTML(
            f'<{tag} id="{tag}" role="group" aria-label="{words}"><div class="w-fallback">'
            f'<p>An interactive figure: {words}.</p><img alt="" {lazy}src="{still}">'
            f'</div><script type="application/json">{text}</script></{tag}>'
        )

    return element


def rounded(values: Any, digits: int = 5) -> list[Any]:
    """Return numbers as lists, rounded; without digits as integers."""
    numbers = np.round(np.asarray(values, float), digits)
    return numbers.tolist() if digits else numbers.astype(int).tolist()


def in_base64(values: Any, dtype: str) -> str:
    """Return numbers as bytes in text."""
    return base64.b64encode(np.asarray(values).astype(dtype).tobytes()).decode()


def data_uri(png: bytes) -> str:
    """Return the bytes of a PNG as an address."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def pairs_in_base64(score: Any, hit: Any) -> str:
    """Return scores and hits as text, two bytes a sample."""
    # 15 bits of the score and, as the lowest, one that says whether it is right
    return in_base64(2 * np.round(32767 * np.asarray(score)) + hit, "<u2")
