"""What a gate promises: of which samples, and what it refuses."""

import numpy as np
import pytest
from weeks import promise_of, week

from calib_report.gating.memory import remember
from calib_report.gating.promise import ALL, streams_of
from calib_report.model_outputs import ModelOutputs


def test_a_group_that_would_hide_a_class_or_another_group_is_refused():
    rng = np.random.default_rng(3)
    p, y = rng.dirichlet(np.ones(3), 300), rng.integers(3, size=300)
    groups = {"class": np.array(["0", "x", "y"])[y]}
    outputs = ModelOutputs(y, probabilities=p, groups=groups)
    remember(outputs, None, "week")
    with pytest.raises(ValueError, match="'class 0' is the name of others as well"):
        remember(outputs, None, "week", by_class=True)
    twice = {"a": np.full(500, "b c"), "a b": np.full(500, "c")}
    with pytest.raises(ValueError, match="'a b c' is the name of others as well"):
        remember(week(0, groups=twice), None, "week")


def test_rows_that_belong_together_are_refused():
    together = week(0, clusters=np.arange(500) // 2)
    with pytest.raises(ValueError, match="clusters: rows belong together"):
        remember(together, None, "week")


@pytest.mark.parametrize(
    ("other", "asked", "message"),
    [
        (
            ModelOutputs([0, 1], probabilities=[[0.5, 0.5]] * 2),
            {},
            "classes: '0', '1', and the mem",
        ),
        (
            ModelOutputs([0, 1], probabilities=[[0.5, 0.5]] * 2, task="pairs"),
            {},
            "task: 'pairs'",
        ),
        (week(1), {"model": "b"}, "model_name: 'b', and the memory is of 'a'"),
        (
            week(1),
            {"model": "a", "tolerance": 0.05},
            "tolerance: 0.05, and the memory is of 0.02",
        ),
    ],
)
def test_another_model_is_refused(other, asked, message):
    memory, _ = remember(week(0), None, "week", model="a")
    with pytest.raises(ValueError, match=message):
        remember(other, memory, "week", **asked)


@pytest.mark.parametrize("tolerance", [0.0, -0.1, 1.0, float("nan")])
def test_a_tolerance_is_a_share(tolerance):
    with pytest.raises(ValueError, match=r"^tolerance: "):
        remember(week(0), None, "week", tolerance=tolerance)


@pytest.mark.parametrize(
    ("streams", "share"),
    [
        ([ALL], {ALL: 1}),
        ([ALL, "a", "b"], {ALL: 0.5, "a": 0.25, "b": 0.25}),
        (["a", "b"], {"a": 0.5, "b": 0.5}),
    ],
)
def test_half_is_bet_on_all_samples_and_the_rest_on_the_others(streams, share):
    assert promise_of(*streams).share == share


def test_a_memory_with_a_name_takes_no_look_at_a_model_without():
    memory, _ = remember(week(0), None, "week", model="a")
    with pytest.raises(ValueError, match="model_name: '', and the memory is of 'a'"):
        remember(week(1), memory, "week")


@pytest.mark.parametrize(
    ("p", "said", "happened"),
    [
        # of two classes the event's probability, of three the confidence
        ([[0.7, 0.3], [0.2, 0.8]], [0.3, 0.8], [0, 1]),
        ([[0.7, 0.2, 0.1], [0.2, 0.3, 0.5]], [0.7, 0.5], [1, 0]),
    ],
)
def test_what_is_watched_of_all_is_the_event_or_the_answer(p, said, happened):
    outputs = ModelOutputs([0, 1], probabilities=np.array(p))
    stream = streams_of(outputs, by_class=False)[ALL]
    assert [column.tolist() for column in stream] == [said, happened]


def test_what_is_watched_of_a_class_is_its_column():
    p = np.array([[0.7, 0.2, 0.1], [0.2, 0.3, 0.5]])
    streams = streams_of(ModelOutputs([0, 1], probabilities=p), True)
    streams.pop(ALL)
    assert [said.tolist() for said, _ in streams.values()] == p.T.tolist()
    assert [list(y) for _, y in streams.values()] == [[1, 0], [0, 1], [0, 0]]
