"""What the stand-ins of the second set are made of."""

import pytest

from evidence.forecasts.second import judge_second, registered

LINES = registered.load_lines()


@pytest.mark.slow
def test_what_a_stand_in_is_made_of_comes_out(frames_of_complete):
    """Networks with a temperature of 1.7, ensembles with .6 and .8, ten points of tuning."""
    found = judge_second.judge_lines(LINES, frames_of_complete).set_index("id")
    number = found["number"]
    assert number["amount-temperature"] == pytest.approx(1.7, abs=0.2)
    assert number["amount-hmc-cifar10-temperature"] == pytest.approx(0.6, abs=0.15)
    assert number["amount-tuning-logit"] == pytest.approx(10, abs=0.5)
    assert number["amount-tuning-stated"] == pytest.approx(-5, abs=0.5)
    assert number["amount-mmlu-tuning"] == pytest.approx(10, abs=0.5)
    assert number["amount-mmlu-improved"] == 100
    yes = (
        "guo-temperature-lowers-half guo-one-number-repairs-nll-half tuning-logit-half"
    )
    yes += " vasilev-overconfidence-typical-half every-temperature-above-one mmlu-hard-before"
    no = "vasilev-overconfidence-typical-hmc-cifar10 tuning-stated-half chat-more-accurate"
    assert (found.loc[yes.split(), "true"] == 1).all()
    assert (found.loc[no.split(), "true"] == 0).all()
