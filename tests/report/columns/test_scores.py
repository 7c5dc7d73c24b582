"""Scores by their kind, and how far sums of probabilities may be off."""

import numpy as np
import pytest
from combined_files import EVENT, MARGIN, P_EVENT
from refusals import refusal

import calib_report
from evidence.files_with_truth.samples import HIT, NAMED, TOP, P, Y, prefixed


@pytest.mark.parametrize("scores, is_more", [((0.9, 0.3), False), ((0.9, 0.345), True)])
def test_a_tolerance_is_offered_only_where_it_allows_for_more(scores, is_more):
    """Of one digit sums may be off by 0.1, and --atol 0.05 would allow for less."""
    columns = {"label": ["a", "b"], "p_a": [scores[0]] * 2, "p_b": [scores[1]] * 2}
    with pytest.raises(calib_report.ReadingError) as caught:
        calib_report.read(columns)
    assert ("--atol" in str(caught.value)) == is_more


BELOW = np.where(P == P[9, 1], -0.2, P)


SHORT = prefixed("logit_", values=P.round(2)).assign(label=NAMED)


HOLE = np.where(P == P[9, 1], np.nan, P)


REFUSED = {
    "one wrong row": ({"y": Y, "probs": BELOW}, {}, "row 9 holds -0.2"),
    "two-digit logits": (SHORT, {}, "--kind prob"),
    "a hole": ({"y": Y, "p": HOLE}, {}, "probabilities: row 9 holds nan"),
    "a sentinel": (
        {"label": EVENT, "score": np.r_[-1, P_EVENT[1:]]},
        {"scores": "score"},
        "row 0 holds -1",
    ),
    "log p": (
        {"label": EVENT, "score": np.log(P_EVENT)},
        {"scores": "score"},
        "--kind log-probabilities",
    ),
    "odds": (
        {"label": EVENT, "s": np.exp(MARGIN)},
        {"scores": "s", "kind": "logits"},
        "--kind odds",
    ),
    "grades": ({"correct": HIT, "confidence": 1 + Y}, {"percent": 10}, "as grades are"),
    "per cent": (
        {"label": EVENT, "prob_percent": P_EVENT},
        {"scores": "prob_percent"},
        "--percent",
    ),
    "of fractions": (
        {"correct": HIT, "confidence": TOP},
        {"percent": True},
        "fractions already",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    assert message in refusal(source, **said)
