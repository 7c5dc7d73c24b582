"""The verdicts of the ledger in words, as a table that opens, and as a figure."""

from book.show.verdicts.figure import (
    VERDICT_COLOURS,
    drawn_effects,
    effects_of,
    sentences_figure,
)
from book.show.verdicts.numbers import by_data, glue_counts_and_effects, glue_shares
from book.show.verdicts.tables import (
    filter_table,
    judged_papers,
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
    least_share_in_words,
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
    "drawn_effects",
    "effects_of",
    "filter_table",
    "glue_counts_and_effects",
    "glue_shares",
    "judged_papers",
    "judged_rows",
    "judged_table",
    "least_share_in_words",
    "ledger_table",
    "paper_label",
    "sentences_figure",
    "share_in_words",
    "size_in_words",
    "with_source_labels",
]
