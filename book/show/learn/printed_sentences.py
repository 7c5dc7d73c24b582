"""Numbers of the page *Judge a printed sentence*."""

from collections.abc import Sequence

import pandas as pd

from book.show.display import glue, glue_values
from evidence.claims import chance_of_another_best


def glue_lowest_printed_scores(
    by_nll: pd.DataFrame, good: Sequence[str], size: pd.Series, winners: pd.DataFrame
) -> None:
    """Glue how often each map has the lowest printed score, and would have another on a draw."""
    glue_values(
        "proper",
        nll=f"{int((by_nll[good].min(axis=1) <= by_nll.min(axis=1)).sum())}",
        rows=f"{int(size['NLL'])}",
        iso=f"{int(winners.loc['Isotonic regression', 'Brier'])}",
    )
    glue("proper-rows-brier", f"{int(size['Brier'])}", display=False)
    for metric in ("NLL", "Brier"):
        differ = chance_of_another_best("vasilev", metric, "public")
        glue(f"proper-differ-{metric}", f"{differ:.0%}", display=False)
