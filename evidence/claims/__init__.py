"""The ledger: what the papers claim, judged on three kinds of evidence.

A claim is one testable sentence of a paper, kept in ``data/ledger/claims.yml`` together with its
word of ``data/ledger/mapping.csv`` and a test for each kind of evidence: ``published`` (the papers'
own tables), ``public`` (metrics of public predictions) and ``zoo`` (metrics of our networks). No
verdict is ever typed. In the order in which a claim goes through them:

1. `claim` reads it and selects the rows of a tidy frame, one number a row (`frames`; those of two
   other parts of the ledger are `language_frames` and `promise_frames`; `case_tables` has a row a
   case, `kin` says which networks may be alike); `entry_types` refuses a key that is missing or of
   another type, `vocabulary` a name that no frame has;
2. its test (`comparisons`, `orders`, `correlations`, `trends`, `groups`, `families`,
   `fronts_and_curves`) takes the rows and returns `Cases`, which are put together by
   network (`cases`), with an interval where one number is of many (`network_intervals`);
3. one model says of how many networks the sentence is true (`shares`, by `laplace`), or by how much
   (`amounts`); `estimates` puts both into words, `quantifiers` says what a word of the paper asks;
4. `ledger` judges: `judge_claim` returns a `Judgement`, with its `reasons`; `pools` says what
   sentences of one group have in common; `stored` reads the ledger's files and writes their text,
   `log` keeps which rule changed, when and why.
"""

from evidence.claims.cases import Cases, measured_networks
from evidence.claims.claim import PARTS, all_claims, frame_rows, load_claims
from evidence.claims.comparisons import limit
from evidence.claims.frames import (
    calibench,
    chance_of_another_best,
    public_metrics,
    quba,
    zoo_folder,
    zoo_metrics,
)
from evidence.claims.fronts_and_curves import pareto
from evidence.claims.kin import relatives
from evidence.claims.ledger import judge_all, judge_claim, share_of
from evidence.claims.log import load_log, unlogged
from evidence.claims.network_intervals import mean_interval
from evidence.claims.quantifiers import mapping, quantifier_of
from evidence.claims.stored import load_ledger, load_networks, load_pooled, load_scales
from evidence.claims.winners import difference_of_metrics, differing_winners
from evidence.data import PAPERS

__all__ = [
    "PAPERS",
    "PARTS",
    "Cases",
    "all_claims",
    "calibench",
    "chance_of_another_best",
    "difference_of_metrics",
    "differing_winners",
    "frame_rows",
    "judge_all",
    "judge_claim",
    "limit",
    "load_claims",
    "load_ledger",
    "load_log",
    "load_networks",
    "load_pooled",
    "load_scales",
    "mapping",
    "mean_interval",
    "measured_networks",
    "pareto",
    "public_metrics",
    "quantifier_of",
    "quba",
    "relatives",
    "share_of",
    "unlogged",
    "zoo_folder",
    "zoo_metrics",
]
