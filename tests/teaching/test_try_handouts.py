"""A student's notebook with the solutions put in."""

from one_lab import STEPS, answered, teachers

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
        place = sources.index(solution)
        assert sources[place - 1] == stub
        assert sources[place + 1].startswith(f"with check('{label}')")
    assert len(notebook.cells) == len(student.cells) + len(STEPS)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
