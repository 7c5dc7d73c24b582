"""The verdicts of the ledger in words, as a table that opens, and as a figure."""

from book.show.verdicts.figure import (
    VERDICT_COLOURS,
    marks_of,
    parts_of,
    sentences_figure,
)
from book.show.verdicts.numbers import by_data, keep_shares, keep_told
from book.show.verdicts.tables import (
    filter_table,
    judged,
    judged_rows,
    judged_table,
    ledger_table,
)
from book.show.verdicts.wording import (
    KINDS,
    PAPERS,
    asked,
    badge_text,
    cell_text,
    named,
    paper_label,
    share_in_words,
    size_in_words,
    told,
)

__all__ = [
    "KINDS",
    "PAPERS",
    "VERDICT_COLOURS",
    "asked",
    "badge_text",
    "by_data",
    "cell_text",
    "filter_table",
    "judged",
    "judged_rows",
    "judged_table",
    "keep_shares",
    "keep_told",
    "ledger_table",
    "marks_of",
    "named",
    "paper_label",
    "parts_of",
    "sentences_figure",
    "share_in_words",
    "size_in_words",
    "told",
]
