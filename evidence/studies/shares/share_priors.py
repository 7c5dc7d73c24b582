"""Compute share_priors.csv: what the ledger's shares owe to their prior.

`python -m evidence.studies share_priors` from the root judges the sentences again with other
priors, from the stored networks: how far shares move, how many are shown or refuted, and how many
words turn.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from evidence.claims import shares, stored
from evidence.claims.estimates import estimate_of_amount, label_of
from evidence.claims.quantifiers import Bounds, quantifier_of, share_of_networks
from evidence.rows import Row
from evidence.studies.parts.judged_sentences import (
    judged_elsewhere,
    likelihood,
    stored_networks,
)

# the spread of mu, and what the learnt scales of the spreads are multiplied by
PRIORS: dict[str, tuple[float, Any]] = {
    "as in the ledger": (shares.MU_SPREAD, 1.0),
    "mu narrower": (1.0, 1.0),
    "mu wider": (2.5, 1.0),
    "effects half as large": (shares.MU_SPREAD, 0.5),
    "effects twice as large": (shares.MU_SPREAD, 2.0),
    "effects as a reader guessed": (
        shares.MU_SPREAD,
        {"dataset": 1.0, "author": 0.6, "kin": 0.6},
    ),
}


def scales_of(factor: float | dict[str, float]) -> dict[str, float]:
    """Return the scales of a prior of `PRIORS`: its own, or a multiple of the learnt ones."""
    if isinstance(factor, dict):
        return factor
    return {effect: factor * scale for effect, scale in stored.load_scales().items()}


def judged_by_prior(
    row: Any, spread: float, scales: dict[str, float]
) -> tuple[float, str]:
    """Return the mean share of one judgement, and its word, by another prior."""
    key, bounds = (row.id, row.evidence), (row.least, row.most)
    quantifier = quantifier_of(row.word)
    if row.unit != "share":
        open_ends = np.where(np.isnan(bounds), (-np.inf, np.inf), bounds)
        found = estimate_of_amount(stored_networks()[key], Bounds(*open_ends), scales)
        return found.share, label_of(found.p_word, quantifier)
    asked = share_of_networks(quantifier)
    of_counts = likelihood(key)
    p_word = shares.fair_share(of_counts, scales, asked, spread).above(asked)
    mean = shares.share(of_counts, scales, spread=spread).mean
    return mean, label_of(p_word, quantifier)


def rows() -> Iterator[Row]:
    """Yield how shares and words change with each prior."""
    judged = list(judged_elsewhere().itertuples())
    usual = None
    for name, (spread, factor) in PRIORS.items():
        scales = scales_of(factor)
        pairs = [judged_by_prior(row, spread, scales) for row in judged]
        found = pd.DataFrame(pairs, columns=["mean", "word"])
        usual = found if usual is None else usual
        moved = (found["mean"] - usual["mean"]).abs()
        yield {
            "prior": name,
            "mu": spread,
            **scales,
            "tests": len(found),
            "median_share": found["mean"].median(),
            "moved": moved.median(),
            "moved_most": moved.max(),
            "shown": (found["word"] == "shown").sum(),
            "refuted": (found["word"] == "refuted").sum(),
            "turned": (found["word"] != usual["word"]).sum(),
            "reversed": is_reversed(found["word"], usual["word"]).sum(),
        }


def is_reversed(first: pd.Series, second: pd.Series) -> pd.Series:
    """Return where one word is "shown" and the other "refuted"."""
    sure = first.ne("open") & second.ne("open")
    return sure & (first != second)
