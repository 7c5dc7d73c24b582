"""What the judge finds in stand-ins, complete and with holes, is what binds."""

import pytest

from evidence.forecasts.second import judge_second, outcomes, registered, stand_ins

LINES = registered.load_lines()
TABLE = registered.load_table()


STORED = dict(list(outcomes.load_outcomes().groupby("stand_in", sort=False)))


def test_the_outcomes_that_bind_are_of_every_stand_in_and_every_line():
    assert list(STORED) == [outcomes.COMPLETE, *stand_ins.HOLES]
    for stored in STORED.values():
        assert stored["id"].tolist() == TABLE["id"].tolist()


@pytest.mark.slow
def test_of_the_complete_stand_in_the_judge_finds_what_binds(frames_of_complete):
    judged = judge_second.judge_lines(LINES, frames_of_complete)
    assert judge_second.answered(judged).mean() > 0.95
    assert outcomes.differing(judged, STORED[outcomes.COMPLETE]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", stand_ins.HOLES)
def test_no_hole_breaks_the_judge(tmp_path, name):
    """What has no answer is counted, with a reason; no rule meets what it does not name."""
    seen = judge_second.read_folder(outcomes.with_hole(name).write(tmp_path))
    judged = judge_second.judge_lines(LINES, seen.frames)
    assert outcomes.differing(judged, STORED[name]) == []
    assert len(judged) == len(LINES)
    assert not judged["reason"].str.startswith(judge_second.BREAKS).any()
    answered = judge_second.answered(judged)
    amount = TABLE["unit"] != ""
    assert judged.loc[answered, "number"].notna().all()
    assert judged.loc[answered & ~amount, "true"].isin([0, 1]).all()
    assert judged.loc[~answered, ["true", "number"]].isna().all(axis=None)
    assert judged.loc[~answered, "reason"].str.match("no (answer|evidence): ").all()
    without = {
        "all_nan",
        "no_samples",
        "an_array_is_missing",
        "labels_too_short",
        "some_nan",
    }
    assert bool(seen.notes) or name not in without
