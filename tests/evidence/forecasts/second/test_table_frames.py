"""Tables of language models, with holes and by hand."""

import numpy as np
import pandas as pd
import pytest

from evidence.forecasts.second import (
    judge_second,
    registered,
    stand_ins,
    table_frames,
)

LINES = registered.load_lines()
TABLE = registered.load_table()
# a base and a tuned model of one pair, and a model alone that answered one task of three
TASKS = """model,tuning,pair,task,accuracy,ece_stated,ece_logit,parameters
b,base,p,x,40,10,20,100
b,base,p,y,60,20,30,100
t,tuned,p,x,50,30,10,1000
t,tuned,p,x,70,50,10,1000
t,tuned,p,y,80,101,10,1000
alone,,,z,90,0,-1,0
,,,z,90,5,5,5
"""
SUBJECTS = """model,tuning,pair,subject,accuracy,ece_before,ece_after,n
b,base,p,x,40,10,4,1
b,base,p,y,80,20,,3
b,base,p,z,1,1,1,0
t,tuned,p,x,50,8,2,1
t,tuned,p,y,50,4,2,1
"""


def frames_of(read, folder, text):
    name = {table_frames.read_tasks: "tasks.csv"}.get(read, "subjects.csv")
    (folder / name).write_text(text)
    return read(folder)


def by_name(frame, *keys):
    return frame.set_index([*keys]).sort_index()


@pytest.fixture
def tasks(tmp_path):
    return frames_of(table_frames.read_tasks, tmp_path, TASKS)


@pytest.fixture
def subjects(tmp_path):
    return frames_of(table_frames.read_subjects, tmp_path, SUBJECTS)


def test_rows_of_one_model_and_task_are_averaged_and_what_is_no_percentage_is_empty(
    tasks,
):
    rows = by_name(tasks.frames["tasks"], "model", "task")
    assert len(rows) == 5  # the row without a model is left out
    assert rows["accuracy"].tolist() == [90, 40, 60, 60, 80]
    assert rows["ece_stated"].tolist()[:4] == [0, 10, 20, 40]
    assert np.isnan(rows.loc[("t", "y"), "ece_stated"])
    assert np.isnan(rows.loc[("alone", "z"), "ece_logit"])
    logs = rows["log_parameters"].tolist()
    assert np.isnan(logs[0]) and logs[1:] == [2, 2, 3, 3]
    assert tasks.notes == (
        "tasks.csv: 1 numbers of ece_stated are none",
        "tasks.csv: 1 numbers of ece_logit are none",
    )


def test_a_model_has_a_mean_of_at_least_half_of_the_tasks(tasks):
    """Of three tasks in all two are enough; one is not, and the size needs none."""
    models = by_name(tasks.frames["task models"], "model")
    assert models.loc["b", [*table_frames.TASKS]].tolist() == [50, 15, 25]
    assert models.loc["t", ["accuracy", "ece_logit"]].tolist() == [70, 10]
    assert np.isnan(models.loc["t", "ece_stated"])  # known of one task
    assert models.loc["alone", [*table_frames.TASKS]].isna().all()
    assert models.loc[["b", "t"], "log_parameters"].tolist() == [2, 3]


def test_half_of_the_tasks_is_enough(tmp_path):
    two = TASKS.replace("alone,,,z", "alone,,,x").replace(",,,z", ",,,x")
    frames = frames_of(table_frames.read_tasks, tmp_path, two).frames
    models = by_name(frames["task models"], "model")
    assert models.loc["alone", ["accuracy", "ece_stated"]].tolist() == [90, 0]


def test_a_pair_has_the_numbers_of_both_models_side_by_side(tasks):
    pairs = by_name(tasks.frames["task pairs"], "pair", "task")
    assert pairs["accuracy_base"].tolist() == [40, 60]
    assert pairs["accuracy_tuned"].tolist() == [60, 80]
    by_model = by_name(tasks.frames["task pairs by model"], "pair").loc["p"]
    assert (by_model["ece_logit_base"], by_model["ece_logit_tuned"]) == (25, 10)
    means = by_name(tasks.frames["task means"], "task")
    assert means["accuracy"].tolist() == [50, 70, 90]
    assert set(means) == {*table_frames.TASKS}


def test_a_models_mean_weighs_subjects_by_the_questions_that_were_answered(subjects):
    models = by_name(subjects.frames["subject models"], "model")
    assert models.loc["b", [*table_frames.SUBJECTS]].tolist() == [
        (40 + 3 * 80) / 4,
        (10 + 3 * 20) / 4,
        4,
    ]
    pair = by_name(subjects.frames["subject pairs by model"], "pair").loc["p"]
    assert (pair["ece_before_base"], pair["ece_before_tuned"]) == (17.5, 6)
    pairs = by_name(subjects.frames["subject pairs"], "pair", "subject")
    assert pairs["accuracy_base"].tolist() == [40, 80]
    means = by_name(subjects.frames["subject means"], "subject")
    assert means["accuracy"].tolist() == [45, 65]
    assert subjects.notes == ("subjects.csv: 1 rows without questions are left out",)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("", "tasks.csv: No columns to parse from file"),
        ("model,accuracy\nb,1\n", "tasks.csv: it has no columns model and task"),
    ],
)
def test_a_table_that_cannot_be_used_gives_a_note_and_no_frames(tmp_path, text, note):
    assert table_frames.read_tasks(tmp_path) == registered.FramesWithNotes({}, ())
    assert frames_of(table_frames.read_tasks, tmp_path, text) == (
        registered.FramesWithNotes({}, (note,))
    )


def test_columns_that_a_table_lacks_are_empty(tmp_path):
    text = "model,task,accuracy\nb,x,100\nb,y,0\n"
    found = frames_of(table_frames.read_tasks, tmp_path, text)
    rows = by_name(found.frames["tasks"], "task")
    assert rows["accuracy"].tolist() == [100, 0] and found.notes == ()
    assert rows["ece_stated"].isna().all() and (rows["pair"] == "").all()
    assert found.frames["task pairs"].empty


def test_tables_with_holes_lose_no_other_answer(complete, tmp_path):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    lacking = stand_ins.base_models_state_nothing(only)
    whole, fewer = (
        judge_second.judge_lines(
            LINES, judge_second.read_folder(s.write(tmp_path / name)).frames
        )
        for name, s in (("whole", only), ("fewer", lacking))
    )
    gone = judge_second.answered(whole) & ~judge_second.answered(fewer)
    spelt_out = TABLE["parameters"].str.contains("ece_stated")
    assert gone.any() and spelt_out[gone].all()
    same = judge_second.answered(fewer) & ~spelt_out
    pd.testing.assert_frame_equal(whole[same], fewer[same])
