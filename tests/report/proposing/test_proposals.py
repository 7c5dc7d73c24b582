"""Each rule of the proposals, what speaks against a reading, and the faults that were found."""

import numpy as np
import pandas as pd
import pytest
from combined_files import (
    EVENT,
    HIT,
    MARGIN,
    P_EVENT,
    STATED,
    TOP,
    N,
    P,
    Y,
    Z,
    combined,
    outcome,
)

from calib_report import propose, read
from calib_report.contract import NotSaidError, ReadingError
from evidence.files_with_truth.case import is_right

REFUSED = {
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
    "an error": (
        {"error": 1 - HIT, "confidence": TOP},
        {"y": "error", "scores": "confidence", "pairs": True},
        "--positive 0",
    ),
    "doubt": (
        {"correct": HIT, "uncertainty": 1 - TOP},
        {"y": "correct", "scores": "uncertainty", "pairs": True},
        "--positive 0",
    ),
    "more columns": (
        {
            "label": Y,
            "a": MARGIN,
            "b": MARGIN,
            "c": MARGIN,
            "margin": MARGIN,
            "bias": MARGIN,
        },
        {"scores": "a,b,c,margin,bias"},
        "5 columns of scores, and labels from 0",
    ),
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
    "an empty cluster": (
        {"correct": HIT, "confidence": TOP, "ward": [""] * N},
        {"clusters": "ward"},
        "--leave-out-empty ward",
    ),
    "a large label": (
        {"y": ["100000000000000000000"] * N, "p": P.tolist()},
        {},
        "a name",
    ),
    "the prediction's": (
        {
            "label": EVENT,
            "prediction": (P_EVENT > 0.5).astype(int),
            "probability": np.maximum(P_EVENT, 1 - P_EVENT),
        },
        {"scores": "probability"},
        "--predicted prediction",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_options_name_is_checked(what):
    columns, said, message = REFUSED[what]
    with pytest.raises(ReadingError) as caught:
        read({name: np.asarray(values) for name, values in columns.items()}, **said)
    assert message in str(caught.value)


def test_a_row_has_one_number_in_a_reading_and_in_an_error():
    confidence = [0.91, 0.72, 0.83] * 40
    table = pd.DataFrame({"confidence": confidence, "correct": [1, 0, 1] * 40})
    (reading,) = propose(table)
    assert reading.rows()[2] == "row 2: says it is right with 0.83, and is right"
    with pytest.raises(ValueError, match=r"row 2\b"):
        read({**table, "confidence": ["0.91", "0.72", "high"] * 40})


RIGHT = ("right at once", "right first", "rightly refused")


@pytest.mark.parametrize("case", combined()[::23], ids=lambda case: case.name)
def test_files_that_combine_what_people_vary_are_never_read_wrongly(case, tmp_path):
    verdict, words = outcome(case, tmp_path)
    assert verdict in RIGHT, words


@pytest.mark.slow
def test_all_files_that_combine_what_people_vary(tmp_path):
    outcomes = [(case, *outcome(case, tmp_path)) for case in combined()]
    wrong = [words for _, verdict, words in outcomes if verdict.startswith("WRONG")]
    assert len(outcomes) >= 540 and wrong == []
    readable = [verdict for case, verdict, _ in outcomes if case.truth is not None]
    assert sum(verdict in RIGHT for verdict in readable) >= 0.97 * len(readable)


def test_a_wrong_reading_of_a_file_is_seen():
    case = next(case for case in combined() if case.truth is STATED)
    assert is_right(case, read({"confidence": TOP, "correct": HIT}))
    assert not is_right(case, read({"confidence": TOP[::-1], "correct": HIT[::-1]}))


def test_errors_carry_their_role_and_ways():
    with pytest.raises(NotSaidError) as caught:
        read({"y": Y, "labels": Y, "logits": Z})
    assert caught.value.role == "y" and caught.value.ways == (
        {"y": "y"},
        {"y": "labels"},
    )
