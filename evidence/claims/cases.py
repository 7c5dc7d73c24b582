"""What a test measured, and the networks that it measured it on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from evidence.claims.network_intervals import (
    FEWEST,
    Interval,
    ShownInterval,
    mean_interval,
)
from evidence.claims.quantifiers import (
    SHARES,
    Bounds,
    Quantifier,
    share_of_cases,
    share_of_networks,
    verdict_of_count,
)

# levels of an index that tell cells of one network apart, and no networks
SAME_NETWORK = ("metric", "method", "pair", "level", "twin")
CLUSTERS = ("dataset", "author", "kin")  # what networks may share


@dataclass(frozen=True)
class Cases:
    """What a test measured.

    `values` has one value a case: whether it agrees with the claim, or an effect. The levels of its
    index tell cells, networks, data sets and models apart. A table is of networks, and has
    `interval_of`, which returns the `Interval` of the table and its clusters.
    """

    values: pd.Series | pd.DataFrame
    summary: str  # what was measured or counted, in words
    unit: str = "share"  # of an effect, or of cases that agree
    # the claim puts an effect beyond `margin` on that side, with 0 within it
    sign: int = 1
    margin: float = 0.0
    reference: float = 0.0  # of an interval: what takes the place of zero
    interval_of: Callable[..., Interval] | None = None
    to_shown: Callable[[Any], Any] = float  # turns the interval into what is shown
    note: str = ""  # what else the reason says
    # of an effect in several settings: what was found in each, as dicts
    settings: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class MeasuredNetworks:
    """The networks that a test measured, and what they have in common."""

    cases: Cases
    quantifier: Quantifier  # that the sentence asks for
    # one entry each: their cells and seeds are averaged
    networks: pd.Series | pd.DataFrame
    # the data set, author and model of each, as far as they are known
    clusters: dict[str, Any]
    all_named: bool  # whether the sentence names all of the data sets

    @property
    def is_share(self) -> bool:
        """Whether networks are counted that agree, and no effect is measured."""
        return self.cases.unit == "share"

    @property
    def drawn(self) -> dict[str, np.ndarray]:
        """What another network would have another one of: data sets that are named stay."""
        return {
            name: levels
            for name, levels in self.clusters.items()
            if name != "dataset" or not self.all_named
        }

    @property
    def asked(self) -> Bounds:
        """Between what the claim puts the estimate."""
        return bounds(self.cases, self.quantifier)

    @cached_property
    def interval(self) -> Interval:
        """The test's own number with its interval, else the mean of the networks with its."""
        interval_of = self.cases.interval_of or mean_interval
        return interval_of(self.networks, self.drawn)

    @property
    def shown_interval(self) -> ShownInterval:
        """The estimate and the ends of its interval, in the unit in which they are shown."""
        ends = (self.interval.estimate, self.interval.low, self.interval.high)
        return ShownInterval(*(float(self.cases.to_shown(end)) for end in ends))

    @property
    def shown_asked(self) -> Bounds:
        """Between what the claim puts the estimate, in the unit in which it is shown."""
        if self.is_share:
            return share_of_cases(self.quantifier, len(self.agree))
        return Bounds(*(float(self.cases.to_shown(end)) for end in self.asked))

    @cached_property
    def agree(self) -> np.ndarray:
        """Which cases are on the claim's side."""
        return agreeing(self.cases, self.interval)

    @property
    def counted(self) -> str:
        """What the words say of the cases at hand: "holds", "fails" or "mixed".

        It is "" where only an interval can tell: of no effect, and of few networks in one number.
        """
        one_number = self.cases.interval_of is not None
        if self.quantifier == "none" or (one_number and len(self.networks) < FEWEST):
            return ""
        if self.quantifier == "average":
            # one number on the claim's side is all that an average asks for
            least, most = self.asked
            between = least < self.interval.estimate < most
            return verdict_of_count(np.array([between]), "always")
        if not self.is_share and self.quantifier in SHARES:
            # effects have a side each, whatever share of them the word asks for
            return verdict_of_count(self.agree, "direction")
        return verdict_of_count(self.agree, self.quantifier)


def measured_networks(
    cases: Cases,
    quantifier: Quantifier = "direction",
    rows: pd.DataFrame | None = None,
    named: Any = (),
) -> MeasuredNetworks:
    """Return the networks that a test measured.

    Parameters
    ----------
    cases : Cases
        What the test returned.
    quantifier : str or Count
        What the word of the sentence asks for.
    rows : DataFrame, optional
        Where the data set, the author and the model of a case are looked up.
    named : collection of str
        Data sets that the sentence names: they are not drawn.
    """
    networks = cases.values
    if cases.interval_of is None:
        networks = by_network(networks.astype(float))
    if quantifier == "exists":
        # an example is a network most of whose cells agree
        networks = (networks > 0.5).astype(float)
    levels = {name: levels_of_cases(networks.index, name, rows) for name in CLUSTERS}
    clusters = {name: level for name, level in levels.items() if level is not None}
    all_named = "dataset" in clusters and set(clusters["dataset"]) <= set(named)
    return MeasuredNetworks(cases, quantifier, networks, clusters, all_named)


def bounds(cases: Cases, quantifier: Quantifier) -> Bounds:
    """Return between what the claim puts the estimate."""
    if cases.unit == "share":
        return Bounds(share_of_networks(quantifier), np.inf)
    margin = cases.margin
    by_sign = {0: (-margin, margin), 1: (margin, np.inf), -1: (-np.inf, -margin)}
    least, most = by_sign[cases.sign]
    return Bounds(least + cases.reference, most + cases.reference)


def agreeing(cases: Cases, interval: Interval) -> np.ndarray:
    """Return which values are on the claim's side."""
    if cases.unit == "share":
        return cases.values.to_numpy(dtype=bool)
    values = (
        np.atleast_1d(interval.estimate if cases.interval_of else cases.values)
        - cases.reference
    )
    return (
        values * cases.sign > cases.margin
        if cases.sign
        else np.abs(values) < cases.margin
    )


def by_network(values: pd.Series) -> pd.Series:
    """Return the mean of each network's values."""
    names = [name for name in values.index.names if name not in SAME_NETWORK]
    if None in names:
        return values
    if not names:
        return pd.Series([values.mean()], index=pd.Index(["one"], name="case"))
    return values.groupby(level=names, sort=False).mean()


def levels_of_cases(
    index: pd.Index, name: str, rows: pd.DataFrame | None
) -> np.ndarray | None:
    """Return the data set, author or model of each case, None where nothing tells it."""
    level = "model" if name == "kin" and "model" in index.names else name
    if level in index.names:
        return np.asarray(index.get_level_values(level).astype(str))
    if (
        rows is None
        or name not in rows
        or "case" not in rows
        or "case" not in index.names
    ):
        return None
    by_case = rows.drop_duplicates("case").set_index("case")[name]
    cases = index.get_level_values("case")
    levels = by_case.reindex(cases).to_numpy(dtype=object)
    levels = np.where(pd.isna(levels), cases.to_numpy(dtype=object), levels).astype(str)
    if name == "kin" and len(set(levels)) == 1:
        # one model in many trainings: then each training is a network of its own
        return cases.to_numpy()
    return levels
