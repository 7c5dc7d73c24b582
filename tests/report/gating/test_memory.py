"""The memory of a gate: which samples count, and what is joined."""

import numpy as np
import pytest
from weeks import after, promise_of, week

from calib_report.gating.memory import Look, Memory, join, remember
from calib_report.gating.promise import ALL


def test_a_group_that_is_new_is_told():
    first = week(0, groups={"site": np.full(500, "north")})
    memory, _ = remember(first, None, "first")
    _, notes = remember(
        week(1, groups={"site": np.full(500, "west")}), memory, "second"
    )
    assert notes == [
        "'site west': not in the first look, so counted among all samples only"
    ]


def test_samples_count_once():
    memory = after([week(0)])
    again, notes = remember(week(0), memory, "again.csv")
    assert again == memory
    assert notes == [
        "again.csv: these samples are in the memory; they are not counted again"
    ]


def test_samples_count_once_whatever_is_asked_of_them():
    ward = np.repeat(["a", "b"], 250)
    memory = after([week(0, groups={"ward": ward})])
    for outputs, asked in ((week(0), {}), (week(0), {"by_class": True})):
        again, notes = remember(outputs, memory, "again.csv", **asked)
        assert again == memory and "not counted again" in notes[-1]


def test_samples_of_other_ids_are_other_samples():
    ids = np.arange(500)
    both = after([week(0, ids=ids), week(0, ids=ids + 500), week(0, ids=ids)])
    assert len(both.looks) == 2


def test_memories_of_two_machines_are_joined_look_by_look():
    weeks = [week(seed) for seed in range(6)]
    first, second = after(weeks[:3]), after(weeks[3:])
    joined = join([first, second])
    np.testing.assert_allclose(
        joined.sums("all"), first.sums("all") + second.sums("all")
    )
    assert join([joined, first]).looks == joined.looks
    with pytest.raises(ValueError, match="different models or promises"):
        join([first, after(weeks[3:], tolerance=0.1)])


def test_a_look_after_those_of_several_machines_comes_after_all_of_them():
    looks = tuple(
        Look(number, "file", str(k), {}) for k, number in enumerate((1, 1, 2))
    )
    memory = Memory(promise_of(ALL), looks).with_look(Look(0, "new", "new", {}))
    assert [look.number for look in memory.looks] == [1, 1, 2, 3]


def test_of_samples_in_two_memories_the_first_look_counts():
    first, second = after([week(0)]), after([week(1), week(0)])
    joined = join([first, second])
    assert [(look.number, look.name) for look in joined.looks] == [
        (1, "week 0"),
        (1, "week 0"),
    ]
