"""Why a row of the ledger has its verdict, in words: what agrees, and what the sentence asks."""

import numpy as np
import pandas as pd

from book.show.verdicts.judgement import Judgement
from book.show.verdicts.wording import counted_in_words
from evidence.claims.estimates import CERTAIN
from evidence.claims.reasons import clusters_in_words, number_as_text

# one network, and more of them
NETWORKS = {
    "public": ("public network", "public networks"),
    "zoo": ("network of ours", "networks of ours"),
}
NAMED_BY_WHAT = ("rho", "slope")  # units that the name of what is measured has said
ENDS = {
    "rho": (-1, 1),
    "tau": (-1, 1),
}  # of a correlation: beyond these nothing is asked
THIRD = "a third"


def why(row: Judgement) -> str:
    """Return why a row of the ledger has its verdict, as sentences for a reader.

    What the networks at hand show comes first; then what the sentence asks of new ones, and how
    probable that is. Above 0.99 a sentence is shown, below 0.01 it is refuted. A theorem asks
    nothing of networks.
    """
    seen = count_in_words(row) if row.unit == "share" else amount_in_words(row)
    clusters = clusters_in_words(row.datasets, row.authors, row.models)
    of_clusters = f" ({clusters})" if clusters else ""
    asks = "A proof says it of all" if row.status == "theorem" else claim_in_words(row)
    return f"{seen}{of_clusters}. {asks}"


def count_in_words(row: Judgement) -> str:
    """Return how many cases agree, and that a word such as "always" fails where it does."""
    one, several = NETWORKS.get(row.evidence, ("network", "networks"))
    what = several
    if row.n < row.cases:
        what = f"comparisons on {row.n} {one if row.n == 1 else several}"
    text = f"{counted_in_words(row)} {what} agree"
    every = row.least == 1 and row.status != "theorem"
    if every and row.agreeing != row.cases:
        return f"‘{row.word.capitalize()}’ fails: {text}"
    return text


def amount_in_words(row: Judgement) -> str:
    """Return an amount, or a correlation, with its name and its interval."""
    unit = "" if row.unit in NAMED_BY_WHAT else row.unit
    amount = number_as_text(row.estimate, row.low, row.high, unit)
    if row.unit in ENDS and abs(row.estimate) == 1:
        # a perfect order has no interval: it stands with that of one exchange of neighbours
        amount = amount.replace("(", "(with two neighbours exchanged ")
    return f"{row.what}: {amount}"


def claim_in_words(row: Judgement) -> str:
    """Return what the sentence asks of new networks, and the probability that it is so.

    Where a word asks for another share than a half, the probability starts from even odds for that
    share, as the printed share does not: by the prior of the latter it would be higher.
    """
    start = ""
    if row.unit != "share":
        asks = f"Asked: {range_in_words(row)}"
    elif row.least >= 0.5:
        asks = "More than half of new ones"
    else:
        least = THIRD if round(row.least, 2) == 0.33 else f"{row.least:.0%}"
        asks = f"‘{row.word}’ asks for more than {least} of new ones"
        start = ", from even odds for that"
    return f"{asks}: probability {probability(row.p_word)}{start}"


def range_in_words(row: Judgement) -> str:
    """Return between what a sentence puts an amount: "above 0"."""
    low, high = ENDS.get(row.unit, (-np.inf, np.inf))
    if row.most >= high:
        return f"more than {row.least:g}"
    if row.least <= low:
        return f"less than {row.most:g}"
    return f"{row.least:g} to {row.most:g}"


def probability(value: float) -> str:
    """Return a probability in two digits; near what makes a verdict, on its side of it.

    Examples
    --------
    >>> [probability(value) for value in (0.936, 0.9947, 0.9876, 0.002)]
    ['0.94', 'above 0.99', '0.988', 'below 0.01']
    """
    if value > CERTAIN:
        return f"above {CERTAIN}"
    if value < 1 - CERTAIN:
        return f"below {1 - CERTAIN:.2f}"
    return f"{value:.3f}" if value >= 0.985 or value <= 0.015 else f"{value:.2f}"


def without_repeats(sentences: pd.Series) -> list[str]:
    """Return sentences in their order, each said once: further rows say that it is the same."""
    again = sentences.duplicated()
    return [
        "the same" if same else text
        for same, text in zip(again, sentences, strict=True)
    ]
