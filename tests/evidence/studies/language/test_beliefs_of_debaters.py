"""What models that debate believe, beside the paper."""

import pytest

from evidence import load_results
from evidence.studies.language import beliefs_of_debaters


def test_the_sums_of_two_beliefs_are_those_that_the_paper_prints():
    """Mean beliefs of both sides, in per cent: Prasad and Nguyen (2025), abstract."""
    sums = load_results("beliefs_of_debaters").set_index(["experiment", "speech"])[
        "sum"
    ]
    itself = "a model against itself", "itself, told that it is 50 to 50"
    printed = {("two models", "opening"): 72.9, ("two models", "closing"): 83}
    printed |= {(itself[0], "opening"): 64.1, (itself[0], "closing"): 75.2}
    printed |= {(itself[1], "opening"): 50.0, (itself[1], "closing"): 57.1}
    for place, mean in printed.items():
        assert abs(50 * sums[place] - mean) < 0.4, place


def bets(experiment, *sides):
    """Bets of both sides of each debate, out of 100, the same in each of its speeches."""
    return "".join(
        f"{experiment},{speech},{number},{bet}\n"
        for speech in ("opening", "rebuttal", "closing")
        for number, pair in enumerate(sides)
        for bet in pair
    )


def test_beliefs_of_both_sides_are_summed_and_counted(monkeypatch):
    """Debates of 1.5, 1 and 1.75 in sum; in one of them both sides bet 75 or more."""
    content = "experiment_type,speech_type,debate_id,bet_amount\n" + "".join(
        bets(name, (80, 70), (50, 50), (75, 100))
        for name in beliefs_of_debaters.EXPERIMENTS
    )
    monkeypatch.setattr(
        beliefs_of_debaters, "read_source", lambda name: content.encode()
    )
    rows = [*beliefs_of_debaters.rows()]
    names = [*beliefs_of_debaters.EXPERIMENTS.values()]
    speeches = ("opening", "rebuttal", "closing")
    assert [(row["experiment"], row["speech"]) for row in rows] == [
        (name, speech) for name in names for speech in speeches
    ]
    for row in rows:
        assert row["n"] == 3 and row["sum"] == pytest.approx(4.25 / 3, abs=5e-5)
        assert row["above_one"] == pytest.approx(2 / 3, abs=5e-5)
        assert row["both_75"] == pytest.approx(1 / 3, abs=5e-5)
        assert row["low"] < row["sum"] < row["high"]


def test_a_debate_with_one_side_alone_is_refused(monkeypatch):
    content = "experiment_type,speech_type,debate_id,bet_amount\n"
    content += bets("cross_model", (80, 70), (50,))
    monkeypatch.setattr(
        beliefs_of_debaters, "read_source", lambda name: content.encode()
    )
    with pytest.raises(AssertionError):
        next(beliefs_of_debaters.rows())
