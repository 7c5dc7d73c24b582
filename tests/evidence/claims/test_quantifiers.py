"""What the words of sentences ask for, by hand."""

import numpy as np
import pytest

from evidence.claims.quantifiers import (
    Count,
    mapping,
    quantifier_of,
    share_of_cases,
    verdict_of_count,
)

# a quantifier, and for how many of twelve cases it holds
HOLDS = {
    "always": [12],
    "almost always": [11, 12],
    "all but one": [11],
    "mostly": [7, 8, 9, 10, 11, 12],
    "in many": [4, 5, 6, 7, 8, 9, 10, 11, 12],
    "exists": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    Count(9, 12): [9],
}


@pytest.mark.parametrize("quantifier", HOLDS)
def test_as_many_of_twelve_cases_agree_as_a_word_asks_for(quantifier):
    verdicts = [verdict_of_count(np.arange(12) < k, quantifier) for k in range(13)]
    assert [k for k in range(13) if verdicts[k] == "holds"] == HOLDS[quantifier]
    assert {*verdicts} == {"holds", "fails"}


@pytest.mark.parametrize(("quantifier", "k"), [("in many", 10), ("almost always", 27)])
def test_a_share_of_thirty_cases_is_met_exactly(quantifier, k):
    verdicts = [verdict_of_count(np.arange(30) < n, quantifier) for n in (k - 1, k)]
    assert verdicts == ["fails", "holds"]


def test_a_direction_is_mixed_where_cases_disagree():
    verdicts = [verdict_of_count(np.arange(3) < k, "direction") for k in range(4)]
    assert verdicts == ["fails", "mixed", "mixed", "holds"]


# between which shares of twelve cases a quantifier puts a sentence
BETWEEN = {
    "always": (1, 1),
    "almost always": (0.9, 1),
    "all but one": (11 / 12, 1),
    "mostly": (0.5, 1),
    "in many": (1 / 3, 1),
    "exists": (0.05, 1),
    Count(9, 12): (0.75, 0.75),
}


@pytest.mark.parametrize("quantifier", BETWEEN)
def test_a_word_puts_its_sentence_between_two_shares(quantifier):
    assert share_of_cases(quantifier, 12) == pytest.approx(BETWEEN[quantifier])


def test_a_word_that_is_not_in_the_table_is_refused_with_its_file():
    assert {quantifier_of(word) for word in mapping()} == {*mapping().values()}
    with pytest.raises(ValueError, match=r"word: 'mostley' .*mapping\.csv"):
        quantifier_of("mostley")


def test_nine_of_thirteen_is_not_nine_of_twenty():
    nine = quantifier_of("9 of 13")
    assert verdict_of_count(np.arange(13) < 9, nine) == "holds"
    with pytest.raises(ValueError, match="'9 of 13' is of 13 cases, and here are 20"):
        verdict_of_count(np.arange(20) < 9, nine)
    with pytest.raises(ValueError, match="and here are 12"):
        share_of_cases(nine, 12)
