"""The command that ranks a map: what it refuses."""

import pytest

from evidence.arena.__main__ import main

WRONG = [  # the file of a map, the argument, what is said
    ("class Own\n    pass", "own.py:Own", "expected ':' (own.py, line 1)"),
    (
        "class Own:\n    def __init__(self, k): ...",
        "own.py:Own",
        "positional argument: 'k'",
    ),
    (
        "import absent_here",
        "own.py:Own",
        "No module named 'absent_here' (own.py, line 1)",
    ),
    ("exit(0)", "own.py:Own", "SystemExit: 0 (own.py, line 1)"),
    ("", "own.py:Own", "defines no class 'Own'"),
    ("", "own.py", "expected FILE.py:CLASS"),
    ("", "absent.py:Own", "No such file"),
]


@pytest.mark.parametrize(("content", "argument", "message"), WRONG)
def test_a_wrong_map_is_refused_in_one_line(
    content, argument, message, tmp_path, capsys
):
    (tmp_path / "own.py").write_text(content, "utf-8")
    assert main([f"{tmp_path}/{argument}", "-o", str(tmp_path / "mine.csv")]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
