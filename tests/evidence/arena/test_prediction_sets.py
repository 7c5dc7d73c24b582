"""The sets of the arena: what maps are fitted to."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from evidence.arena import prediction_sets as sets


def test_sizes_are_nested_and_the_whole_pool_comes_once():
    z, y = np.arange(6000.0).reshape(3000, 2), np.zeros(3000, int)
    task = sets.PredictionSet("x", "SST-2", "text", z, y, z, y)
    subsets = [
        (order, n, set(logits[:, 0])) for order, n, logits, _ in task.calibration_sets
    ]
    assert [(order, n) for order, n, _ in subsets] == [
        *((order, n) for order in (0, 1) for n in (100, 500, 2500)),
        (0, 3000),
    ]
    for (first, _, smaller), (second, _, more) in pairwise(subsets):
        assert first != second or smaller < more
    assert subsets[0][2] != subsets[3][2]


def cut(n_test, n_calibration=None):
    """A set of a network whose logits are the numbers of its samples."""
    samples = np.arange(max(n_test, n_calibration or 0))
    z = np.column_stack([samples, samples])
    calibration = n_calibration and (
        z[:n_calibration] + 0.5,
        samples[:n_calibration],
    )
    return sets.pool_and_test("x", "SST-2", (z[:n_test], samples[:n_test]), calibration)


def test_without_a_calibration_set_half_of_the_samples_are_the_pool():
    made = cut(2001)
    assert (
        len(made.calibration_y) == 1000 and len(made.test_y) == 1000
    )  # an even number of 1001
    assert not {*made.calibration_y} & {*made.test_y}
    assert (made.calibration_logits[:, 0] == made.calibration_y).all()
    assert (made.test_logits[:, 0] == made.test_y).all()
    assert (np.diff(made.test_y) < 0).any()  # in random order


def test_a_calibration_set_of_its_own_is_the_pool_and_both_have_a_limit():
    made = cut(6001, 12_000)
    assert len(made.calibration_y) == sets.MOST_IN_POOL == 10_000
    assert len(made.test_y) == sets.MOST_IN_TEST == 5000
    assert (made.calibration_logits[:, 0] == made.calibration_y + 0.5).all()
    assert (np.diff(made.calibration_y) > 0).all()  # in the order of its source


def test_seeds_of_one_network_have_an_order_each():
    z, y = np.zeros((600, 2)), np.zeros(600, int)
    made = sets.PredictionSet("fashion-x-s2", "SST-2", "text", z, y, z, y)
    results = [(order, n) for order, n, *_ in made.calibration_sets]
    assert results == [(0, 100), (0, 500), (0, 600)]


def test_only_files_with_whole_vectors_and_a_reader_are_sets(monkeypatch):
    files = {
        "a": {"reader": "kull", "known": "logits"},
        "b": {"reader": "top1", "known": "top label"},
        "c": {"reader": "", "known": "logits"},
        "d": {"reader": "netcal", "known": "probabilities"},
    }
    monkeypatch.setattr(sets, "known_files", lambda: files)
    monkeypatch.setattr(sets, "answer_sources", lambda kind: [])
    monkeypatch.setattr(sets, "zoo_index", lambda: {"name": ["z"]})
    assert sets.set_names() == ["a", "d", "z"]


def outputs(n, start=0):
    """Outputs of n samples of a text classifier whose logits are their numbers."""
    samples = np.arange(start, start + n)
    z = np.column_stack([samples, samples])
    return SimpleNamespace(y=samples, as_logits=lambda: z)


@pytest.fixture
def known(monkeypatch):
    """A public network with a calibration set, one of the zoo without, and a model's choices."""
    public = SimpleNamespace(
        about={"dataset": "SST-2"},
        test=outputs(10),
        calibration=outputs(7, 100),
    )
    ours = SimpleNamespace(
        about={"dataset": "sst2"}, test=outputs(20), calibration=None
    )
    choices = outputs(30)
    choices = SimpleNamespace(dataset="SST-2", logits=choices.as_logits(), y=choices.y)
    files = {"public": {"known": "logits"}, "choices": {"known": "scores"}}
    monkeypatch.setattr(sets, "known_files", lambda: files)
    monkeypatch.setattr(sets, "load_source", {"public": public}.__getitem__)
    monkeypatch.setattr(sets, "load_zoo", {"ours": ours}.__getitem__)
    monkeypatch.setattr(sets, "load_choices", {"choices": choices}.__getitem__)


@pytest.mark.parametrize(
    ("name", "n_pool", "n_test"),
    [("public", 7, 10), ("ours", 10, 10), ("choices", 15, 14)],
)
def test_a_set_is_cut_from_what_its_source_holds(known, name, n_pool, n_test):
    made = sets.load_set(name)
    assert (made.name, made.dataset, made.domain) == (name, "SST-2", "text")
    assert (len(made.calibration_y), len(made.test_y)) == (n_pool, n_test)
    assert (made.calibration_logits[:, 0] == made.calibration_y).all()
    assert (made.test_logits[:, 1] == made.test_y).all()
    assert (made.calibration_y >= 100).all() == (name == "public")
