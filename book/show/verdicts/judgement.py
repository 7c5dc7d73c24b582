"""A row of the ledger, as `itertuples` gives it: what one kind of evidence says of one claim."""

from typing import Protocol


class Judgement(Protocol):
    """What words and figures read of a row; a number is nan where the row has none."""

    id: str  # of the claim
    status: str  # "claim", "theorem", or why it is neither
    evidence: str  # "published", "public", "zoo" or "simulation"
    verdict: str
    label: str  # the verdict, as a table has it
    what: str  # was counted, or measured
    reason: str  # why, in one line
    n: int  # networks, or settings
    datasets: int  # of how many they are; NA where nothing tells it
    authors: int
    models: int
    agreeing: int  # of the cases at hand; NA where none are counted, as of an amount
    cases: int
    settings: str  # effects of single settings as JSON, or empty
    word: str  # of the sentence, such as "always"
    unit: str  # "share", or that of an amount
    estimate: float
    low: float
    high: float
    next_low: float  # where the next network's amount lies
    next_high: float
    share: float  # of new networks of which the sentence is true
    share_low: float
    share_high: float
    least: float  # the sentence is true between these
    most: float
    p_word: float  # the probability that it is so
