"""Which chapters are executed: again when something that they need changed, with the same bytes."""

import pytest
from one_chapter import FIGURE, cell, notebook

from book.build import execute
from book.build.execute import code_of_execution, execute_all, key
from book.build.project import BookError


def test_two_executions_give_the_same_bytes(project):
    body = FIGURE + cell(
        "import sys\n\nimport pandas as pd\n\nprint('a', end='', flush=True)\nprint('b')\n"
        "pd.DataFrame({'a': [1]}).style.hide()"
    )
    wide = cell("import pandas as pd\npd.DataFrame({'a' * 60: [1], 'b' * 60: [2]})")
    chapter = notebook(project, body + cell("object()") + wide)
    second = notebook(project, cell("1"), name="part/two")
    execute_all(project, [chapter])
    first = project.executed(chapter).read_bytes()
    written = project.executed(chapter).stat().st_mtime_ns
    execute_all(project, [chapter])  # unchanged, it is not executed again
    assert project.executed(chapter).stat().st_mtime_ns == written
    execute_all(project, [chapter, second], force=True)  # as alone, so among others
    assert project.executed(chapter).stat().st_mtime_ns > written
    assert project.executed(chapter).read_bytes() == first
    assert b"image/png" in first and b"T_cell" in first


def test_the_key_depends_on_source_parameters_lock_declared_data_and_what_is_imported(
    project,
):
    (project.root / "data").unlink()
    (project.root / "data").mkdir()
    used, unused = project.root / "data/used.csv", project.root / "data/unused.csv"
    used.write_text("a")
    unused.write_text("a")
    body = cell("from evidence import load_zoo") + cell("import calib")
    chapter = notebook(project, body, calib="{data: ['us*.csv']}")
    about = notebook(
        project, cell("from calib_report.writing import page"), name="part/about"
    )
    touched = {
        "requirements.lock": {"one", "about"},
        "data/used.csv": {"one"},
        "data/unused.csv": set(),
        "chapters/part/one.md": {"one"},
        "calib/metrics.py": {"one", "about"},
        "evidence/data.py": {"one"},
        "book/show/figure_data.py": {"one", "about"},
        "evidence/derived/losses.py": set(),
        "calib_report/writing/page.py": {"about"},
        "calib_report/writing/page.html": {"about"},
    }
    keys = {"one": key(project, chapter), "about": key(project, about)}
    assert key(project, chapter, {"n": 1}) != keys["one"]
    for name, expected in touched.items():
        path = project.root / name
        path.write_text(path.read_text() + "\n")
        after = {"one": key(project, chapter), "about": key(project, about)}
        assert {page for page in after if after[page] != keys[page]} == expected, name
        keys = after


@pytest.mark.parametrize("name", ["exercises", "sealed_checks", "seal"])
def test_the_key_of_a_chapter_with_exercises_depends_on_what_its_proofs_import(
    project, name
):
    exercise = "```{exercise-start} Add\n:label: ex\n```\n"
    chapters = [
        notebook(project, cell("a = 1")),
        notebook(project, cell("a = 1") + exercise, name="part/two"),
    ]
    before = [key(project, chapter) for chapter in chapters]
    path = project.root / f"book/show/{name}.py"
    path.write_text(path.read_text() + "\n")
    after = [key(project, chapter) for chapter in chapters]
    assert after[0] == before[0] and after[1] != before[1]


def test_a_damaged_notebook_or_record_is_executed_again(project, capsys):
    chapter = project.chapter("part/one")
    path = project.executed(chapter)
    execute_all(project, [chapter])
    whole = path.read_bytes()
    for file, content in (
        (path, whole[:100]),
        (path, whole.replace(b"one", b"two")),
        (path.with_suffix(".json"), b"[1]"),
    ):
        file.write_bytes(content)
        execute_all(project, [chapter])
        assert path.read_bytes() == whole
    assert capsys.readouterr().out.count("executed 1 of 1 chapters") == 4


def test_a_key_holds_all_modules_that_execute_a_chapter():
    """What cuts its cells too, and nothing that writes pages."""
    names = {path.stem for path in code_of_execution()} - {"__init__"}
    assert names == {
        "startup",
        "workers",
        "kernel",
        "sealed_environment",
        "notebook_outputs",
        "students",
        "project",
    }


def test_stale_chapters_begin_with_the_longest_and_what_never_ran_takes_a_minute(
    project, monkeypatch, capsys
):
    """Each says on its line how it went, and all errors are raised together."""
    chapters = [notebook(project, cell("1"), name=f"part/{name}") for name in "abcd"]
    records = {
        "a": {"key": "", "seconds": 59},
        "c": {"key": "", "seconds": 61},
        "d": {"key": key(project, chapters[3]), "seconds": 7},
    }
    monkeypatch.setattr(execute, "_record", lambda path: records.get(path.stem, {}))
    given = {}

    def failing(project, jobs, seconds):
        given.update(names=[job.chapter.path.stem for job in jobs], seconds=seconds)
        yield from (
            (job.chapter.name, 1.25, job.chapter.path.stem * (i > 0))
            for i, job in enumerate(jobs)
        )

    monkeypatch.setattr(execute, "run_jobs", failing)
    with pytest.raises(BookError, match=r"^b\n\na$"):
        execute_all(project, chapters, seconds=5)
    assert given == {"names": ["c", "b", "a"], "seconds": 5}
    assert capsys.readouterr().out.splitlines()[:3] == [
        "[1/3] ok      1.2 s  part/c",
        "[2/3] FAIL    1.2 s  part/b",
        "[3/3] FAIL    1.2 s  part/a",
    ]
    monkeypatch.setattr(execute, "run_jobs", None)
    execute_all(project, chapters[3:])  # nothing runs
    assert capsys.readouterr().out.startswith("executed 0 of 1 chapters in 0.0 s")


def test_a_key_depends_on_the_version_of_python_and_not_on_the_order_of_parameters(
    project, monkeypatch
):
    chapter = project.chapter("part/one")
    whole = key(project, chapter, {"a": 1, "b": 2})
    assert key(project, chapter, {"b": 2, "a": 1}) == whole
    assert key(project, chapter, {"a": 2, "b": 1}) != whole
    monkeypatch.setattr(execute.sys, "version", "4.0.0 (main)")
    assert key(project, chapter, {"a": 1, "b": 2}) != whole


def test_a_cell_that_is_no_python_is_named_before_anything_runs(project):
    broken = notebook(project, cell("1 +"), name="part/broken")
    with pytest.raises(BookError, match=r"part/broken\.md: invalid syntax: 1 \+"):
        execute_all(project, [broken])
