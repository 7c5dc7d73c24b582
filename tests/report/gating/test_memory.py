"""The memory of a gate: three verdicts, what is refused, what is joined, and its file."""

import numpy as np
import pytest
from weeks import after, week, write_csv

import calib
from calib_report.command import main
from calib_report.gating.memory import (
    ALL,
    BROKEN,
    HOLDS,
    OPEN,
    Look,
    Memory,
    Promise,
    join,
    remember,
    report_lines,
    verdicts,
)
from calib_report.model_outputs import ModelOutputs

SITES = np.array(["north", "south"])


def test_three_verdicts():
    small, large = after([week(0, 100)]), after([week(0, 100_000)], tolerance=0.02)
    assert report_lines(small)[0] == OPEN
    assert "more labels would tell" in report_lines(small)[1][1]
    assert report_lines(large)[0] == HOLDS
    drifts = after(
        [week(k) for k in range(5)] + [week(9 + k, offset=-0.1) for k in range(10)]
    )
    verdict, lines = report_lines(drifts)
    assert verdict == BROKEN
    assert "from look 6 on" in lines[1] and "happens less often" in lines[1]


def test_a_break_is_not_forgotten():
    weeks = [week(k, offset=0.15) for k in range(6)]
    memory = after([*weeks, *(week(100 + k, 5000) for k in range(10))])
    assert report_lines(memory)[0] == BROKEN


def test_a_shift_of_the_log_odds_is_repaired_by_an_offset():
    rng = np.random.default_rng(0)
    p = rng.beta(5, 2, size=5000)
    moved = 1 / (1 + (1 - p) / p * np.exp(-0.5))
    prob = np.column_stack([1 - p, p])
    shifted = ModelOutputs((rng.random(5000) < moved).astype(int), probabilities=prob)
    line = report_lines(after([shifted]))[1][1]
    assert "shift the offset: add 0.5" in line
    outwards = np.where(rng.random(5000) < 0.5, 0.9, 0.1)
    timid = np.where(outwards > 0.5, 0.75, 0.25)
    prob = np.column_stack([1 - outwards, outwards])
    overconfident = ModelOutputs(
        (rng.random(5000) < timid).astype(int), probabilities=prob
    )
    line = report_lines(after([overconfident]))[1][1]
    assert "too far from a half" in line and "fit the map again" in line


def test_of_an_event_that_always_happens_no_offset_is_advised():
    sure = week(0)
    always = ModelOutputs(
        np.ones(500, int), probabilities=sure.prob, class_names=["no", "yes"]
    )
    lines = report_lines(after([always, always]))[1]
    assert "it always happens, which no offset gives" in " ".join(lines)


def test_one_group_breaks_the_promise():
    weeks = []
    for seed in range(8):
        outputs = week(seed, 1000)
        south = np.arange(1000) % 2 == 1
        y = np.where(
            south & (np.random.default_rng(seed).random(1000) < 0.3), 0, outputs.y
        )
        weeks.append(
            ModelOutputs(
                y, probabilities=outputs.prob, groups={"site": SITES[south.astype(int)]}
            )
        )
    verdict, lines = report_lines(after(weeks))
    assert verdict == BROKEN
    by_stream = {line[18:29].strip(): line for line in lines[1:]}
    assert by_stream["site south"].startswith(BROKEN)
    assert not by_stream["site north"].startswith(BROKEN)


def test_each_class_is_watched():
    rng = np.random.default_rng(0)
    p = rng.dirichlet([2, 2, 2], size=4000)
    y = (rng.random((4000, 1)) > p.cumsum(axis=1)).sum(axis=1)
    y[(y == 2) & (rng.random(4000) < 0.5)] = 1
    outputs = ModelOutputs(y, probabilities=p, class_names=["a", "b", "c"])
    _, lines = report_lines(after([outputs], by_class=True))
    assert [line.split()[0] for line in lines[2:]] == ["not", BROKEN, BROKEN]


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
        (week(1), {"model": "b"}, "--model-name: 'b', and the memory is of 'a'"),
        (
            week(1),
            {"model": "a", "tolerance": 0.05},
            "--tolerance: 0.05, and the memory is of 0.02",
        ),
    ],
)
def test_another_model_is_refused(other, asked, message):
    memory, _ = remember(week(0), None, "week", model="a")
    with pytest.raises(ValueError, match=message):
        remember(other, memory, "week", **asked)


@pytest.mark.parametrize("tolerance", [0.0, -0.1, 1.0, float("nan")])
def test_a_tolerance_is_a_share(tolerance):
    with pytest.raises(ValueError, match="--tolerance"):
        remember(week(0), None, "week", tolerance=tolerance)


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


def test_command(tmp_path, capsys):
    state = str(tmp_path / "gate.json")
    statuses = []
    for number in range(4):
        file = write_csv(
            tmp_path / f"{number}.csv", week(number, 2000, -0.2 * (number > 1))
        )
        statuses.append(main(["check", file, "--positive", "yes", "--memory", state]))
    assert statuses[0] == 4 and statuses[-1] == 3
    printed = capsys.readouterr().out
    assert "look 4: how often it is 'yes', against its probability" in printed
    assert main(["join", state, state, "-o", str(tmp_path / "both.json")]) == 0
    assert (tmp_path / "both.json").read_bytes() == (
        tmp_path / "gate.json"
    ).read_bytes()
    assert main(["join", str(tmp_path / "none.json"), "-o", state]) == 2
    large = write_csv(tmp_path / "large.csv", week(0, 20_000))
    fine = str(tmp_path / "fine.json")
    command = ["check", large, "--positive", "yes", "--memory", fine]
    assert main(command) == 0
    assert main([*command, "--min", "accuracy=0.99"]) == 3


def test_what_is_refused_leaves_the_memory_as_it_was(tmp_path):
    state = tmp_path / "gate.json"
    file = write_csv(tmp_path / "week.csv", week(0))
    main(["check", file, "--positive", "yes", "--memory", str(state)])
    before = state.read_bytes()
    other = tmp_path / "other.csv"
    other.write_text("label,p_a,p_b\na,0.8,0.2\nb,0.4,0.6\n")
    assert main(["check", str(other), "--memory", str(state)]) == 2
    assert state.read_bytes() == before


def promise_of(*streams):
    return Promise("", "classes", ("no", "yes"), streams, 0.02)


def test_streams_share_one_chance_of_a_wrong_alarm():
    """Evidence of e ** 3.07 breaks at one in twenty, and not where half of that is left."""
    sums = calib.look_sums(np.arange(200) < 135, np.full(200, 0.5))
    for streams, is_broken in (((ALL,), True), ((ALL, "ward a", "ward b"), False)):
        promise = promise_of(*streams)
        assert sum(promise.share.values()) == pytest.approx(1)
        look = Look(1, "file", "digest", dict.fromkeys(streams, 0 * sums) | {ALL: sums})
        verdict = verdicts(Memory(promise, (look,)))[ALL]
        assert (verdict.status == BROKEN) == is_broken


def test_a_look_after_those_of_several_machines_comes_after_all_of_them():
    looks = tuple(
        Look(number, "file", str(k), {}) for k, number in enumerate((1, 1, 2))
    )
    memory = Memory(promise_of(ALL), looks).with_look(Look(0, "new", "new", {}))
    assert [look.number for look in memory.looks] == [1, 1, 2, 3]


def test_samples_of_other_ids_are_other_samples():
    ids = np.arange(500)
    both = after([week(0, ids=ids), week(0, ids=ids + 500), week(0, ids=ids)])
    assert len(both.looks) == 2
