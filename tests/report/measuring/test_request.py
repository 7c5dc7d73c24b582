"""What is asked of a report, checked against the outputs."""

import numpy as np
import pytest

from calib_report.measuring.request import request_of
from calib_report.model_outputs import ModelOutputs


def test_a_share_that_is_none_is_refused_in_one_line(refused_line):
    line = "report outputs.npz -o a.html --coverage 2"
    assert "--coverage: 2.0, expected a number between" in refused_line(line)


def outputs(n, task="classes"):
    return ModelOutputs(np.arange(n) % 2, probabilities=np.full((n, 2), 0.5), task=task)


def test_what_is_asked_is_kept():
    asked = request_of(
        outputs(200), costs="alarm=1,false_alarm=1,miss=4", coverage=0.8, time="day"
    )
    assert asked.costs.matrix.tolist() == [[0, 1], [4, 0]] and asked.costs.alarm == 1
    assert (asked.coverage, asked.risk, asked.time) == (0.8, None, "day")
    assert asked.to_decline and not request_of(outputs(3), time="day").to_decline


@pytest.mark.parametrize(
    ("n", "task", "asked", "message"),
    [
        (199, "classes", {"coverage": 0.5}, "coverage: 199 samples, expected 200"),
        (199, "classes", {"risk": 0.5}, "risk: 199 samples, expected 200"),
        (200, "classes", {"risk": 1.0}, "risk: 1.0, expected a number between 0 and 1"),
        (200, "classes", {"coverage": 0.0}, "coverage: 0.0, expected a number between"),
        (200, "classes", {"coverage": 0.5, "risk": 0.1}, "ask for one of them"),
        (200, "pairs", {"costs": "none.csv"}, "do not tell the classes"),
        (200, "labels", {"costs": "none.csv"}, "take one label at a time"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(n, task, asked, message):
    with pytest.raises(ValueError, match=message):
        request_of(outputs(n, task), **asked)
