"""The processes that execute: what ends one of them, and what ends all."""

import functools
import os
import signal
import subprocess
import sys

import pytest
from helpers import ROOT, wait_until
from one_chapter import cell, notebook

from book.build.execute import execute_all
from book.build.project import BookError
from evidence.studies.software.killed_runs import alive

UNDECLARED = "from evidence import load_published\n\nload_published('guo2017')"

ENDS = {
    "kernel": (
        "import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)",
        "Kernel died",
    ),
    "late": ("import time\n\ntime.sleep(300)", "stopped after 20 s"),
    "error": ("raise ValueError('two\\nlines')", "ValueError: two lines"),
    "worker": (
        "import os, signal\n\nos.kill(os.getppid(), signal.SIGKILL)",
        "was killed",
    ),
    "warning": ("import warnings\n\nwarnings.warn('careful')", "wrote to stderr"),
    "path": ("import os\n\nprint(os.getcwd())", "holds the path"),
    "undeclared": (UNDECLARED, "Undeclared"),
}


def test_whatever_ends_a_chapter_is_told_and_the_others_are_executed(project):
    for name, (source, _) in ENDS.items():
        notebook(project, cell("1 + 1") + cell(source), name=f"part/{name}")
    declared = "{data: [published/guo2017.csv]}"
    notebook(project, cell(UNDECLARED), calib=declared, name="part/declared")
    chapters = [project.chapter(f"part/{name}") for name in [*ENDS, "one", "declared"]]
    with pytest.raises(BookError) as caught:
        execute_all(project, chapters, seconds=20)
    errors = str(caught.value).split("\n\n")
    for name, (_, message) in ENDS.items():
        assert any(f"{name}.md: " in error and message in error for error in errors), (
            name
        )
    done = [
        chapter.path.stem for chapter in chapters if project.executed(chapter).exists()
    ]
    assert done == ["one", "declared"]
    assert not alive(str(project.root))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_outlives_a_build_that_is_ended_and_finished_chapters_are_kept(
    project, number, tmp_path
):
    mark = str(tmp_path)
    slow = notebook(project, cell("import time\n\ntime.sleep(300)"), name="part/slow")
    command = [sys.executable, "-m", "book", "--root", str(project.root), "build"]
    build = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    finished = project.executed(project.chapter("part/one"))
    wait_until(lambda: finished.with_suffix(".json").exists(), seconds=120)
    assert len(alive(mark)) > 2
    build.send_signal(number)
    _, error = build.communicate(timeout=120)
    if number != signal.SIGKILL:
        assert build.returncode == 130 and "finished chapters are kept" in error
        assert error.strip().count("\n") == 0
    wait_until(lambda: not alive(mark), seconds=10)
    assert not project.executed(slow).exists() and not list(
        project.build.rglob("*.part")
    )
    before = finished.read_bytes()
    execute_all(project, [project.chapter("part/one")])
    assert finished.read_bytes() == before
