"""A check says what is wrong; values that are wrong, and right ones in other types."""

import json

import numpy as np
import pandas as pd
import pytest

from book.show.exercises import PASSED, check, printed_by, spellings, wrong_values

NEAR = "assert np.isclose(error, 0.35)\n    assert best == 7"


SAID = [  # a check, answers, and what it says where its source is at hand
    ("assert 1 == 2, 'the sum'", {}, "not yet: the sum: 1 is too small"),
    ("assert 1 == 2", {}, "not yet: 1 is too small"),
    ("assert given == 3", {"given": ...}, "not yet: not filled in: given"),
    ("assert [stub(x) for x in (1, 2)] == [1, 2]", {}, "not yet: not filled in: stub"),
    ("unknown", {}, "not yet: NameError: name 'unknown' is not defined"),
    (NEAR, {"error": ..., "best": 7}, "not yet: not filled in: error"),
    (NEAR, {"error": 35.0, "best": 7}, "not yet: error is 100 times too large"),
    (NEAR, {"error": -0.35, "best": 7}, "not yet: error has the other sign"),
    (
        NEAR,
        {"error": 0.35, "best": 8},
        "not yet: best is one too large: counted from 1?",
    ),
    (NEAR, {"error": 0.2, "best": 7}, "not yet: error is too small"),
    (
        NEAR,
        {"error": [0.35, 0.3], "best": 7},
        "not yet: error has the shape (2,), expected ()",
    ),
    (NEAR, {"error": "much", "best": 7}, "not yet: error is not what was asked for"),
    (NEAR, {"error": 0.35, "best": 7}, "right"),
]


LESS = {SAID[0][2]: "not yet: the sum"}  # in a cell


LESS[SAID[1][2]] = "not yet: the values differ from what the check expects"


@pytest.mark.parametrize(("body", "given", "said"), SAID)
def test_a_check_says_which_answer_is_wrong_and_how_and_shows_no_traceback(
    body, given, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("CALIB_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "published").mkdir(parents=True)
    source, space = (
        f"with check('ex'):\n    {body}",
        {"np": np, "check": check, **given},
    )
    (tmp_path / "checks.json").write_text(json.dumps({"ex": source}))
    exec("def stub(x): ...", space)
    check("ex").run(space)
    assert capsys.readouterr().out.strip() == said
    assert PASSED["ex"] == (said == "right")
    if body != NEAR:
        exec(source, space)
        assert capsys.readouterr().out.strip() == LESS.get(said, said)


@pytest.mark.parametrize("wrong", [lambda x: x, lambda x: x * x])
def test_a_wrong_function_that_computes_without_a_name_is_filled_in(wrong):
    source = "with check('ex'):\n    assert half(4) == 2"
    said = printed_by(source, {"half": wrong, "check": check})
    assert said.startswith("not yet: ") and "not filled in" not in said


@pytest.mark.parametrize(
    "value",
    [0, 7, 0.0, -0.1, True, "holds", "left", {1, 2}, {"a": 1, "b": 2}, (1, 2.5), [True, False],
     np.array([1.0, 2.0]), np.array([True, False]), pd.Series([0.5, 1.5]),
     pd.DataFrame({"a": [1.0, 2.0]})],
    ids=str,
)  # fmt: skip
def test_wrong_values_differ_from_the_right_one(value):
    assert len(wrong_values(value)) == 5
    assert len(spellings(value)) == 3
    for same in spellings(value):
        if np.iterable(value):
            assert [*same] == [*value] or {*same} == {*value}
        else:
            assert same == value
    for other in wrong_values(value):
        assert np.shape(other) != np.shape(value) or not np.all(
            np.asarray(other == value)
        )
