"""Interactive figures: the HTML that `assets/widgets.js` brings to life.

Each function returns an `IPython.display.HTML` with a custom element and its data as JSON. Where
scripts do not run (a downloaded notebook, a printed page) the text inside it says what it shows.
"""

import html
import json

import numpy as np


def widget(tag, name, fallback, data):
    """Return a custom element ``tag`` that holds ``data`` as JSON."""
    from IPython.display import HTML

    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("</", "<\\/")
    return HTML(
        f'<{tag} role="group" aria-label="{html.escape(name)}">'
        f'<p class="w-fallback">{html.escape(fallback)}</p>'
        f'<script type="application/json">{text}</script></{tag}>'
    )


def temperature_slider(logits, y, temperature):
    """A slider of the temperature, beside the reliability diagram and the NLL it gives.

    Parameters
    ----------
    logits : array_like, shape (n, K)
    y : array_like of int, shape (n,)
    temperature : float
        The optimum, for the button that sets it.
    """
    logits = np.asarray(logits, dtype=float)
    data = {
        "logits": np.round(logits - logits.max(axis=1, keepdims=True), 3).tolist(),
        "labels": np.asarray(y).tolist(),
        "temperature": round(float(temperature), 2),
    }
    fallback = "An interactive figure: the reliability diagram and the NLL at any temperature."
    return widget("temperature-slider", "Temperature slider", fallback, data)


def bins_slider(score, hit):
    """A slider of the number of bins, beside the reliability diagram and the ECE it gives.

    Parameters
    ----------
    score : array_like, shape (n,)
    hit : array_like, shape (n,)
    """
    data = {
        "scores": np.round(np.asarray(score, dtype=float), 5).tolist(),
        "hits": np.asarray(hit).astype(int).tolist(),
    }
    fallback = "An interactive figure: the reliability diagram and the ECE at 1 to 100 bins."
    return widget("bins-slider", "Bins slider", fallback, data)


def steps_slider(name, label, steps, *, x, y, columns, start=0, reference=None):
    """A slider over results that were computed beforehand, one curve a position.

    Parameters
    ----------
    name, label : str
        What the figure is, and what the slider sets.
    steps : list of dict
        For each position ``name``, ``says`` (one sentence), ``line`` (pairs x, y), ``cells`` (a
        row of the table), ``values`` (numbers by name), and if wanted ``dot`` (a pair).
    x, y : tuple
        Label and range of an axis, as ``("score", 0, 1)``.
    columns : list of str
        Headings of the table, the step's name first.
    start : int
        First position.
    reference : list of pairs, optional
        A dashed line behind every curve.
    """
    data = {
        "label": label,
        "steps": steps,
        "x": {"label": x[0], "range": x[1:]},
        "y": {"label": y[0], "range": y[1:]},
        "columns": columns,
        "start": start,
        "reference": reference,
    }
    fallback = f"An interactive figure: {name}."
    return widget("steps-slider", name, fallback, data)


def bet_quiz(statements):
    """A quiz that draws the reader's own reliability diagram.

    Parameters
    ----------
    statements : list of (str, bool)
        Statements and whether they are true.
    """
    data = [{"statement": statement, "true": bool(true)} for statement, true in statements]
    fallback = "An interactive quiz: how sure are you that each of these statements is true? " + (
        " ".join(f"{i}. {statement}" for i, (statement, _) in enumerate(statements, 1))
    )
    return widget("bet-quiz", "Calibration quiz", fallback, data)
