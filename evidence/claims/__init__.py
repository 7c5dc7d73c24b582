"""The ledger: what the papers claim, judged on three kinds of evidence.

A claim is one testable sentence of a paper, kept in ``data/ledger/claims.yml`` together with its
word of ``data/ledger/mapping.csv`` and a test for each kind of evidence: ``published`` (the papers'
own tables), ``public`` (metrics of public predictions) and ``zoo`` (metrics of our networks). A
test (`comparisons`, `trends`) takes a tidy frame, one number a row (`frames`), and returns `Cases`
(`findings`); one model (`shares`, `estimates`) says of how many networks the sentence is true, and
by how much. No verdict is ever typed. Two other parts, `language` and `promises`, have frames of
their own and share everything else. `judge` and `rule` are what the registered forecasts have.
"""

from evidence.claims.comparisons import limit as limit
from evidence.claims.findings import Cases as Cases
from evidence.claims.findings import judge as judge
from evidence.claims.frames import calibench as calibench
from evidence.claims.frames import chance_of_another_best as chance_of_another_best
from evidence.claims.frames import public_metrics as public_metrics
from evidence.claims.frames import quba as quba
from evidence.claims.frames import zoo_folder as zoo_folder
from evidence.claims.frames import zoo_metrics as zoo_metrics
from evidence.claims.ledger import PAPERS as PAPERS
from evidence.claims.ledger import PARTS as PARTS
from evidence.claims.ledger import all_claims as all_claims
from evidence.claims.ledger import evidence_rows as evidence_rows
from evidence.claims.ledger import judge_all as judge_all
from evidence.claims.ledger import load_claims as load_claims
from evidence.claims.ledger import load_ledger as load_ledger
from evidence.claims.ledger import load_networks as load_networks
from evidence.claims.ledger import load_pooled as load_pooled
from evidence.claims.ledger import load_scales as load_scales
from evidence.claims.ledger import share_of as share_of
from evidence.claims.log import load_log as load_log
from evidence.claims.log import unlogged as unlogged
from evidence.claims.rule import evident as evident
from evidence.claims.rule import mapping as mapping
from evidence.claims.trends import pareto as pareto
from evidence.claims.winners import difference_of as difference_of
from evidence.claims.winners import named_apart as named_apart
