"""The ledger: what the papers claim, judged on three kinds of evidence.

A claim is one testable sentence of a paper, kept in ``data/ledger/claims.yml`` together with its
word of ``data/ledger/mapping.csv`` and a test for each kind of evidence: ``published`` (the papers'
own tables), ``public`` (metrics of public predictions) and ``zoo`` (metrics of our networks). No
verdict is ever typed. In the order in which a claim goes through them:

1. `claim` reads it and selects the rows of a tidy frame, one number a row (`frames`; those of two
   other parts of the ledger are `language_frames` and `promise_frames`); `vocabulary` refuses a
   name that no frame has;
2. its test (`comparisons`, `trends`) takes the rows and returns `Cases`, which are put together by
   network (`cases`), with an interval where one number is of many (`network_intervals`);
3. one model says of how many networks the sentence is true (`shares`, by `laplace`), or by how much
   (`amounts`); `estimates` puts both into words, `quantifiers` says what a word of the paper asks;
4. `ledger` judges: `judge_claim` returns a `Judgement`, with its `reasons`; `pools` says what
   sentences of one kind have in common; `stored` reads the ledger's files and writes their text,
   `log` keeps which rule changed, when and why.
"""

from evidence.claims.cases import Cases as Cases
from evidence.claims.cases import measured_networks as measured_networks
from evidence.claims.claim import PARTS as PARTS
from evidence.claims.claim import all_claims as all_claims
from evidence.claims.claim import frame_rows as frame_rows
from evidence.claims.claim import load_claims as load_claims
from evidence.claims.comparisons import limit as limit
from evidence.claims.frames import calibench as calibench
from evidence.claims.frames import chance_of_another_best as chance_of_another_best
from evidence.claims.frames import public_metrics as public_metrics
from evidence.claims.frames import quba as quba
from evidence.claims.frames import relatives as relatives
from evidence.claims.frames import zoo_folder as zoo_folder
from evidence.claims.frames import zoo_metrics as zoo_metrics
from evidence.claims.ledger import judge_all as judge_all
from evidence.claims.ledger import judge_claim as judge_claim
from evidence.claims.ledger import share_of as share_of
from evidence.claims.log import load_log as load_log
from evidence.claims.log import unlogged as unlogged
from evidence.claims.network_intervals import mean_interval as mean_interval
from evidence.claims.quantifiers import mapping as mapping
from evidence.claims.quantifiers import quantifier_of as quantifier_of
from evidence.claims.stored import load_ledger as load_ledger
from evidence.claims.stored import load_networks as load_networks
from evidence.claims.stored import load_pooled as load_pooled
from evidence.claims.stored import load_scales as load_scales
from evidence.claims.trends import pareto as pareto
from evidence.claims.winners import difference_of as difference_of
from evidence.claims.winners import named_apart as named_apart
from evidence.data import PAPERS as PAPERS
