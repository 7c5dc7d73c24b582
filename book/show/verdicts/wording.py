"""Papers, networks, shares and amounts of the ledger, as a text names them."""

import re
from collections.abc import Iterable

import numpy as np
import pandas as pd

from book.show.display import signed, source_label
from book.show.verdicts.judgement import Judgement
from evidence import claims
from evidence.claims.reasons import number_as_text
from evidence.data import DATA_SETS


def paper_label(key: str) -> str:
    """Return a paper as a text names it, "Guo 2017", of its key, "guo2017"."""
    parts = re.fullmatch(r"([a-z]+)(\d{4})", key)
    if parts is None:
        raise ValueError(f"paper: {key!r} is no author and year, such as guo2017")
    return f"{parts[1].capitalize()} {parts[2]}"


PAPERS = {key: paper_label(key) for key in claims.PAPERS}
KINDS = {"published": "Print", "public": "Public", "zoo": "Ours", "simulation": "Ours"}
# how the names of public predictions begin, and with them all of a name
AUTHORS = "baan bolt calarena calibench cleanlab ferrer hollance imagenetx kerrigan kull mehul0x "
AUTHORS += "metacal netcal northcutt verified"
SOURCE = re.compile(rf"\b({AUTHORS.replace(' ', '|')}|alecwangcq|timm)-[\w.-]*\w")


def share_in_words(row: Judgement) -> str:
    """Return the share of new networks of which a sentence is true, with its interval, as text."""
    if np.isnan(row.share):
        return ""
    low, high = (f"{100 * end:.0f}" for end in (row.share_low, row.share_high))
    return f"{100 * row.share:.0f} % ({low} to {high})"


def share_with_count(row: Judgement) -> str:
    """Return a share of new networks with its interval, and how many at hand agree, as text."""
    share = share_in_words(row)
    if not share or row.unit != "share":
        return share
    return f"{share[:-1]}; {counted_in_words(row)} at hand)"


def size_in_words(row: Judgement) -> str:
    """Return an amount with its interval, and where the next network's lies, as text."""
    if row.unit == "share" or np.isnan(row.estimate):
        return ""
    size = number_as_text(row.estimate, row.low, row.high, row.unit)
    if np.isnan(row.next_low):
        return size
    form, ends = "+.3g", np.array([row.next_low, row.next_high])
    if row.unit == "log ratio":
        form, ends = ".2f", np.exp(ends)
    return f"{size}; the next network {ends[0]:{form}} to {ends[1]:{form}}"


def with_source_labels(text: str) -> str:
    """Return text with data set, network and origin in place of the keys of public predictions.

    Examples
    --------
    >>> with_source_labels("9 of 10; not kull-birds-resnet50")
    '9 of 10; not Birds ResNet-50 (Kull)'
    """
    return SOURCE.sub(lambda found: source_label(found[0]), text)


def with_data_set_names(counts: str) -> str:
    """Return counts by data set with the names of our data sets as others write them."""
    for name, usual in DATA_SETS.items():
        counts = re.sub(rf"(?<!\S){name}(?= \d)", usual, counts)
    return counts


def count_share(row: Judgement) -> float:
    """Return the share of the cases at hand that agree, nan of a row that counts none."""
    return float(row.agreeing / row.cases) if row.unit == "share" else np.nan


def counted_in_words(row: Judgement) -> str:
    """Return how many of the cases at hand agree, of a row that counts them: "69 of 69"."""
    return f"{row.agreeing} of {row.cases}"


def count_or_effect(ledger: pd.DataFrame, claim: str, evidence: str) -> str:
    """Return what a verdict rests on in a few words, for a sentence: a count, or an effect."""
    row = ledger.set_index(["id", "evidence"]).loc[claim, evidence]
    if row.unit == "share":
        return counted_in_words(row)
    return "{} [{}, {}]".format(
        *(signed(x, 2) for x in row[["estimate", "low", "high"]])
    )


def counted_networks(rows: pd.DataFrame) -> str:
    """Return on how many networks judgements rest."""
    kinds = {kind: name.lower() for kind, name in KINDS.items()}
    kinds |= {"simulation": "simulated samples"}
    return ", ".join(f"{r.n} {kinds[r.evidence]}" for r in rows.itertuples() if r.n)


def cell_text(row: Judgement) -> str:
    """Return what a cell of the ledger shows: in print the verdict, elsewhere share or size."""
    if row.evidence == "published" or row.verdict == "not tested":
        return row.verdict
    if row.status == "theorem":  # its share tells how many were looked at, and no doubt
        return f"proved: {counted_in_words(row)} agree"
    share = share_in_words(row)
    if share or np.isnan(row.estimate):
        return share or row.verdict
    return number_as_text(row.estimate, row.low, row.high, row.unit)


def badge_text(row: Judgement) -> str:
    """Return verdict and share of a judgement: "open: 79 % (48 to 98)", or that it is proved."""
    if row.status == "theorem":
        return "proved"
    return ": ".join(filter(None, [row.label, share_in_words(row)]))


def resolved_words(rows: pd.DataFrame) -> str:
    """Return what is shown or refuted by networks, if anything is; a dash without networks."""
    if rows.empty:
        return "–"
    sure = [word for word in ("shown", "refuted") if (rows.verdict == word).any()]
    return " and ".join(sure) or "open"


def least_share_in_words(rows: Iterable[Judgement]) -> str:
    """Return what a sentence's word asks of networks, where that is less than half of them."""
    away = [row for row in rows if row.unit == "share" and row.evidence != "published"]
    least = min((row.least for row in away), default=0.5)
    return f"asks for more than {least:.0%}" if least < 0.5 else ""
