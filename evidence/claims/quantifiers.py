"""What a word of a paper asks for: of how many cases, or networks, its sentence is to be true.

``data/ledger/mapping.csv`` gives each word a quantifier; "9 of 13" is a `Count` of its own.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from evidence.claims.vocabulary import unknown
from evidence.data import csv_frame, read_declared

# the share of its own cases that a quantifier asks for, where a paper is counted
SHARES = {"always": 1.0, "almost always": 0.9, "mostly": 0.5, "in many": 1 / 3}
# What is asked of networks like these: more than half, but of these quantifiers. One case in twenty
# is what chance makes, since a 95 % interval misses that often.
ASKED = {"in many": 1 / 3, "exists": 0.05}
SLACK = 1e-9  # of a count that rounding may have left below what is asked for


class Count(NamedTuple):
    """How many of a paper's cases agree, as the paper itself says: "9 of 13"."""

    agreeing: int
    cases: int

    def refuse_other(self, n: int) -> None:
        """Raise a ValueError where the cases at hand are not as many as the paper counts."""
        if n != self.cases:
            said = f"{self.agreeing} of {self.cases}"
            raise ValueError(
                f"word: {said!r} is of {self.cases} cases, and here are {n}"
            )


Quantifier = str | Count


class Bounds(NamedTuple):
    """Between what a claim puts an estimate."""

    least: float
    most: float


@cache
def mapping() -> dict[str, str]:
    """Return the quantifier of each word, as ``data/ledger/mapping.csv`` has it."""
    table = csv_frame(read_declared("ledger/mapping.csv"))
    return dict(zip(table["word"], table["quantifier"], strict=True))


def quantifier_of(word: str) -> Quantifier:
    """Return the quantifier that a word asks for; of "9 of 13" it is both numbers.

    Examples
    --------
    >>> quantifier_of("typically"), quantifier_of("consistently")
    ('mostly', 'always')
    >>> quantifier_of("9 of 13")
    Count(agreeing=9, cases=13)
    """
    agreeing, of, cases = word.partition(" of ")
    if of and agreeing.isdigit() and cases.isdigit():
        return Count(int(agreeing), int(cases))
    if word not in mapping():
        raise ValueError(
            f"{unknown('word', word, mapping())} (of data/ledger/mapping.csv)"
        )
    return mapping()[word]


def share_of_networks(quantifier: Quantifier) -> float:
    """Return above which share of networks like these a sentence is true.

    Examples
    --------
    >>> [share_of_networks(asked) for asked in ("always", "exists", Count(9, 13))]
    [0.5, 0.05, 0.5]
    """
    return ASKED.get(str(quantifier), SHARES["mostly"])


def share_of_cases(quantifier: Quantifier, n: int) -> Bounds:
    """Return between which shares of its n own cases the words put a sentence.

    Examples
    --------
    >>> share_of_cases("almost always", 20)
    Bounds(least=0.9, most=1.0)
    >>> share_of_cases(Count(9, 12), 12)
    Bounds(least=0.75, most=0.75)
    """
    if isinstance(quantifier, Count):
        quantifier.refuse_other(n)
        return Bounds(quantifier.agreeing / n, quantifier.agreeing / n)
    of_words = SHARES | ASKED | {"all but one": (n - 1) / n}
    return Bounds(of_words.get(quantifier, share_of_networks(quantifier)), 1.0)


def verdict_of_count(agree: np.ndarray, quantifier: Quantifier) -> str:
    """Return what a count says: whether as many cases agree as a quantifier asks for.

    Examples
    --------
    >>> nine_of_ten = np.arange(10) > 0
    >>> words = "almost always", "always", "direction"
    >>> [verdict_of_count(nine_of_ten, word) for word in words]
    ['holds', 'fails', 'mixed']
    """
    k, n = int(agree.sum()), len(agree)
    if isinstance(quantifier, Count):
        quantifier.refuse_other(n)
        return "holds" if k == quantifier.agreeing else "fails"
    if quantifier == "direction" and 0 < k < n:
        return "mixed"
    # of a direction, and of a theorem's "always", every case
    enough = k >= SHARES.get(quantifier, 1.0) * n - SLACK
    special = {"mostly": k > n / 2, "all but one": k == n - 1, "exists": k >= 1}
    return "holds" if special.get(quantifier, enough) else "fails"
