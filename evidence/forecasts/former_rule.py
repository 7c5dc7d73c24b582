"""The rule with which the first forecasts were registered: a verdict by an interval of a share.

The ledger judges by the model of shares (`evidence.claims.ledger`). This rule gave its verdicts
until 27 November 2026 and is kept since the forecasts of ``data/forecasts/registered.csv`` were
registered with it: what it finds binds (``data/forecasts/verdicts.csv``).
``data/results/shares/operating_characteristics.csv`` says how often it errs.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import beta, norm

from calib import wilson_interval
from evidence.claims.cases import Cases, MeasuredNetworks, measured_networks
from evidence.claims.network_intervals import (
    FEWEST,
    Interval,
    ShownInterval,
    drawn_singly,
    evident,
    mean_interval,
)
from evidence.claims.quantifiers import SHARES, Quantifier, share_of_cases
from evidence.claims.reasons import reason_of, sides_of

STEP = 0.25  # of a network
TINY = 1e-9  # of a network: counts beyond the ends of a beta distribution


@dataclass(frozen=True)
class FormerFinding:
    """What the rule found."""

    counted: str  # what the paper's words say of the cases at hand, by counting
    verdict: str  # on networks like these
    estimate: float = np.nan  # a share of networks or an effect, with its 95 % interval
    low: float = np.nan
    high: float = np.nan
    n: int = 0  # networks, or settings
    unit: str = ""
    reason: str = ""  # one line that says why
    p: float = np.nan  # two-sided, against what the claim asks for
    by_data: str = ""  # counts by data set, and the cases on either side
    agree: str = ""
    against: str = ""
    least: float = np.nan  # between these the claim puts the estimate
    most: float = np.nan
    settings: str = ""  # JSON: `Cases.settings`


def judge_by_former_rule(
    cases: Cases,
    quantifier: Quantifier,
    rows: pd.DataFrame | None = None,
    named: set[str] | tuple[Any, ...] = (),
) -> FormerFinding:
    """Judge cases by a quantifier: by counting, and by `verdict_of`.

    `rows` is where the data set, the author and the model of a case are looked up; data sets that
    the sentence has `named` are not drawn.

    Examples
    --------
    >>> rain = pd.Series([True] * 9 + [False])
    >>> found = judge_by_former_rule(Cases(rain, "it rains"), "almost always")
    >>> found.counted, found.verdict, found.reason
    ('holds', 'holds', 'it rains: 9 of 10; not 9')
    """
    if not len(cases.values):
        return FormerFinding(
            "not tested", "not tested", reason=f"{cases.summary}: no cases"
        )
    measured = measured_networks(cases, quantifier, rows, named)
    interval, asked = interval_of(measured), measured.asked
    ends = (interval.estimate, interval.low, interval.high, *asked)
    estimate, low, high, least, most = (float(cases.to_shown(end)) for end in ends)
    if measured.is_share:
        least, most = share_of_cases(quantifier, len(measured.agree))
    # an effect that is to be negative is tested against the upper of the two bounds
    negative = cases.sign < 0 and not measured.is_share
    verdict = verdict_of(measured)
    sides = sides_of(measured)
    return FormerFinding(
        counted=measured.counted or verdict,
        verdict=verdict,
        estimate=estimate,
        low=low,
        high=high,
        n=len(measured.networks),
        unit=cases.unit,
        reason=reason_of(measured, ShownInterval(estimate, low, high), singly=True),
        p=interval.p(asked[1] if negative else asked[0]),
        by_data=sides.by_data,
        agree=sides.agree,
        against=sides.against,
        least=least,
        most=most,
        settings=json.dumps(cases.settings) if cases.settings else "",
    )


def interval_of(measured: MeasuredNetworks) -> Interval:
    """Return the interval of all networks."""
    return interval_among(measured, measured.networks, measured.drawn)


def interval_among(
    measured: MeasuredNetworks,
    networks: pd.DataFrame | pd.Series,
    clusters: dict[str, np.ndarray],
) -> Interval:
    """Return the interval of some networks in clusters, by what the test measures of them."""
    if measured.cases.interval_of:
        return measured.cases.interval_of(networks, clusters)
    if not measured.is_share:
        return mean_interval(networks, clusters)
    # about a half counts are nearly normal, about a twentieth they are skewed
    half = measured.asked[0] == SHARES["mostly"]
    return (share_interval if half else exact_interval)(networks, clusters)


def verdict_of(measured: MeasuredNetworks) -> str:
    """Return the verdict on networks like these.

    1. Too few networks decide nothing.
    2. An interval that lies between what is asked for, or outside of it, does.
    3. What is mixed because data sets, or settings, contradict each other depends on them.
    4. A share that would be mixed if no network agreed has too few cases too; that there are
       examples, or an effect, is shown or not.
    """
    if too_few(measured):
        return "too few cases"
    interval = interval_of(measured)
    verdict = evident(interval.low, interval.high, *measured.asked)
    if verdict != "mixed":
        return verdict
    depends = contradiction(measured)
    if depends:
        return depends
    if measured.quantifier == "exists" or not measured.is_share:
        return "mixed"
    nobody = interval_among(measured, 0 * measured.networks, measured.drawn)
    return "mixed" if nobody.high < measured.asked[0] else "too few cases"


def too_few(measured: MeasuredNetworks) -> bool:
    """Say whether networks are too few: less than five, drawn singly, or on one data set.

    Examples are plainly counted; settings are compared seed by seed, so two suffice.
    """
    n, drawn = len(measured.networks), measured.drawn
    if measured.quantifier == "exists":
        return n < FEWEST
    if "dataset" in drawn and len(set(drawn["dataset"])) < 2:
        return True
    least = 2 if measured.cases.settings else FEWEST
    return drawn_singly(n, drawn).n < least - 1e-9


def contradiction(measured: MeasuredNetworks) -> str:
    """Return on what it depends, where settings, or data sets, lie on both sides for sure."""
    if measured.cases.interval_of or "dataset" not in measured.clusters:
        return ""
    if measured.cases.settings:
        places = list(measured.clusters["dataset"])
        verdicts = [setting["verdict"] for setting in measured.cases.settings]
    else:
        by_data = verdicts_by_data(measured)
        places, verdicts = list(by_data), list(by_data.values())
    true, false = (
        {
            place
            for place, verdict in zip(places, verdicts, strict=True)
            if verdict == side
        }
        for side in ("holds", "fails")
    )
    if not (true and false):
        return ""
    # both verdicts on one data set are no difference of data sets
    return f"depends on the {'setting' if true & false else 'data'}"


def verdicts_by_data(measured: MeasuredNetworks) -> dict[str, str]:
    """Return the verdict of each data set that has enough networks."""
    verdicts = {}
    for name, networks in measured.networks.groupby(measured.clusters["dataset"]):
        if len(networks) >= FEWEST:
            interval = interval_among(measured, networks, {})
            verdicts[name] = evident(interval.low, interval.high, *measured.asked)
    return verdicts


def share_interval(
    agree: np.ndarray | pd.Series, clusters: dict[str, np.ndarray]
) -> Interval:
    """Return the share of networks that agree, with Wilson's interval of as many drawn singly.

    A quarter of a network is taken from either side, since a count moves in steps: half of Yates'
    correction, which suffices for the error rates that are asked for.
    """
    agree = np.asarray(agree, dtype=float)
    weights, n = drawn_singly(agree.shape[-1], clusters)
    share = agree @ weights

    def p(bound: float) -> float:
        distance = np.maximum(abs(share - bound) - STEP / n, 0)
        return float(2 * norm.sf(distance * np.sqrt(n / (bound * (1 - bound)))))

    low = wilson_interval(np.maximum(share * n - STEP, 0), n)[0]
    high = wilson_interval(np.minimum(share * n + STEP, n), n)[1]
    return Interval(share, low, high, p)


def exact_interval(
    agree: np.ndarray | pd.Series, clusters: dict[str, np.ndarray]
) -> Interval:
    """Return the share of networks that agree, with the exact interval of Clopper and Pearson.

    It is for a share that is asked to pass a third or less, where counts are skewed; with as many
    networks as drawn singly it is that of Korn and Graubard (1998).
    """
    agree = np.asarray(agree, dtype=float)
    weights, n = drawn_singly(agree.shape[-1], clusters)
    share = agree @ weights
    k = np.clip(share * n, 0, n)
    below = beta(np.maximum(k, TINY), n - k + 1)
    above = beta(k + 1, np.maximum(n - k, TINY))
    interval = Interval(share, below.ppf(0.025), above.ppf(0.975))
    return replace(
        interval, p=lambda bound: float(2 * min(below.cdf(bound), above.sf(bound), 0.5))
    )
