"""Compute data/results/share_priors.csv and share_words.csv: what the ledger's shares rest on.

`python -m evidence.studies studies.share_prior` from the root. `share_priors`: the sentences judged
again with other priors, from the stored networks: how far shares move, how many are shown or
refuted, and how many words turn. `share_words`: for each word of the papers the share that it asks
for beside the shares of networks elsewhere, pooled over the sentences that say it.
"""

from functools import cache

import numpy as np
import pandas as pd

from evidence.claims import ledger, rule, shares
from evidence.claims.estimates import label, likelihood_of, of_amount
from evidence.claims.findings import asked_share

FEWEST = 4  # tests with one word
PRIORS = {  # the spread of mu, and what the learnt scales of the spreads are multiplied by
    "as in the ledger": (shares.MU_SPREAD, 1.0),
    "mu narrower": (1.0, 1.0),
    "mu wider": (2.5, 1.0),
    "effects half as large": (shares.MU_SPREAD, 0.5),
    "effects twice as large": (shares.MU_SPREAD, 2.0),
    "effects as a reader guessed": (shares.MU_SPREAD, {"dataset": 1.0, "author": 0.6, "kin": 0.6}),
}


def judged_elsewhere():
    """Return what counts in the stored ledgers and is judged by the model, on networks."""
    rows = pd.concat([ledger.load_ledger(part=part) for part in ledger.PARTS])
    rows = rows[rows["status"].isin(["claim", "theorem"]) & (rows["evidence"] != "published")]
    known = set(stored_networks())
    return rows[[key in known for key in zip(rows["id"], rows["evidence"], strict=True)]]


@cache
def stored_networks():
    """Return the networks of each claim and kind of evidence."""
    return dict(list(ledger.load_networks().groupby(["id", "evidence"], sort=False)))


@cache
def likelihood(key):
    """Return the effects that are drawn, and the likelihood of a claim's counts."""
    return likelihood_of(stored_networks()[key])


def scales_of(factor):
    """Return the scales of a prior of `PRIORS`: its own, or a multiple of the learnt ones."""
    if isinstance(factor, dict):
        return factor
    return {effect: factor * scale for effect, scale in ledger.load_scales().items()}


def again(row, spread, scales):
    """Return the mean share of one judgement, and its word, by another prior."""
    key, bounds = (row.id, row.evidence), (row.least, row.most)
    quantifier = rule.quantifier_of(row.word)
    if row.unit != "share":
        open_ends = np.where(np.isnan(bounds), (-np.inf, np.inf), bounds)
        found = of_amount(stored_networks()[key], tuple(open_ends), scales)
        return found.share, label(found.p_word, quantifier)
    asked = rule.ASKED.get(quantifier, rule.SHARES["mostly"])
    drawn, known = likelihood(key)
    fair = shares.neutral(drawn, scales, asked, spread)
    p_word = shares.share(known, drawn, scales, fair, spread).above(asked)
    return shares.share(known, drawn, scales, spread=spread).mean, label(p_word, quantifier)


def prior_rows():
    """Yield how shares and words change with each prior."""
    rows = list(judged_elsewhere().itertuples())
    usual = None
    for name, (spread, factor) in PRIORS.items():
        scales = scales_of(factor)
        found = pd.DataFrame([again(row, spread, scales) for row in rows], columns=["mean", "word"])
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
            "reversed": set_against(found["word"], usual["word"]).sum(),
        }


def set_against(first, second):
    """Return where one word is "shown" and the other "refuted"."""
    sure = first.ne("open") & second.ne("open")
    return sure & (first != second)


def word_rows():
    """Yield what each word asks for, and the pooled share of networks that its sentences have."""
    rows, scales = judged_elsewhere(), ledger.load_scales()
    rows = rows[rows["unit"] == "share"]
    for word, of_word in rows.groupby("word"):
        if len(of_word) < FEWEST:
            continue
        keys = zip(of_word["id"], of_word["evidence"], strict=True)
        pooled = shares.pool([likelihood(key) for key in keys], scales).mean_share()
        low, high = pooled.quantiles()
        yield {
            "word": word,
            "asks": asked_share(rule.quantifier_of(word), 1, rule.SHARES["mostly"])[0],
            "sentences": of_word["id"].nunique(),
            "tests": len(of_word),
            "share": pooled.mean,
            "low": low,
            "high": high,
            "least": of_word["share"].min(),
            "middle": of_word["share"].median(),
            "most": of_word["share"].max(),
        }


TABLES = {"share_priors": prior_rows, "share_words": word_rows}
