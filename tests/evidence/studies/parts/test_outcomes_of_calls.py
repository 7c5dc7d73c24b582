"""What comes of a call, by hand."""

import warnings

import pytest

import calib
from evidence.studies.parts import outcomes_of_calls as study


def foreign(error):
    raise error


def test_an_answer_is_returned_and_an_error_of_the_library_refused():
    assert study.judged(lambda: 7) == ("returned", 7)
    verdict, message = study.judged(lambda: calib.ece([1], [2]))
    assert verdict == "refused" and "2" in message


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (ValueError("by hand"), "foreign ValueError: by hand"),
        (KeyError(1), "foreign KeyError: 1"),
        (FileNotFoundError(2, "no file", "a.csv"), "refused"),
        (OSError("no name"), "foreign OSError: no name"),
    ],
)
def test_an_error_that_the_library_did_not_raise_is_foreign(error, verdict):
    """But for one of the system that names a file."""
    assert study.judged(lambda: foreign(error))[0] == verdict


def test_an_error_of_the_library_that_is_not_accepted_is_foreign():
    verdict, _ = study.judged(lambda: calib.ece([1], [2]), (OSError,))
    assert verdict.startswith("foreign ValueError")


def test_a_warning_is_wrong_but_for_that_of_a_map():
    def warn(text):
        return lambda: warnings.warn(text, stacklevel=1)

    assert study.judged(warn("careful")) == ("warning: careful", None)
    assert study.judged(warn("PlattScaling: careful"))[0] == "returned"


def test_a_call_that_takes_long_is_wrong(monkeypatch):
    times = iter([0.0, 7.0, 7.0])
    monkeypatch.setattr(study.time, "process_time", lambda: next(times))
    assert study.judged(lambda: 7) == ("took 7 s", 7)


def test_outcomes_are_counted_with_the_first_example_of_each_fault(capsys):
    outcomes = [("returned", "a"), ("fault", "b"), ("fault", "c"), ("other", "d")]
    counted = study.count_outcomes(outcomes, ("returned", "refused"))
    assert counted == ({"returned": 1, "wrong": 3}, {"fault": "b", "other": "d"})
    row = study.row_of_counts(
        "callable", "ece", ("returned", "refused", "wrong"), counted
    )
    assert row == {"callable": "ece", "returned": 1, "refused": 0, "wrong": 3}
    assert capsys.readouterr().out == "ece: fault: b\nece: other: d\n"
