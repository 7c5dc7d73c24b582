"""Images that are met the oftener, the more people disagree about them."""

from dataclasses import replace

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.promises import covariate_shift as study

DOUBT = np.repeat([0.0, 1.0], 1000)


def test_an_image_is_met_as_much_oftener_as_its_weight_says():
    """With the tilt log 3 one of two kinds is met three times as often."""
    world = study.drawn_world(DOUBT, np.log(3), np.random.default_rng(0))
    assert np.unique(world.weight) == pytest.approx([1, 3])
    assert not {*world.fit} & {*world.target, *world.labelled, *world.fewer}
    assert DOUBT[world.target].mean() == pytest.approx(0.75, abs=0.03)
    assert [len(world.target), len(world.labelled), len(world.fewer)] == [
        4000,
        500,
        100,
    ]


def test_weighted_labels_of_the_old_world_give_the_temperature_of_the_new():
    """Where people disagree the network is three times too sure, elsewhere it is right."""
    rng = np.random.default_rng(1)
    doubt = np.repeat([0.0, 1.0], 20_000)
    true = rng.normal(size=(40_000, 3))
    y = (true + rng.gumbel(size=true.shape)).argmax(axis=1)
    images = study.Images(np.where(doubt[:, None] > 0, 3, 1) * true, y, doubt)
    world = study.drawn_world(doubt, 3.0, rng)
    ways = study.ways_of(images, world)
    nll = {
        way: study.measured_in_world(proba, images.z, images.y, world.target)["nll"]
        for way, proba in ways.items()
    }
    assert nll["source labels, weighted"] < nll["source labels"] - 0.01
    assert nll["source labels"] < nll["as it is"]
    assert nll["500 target labels"] == pytest.approx(
        nll["source labels, weighted"], abs=0.02
    )


def test_of_labels_that_are_all_right_the_old_temperature_stays():
    rng = np.random.default_rng(2)
    z = rng.normal(size=(4000, 2))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    right = np.flatnonzero(y == z.argmax(axis=1))
    rows = np.arange(4000)
    world = study.World(np.ones(4000), rows, rows, rows, right[:100])
    ways = study.ways_of(study.Images(z, y, np.zeros(4000)), world)
    assert ways["100 target labels"] is ways["source labels"]


def test_by_chance_a_calibrated_network_has_the_ece_of_labels_drawn_from_its_scores():
    p = calib.softmax(np.random.default_rng(3).normal(size=(20_000, 2)))
    rows = np.arange(20_000)
    error = study.ece_by_chance(p, rows, np.random.default_rng(4))
    assert 0 < error < 2 * calib.error_if_calibrated(p.max(axis=1))


def test_where_the_old_temperature_stays_the_row_says_so(monkeypatch):
    """100 labels that are all right find no temperature: with the old one `old_kept` is 1."""
    rng = np.random.default_rng(2)
    z = rng.normal(size=(8000, 2))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    images = study.Images(z, y, np.zeros(8000))
    drawn = study.drawn_world(images.doubt, 0.0, rng)
    right = drawn.target[y[drawn.target] == z[drawn.target].argmax(axis=1)][:100]
    kept = {}
    for name, fewer in (("all right", right), ("as drawn", drawn.labelled[:100])):
        world = replace(drawn, fewer=fewer)
        monkeypatch.setattr(study, "drawn_world", lambda *_, world=world: world)
        rows = study.in_world("n", images, 0.0, 0)
        kept[name] = [way for way, row in rows.items() if row["old_kept"]]
    assert kept["all right"] == ["source labels", "100 target labels"]
    assert kept["as drawn"] == ["source labels"]


def test_an_ece_an_nll_and_a_gap_are_of_the_samples_of_the_world():
    """Two samples that say .8, met twice and once, of which the first is right."""
    z = np.log([[0.8, 0.2], [0.8, 0.2], [0.5, 0.5]])
    y, target = np.array([0, 1, 0]), np.array([0, 0, 1])
    row = study.measured_in_world(calib.softmax, z, y, target)
    assert row["gap"] == pytest.approx(0.8 - 2 / 3)
    assert row["ece"] == pytest.approx(0.8 - 2 / 3)
    assert row["nll"] == pytest.approx(-(2 * np.log(0.8) + np.log(0.2)) / 3)


def test_a_row_is_the_mean_of_a_way_over_twenty_worlds(monkeypatch):
    monkeypatch.setattr(
        study,
        "in_world",
        lambda name, images, tilt, number: {"way": {"ece": number, "nll": tilt}},
    )
    (row,) = study.over_worlds("a", None, 2.0)
    assert (row["source"], row["tilt"], row["way"]) == ("a", 2, "way")
    assert row["ece"] == np.mean(range(20)) and row["nll"] == 2


def test_doubt_is_none_where_people_agree_and_one_where_all_classes_are_named_alike(
    monkeypatch,
):
    z = np.log([[0.75, 0.25], [0.5, 0.5]])
    test = Outputs(np.array([0, 1]), logits=z)
    shares = np.array([[1.0, 0.0], [0.5, 0.5]])
    names = ("baan-snli", study.TILTED[0], "another")
    people = [(name, test, shares) for name in names]
    monkeypatch.setattr(study, "networks_with_people", lambda: people)
    monkeypatch.setattr(
        study, "over_worlds", lambda name, images, tilt: [(name, tilt, images)]
    )
    rows = [*study.rows()]
    tilts = (0.0, 1.0, 2.0, 3.0)
    assert [row[:2] for row in rows] == [(n, t) for n in names[:2] for t in tilts]
    images = rows[0][2]
    assert images.doubt == pytest.approx([0, 1])
    np.testing.assert_allclose(images.z, z)
