"""What advice costs where the truth is known: the truths, and the loss."""

import numpy as np
import pytest
from scipy.stats import entropy

import calib
from evidence import load_results
from evidence.studies.maps import regret_of_advice as study

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(2000, 3))


def test_who_says_the_truth_loses_its_entropy_and_all_others_lose_more():
    world = study.SimulatedNetwork("x", 3, 100, study.scaled(2))
    truth = calib.softmax(Z)
    least = study.expected_nll(world, Z, Z)
    assert least == pytest.approx(entropy(truth, axis=1).mean())
    divergence = entropy(truth, calib.softmax(2 * Z), axis=1).mean()
    assert study.loss_of(None, world, Z) == pytest.approx(least + divergence)


def test_the_loss_is_that_of_many_labels():
    world = study.SimulatedNetwork("x", 3, 100, study.scaled(2), study.noisy(0.2))
    q = world.truth(Z)
    y = (q.cumsum(axis=1) < RNG.random((200, len(Z), 1))).sum(axis=2).clip(max=2)
    drawn = np.mean([calib.nll(labels, calib.softmax(2 * Z)) for labels in y])
    assert study.expected_nll(world, Z, 2 * Z) == pytest.approx(drawn, abs=0.01)


def test_what_is_never_so_costs_nothing_where_it_is_said_to_be_impossible():
    first = study.SimulatedNetwork(
        "x", 2, 9, study.scaled(1), lambda z: np.eye(2)[np.zeros(len(z), int)]
    )
    sure = np.array([[0, -np.inf]])
    with np.errstate(invalid="ignore"):  # zero times infinity
        assert study.expected_nll(first, np.zeros((1, 2)), sure) == 0


def test_labels_that_are_mistaken_go_from_the_first_class_to_the_second():
    truth = study.mistaken(0.25)(np.log([[0.8, 0.1, 0.1]]))
    np.testing.assert_allclose(truth, [[0.6, 0.3, 0.1]])
    noisy = study.noisy(0.3)(np.log([[0.8, 0.1, 0.1]]))
    np.testing.assert_allclose(noisy, [[0.66, 0.17, 0.17]])


@pytest.mark.parametrize("world", study.WORLDS, ids=lambda world: world.name)
def test_the_truth_of_each_world_sums_to_one(world):
    z = world.logits(50, np.random.default_rng(1))
    assert z.shape == world.says(z).shape == (50, world.n_classes)
    np.testing.assert_allclose(world.truth(z).sum(axis=1), 1)


def test_name_classes_and_samples_tell_a_world_and_the_rows_that_are_stored_of_it():
    told = {(world.name, world.n_classes, world.n) for world in study.WORLDS}
    assert len(told) == len(study.WORLDS) == 28
    stored = load_results("regret_of_advice")
    assert {
        *stored[["world", "classes", "n"]].itertuples(index=False, name=None)
    } == told
    assert not stored.duplicated(["world", "classes", "n", "seed"]).any()


def test_true_logits_have_the_spread_of_their_world_and_the_last_its_center():
    world = study.SimulatedNetwork("x", 3, 9, study.scaled(1), spread=3.0, center=-7.0)
    z = world.logits(20_000, np.random.default_rng(4))
    assert z.mean(axis=0) == pytest.approx([0, 0, -7], abs=0.1)
    assert z.std(axis=0) == pytest.approx([3, 3, 3], rel=0.05)


def test_large_worlds_have_one_seed_and_others_three(monkeypatch):
    monkeypatch.setattr(study, "one_trial", lambda world, seed: (world.n, seed))
    worlds = [
        study.SimulatedNetwork("x", 10, n, study.scaled(1)) for n in (20_000, 20_001)
    ]
    monkeypatch.setattr(study, "WORLDS", worlds)
    small, large = 20_000, 20_001
    assert [*study.rows()] == [(small, 0), (small, 1), (small, 2), (large, 0)]


Z_OF_TWO = np.array([[0.0, 2.0], [0.0, -2.0]])
SAYS = {
    "scaled": (study.scaled(3), 3 * Z_OF_TWO),
    "lifted": (study.lifted(1.5), Z_OF_TWO + np.array([0, 1.5])),
    "two sides": (study.two_sided, [[0, 1], [0, -6]]),
    "two groups": (study.of_two_groups, [[0, 2], [0, -6]]),
    "two digits": (study.of_two_digits, np.log([[0.02, 0.98], [0.98, 0.02]])),
}


@pytest.mark.parametrize("name", SAYS)
def test_what_a_network_makes_of_true_logits(name):
    says, expected = SAYS[name]
    np.testing.assert_allclose(says(Z_OF_TWO), expected, atol=1e-12)


def test_biases_of_classes_are_those_of_their_number_in_every_trial():
    offset = study.biased(0.5, 2.0)(Z) - 2 * Z
    expected = 0.5 * np.random.default_rng(3).normal(size=3)
    np.testing.assert_allclose(offset, np.tile(expected, (len(Z), 1)), atol=1e-12)
