"""The ledger, or a part of it, as a table that opens."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader

from book.show.display import text_table, typeset
from book.show.verdicts.why import why, without_repeats
from book.show.verdicts.wording import (
    KINDS,
    PAPERS,
    badge_text,
    cell_text,
    counted_networks,
    least_share_in_words,
    resolved_words,
    share_in_words,
    size_in_words,
    with_data_set_names,
    with_source_labels,
)
from evidence import claims


def judged_papers(papers: Mapping[str, str], part: str = "promises") -> pd.DataFrame:
    """Return what papers, named by their keys, say and how a ledger judges it, as a table."""
    ledger = claims.load_ledger(part=part)
    ledger = ledger[ledger.paper.isin(papers)]
    return text_table(judged_rows(ledger.assign(paper=ledger.paper.map(papers))))


def judged_rows(ledger: pd.DataFrame, *more: str) -> pd.DataFrame:
    """Return sentences of a ledger with share, verdict and why it is so; `more` columns stand
    behind the sentences."""
    ledger = ledger.reset_index(drop=True)
    rows = list(ledger.itertuples())
    table = {"paper": ledger.paper, "says": without_repeats(ledger.says)}
    table |= {name: ledger[name] for name in more}
    table |= {"of new networks": [share_in_words(row) for row in rows]}
    table |= {"verdict": ledger.label, "why": [typeset(why(row)) for row in rows]}
    return pd.DataFrame(table)


def judged_table(ledger: pd.DataFrame, name: str, filters: str = "") -> str:
    """Return sentences with all that is judged of each, as HTML: a row a sentence.

    Columns `subject`, `paper` and `answers` say in words what a sentence is about, whose it is and
    whose answers it is judged by; `name` and `filters` are as in `filter_table`.
    """
    heads = ["Subject", "Paper", "Claim", "Why"]
    sentences = [
        list(rows.itertuples()) for _, rows in ledger.groupby("id", sort=False)
    ]
    macros = templates()
    lines = [
        [rows[0].subject, rows[0].paper, macros.sentence(rows[0]), macros.reasons(rows)]
        for rows in sentences
    ]
    about: dict[str, Any] = {"filters": filters, "kind": "ledger judged"}
    about |= {"ids": [f"claim-{rows[0].id}" for rows in sentences]}
    return filter_table(pd.DataFrame(lines, columns=heads), name, **about)


def as_html(text: str) -> str:
    """Return text as HTML, with minus signs."""
    return escape(typeset(text), quote=False)


def ledger_table(ledger: pd.DataFrame, claims: Iterable[str] | None = None) -> str:
    """Return the ledger, or the claims of some ids in this order, as HTML: a row a claim."""
    kinds = list(
        dict.fromkeys(KINDS[kind] for kind in KINDS if kind in set(ledger.evidence))
    )
    names = ledger.id.unique() if claims is None else list(claims)
    lines = [ledger_line(ledger[ledger.id == name], kinds) for name in names]
    table = pd.DataFrame(
        lines, columns=["Paper", "Claim", *kinds, "Networks say", "Rests on"]
    )
    # what is the same in each row is said by the page
    if table.Paper.nunique() == 1:
        table = table.drop(columns="Paper")
    filters = [name for name in ("Paper", "Networks say") if name in table]
    shown_filters = ",".join(filters) if claims is None else ""
    return filter_table(
        table,
        "Claims and verdicts",
        filters=shown_filters,
        kind="ledger",
        ids=[f"claim-{name}" for name in names],
    )


def ledger_line(rows: pd.DataFrame, kinds: list[str]) -> list[Any]:
    """Return the cells of a claim: a badge for each kind of evidence, and what it rests on."""
    badges = dict.fromkeys(kinds, "")
    for row in rows[rows.evidence.isin(list(KINDS))].itertuples():
        badges[KINDS[row.evidence]] = templates().badge(row.verdict, cell_text(row))
    claim = templates().claim(list(rows.itertuples()))
    elsewhere = rows[rows.evidence != "published"]
    cells = [PAPERS[rows.paper.iloc[0]], claim, *badges.values()]
    return [*cells, resolved_words(elsewhere), counted_networks(rows)]


def filter_table(
    frame: pd.DataFrame,
    name: str,
    *,
    filters: str = "",
    start: str = "",
    kind: str = "numbers",
    ids: Sequence[str] = (),
) -> str:
    """Return a table, whose cells are HTML, that filters and sorts in the page.

    A screen reader calls it `name`; `filters` are the columns with a list, `start` what is chosen
    at first ("Table,Model", "Table=5"); `kind` is a class of the style sheet; `ids` are the
    anchors of the rows, to which a link leads.
    """
    about: dict[str, Any] = {"kind": kind, "filters": filters, "start": start}
    about |= {"name": name, "ids": list(ids)}
    return templates().table(list(frame), frame.to_numpy(object).tolist(), about)


@cache
def templates() -> Any:
    """Return the macros of `ledger.html`."""
    folder = Environment(loader=FileSystemLoader(Path(__file__).parent))
    folder.filters |= {"with_source_labels": with_source_labels, "as_html": as_html}
    folder.globals |= {
        "KINDS": KINDS,
        "with_data_set_names": with_data_set_names,
        "least_share_in_words": least_share_in_words,
    }
    folder.globals |= {"share_in_words": share_in_words, "size_in_words": size_in_words}
    folder.globals |= {"badge_text": badge_text, "why": why}
    return folder.get_template("ledger.html").module
