"""Samples in groups: who belongs where, and maps that know the groups."""

from types import SimpleNamespace

import numpy as np

import calib
from evidence import Outputs
from evidence.studies.parts import samples_in_groups as groups


def test_each_superclass_has_five_classes():
    assert np.bincount(groups.SUPERCLASS_OF).tolist() == [5] * 20
    assert len(groups.SUPERCLASSES) == 20


def test_everyone_is_in_the_first_group_then_in_its_own_and_in_its_attributes():
    group, attribute = np.array(["b", "a"]), np.array(["x", "x"])
    belongs = groups.overlapping_groups(group, attribute)
    assert belongs.tolist() == [[True, False, True, True], [True, True, False, True]]


def answers_of_two_groups(rng, n=20_000):
    """The first group is three times too sure, the second says what is so."""
    z = rng.standard_normal((n, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    first = np.arange(n) % 2 == 0
    return np.where(first[:, None], 3 * z, z), y, np.where(first, "sure", "right")


def test_a_temperature_of_the_group_mends_what_a_common_one_cannot():
    rng = np.random.default_rng(0)
    z, y, group = answers_of_two_groups(rng)
    attribute = np.full(len(y), "x")
    gaps = {}
    for test, hit, name, score in groups.after_maps(z, y, group, attribute, rng):
        sure = group[test] == "sure"
        gaps[name] = [(score - hit)[rows].mean() for rows in (sure, ~sure)]
    assert gaps["none"][0] > 0.15 and abs(gaps["none"][1]) < 0.03
    assert gaps["temperature"][0] > 0.03 and gaps["temperature"][1] < -0.03
    assert max(map(abs, gaps["temperature of the group"])) < 0.03


def test_a_group_with_nothing_to_learn_keeps_the_common_temperature():
    """All of its answers are right: its own temperature would have no minimum."""
    rng = np.random.default_rng(1)
    z, y, group = answers_of_two_groups(rng)
    y = np.where(group == "right", z.argmax(axis=1), y)
    scores = {}
    for test, _, name, score in groups.after_maps(z, y, group, group, rng):
        scores[name] = score[group[test] == "right"]
    common = scores["temperature"]
    np.testing.assert_array_equal(scores["temperature of the group"], common)


def test_no_map_sees_the_half_on_which_it_is_judged():
    z, y, group = answers_of_two_groups(np.random.default_rng(2))

    def mapped(labels):
        rng = np.random.default_rng(3)
        return list(groups.after_maps(z, labels, group, group, rng))

    before = mapped(y)
    test = before[0].test
    after = mapped(np.where(test, (y + 1) % 3, y))
    for half, changed in zip(before, after, strict=True):
        np.testing.assert_array_equal(half.score, changed.score)
    assert np.array_equal(before[0].score, calib.softmax(z[test]).max(axis=1))


def test_images_are_alike_where_both_first_classes_are_of_one_superclass(monkeypatch):
    """The first image hesitates within a superclass, the second between two."""
    of_class = groups.SUPERCLASS_OF
    within = np.flatnonzero(of_class == of_class[0])[:2]
    other = np.flatnonzero(of_class != of_class[0])[0]
    z = np.zeros((2, 100))
    z[0, within], z[1, [within[0], other]] = (3, 2), (3, 2)
    test = Outputs([within[0], other], logits=z)
    monkeypatch.setattr(groups, "answer_sources", lambda kind: [])
    monkeypatch.setattr(groups, "CIFAR100", ["a"])
    monkeypatch.setattr(groups, "load_source", lambda name: SimpleNamespace(test=test))
    ((name, logits, y, group, attribute),) = groups.prediction_sets()
    assert name == "a" and y.tolist() == [within[0], other]
    np.testing.assert_allclose(logits, test.as_logits())
    assert group.tolist() == [groups.SUPERCLASSES[of_class[0]]] * 2
    assert attribute.tolist() == ["alike", "unlike"]
