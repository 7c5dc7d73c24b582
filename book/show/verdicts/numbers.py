"""What verdicts rest on, glued to the sentences of a page."""

import pandas as pd

from book.show.display import glue_values
from book.show.verdicts.wording import count_or_effect, share_with_count


def glue_counts_and_effects(ledger: pd.DataFrame, *judgements: tuple[str, str]) -> None:
    """Glue what verdicts rest on, each as "told-CLAIM-EVIDENCE"."""
    for claim, evidence in judgements:
        glue_values(
            "told", **{f"{claim}_{evidence}": count_or_effect(ledger, claim, evidence)}
        )


def glue_shares(
    ledger: pd.DataFrame, *judgements: tuple[str, str], verdict: str = ""
) -> None:
    """Glue of how many new networks sentences are true, each as "share-CLAIM-EVIDENCE".

    How many of those at hand agree stands behind it: "67 % (46 to 87; 86 of 90 at hand)".

    `verdict` is the word that the page says of them all; where the ledger has another, the page
    is wrong and does not build.
    """
    rows = ledger.set_index(["id", "evidence"])
    for claim, evidence in judgements:
        ours = rows.verdict[claim, evidence]
        if verdict and ours != verdict:
            raise ValueError(
                f"{claim}, {evidence}: {ours} in the ledger, not {verdict}"
            )
        share = share_with_count(rows.loc[claim, evidence])
        glue_values("share", **{f"{claim}_{evidence}": share})


def by_data(ledger: pd.DataFrame, claim: str, evidence: str) -> dict[str, str]:
    """Return the counts of a judgement by data set."""
    # "20 Newsgroups 3 of 5; fashion 2 of 2"
    counts = ledger.set_index(["id", "evidence"]).by_data[claim, evidence]
    parts = [part.rsplit(" ", 3) for part in counts.split("; ")]
    return {name: f"{agreeing} of {cases}" for name, agreeing, _, cases in parts}
