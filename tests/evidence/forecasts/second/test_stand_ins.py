"""What the stand-ins of the second set are made of, and what each hole takes away."""

import dataclasses

import numpy as np
import pytest

import calib
from evidence.claims.frames import read_table
from evidence.forecasts.second import judge_second, registered, stand_ins
from evidence.forecasts.second.stand_ins import HOLES

LINES = registered.load_lines()


@pytest.fixture(scope="module")
def drawn():
    """A stand-in without holes, drawn anew."""
    return stand_ins.complete(np.random.default_rng(1))


@pytest.fixture(scope="module")
def small(drawn):
    """Two networks of it, of ten classes and of two, and the tables."""
    return drawn.only(("resnet-18", "hmc-imdb"))


def first_arrays(stand_in):
    return next(iter(stand_in.networks.values()))


def test_logits_are_sharper_than_those_that_drew_the_labels(drawn):
    """The temperature of a network is what its true logits were multiplied by."""
    sampled = {"hmc-cifar-10": 0.6, "hmc-imdb": 0.8}
    for name, arrays in drawn.networks.items():
        expected = sampled.get(name, 1.7)
        assert arrays["logits"].shape == (400, 2 if name == "hmc-imdb" else 10)
        fitted = calib.TemperatureScaling().fit(arrays["logits"], arrays["y"])
        assert fitted.temperature_ == pytest.approx(expected, rel=0.3), name


@pytest.mark.parametrize(
    ("column", "of_size", "of_item", "of_tuning"),
    [
        ("accuracy", 1.5, 3, 4),
        ("ece_logit", -0.3, -0.8, 10),
        ("ece_stated", -0.5, -2.5, -5),
    ],
)
def test_tasks_are_sums_of_size_item_and_tuning(
    drawn, column, of_size, of_item, of_tuning
):
    tasks = drawn.tasks
    assert len(tasks) == 15 * 2 * 8
    item = tasks["task"].str[-1].astype(int)
    tuned = tasks["tuning"] == "instructed"
    effects = np.column_stack([np.ones(240), np.log2(tasks["parameters"]), item, tuned])
    result = np.linalg.lstsq(effects.astype(float), tasks[column], rcond=None)[0]
    assert result[1:] == pytest.approx([of_size, of_item, of_tuning], abs=0.1)


def test_mathematics_is_the_hardest_and_marketing_the_easiest(drawn):
    means = drawn.subjects.groupby("subject")["accuracy"].mean().sort_values()
    assert len(means) == 57 and means.index[-1] == "marketing"
    assert set(means.index[:5]) == set(stand_ins.SUBJECT_NAMES[:5])


@pytest.mark.parametrize(
    ("column", "of_size", "of_item", "of_chat"),
    [
        ("accuracy", 2, 0.5, -2),
        ("ece_before", 0, -0.2, 10),
        ("ece_after", 0, -0.12, 0),
        ("n", 0, 20, 0),
    ],
)
def test_subjects_are_sums_of_size_item_and_tuning(
    drawn, column, of_size, of_item, of_chat
):
    subjects = drawn.subjects.query("subject != 'marketing'")
    item = subjects["subject"].map(stand_ins.SUBJECT_NAMES.index)
    size, chat = (
        subjects["pair"].str[1:].astype(int),
        subjects["tuning"] == "chat",
    )
    effects = np.column_stack([np.ones(len(item)), size, item, chat]).astype(float)
    result = np.linalg.lstsq(effects, subjects[column], rcond=None)[0]
    assert result[1:] == pytest.approx([of_size, of_item, of_chat], abs=0.1)


def test_what_is_written_is_what_was_made(small, tmp_path):
    folder = small.write(tmp_path / "new")
    for name, arrays in small.networks.items():
        with np.load(folder / "networks" / f"{name}.npz") as written:
            assert np.array_equal(written["logits"], arrays["logits"])
    assert (folder / "tasks.csv").is_file() and (folder / "subjects.csv").is_file()


def test_the_stored_stand_in_has_every_network_and_both_tables(drawn):
    stored = stand_ins.stored()
    assert set(stored.networks) == set(drawn.networks)
    assert all({"y", "logits"} <= set(part) for part in stored.networks.values())
    assert len(stored.tasks) == len(read_table("forecasts/stand-ins-2-tasks.csv"))
    assert set(stored.subjects) == set(drawn.subjects)


@pytest.mark.parametrize(
    ("hole", "n_networks"),
    [("a_network_is_missing", 1), ("no_networks", 0), ("one_network_alone", 1)],
)
def test_a_hole_takes_networks_away(small, hole, n_networks):
    assert len(HOLES[hole](small).networks) == n_networks


def test_the_network_that_is_missing_is_not_the_one_that_is_alone(small):
    missing = HOLES["a_network_is_missing"](small).networks
    assert set(missing).isdisjoint(HOLES["one_network_alone"](small).networks)


def test_an_array_is_missing_from_the_first_network_alone(small):
    first, second = HOLES["an_array_is_missing"](small).networks.values()
    assert set(first) == {"y"} and set(second) == {"y", "logits"}


def test_labels_of_the_first_network_are_too_few_by_five(small):
    first, second = HOLES["labels_too_short"](small).networks.values()
    assert (len(first["y"]), len(first["logits"]), len(second["y"])) == (
        395,
        400,
        400,
    )


def test_the_last_class_is_absent_with_its_samples(small):
    spoilt = first_arrays(HOLES["a_class_is_absent"](small))
    assert {*spoilt["y"]} == {*range(9)}
    assert len(spoilt["y"]) == len(spoilt["logits"]) > 200


@pytest.mark.parametrize(("n_left", "n_samples"), [(200, 400), (201, 201)])
def test_a_class_is_absent_where_more_than_200_samples_are_left(
    small, n_left, n_samples
):
    y = (np.arange(400) >= n_left).astype(int)
    networks = {"binary": {"y": y, "logits": np.zeros((400, 2))}}
    spoilt = HOLES["a_class_is_absent"](dataclasses.replace(small, networks=networks))
    assert len(first_arrays(spoilt)["y"]) == n_samples


@pytest.mark.parametrize(
    ("hole", "accuracy"), [("every_answer_right", 1), ("every_answer_wrong", 0)]
)
def test_every_answer_is_alike(small, hole, accuracy):
    for arrays in HOLES[hole](small).networks.values():
        assert (arrays["logits"].argmax(axis=1) == arrays["y"]).mean() == accuracy


def test_labels_of_one_class_are_all_zero(small):
    spoilt = first_arrays(HOLES["one_class_alone"](small))
    assert (spoilt["y"] == 0).all() and len(spoilt["y"]) == 400


def test_three_samples_hold_what_is_no_number_and_no_class(small):
    spoilt, whole = first_arrays(HOLES["some_nan"](small)), first_arrays(small)
    odd = ~np.isfinite(spoilt["logits"]).all(axis=1) | (spoilt["y"] > 9)
    assert odd.nonzero()[0].tolist() == [0, 1, 2]
    assert np.isfinite(whole["logits"]).all() and whole["y"].max() == 9


def test_no_logit_is_a_number(small):
    assert np.isnan(first_arrays(HOLES["all_nan"](small))["logits"]).all()


def test_logits_are_all_tied(small):
    assert (first_arrays(HOLES["ties"](small))["logits"] == 0).all()


def test_no_sample_is_left_of_any_array(small):
    sizes = {len(x) for x in first_arrays(HOLES["no_samples"](small)).values()}
    assert sizes == {0}


def test_probabilities_are_rounded_to_two_digits(small):
    spoilt = first_arrays(HOLES["zeros"](small))
    softmax = calib.softmax(first_arrays(small)["logits"])
    assert np.abs(spoilt["probabilities"] - softmax).max() <= 0.005 + 1e-12
    assert (spoilt["probabilities"] == 0).mean() > 0.5


def test_networks_are_certain_of_their_first_choice(small):
    spoilt = first_arrays(HOLES["certain"](small))["probabilities"]
    assert (spoilt.max(axis=1) == 1).all() and (spoilt.sum(axis=1) == 1).all()
    chosen = first_arrays(small)["logits"].argmax(axis=1)
    assert (spoilt.argmax(axis=1) == chosen).all()


@pytest.mark.parametrize(
    ("hole", "rows"),
    [
        ("no_tables", (0, 0)),
        ("empty_tables", (0, 0)),
        ("no_base_models", (120, 171)),
        ("one_task_one_subject", (30, 6)),
        ("rows_twice", (480, 684)),
    ],
)
def test_a_hole_leaves_rows_of_the_tables(small, hole, rows):
    spoilt = HOLES[hole](small)
    assert (len(spoilt.tasks), len(spoilt.subjects)) == rows
    assert ("task" in spoilt.tasks) == (hole != "no_tables")


def test_a_hole_takes_a_column_away(small):
    no_pairs = HOLES["no_pairs"](small)
    assert set(small.tasks) - set(no_pairs.tasks) == {"pair"}
    assert set(small.subjects) - set(no_pairs.subjects) == {"pair"}
    stated = HOLES["no_stated_confidence"](small).tasks
    assert set(small.tasks) - set(stated) == {"ece_stated"}


def test_base_models_alone_state_nothing(small):
    tasks = HOLES["base_models_state_nothing"](small).tasks
    assert (tasks["ece_stated"].isna() == (tasks["tuning"] == "base")).all()


def test_subjects_of_few_questions_have_none(small):
    n, before = (
        HOLES["subjects_without_questions"](small).subjects["n"],
        small.subjects,
    )
    assert (n == before["n"].where(before["n"] >= 600, 0)).all()


def test_numbers_of_all_models_are_equal(small):
    spoilt = HOLES["equal_numbers"](small)
    numbers = spoilt.tasks[["accuracy", "ece_stated", "ece_logit"]].nunique()
    assert (numbers == 1).all()
    numbers = spoilt.subjects[["accuracy", "ece_before", "ece_after"]].nunique()
    assert (numbers == 1).all()


def test_words_stand_for_every_third_number(small):
    spoilt = HOLES["words_for_numbers"](small)
    assert spoilt.tasks.index[spoilt.tasks["ece_logit"] == "n/a"].tolist() == [
        *range(0, 240, 3)
    ]
    assert (spoilt.subjects["ece_after"] == "?").all()


def test_errors_are_negative_and_accuracies_above_a_hundred(small):
    spoilt = HOLES["beyond_percent"](small)
    assert (spoilt.tasks["ece_logit"] == -small.tasks["ece_logit"]).all()
    assert (spoilt.subjects["accuracy"] > 100).all()


def test_as_probabilities_logits_go_through_a_softmax(small):
    arrays = first_arrays(small)
    p = stand_ins.as_probabilities(arrays)["probabilities"]
    np.testing.assert_allclose(p, calib.softmax(arrays["logits"]), atol=1e-12)


@pytest.mark.parametrize("hole", HOLES)
def test_a_hole_is_made_in_a_copy_and_changes_it(small, hole):
    before = contents(small)
    changed = contents(HOLES[hole](small))
    assert contents(small) == before != changed


def contents(stand_in):
    """Arrays and tables of a stand-in as what can be compared."""
    arrays = {
        name: {part: (array.shape, array.tobytes()) for part, array in arrays.items()}
        for name, arrays in stand_in.networks.items()
    }
    return arrays, stand_in.tasks.to_csv(), stand_in.subjects.to_csv()


@pytest.mark.slow
def test_what_a_stand_in_is_made_of_comes_out(frames_of_complete):
    """Networks with a temperature of 1.7, ensembles with .6 and .8, ten points of tuning."""
    result = judge_second.judge_lines(LINES, frames_of_complete).set_index("id")
    number = result["number"]
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
    assert (result.loc[yes.split(), "true"] == 1).all()
    assert (result.loc[no.split(), "true"] == 0).all()
