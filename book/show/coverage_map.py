"""The map of coverage: of each paper, what kind of evidence judges its items and cells."""

from html import escape
from typing import Any

import pandas as pd

from book.show.replication import KINDS
from book.show.verdicts import PAPERS
from evidence.claims import coverage

MISSING = "not in the text"
# how near ours is to the printed number, of the same network
NEARNESS = {"exact": "to the last digit", "near": "or within our interval"}


def cells_by_evidence(cells: pd.DataFrame) -> pd.DataFrame:
    """Return of each paper how many cells each kind of evidence judges, and how near they are."""
    counts = cells.groupby("paper")["status"].value_counts().unstack(fill_value=0)
    columns = {"same network": counts["same network"]}
    for column, head in NEARNESS.items():
        columns[head] = cells.groupby("paper")[column].sum()
    columns |= {kind: counts[kind] for kind in ("sibling", "in kind", "print only")}
    frame = pd.DataFrame(columns).astype(int)
    return frame.rename(index=PAPERS).rename_axis("paper")


def map_table(rows: pd.DataFrame) -> str:
    """Return the map of coverage as HTML: a table a paper, each item a link to its place."""
    tables = []
    for paper, part in rows.groupby("paper", sort=False):
        heads = [f"<th>{head}</th>" for head in ("", *KINDS, MISSING)]
        lines = [_line_of_map(row) for row in part.to_dict("records")]
        caption = (
            f"<caption>{PAPERS[paper]}: figures, and cells of its tables</caption>"
        )
        tables.append(
            f"<table>{caption}<tr>{''.join(heads)}</tr>{''.join(lines)}</table>"
        )
    return "\n".join(tables)


def _line_of_map(row: dict[Any, Any]) -> str:
    item = (
        f'<a href="{row["place"]}">{row["item"]}</a>' if row["place"] else row["item"]
    )
    numbers = [row[status] for status in coverage.STATUSES.values()]
    if row["item"].startswith("Figure"):
        # the word of its kind says more than a one
        named = zip((*KINDS, MISSING), numbers, strict=True)
        numbers = [kind if number else "" for kind, number in named]
    cells = "".join(f"<td>{number or ''}</td>" for number in numbers)
    title = f' title="{escape(row["why_not"])}"' if row["why_not"] else ""
    return f'<tr{title}><th scope="row" style="white-space: nowrap">{item}</th>{cells}</tr>'
