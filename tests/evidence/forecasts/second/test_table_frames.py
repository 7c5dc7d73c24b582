"""Tables of language models with holes."""

import pandas as pd

from evidence.forecasts.second import judge_second, registered, stand_ins

LINES = registered.load_lines()
TABLE = registered.load_table()


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
