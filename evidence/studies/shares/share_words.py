"""Compute share_words.csv: what the words of the papers ask for, and get.

`python -m evidence.studies share_words` from the root: for each word the share that it asks for
beside the shares of networks elsewhere, pooled over the sentences that say it, theorems left out.
"""

from collections.abc import Iterator

from evidence.claims import stored
from evidence.claims.pools import pool
from evidence.claims.quantifiers import quantifier_of, share_of_cases
from evidence.rows import Row
from evidence.studies.parts.judged_sentences import judged_elsewhere, likelihood

FEWEST = 4  # tests with one word


def rows() -> Iterator[Row]:
    """Yield what each word asks for, and the pooled share of networks that its sentences have."""
    judged, scales = judged_elsewhere(), stored.load_scales()
    counting = judged[(judged["status"] == "claim") & (judged["unit"] == "share")]
    for word, of_word in counting.groupby("word"):
        if len(of_word) < FEWEST:
            continue
        keys = zip(of_word["id"], of_word["evidence"], strict=True)
        pooled = pool([likelihood(key) for key in keys], scales).mean_share()
        low, high = pooled.quantiles()
        yield {
            "word": word,
            "asks": share_of_cases(quantifier_of(word), 1)[0],
            "sentences": of_word["id"].nunique(),
            "tests": len(of_word),
            "share": pooled.mean,
            "low": low,
            "high": high,
            "least": of_word["share"].min(),
            "middle": of_word["share"].median(),
            "most": of_word["share"].max(),
        }
