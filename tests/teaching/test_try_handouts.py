"""A student's notebook with the solutions put in, and what is said where its checks go wrong."""

import shutil

import nbformat
import pytest
from one_lab import STEPS, answered, teachers

from teaching import try_handouts
from teaching.try_handouts import solved


def kinds(notebook):
    """The tags of the cells that have one."""
    tagged = [cell for cell in notebook.cells if cell.metadata.get("tags")]
    return [cell.metadata["tags"][0] for cell in tagged]


def test_solutions_stand_between_the_stub_and_the_check_of_their_exercise():
    student = answered({})
    notebook = solved(student, teachers())
    assert kinds(student) == ["stub", "check"] * len(STEPS)
    sources = [cell.source for cell in notebook.cells]
    for label, (stub, solution, _) in STEPS.items():
        i = sources.index(solution)
        assert sources[i - 1] == stub
        assert sources[i + 1].startswith(f"with check('{label}')")
    assert len(notebook.cells) == len(student.cells) + len(STEPS)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


OPEN, HOLDS = ["not yet: not filled in: mean"] * 3, ["right"] * 3
GOES_WRONG = [  # what the checks say of stubs and of solutions, and what is said of that
    (OPEN, HOLDS, None),
    (HOLDS, HOLDS, "says 'right', expected 'not yet: not filled in'"),
    (OPEN, ["right", "not yet: no", "right"], "says 'not yet: no', expected 'right'"),
    (ValueError("no kernel"), HOLDS, "labs/one: no kernel"),
    (OPEN, ValueError("no kernel"), "labs/one: no kernel"),
]


@pytest.fixture
def handed_out(tmp_path, monkeypatch):
    """A site whose archive has the notebook of one lab, and its teacher's notebook."""
    labs = tmp_path / "exercises" / "labs"
    for folder in (labs, tmp_path / "teacher" / "labs", tmp_path / "_static"):
        folder.mkdir(parents=True)
    nbformat.write(answered({}), labs / "one.ipynb")
    nbformat.write(teachers(), tmp_path / "teacher" / "labs" / "one.ipynb")
    shutil.make_archive(
        tmp_path / "_static" / "exercises", "zip", tmp_path, "exercises"
    )
    shutil.rmtree(labs)  # what is run comes out of the archive
    monkeypatch.setattr(try_handouts, "SITE", tmp_path)
    monkeypatch.setattr(try_handouts, "TEACHER", tmp_path / "teacher")
    monkeypatch.setenv("CALIB_SITE", "")


@pytest.mark.parametrize(("of_stubs", "of_solutions", "problem"), GOES_WRONG)
def test_stubs_must_be_open_and_solutions_right(
    of_stubs, of_solutions, problem, handed_out, monkeypatch, capsys
):
    def run(notebook, folder):
        is_solved = len(notebook.cells) > len(answered({}).cells)
        said = of_solutions if is_solved else of_stubs
        if isinstance(said, Exception):
            raise said
        return said

    monkeypatch.setattr(try_handouts, "run", run)
    assert try_handouts.main() == (0 if problem is None else 1)
    last = capsys.readouterr().out.splitlines()[-1]
    assert (problem or "all notebooks ran") in last
