"""What the stand-ins of the second set are made of."""

import numpy as np
import pytest

import calib
from evidence.forecasts.second import judge_second, registered
from evidence.forecasts.second.stand_ins import (
    HOLES,
    StandIn,
    as_probabilities,
    network,
    subjects,
    tasks,
)

LINES = registered.load_lines()
ALIKE = ["accuracy", "ece_logit", "ece_stated"]


def small():
    """A stand-in of two networks and both tables."""
    rng = np.random.default_rng(0)
    networks = {name: network(rng, 400, 3, 1.0) for name in ("a", "b")}
    return StandIn(networks, tasks(rng), subjects(rng))


def test_the_temperature_of_a_network_is_what_its_logits_were_multiplied_by():
    arrays = network(np.random.default_rng(1), 4000, 3, 1.7)
    fitted = calib.TemperatureScaling().fit(arrays["logits"], arrays["y"])
    assert fitted.temperature_ == pytest.approx(1.7, abs=0.1)


def test_as_probabilities_logits_go_through_a_softmax():
    arrays = network(np.random.default_rng(1), 30, 3, 1.7)
    p = as_probabilities(arrays)["probabilities"]
    np.testing.assert_allclose(p, calib.softmax(arrays["logits"]))


def test_tuning_raises_the_error_of_logits_and_lowers_that_of_stated_confidence():
    means = tasks(np.random.default_rng(2)).groupby("tuning")[ALIKE].mean()
    change = means.loc["instructed"] - means.loc["base"]
    assert change.tolist() == pytest.approx([4, 10, -5], abs=0.1)


def test_a_temperature_leaves_of_chat_models_what_it_leaves_of_others():
    table = subjects(np.random.default_rng(2))
    means = table.groupby("tuning")[["ece_before", "ece_after"]].mean()
    change = means.loc["chat"] - means.loc["base"]
    assert change.tolist() == pytest.approx([10, 0], abs=0.1)
    easiest = table.groupby("subject")["accuracy"].mean().idxmax()
    assert easiest == "marketing"


@pytest.mark.parametrize("name", HOLES)
def test_a_hole_is_made_in_a_copy_and_changes_it(name):
    complete, as_it_was = small(), small()
    changed = HOLES[name](complete)
    assert are_equal(complete, as_it_was) and not are_equal(changed, as_it_was)


def are_equal(one, other):
    """Whether two stand-ins hold the same."""
    tables = one.tasks.equals(other.tasks) and one.subjects.equals(other.subjects)
    return tables and arrays_of(one) == arrays_of(other)


def arrays_of(stand_in):
    """The arrays of each network as what can be compared."""
    return {
        name: {part: (array.shape, array.tobytes()) for part, array in arrays.items()}
        for name, arrays in stand_in.networks.items()
    }


def test_what_is_written_is_what_the_judge_asks_for(tmp_path):
    folder = small().write(tmp_path / "files")
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert written == {"networks/a.npz", "networks/b.npz", "tasks.csv", "subjects.csv"}


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
