"""Execution and the build: what is executed, skipped, refused, sealed off and ended."""

import functools
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from helpers import ROOT, wait_until

from book.__main__ import _alone, main
from book.build import lint
from book.build.execute import execute_all, key
from book.build.project import BookError, Project
from book.build.site import build_site
from evidence.studies.software.killed_runs import alive

HEAD = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
calib: CALIB
---
"""


def cell(source, options=""):
    return f"\n```{{code-cell}} ipython3\n{options}{source}\n```\n"


FIGURE = cell(
    "import matplotlib.pyplot as plt\n\nfig, ax = plt.subplots()\nax.plot([1, 2], [3, 4])",
    """---
mystnb:
  figure: {name: fig-line, caption: "A line."}
  image: {alt: "A line."}
---
""",
)


@pytest.fixture
def project(tmp_path):
    """A book of a landing page and one notebook, with this checkout's calib and data."""
    (tmp_path / "book").mkdir()
    for name in ("data", "pyproject.toml", "book/references.bib"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name in ("calib", "calib_report", "evidence", "book/show"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("_config.yml", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    book = Project(tmp_path)
    add(book, "index", "# Landing\n")
    add(
        book, "part/one", HEAD.replace("CALIB", "{}") + "# One\n" + cell("print('one')")
    )
    return book


def add(project, name, text):
    path = project.chapters / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    names = sorted(
        file.relative_to(project.chapters).with_suffix("").as_posix()
        for file in project.chapters.rglob("*.md")
    )
    entries = "".join(f"  - file: {entry}\n" for entry in names if entry != "index")
    toc = f"format: jb-book\nroot: index\n{'chapters:' if entries else ''}\n{entries}"
    (project.root / "_toc.yml").write_text(toc)
    return project.chapter(name)


def notebook(project, body, calib="{}", name="part/one"):
    return add(project, name, HEAD.replace("CALIB", calib) + "# One\n" + body)


def executed_notebook(project, chapter, parameters=None):
    execute_all(project, [chapter], parameters)
    return nbformat.read(project.executed(chapter), as_version=4)


def run(project, *arguments):
    return main(["--root", str(project.root), *arguments])


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


def test_parameters_come_from_the_command(project):
    body = cell("n = 1\nm: int = 2", ":tags: [parameters]\n") + cell("print(n, m)")
    executed = executed_notebook(project, notebook(project, body), {"n": 5, "m": 7})
    assert executed.cells[-1].outputs[0].text == "5 7\n"
    injected = [
        c for c in executed.cells if "injected-parameters" in c.metadata.get("tags", [])
    ]
    assert "remove-cell" in injected[0].metadata.tags
    assert "papermill" not in executed.metadata


def test_a_wrong_parameter_is_told_in_one_line(project, capsys):
    notebook(project, cell("n = 1", ":tags: [parameters]\n"))
    for parameter, words in (
        ("k=2", "unknown parameter k; it has n"),
        ("a=[1", "expected name=value"),
    ):
        assert run(project, "chapter", "part/one", "-p", parameter) == 1
        error = capsys.readouterr().err.strip()
        assert words in error and "\n" not in error


TOC = "format: jb-book\nroot: index\nchapters:\n  - file: part/one\n"
PATTERN = (
    HEAD.replace("CALIB", "{data: [published/absent-*.csv]}") + "# One\n" + cell("1")
)
DECLARED = (
    HEAD.replace("CALIB", "{date: [published/guo2017.csv]}") + "# One\n" + cell("1")
)
BROKEN = [  # a file, what it holds, what is said
    (
        "_config.yml",
        b"title: \xff\n",
        "_config.yml: 'utf-8' codec can't decode byte 0xff",
    ),
    ("_config.yml", b"title: 3\nexecute: {timeout: soon}\n", "_config.yml"),
    ("_toc.yml", b"root: [", "_toc.yml"),
    (
        "_toc.yml",
        TOC.replace("one", "absent").encode(),
        "chapters/part/absent.md does not exist",
    ),
    (
        "_toc.yml",
        (TOC + "  - file: part/one\n").encode(),
        "_toc.yml: document file used multiple times: 'part/one'",
    ),
    ("chapters/orphan.md", b"# Orphan\n", "chapters/orphan.md: not listed in _toc.yml"),
    (
        "chapters/part/one.md",
        b"---\n- a\n---\n# One\n",
        "front matter: expected a mapping",
    ),
    (
        "chapters/part/one.md",
        PATTERN.encode(),
        "no file matches data/published/absent-*.csv",
    ),
    ("chapters/part/one.md", DECLARED.encode(), "unknown keys date"),
    ("chapters/part/one.md", ("# One\n" + cell("1")).encode(), "no kernelspec"),
]


@pytest.mark.parametrize(("name", "content", "message"), BROKEN)
def test_broken_sources_are_named_before_anything_runs(
    project, capsys, name, content, message
):
    (project.root / name).write_bytes(content)
    assert run(project, "build") == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert "[1/" not in shown.out


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


SEALED = """
import os, pathlib, numpy, pandas, matplotlib, matplotlib.pyplot as plt

at_home = pathlib.Path.home() / "left"
print(os.environ.get("LEFT"), pandas.options.display.precision, plt.get_fignums())
print(at_home.exists(), numpy.__dict__.get("left"), "mine" in globals())
print("inline" in matplotlib.get_backend(), matplotlib.rcParams["font.size"])
print("SECRET" in os.environ, os.environ["TZ"])
os.environ["LEFT"] = numpy.left = "here"
pandas.options.display.precision = 2
plt.figure()
at_home.touch()
"""


def test_neither_settings_of_the_user_nor_what_another_chapter_did_reach_one(
    project, tmp_path, monkeypatch
):
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("mine = 1\n")
    (tmp_path / "matplotlibrc").write_text("font.size: 30\n")
    environment = {
        "MPLBACKEND": "Agg",
        "SECRET": "1",
        "TZ": "Asia/Tokyo",
        "HOME": "/nonexistent",
    }
    environment |= {
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "MATPLOTLIBRC": str(tmp_path),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    chapters = [notebook(project, cell(SEALED), name=f"part/{name}") for name in "abc"]
    execute_all(project, chapters)
    for chapter in chapters:
        ran = nbformat.read(project.executed(chapter), as_version=4)
        printed = "None 6 []\nFalse None False\nTrue 12.0\nFalse UTC\n"
        assert ran.cells[-1].outputs[0].text == printed


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


def test_the_site_is_built_once_and_again_only_on_change(project, capsys, monkeypatch):
    monkeypatch.delenv("BOOK_REPOSITORY", raising=False)
    notebook(project, FIGURE + cell("1 + 1") + "\n$$ x $$\n")
    assert run(project, "build") == 0
    page = project.site / "part/one.html"
    text = page.read_text()
    assert 'alt="A line."' in text and "mathematics.js" in text
    assert "thebe" not in text
    executed = nbformat.read(
        project.executed(project.chapter("part/one")), as_version=4
    )
    shown = nbformat.read(project.site / "_sources/part/one.ipynb", as_version=4)
    for before, after in zip(executed.cells, shown.cells, strict=True):
        for output in before.get("outputs", []):
            output.get("data", {}).pop("text/csv", None)
        assert before == after
    (table,) = (project.site / "_static/figures").glob("*.csv")
    assert table.read_text().splitlines()[0] == "axes,kind,series,x,y,to x,to y"
    assert f'<a download href="../_static/figures/{table.name}">CSV' in text
    assert "/edit/" not in text and "mybinder" not in text and "colab" not in text
    assert 'class="figure-download"><a download href="../_images/' in text

    capsys.readouterr()
    assert run(project, "build") == 0
    assert "nothing changed" in capsys.readouterr().out

    monkeypatch.setenv("BOOK_REPOSITORY", "https://github.com/owner/name")
    assert run(project, "build") == 0
    text = page.read_text()
    assert "https://github.com/owner/name/edit/main/chapters/part/one.md" in text

    bare = FIGURE.replace('  image: {alt: "A line."}\n', "")
    for body, phrases in (
        (bare + "\n{ref}`nowhere`\n", ("nowhere", "an image has no text alternative")),
        (
            cell("divisor = 0\n1 / divisor"),
            ("one.md", "    1 / divisor", "ZeroDivisionError"),
        ),
    ):
        notebook(project, body)
        assert run(project, "build") == 1
        error = capsys.readouterr().err
        assert all(phrase in error for phrase in phrases)
        assert page.read_text() == text  # the last good site stays


def files(folder):
    return {
        p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def test_a_site_built_upon_the_last_one_is_the_one_that_is_built_anew(project):
    """A page goes, a section that another page names is renamed, a figure and a text change."""
    labelled = "# Named\n\n(named)=\n## Old\n\nSee {ref}`fig-line`.\n\n$$ x $$ (last)\n"
    citing = f"Fine {{cite:t}}`guo2017`.\n{FIGURE}"
    cited = "# References\n\n{page-minutes}`part/one`\n\n```{bibliography}\n```\n"
    add(project, "references", cited)
    add(project, "still", "# Still\n\nSee {ref}`named` and {eq}`last`.\n")
    gone = add(project, "gone", "# Gone\n").path
    add(project, "named", labelled)
    notebook(project, citing)
    assert run(project, "build") == 0
    gone.unlink()
    written = []
    better = "Better " * 700
    for old, new in (("", ""), ("Old", "New"), ("[3, 4]", "[4, 3]"), ("Fine", better)):
        labelled, citing = labelled.replace(old, new), citing.replace(old, new)
        add(project, "named", labelled)
        notebook(project, citing)
        assert run(project, "build") == 0
        written.append((project.build / "sphinx/raw/still.html").stat().st_mtime_ns)
    # not for a figure, nor for a text
    assert len(set(written)) == 2 and written[1] == written[3]
    built = files(project.site)
    assert (
        b"Better" in built[Path("part/one.html")]
        and b"New" in built[Path("still.html")]
    )
    assert b"10 minutes" in built[Path("references.html")]
    notebook(project, citing.replace("guo2017", "naeini2015"))
    assert run(project, "build") == 0
    built = files(project.site)
    build_site(project, project.listed(), force=True)
    assert files(project.site) == built


def test_a_chapter_builds_alone_with_open_references(project, capsys):
    chapter = notebook(
        project, "See {ref}`elsewhere` and {cite:t}`guo2017`.\n" + cell("1")
    )
    (project.root / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    assert run(project, "chapter", f"chapters/{chapter.name}.md") == 0
    shown = capsys.readouterr()
    assert "WARNING" not in shown.out and not shown.err
    assert Path(shown.out.splitlines()[-2]).is_file()


def test_lint_reads_and_mends_the_code_cells(project):
    options = "---\ntags: [hide-input]\n---\n"
    chapter = notebook(
        project, "Prose  'stays'.\n" + cell("import os\nx = {'a':1}", options)
    )
    with pytest.raises(BookError, match=r"one:cell 1:1:8: F401"):
        lint.check(project, [chapter])
    lint.check(project, [chapter], fix=True)
    text = chapter.path.read_text()
    assert 'x = {"a": 1}' in text and "import os" not in text
    assert options in text and "Prose  'stays'." in text


WAIT = """
import sys
from pathlib import Path

from book.__main__ import _alone

with _alone(Path(sys.argv[1])):
    print("at work", flush=True)
"""


def test_a_second_build_waits_for_the_first(tmp_path):
    with _alone(tmp_path / "lock"):
        command = [sys.executable, "-c", WAIT, tmp_path / "lock"]
        second = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert second.stdout.readline() == "waiting for another build to end\n"
        assert second.poll() is None
    assert second.communicate(timeout=120)[0] == "at work\n"
