"""Why a claim has its verdict, as text: counts, effects with intervals, and the cases by name."""

from dataclasses import astuple, dataclass

import numpy as np
import pandas as pd

from evidence.claims.cases import Cases, MeasuredNetworks
from evidence.claims.network_intervals import ShownInterval, drawn_singly

LISTED = 300  # cases of one side that are named
FEW_EXCEPTIONS = 3  # that a reason names


@dataclass(frozen=True)
class ClusterCounts:
    """Of how many data sets, authors and models the networks are, None where nothing tells it."""

    datasets: int | None = None
    authors: int | None = None
    models: int | None = None


@dataclass(frozen=True)
class Sides:
    """Which cases are on the claim's side and which are not, as text."""

    by_data: str = ""  # counts by data set
    agree: str = ""
    against: str = ""


def cluster_counts(measured: MeasuredNetworks) -> ClusterCounts:
    """Return of how many data sets, authors and models the networks are."""
    counts = {name: len(set(levels)) for name, levels in measured.clusters.items()}
    return ClusterCounts(counts.get("dataset"), counts.get("author"), counts.get("kin"))


def sides_of(measured: MeasuredNetworks) -> Sides:
    """Return the counts by data set, and the cases on either side."""
    cases, agree = measured.cases, measured.agree
    by_data = counts_by_data(cases.values, agree)
    if cases.interval_of:
        return Sides(by_data)  # one number of all networks has no sides
    names = names_of_cases(cases)
    return Sides(by_data, listed(names, agree), listed(names, ~agree))


def reason_of(
    measured: MeasuredNetworks, shown: ShownInterval, *, singly: bool = False
) -> str:
    """Return one line that says why; `shown` are the estimate and its interval.

    With `singly` it says too how many networks drawn singly would tell as much.
    """
    cases, n = measured.cases, len(measured.networks)
    of_clusters = clusters_in_words(*astuple(cluster_counts(measured)))
    as_many = ""
    if singly:
        as_many = f": as {drawn_singly(n, measured.drawn).n:.1f} drawn singly"
    many = f" ({of_clusters}{as_many})" if of_clusters else ""
    if measured.is_share:
        amount = count_in_words(measured)
    else:
        amount = f"{number_as_text(*shown, cases.unit)}, n = {n}"
    clauses = [f"{cases.summary}: {amount}{many}", heterogeneity(cases), cases.note]
    return "; ".join(filter(None, clauses))


def clusters_in_words(
    datasets: int | None, authors: int | None, models: int | None
) -> str:
    """Return of how many data sets, authors and models networks are, as text.

    Examples
    --------
    >>> clusters_in_words(1, None, 11)
    '1 data set, 11 models'
    """
    counts = {"data set": datasets, "author": authors, "model": models}
    known = {noun: n for noun, n in counts.items() if n is not None and not pd.isna(n)}
    return ", ".join(how_many(n, noun) for noun, n in known.items())


def how_many(n: int, noun: str) -> str:
    """Return a number of things as text.

    Examples
    --------
    >>> how_many(1, "author"), how_many(12, "author")
    ('1 author', '12 authors')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def count_in_words(measured: MeasuredNetworks) -> str:
    """Return how many cases agree, and the few that do not, as text."""
    agree, n = measured.agree, len(measured.networks)
    labels = labelled(measured.cases.values.index)
    exceptions = [
        name for name, agrees in zip(labels, agree, strict=True) if not agrees
    ]
    few = 0 < len(exceptions) <= FEW_EXCEPTIONS
    named = f"; not {', '.join(exceptions)}" if few else ""
    networks = f" ({how_many(n, 'network')})" if n < len(agree) else ""
    return f"{agree.sum()} of {len(agree)}{networks}{named}"


def heterogeneity(cases: Cases) -> str:
    """Return how much settings differ beyond what their seeds explain, as text."""
    if not cases.settings:
        return ""
    # the method of moments: the variance of the settings less that of their means
    within = np.mean([setting["error"] ** 2 for setting in cases.settings])
    tau = 0.0
    if len(cases.values) > 1:
        tau = np.sqrt(max(0.0, np.var(cases.values, ddof=1) - within))
    each = [f"{s['setting']}: {s['reason']}" for s in cases.settings]
    return f"settings differ by {tau:.3g} ({cases.unit}) beyond their seeds; {'; '.join(each)}"


def counts_by_data(values: pd.DataFrame | pd.Series, agree: np.ndarray) -> str:
    """Return the count of each data set as text, the largest first."""
    if "dataset" not in values.index.names or len(agree) != len(values):
        return ""
    datasets = values.index.get_level_values("dataset").astype(str)
    counts = pd.Series(agree).groupby(datasets).agg(["sum", "size"])
    # stable: data sets of one size stay in their order
    counts = counts.sort_values("size", ascending=False, kind="stable")
    return "; ".join(
        f"{name} {k} of {n}" for name, k, n in counts.itertuples(name=None)
    )


def names_of_cases(cases: Cases) -> list[str]:
    """Return the name of each case, with its value where it is an effect.

    There are none where two effects would have one name.
    """
    labels = labelled(cases.values.index)
    if cases.unit == "share":
        return labels
    if len(set(labels)) < len(labels):
        return []
    return [f"{name} {x:+.3g}" for name, x in zip(labels, cases.values, strict=True)]


def listed(names: list[str], chosen: np.ndarray) -> str:
    """Return the names of chosen cases as text, the first few hundred."""
    if not names:
        return ""
    shown = [name for name, show in zip(names, chosen, strict=True) if show]
    more = [f"and {len(shown) - LISTED} more"] if len(shown) > LISTED else []
    return "; ".join([*shown[:LISTED], *more])


def labelled(index: pd.Index) -> list[str]:
    """Return a name for each entry of an index, without what all have in common."""
    if isinstance(index, pd.MultiIndex) and len(index) > 1:
        same = [
            i for i in range(index.nlevels) if index.get_level_values(i).nunique() == 1
        ]
        # one level stays, even where all are the same
        index = index.droplevel(same[: index.nlevels - 1])
    return [index_text(name) for name in index]


def index_text(name: tuple[str, ...] | int) -> str:
    """Return an index entry as readable text.

    Examples
    --------
    >>> index_text(("CIFAR-10", "ResNet-110", ""))
    'CIFAR-10 ResNet-110'
    >>> index_text(("fashion", "fashion-resnet8-w8"))
    'fashion-resnet8-w8'
    """
    levels = name if isinstance(name, tuple) else (name,)
    texts = [str(level) for level in levels if str(level)]
    letters = [text.lower().replace("-", "") for text in texts]
    # what a later level says again is left out
    return " ".join(
        text
        for i, text in enumerate(texts)
        if not any(letters[i] in later for later in letters[i + 1 :])
    )


def number_as_text(estimate: float, low: float, high: float, unit: str) -> str:
    """Return an estimate of a unit with its interval, if it has one, as text.

    It is that of the four digits which the ledger stores, so that its reader finds the same.

    Examples
    --------
    >>> number_as_text(0.5, 0.25, 1.0, "points"), number_as_text(0.5, np.nan, np.nan, "share")
    ('+0.5 (+0.25 to +1) points', '50%')
    """
    form = {"log ratio": ".2f", "share": ".0%"}.get(unit, "+.3g")
    estimate, low, high = (float(f"{number:.4g}") for number in (estimate, low, high))
    if unit == "log ratio":
        estimate, low, high = np.exp([estimate, low, high])
    interval = "" if np.isnan(low) else f" ({low:{form}} to {high:{form}})"
    before, after = {"log ratio": ("factor ", ""), "share": ("", "")}.get(
        unit, ("", f" {unit}")
    )
    return f"{before}{estimate:{form}}{interval}{after}".rstrip()
