"""The processes that execute: what ends one of them, and what ends all."""

import functools
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import wait

import pytest
from helpers import ROOT, wait_until
from one_chapter import cell, notebook

from book.build import workers
from book.build.execute import execute_all
from book.build.project import BookError, Chapter, Project
from evidence.studies.software.killed_runs import alive


@pytest.fixture
def outcome(tmp_path, monkeypatch):
    """What a worker tells whose chapter does something, and the file that it was to write."""

    def of(does, seconds=60):
        monkeypatch.setattr(workers, "executed", lambda *given: does())
        path = tmp_path / "executed" / "part" / "one.ipynb"
        chapter = Chapter("part/one", tmp_path / "one.md", {})
        job = workers.Job(chapter, {}, "its key", path)
        worker = workers._start(Project(tmp_path), job, str(tmp_path), seconds)
        assert wait([worker.pipe], timeout=60)
        name, took, error = worker.outcome(seconds)
        assert name == "part/one" and worker.process.exitcode is not None
        return took, error, path

    return of


def test_a_worker_keeps_what_it_executed_with_its_record(outcome):
    took, error, path = outcome(lambda: time.sleep(0.02) or b"a notebook")
    assert error == "" and path.read_bytes() == b"a notebook"
    record = json.loads(path.with_suffix(".json").read_bytes())
    seconds = record.pop("seconds")
    assert 0.02 <= seconds <= took
    digest = hashlib.sha256(b"a notebook").hexdigest()
    assert record == {"key": "its key", "sha256": digest}


def refused():
    raise BookError("one.md: a sentence")


WORDS = {
    "a fault of the book": (refused, "one.md: a sentence"),
    "another fault": (lambda: {}["a"], "{folder}/one.md: KeyError: 'a'"),
    "killed": (
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        "{folder}/one.md: the process that executed it was killed",
    ),
}


@pytest.mark.parametrize(("does", "words"), WORDS.values(), ids=WORDS)
def test_a_worker_that_ends_without_a_notebook_tells_why(
    outcome, tmp_path, does, words
):
    _, error, path = outcome(does)
    assert error == words.format(folder=tmp_path) and not path.parent.exists()


def test_a_worker_that_is_late_is_stopped(outcome, tmp_path):
    took, error, _ = outcome(lambda: time.sleep(60), seconds=0.2)
    assert error == f"{tmp_path}/one.md: stopped after 0.2 s, its time limit"
    assert 0.2 <= took < 30


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


def test_where_the_process_above_the_workers_is_killed_each_chapter_says_so(project):
    kills = "import os, signal\n\nos.kill(os.getsid(0), signal.SIGKILL)"
    chapter = notebook(project, cell(kills), name="part/kills")
    told = r"^chapters/part/kills\.md: the process that executes was killed$"
    with pytest.raises(BookError, match=told):
        execute_all(project, [chapter])


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
