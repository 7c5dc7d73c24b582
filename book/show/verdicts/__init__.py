"""The verdicts of the ledger in words, as a table that opens, and as a figure."""

from book.show.verdicts.figure import (
    VERDICT_COLOURS,
    marks_of,
    parts_of,
    sentences_figure,
)
from book.show.verdicts.numbers import by_data, glue_counts_and_effects, glue_shares
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
    badge_text,
    cell_text,
    count_or_effect,
    demand_in_words,
    paper_label,
    share_in_words,
    size_in_words,
    with_source_labels,
)

__all__ = [
    "KINDS",
    "PAPERS",
    "VERDICT_COLOURS",
    "badge_text",
    "by_data",
    "cell_text",
    "count_or_effect",
    "demand_in_words",
    "filter_table",
    "glue_counts_and_effects",
    "glue_shares",
    "judged",
    "judged_rows",
    "judged_table",
    "ledger_table",
    "marks_of",
    "paper_label",
    "parts_of",
    "sentences_figure",
    "share_in_words",
    "size_in_words",
    "with_source_labels",
]
