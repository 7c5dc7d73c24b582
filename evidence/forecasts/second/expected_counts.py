"""What the ledger expects of lines about counts: how many networks agree with a sentence.

A line has the probability that a network agrees, or that more than a share of the networks do; an
amount has the intervals of that share, in percent.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from evidence.claims import stored
from evidence.forecasts.second.asked_networks import (
    MODELS,
    QUANTILES,
    Forecast,
    forecast_networks,
    new_models,
    of_the_fourteen,
    registered_scales,
)
from evidence.forecasts.second.new_networks import Coins, coins
from evidence.forecasts.second.registered import Line

ALL_OF = 1 - 1e-9


def counted_rows(claim: str) -> pd.DataFrame:
    """Return the networks of a claim: public ones, else ours; of language models all sources."""
    rows = stored.load_networks().query("id == @claim")
    for evidence in ("public", "zoo"):
        if (rows["evidence"] == evidence).any():
            return rows[rows["evidence"] == evidence].reset_index(drop=True)
    return rows[rows["evidence"] != "published"].reset_index(drop=True)


@cache
def claim_coins(claim: str, n_models: int | None = None) -> Coins | None:
    """Return the new networks of a claim, None where the ledger has no counts of it."""
    rows = counted_rows(claim)
    if rows.empty or not is_count(rows):
        return None
    new = forecast_networks() if n_models is None else new_models(n_models)
    return coins(rows, new, registered_scales())


def is_count(rows: pd.DataFrame) -> bool:
    """Say whether networks are counted: an amount may be negative, or above their number."""
    return bool(rows["total"].between(0, rows["networks"]).all())


@dataclass(frozen=True)
class Question:
    """How many networks a line is about, and how large a share of them it asks for."""

    networks: int | None  # language models; None: the fourteen
    above: float = 0.5


QUESTIONS = {  # lines about counts whose rule is one of numbers
    "every-network-overconfident": Question(None, ALL_OF),
    "amount-temperature-lowest": Question(None),
    "tuning-logit-half": Question(MODELS),
    "tuning-stated-half": Question(MODELS),
    "tuning-logit-cells": Question(MODELS, 2 / 3),
    "stated-below-logit-instructed": Question(MODELS),
    "stated-half-of-logit": Question(MODELS),
    "base-small-error": Question(MODELS),
    "amount-share-stated-lower": Question(MODELS),
    "tuning-mmlu-half": Question(3),
    "tuning-mmlu-every": Question(3, ALL_OF),
    "tuning-mmlu-subjects": Question(3, 0.75),
    "kadavath-mmlu": Question(3, 0),
    "temperature-mmlu": Question(6),
    "temperature-mmlu-base": Question(3),
    "temperature-mmlu-chat": Question(3, 0.75),
    "temperature-mmlu-every-model": Question(6, ALL_OF),
    "amount-mmlu-improved": Question(6),
}


def forecast_of_counts(line: Line) -> Forecast | None:
    """Return what the ledger expects of a line about counts, None if it cannot tell."""
    question = QUESTIONS.get(line.id, Question(None))
    networks = claim_coins(line.claim, question.networks)
    if networks is None:
        return None
    if question.networks is None:
        cases = forecast_networks()["case"]
        named = line.parameters.get("case")
        chosen = (cases == named) if named else of_the_fourteen(cases)
        networks = networks.of(np.flatnonzero(chosen))
    counts = networks.counts()
    shares_of = np.arange(len(counts)) / (len(counts) - 1)
    if not line.is_amount:
        return {"probability": counts[shares_of > question.above].sum()}
    below = np.cumsum(counts)
    return {
        end: 100 * shares_of[np.searchsorted(below, q)] for end, q in QUANTILES.items()
    }
