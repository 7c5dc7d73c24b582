"""The command that trains the zoo: runs that are listed, that end, and that fail."""

import pytest

from evidence.training.__main__ import collect, main
from evidence.training.runs import convnet


def test_runs_that_end_are_noted_and_those_that_fail_are_named(tmp_path, capsys):
    here, fails = convnet("here"), convnet("fails", seed=2)
    attempts = [(here, 7.4, None), (fails, None, "ValueError('no data')")]
    assert collect(attempts, tmp_path) == [fails.name]
    assert (tmp_path / "seconds.csv").read_text() == f"name,seconds\n{here.name},7\n"
    assert "no data" in capsys.readouterr().out


def test_runs_are_listed_and_a_word_that_no_run_has_is_refused(capsys):
    main(["--list", "--only", "guo-trees"])
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 6 and all(line.startswith("here") for line in listed)
    with pytest.raises(SystemExit):
        main(["--only", "guo-tress"])
    assert "--only: no name or block of a run holds 'guo-tress'" in (
        capsys.readouterr().err
    )
