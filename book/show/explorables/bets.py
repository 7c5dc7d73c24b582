"""Probabilities as bets: a quiz, stakes and tickets."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from book.show import stills
from book.show.explorables.element import Contents, explorable, pairs_in_base64


@explorable
def bet_quiz(
    statements: Sequence[tuple[str, bool]], crowd: Sequence[Any] = ()
) -> Contents:
    """A quiz that draws the reader's own reliability diagram."""
    items = [
        {"statement": statement, "true": bool(true)} for statement, true in statements
    ]
    numbered = " ".join(
        f"{number}. {item['statement']}" for number, item in enumerate(items, 1)
    )
    data = {"statements": items, "crowd": list(crowd)}
    still = stills.line_plot(
        "confidence", "how often right", others=crowd, calibrated=[(0.5, 0.5), (1, 1)]
    )
    return (
        data,
        still,
        f"a quiz. How sure are you that each of these is true? {numbered}",
    )


@explorable
def stake_curve(score: np.ndarray, hit: np.ndarray) -> Contents:
    """Stakes that you draw against the score, and what they win on these answers and on others."""
    pairs = pairs_in_base64(score, hit)
    gap = np.append(0, np.cumsum((np.asarray(hit) - score)[np.argsort(score)])) / len(
        score
    )
    # some 500 points are enough for a picture
    walk = np.column_stack([np.linspace(0, 1, len(gap)), gap])[
        :: max(len(gap) // 500, 1)
    ]
    still = stills.line_plot(
        "share of answers, by score", "won by buying all so far", walk=walk
    )
    return {"pairs": pairs}, still


@explorable
def ticket_trader(score: np.ndarray, hit: np.ndarray, edges: list[float]) -> Contents:
    """Tickets at the price that a network says: buy or sell those of each group of prices."""
    score, hit = np.asarray(score), np.asarray(hit)
    # a price on an edge belongs to the group below it
    numbers = np.clip(np.searchsorted(edges, score, "left") - 1, 0, len(edges) - 2)
    groups = []
    for m, (low, high) in enumerate(pairwise(edges)):
        inside = numbers == m
        facts = {"low": low, "high": high, "n": int(inside.sum())}
        facts |= {"score": round(float(score[inside].mean()), 6)}
        facts |= {"hit": round(float(hit[inside].mean()), 6)}
        groups.append(facts)
    names = [
        f"{100 * group['low']:.0f} to {100 * group['high']:.0f}" for group in groups
    ]
    gaps = [100 * (group["score"] - group["hit"]) for group in groups]
    return {"groups": groups}, stills.first_ten_bars(
        names, gaps, "a seller wins, cents a ticket"
    )
