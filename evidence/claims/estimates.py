"""What the model says of a claim: the share of networks, its size, and a word where it is sure.

The networks of every claim are stored, `networks` (``data/ledger/ledger-networks.csv``): what the
model reads is a table, and what it finds is frozen by the results on that table, not by source
text.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evidence.claims import shares
from evidence.claims.amounts import amounts
from evidence.claims.cases import MeasuredNetworks
from evidence.claims.quantifiers import Bounds, Quantifier

CERTAIN = 0.99
COLUMNS_OF_NETWORKS = ["id", "evidence", *shares.EFFECTS, "networks", "total"]


@dataclass(frozen=True)
class Estimate:
    """A share and a size with their intervals, and the probability of what the sentence says."""

    share: float = np.nan  # of networks of new data sets for which the sentence is true
    share_low: float = np.nan
    share_high: float = np.nan
    p_half: float = np.nan  # probability that the share is above one half
    p_most: float = np.nan  # and above 0.8
    p_word: float = np.nan  # of what the word asks for
    estimate: float = np.nan  # in the unit of the test
    low: float = np.nan
    high: float = np.nan
    next_low: float = np.nan  # where an amount of the next network lies
    next_high: float = np.nan


def label_of(p_word: float, quantifier: Quantifier) -> str:
    """Return the label of a probability: "shown", "refuted", or else "open".

    That there are examples is never refuted.

    Examples
    --------
    >>> [label_of(p, "mostly") for p in (0.995, 0.9, 0.002)], label_of(0.002, "exists")
    (['shown', 'open', 'refuted'], 'open')
    """
    if p_word > CERTAIN:
        return "shown"
    if p_word < 1 - CERTAIN and quantifier != "exists":
        return "refuted"
    return "open"


def networks_of(
    measured: MeasuredNetworks,
    *,
    left_out: tuple[str, ...] = (),
    author: str | None = None,
) -> pd.DataFrame:
    """Return the networks of a share or an amount as rows, those with the same effects together.

    An effect that is not drawn is empty: data sets that the sentence names, what nothing tells,
    and those `left_out`. `author` is who made all of the answers, where one group did.
    """
    values = pd.Series(np.asarray(measured.networks, float), name="total")
    rows = pd.DataFrame(values)
    levels: dict[str, Any] = {"author": author} if author else {}
    levels |= measured.drawn
    for effect in shares.EFFECTS:
        drawn = effect in levels and effect not in left_out
        rows[effect] = levels[effect] if drawn else ""
    rows["networks"] = 1
    if not measured.is_share:
        return rows
    same_effects = rows.groupby(list(shares.EFFECTS), sort=False, as_index=False)
    return same_effects[["networks", "total"]].sum()


def codes_of(rows: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the levels of the effects that are drawn, as numbers from zero."""
    drawn = [effect for effect in shares.EFFECTS if (rows[effect] != "").any()]
    return {effect: np.unique(rows[effect], return_inverse=True)[1] for effect in drawn}


def tells_likeness(rows: pd.DataFrame) -> bool:
    """Say whether networks have two levels or more of each effect that is drawn."""
    return all(max(levels) > 0 for levels in codes_of(rows).values())


def likelihood_of(rows: pd.DataFrame) -> shares.Likelihood:
    """Return the likelihood of the counts of a sentence."""
    codes = codes_of(rows)
    log = shares.log_likelihood(rows["networks"], rows["total"], codes)
    return shares.Likelihood(tuple(codes), log)


@dataclass(frozen=True)
class Findings:
    """What one kind of evidence has of a claim, before it is judged."""

    measured: MeasuredNetworks
    rows: pd.DataFrame  # the networks, as the model reads them
    likelihood: shares.Likelihood | None  # of their counts, where they agree or not


def estimate_of(findings: Findings, scales: dict[str, float]) -> Estimate:
    """Return the estimate of a share, or of an amount.

    One number of all networks, as a correlation, has an interval of its own and no share.
    """
    measured = findings.measured
    if measured.cases.interval_of:
        return estimate_of_interval(measured)
    if findings.likelihood is None:
        return estimate_of_amount(findings.rows, measured.asked, scales)
    return estimate_of_share(findings.likelihood, measured.asked.least, scales)


def estimate_of_share(
    likelihood: shares.Likelihood, asked: float, scales: dict[str, float]
) -> Estimate:
    """Return the estimate of a sentence that networks agree with or not.

    Before any evidence what the word asks for is as likely as not.
    """
    share = shares.share(likelihood, scales)
    fair = shares.fair_share(likelihood, scales, asked)
    low, high = share.quantiles()
    return Estimate(
        share=share.mean,
        share_low=low,
        share_high=high,
        p_half=share.above(0.5),
        p_most=share.above(0.8),
        p_word=fair.above(asked),
        estimate=share.mean,
        low=low,
        high=high,
    )


def estimate_of_amount(
    rows: pd.DataFrame, asked: Bounds, scales: dict[str, float]
) -> Estimate:
    """Return the estimate of an amount that the sentence puts between two bounds."""
    if len(rows) < 2:
        return Estimate(estimate=float(rows["total"].mean()))
    codes = codes_of(rows)
    mean = amounts(rows["total"].to_numpy(), codes, scales)
    estimate, low, high = mean.interval()
    _, next_low, next_high = mean.interval(new=True)
    of_networks = mean.share(*asked)
    share_low, share_high = of_networks.quantiles()
    return Estimate(
        share=of_networks.mean,
        share_low=share_low,
        share_high=share_high,
        p_half=of_networks.above(0.5),
        p_most=of_networks.above(0.8),
        p_word=mean.mean_between(*asked),
        estimate=estimate,
        low=low,
        high=high,
        next_low=next_low,
        next_high=next_high,
    )


def estimate_of_interval(measured: MeasuredNetworks) -> Estimate:
    """Return the estimate of a correlation, a slope or a difference of groups: no share.

    The probability that it lies above a bound is that of its one-sided test.
    """
    interval = measured.interval
    estimate, low, high = measured.shown_interval
    if np.isnan(interval.low):
        return Estimate(estimate=estimate)

    def above(bound: float) -> float:
        half = interval.p(bound) / 2
        return 1 - half if interval.estimate > bound else half

    least, most = measured.asked
    above_least = above(least) if np.isfinite(least) else 1.0
    above_most = above(most) if np.isfinite(most) else 0.0
    return Estimate(
        p_word=float(above_least - above_most), estimate=estimate, low=low, high=high
    )
